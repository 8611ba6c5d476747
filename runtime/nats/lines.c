// A loop for games without one: the state as text, and the moves by number.

#define _XOPEN_SOURCE 700

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <kifu/drawing.h>
#include <kifu/moves.h>
#include <kifu/text.h>

#include "nats/online.h"

typedef struct loop {
    kifu_online *online;
    kifu_timeline *timeline;
    kifu_moves moves;
    uint32_t shown; ///< So many events had happened when the state was shown last.
    char line[200]; ///< What was typed,
    size_t length;  ///< so far.
    bool left;
} loop;

static kifu_result print(void *context, const char *text, size_t size)
{
    (void)context;
    return fwrite(text, 1, size, stdout) == size ? KIFU_OK : KIFU_IO;
}

static void print_state(loop *loop)
{
    kifu_drawing drawing = {.write = print, .text = true};
    if (kifu_draw_state(loop->timeline, &drawing) && kifu_text_state(loop->timeline, print, NULL))
        printf("(this state cannot be shown)\n");
}

static void print_moves(loop *loop)
{
    char text[200];
    const int seat = kifu_online_seat(loop->online);
    kifu_free_moves(&loop->moves);
    if (seat < 0 || kifu_list_moves(loop->timeline, seat, &loop->moves))
        return;
    for (uint32_t i = 0; i < loop->moves.count; i++) {
        kifu_move_text(loop->timeline, &loop->moves.items[i], text, sizeof text);
        printf("%4u  %s\n", (unsigned)i + 1, text);
    }
    if (loop->moves.count)
        printf("The number of a move, u (undo) or q (quit):\n");
}

static void show(loop *loop)
{
    const uint32_t count = kifu_event_count(loop->timeline);
    const char *words = kifu_online_words(loop->online);
    if (words)
        printf("%s%s\n", words, kifu_online_asker(loop->online) >= 0 ? " (y or n)" : "");
    // Not while a move of this player is not confirmed: that would be shown twice, if it comes out otherwise.
    const bool is_settled = kifu_online_seat(loop->online) < 0 || kifu_online_is_ready(loop->online);
    if (count != loop->shown && is_settled && kifu_is_idle(loop->timeline)) {
        loop->shown = count;
        print_state(loop);
        print_moves(loop);
    }
    fflush(stdout);
}

static void obey(loop *loop)
{
    char *end;
    const unsigned long number = strtoul(loop->line, &end, 10);
    if (loop->line[0] == 'q')
        loop->left = true;
    else if (loop->line[0] == 'u')
        kifu_online_undo(loop->online);
    else if (loop->line[0] == 'y' || loop->line[0] == 'n')
        kifu_online_consent(loop->online, loop->line[0] == 'y');
    else if (end == loop->line || number < 1 || number > loop->moves.count)
        printf("There is no such move.\n");
    else
        kifu_submit_move(loop->timeline, &loop->moves.items[number - 1]);
}

static void read_keys(loop *loop)
{
    char bytes[100];
    const ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
    if (size <= 0)
        loop->left = true;
    for (ssize_t i = 0; i < size; i++) {
        if (bytes[i] == '\n') {
            loop->line[loop->length] = '\0';
            loop->length = 0;
            obey(loop);
        } else if (loop->length + 1 < sizeof loop->line) {
            loop->line[loop->length++] = bytes[i];
        }
    }
}

int kifu__play_lines(kifu_online *online)
{
    enum { FRAME_MS = 30 };
    loop loop = {.online = online, .timeline = kifu_online_timeline(online)};
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    while (!loop.left) {
        show(&loop);
        if (poll(&input, 1, FRAME_MS) > 0)
            read_keys(&loop);
        const kifu_result ignored = kifu_online_update(online, FRAME_MS / 1000.0);
        (void)ignored; // `kifu_online_words` says it
    }
    kifu_free_moves(&loop.moves);
    return 0;
}
