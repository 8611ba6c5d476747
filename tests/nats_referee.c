// A referee of games of Nim on a NATS server, for test_nats.c, which kills it: nats_referee URL GAMES LEASE_MS FOLDER.
// It begins the games 0, 1, … that are not there yet, and prints their tokens.

#include <kifu/nats.h>
#include <stdio.h>
#include <stdlib.h>

#include "nats_game.h"

int main(int count, char **words)
{
    kifu_error error;
    kifu_nats *nats;
    if (count != 5)
        return 2;
    const kifu_nats_options where = {.url = words[1], .service = "nim", .lease_ms = (uint32_t)atoi(words[3])};
    const kifu_referee_options options = {
        .folder = words[4], .begin = begin_nim, .requests_per_second = 10000, .idle_ms = 5000};
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (;;) {
        kifu_result result;
        while ((result = kifu_nats_serve(&nim_rules, &options, &where, &nats, &error)) == KIFU_IN_USE ||
               result == KIFU_IO)
            kifu_nats_rest(20);
        if (result) {
            printf("error %s\n", error.message);
            return 1;
        }
        for (int i = 0; i < atoi(words[2]); i++) {
            char name[20];
            kifu_token tokens[2];
            snprintf(name, sizeof name, "%d", i);
            if (!kifu_referee_open(kifu_nats_referee(nats), name, &(kifu_table){.seats = 2}, tokens, kifu_nats_now(),
                                   &error))
                printf("game %s %s %s\n", name, tokens[0].text, tokens[1].text);
        }
        printf("ready\n");
        while (!kifu_nats_step(nats, 100))
            ;
        printf("lost\n");
        kifu_nats_end(nats);
    }
}
