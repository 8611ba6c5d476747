// One process plays Duel, another one follows it by its changes: over a pipe, and over a socket in the same way.
//
//     duel_follow play played.kifu | duel_follow follow followed.kifu
#include <stdio.h>
#include <string.h>

#include "ai.h"
#include "triggers.h"

static kifu_result send_changes(kifu_timeline *timeline, kifu_stream_position *sent)
{
    kifu_changes changes;
    kifu_result result = kifu_changes_since(timeline, sent, &changes);
    if (!result && changes.size &&
        (!fwrite(&changes.size, sizeof changes.size, 1, stdout) || !fwrite(changes.bytes, changes.size, 1, stdout) ||
         fflush(stdout)))
        result = KIFU_IO;
    if (!result)
        *sent = changes.until;
    kifu_free_bytes(timeline, changes.bytes);
    return result;
}

static kifu_result play(kifu_timeline *timeline)
{
    uint64_t seed = 9;
    kifu_stream_position sent = {0}; // Nothing: the first changes are the whole game.
    kifu_result result = duel_begin(timeline, &seed);
    for (uint64_t i = 0; !result && kifu_get_game(timeline)->phase == KIFU_PHASE_PLAY; i++) {
        const char *why;
        duel_move move;
        if (i % 3 || kifu_undo(timeline)) { // Every third time a move is taken back, if the rules allow it.
            result = duel_ai_move(timeline, &(kifu_thinking){.tries = 20, .seed = i}, &move);
            result = result ? result : duel_make_move(timeline, &move, &why);
        }
        result = result ? result : send_changes(timeline, &sent);
    }
    return result;
}

static kifu_result follow(kifu_timeline *timeline)
{
    static unsigned char bytes[1 << 20];
    kifu_result result = KIFU_OK;
    for (size_t size; !result && fread(&size, sizeof size, 1, stdin);) {
        result =
            size > sizeof bytes || !fread(bytes, size, 1, stdin) ? KIFU_IO : kifu_apply_changes(timeline, bytes, size);
        printf("%u events%s\n", kifu_event_count(timeline), kifu_can_redo(timeline, NULL) ? ", some taken back" : "");
    }
    return result;
}

int main(int argc, char **argv)
{
    kifu_timeline *timeline;
    kifu_result result = kifu_create(&duel_rules, &(kifu_options){.observers = duel_triggers}, &timeline, NULL);
    if (!result && argc == 3)
        result = strcmp(argv[1], "play") ? follow(timeline) : play(timeline);
    result = result || argc != 3 ? KIFU_MISUSE : kifu_save(timeline, argv[2], NULL);
    kifu_destroy(timeline);
    return result != KIFU_OK;
}
