#include <stdio.h>
#include <string.h>

#include "nim.h"

void nim_draw(kifu_drawing *drawing); // draw.c

// --- The view. It reads the state and cannot change it. The rules know nothing of the view. --------------------------

static double act_p_take(void *context, kifu_timeline *timeline, const nim_state *state, const nim_p_take *take)
{
    (void)context, (void)state;
    printf("player %d takes %u from heap %u\n", kifu_player(timeline), take->count, take->heap);
    return 0.0; // seconds to wait before the next event
}

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)context, (void)timeline;
    printf("(draw the whole board)\n");
}

static kifu_result print_text(void *context, const char *text, size_t size)
{
    (void)context;
    return fwrite(text, 1, size, stdout) == size ? KIFU_OK : KIFU_IO;
}

static void show(kifu_timeline *timeline)
{
    kifu_drawing drawing = {.write = print_text, .text = true};
    if (kifu_draw_state(timeline, &drawing)) // calls nim_draw
        printf("no: %s\n", kifu_last_error(timeline)->message);
}

// --- The computer ----------------------------------------------------------------------------------------------------

static void judge(const kifu_timeline *timeline, double *worth)
{
    worth[kifu_current_player(kifu_get_game(timeline))] = 1; // the turn of the player who has won does not end
}

static kifu_result let_computer_move(kifu_timeline *timeline, uint32_t tries)
{
    const kifu_bot bot = {.judge = judge};
    const kifu_thinking thinking = {.tries = tries};
    return kifu_play_best(timeline, &bot, &thinking);
}

// --- The game --------------------------------------------------------------------------------------------------------

static kifu_result begin(kifu_timeline *timeline)
{
    const uint16_t stones[] = {1, 3, 5, 7};
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults(); // draws a seed, and the player who starts
    initialize.has_seed = true;
    initialize.seed = 7; // without these two lines, each game has another seed
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, KIFU_RED);
    nim_submit_e_add_player(timeline, 1, KIFU_BLUE);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

static kifu_result obey(kifu_timeline *timeline, const char *line, const char *path)
{
    unsigned heap, count, tries;
    if (sscanf(line, "computer %u", &tries) == 1)
        return let_computer_move(timeline, tries);
    if (sscanf(line, "take %u %u", &heap, &count) == 2 && heap <= UINT8_MAX && count <= UINT16_MAX) {
        int player = kifu_current_player(kifu_get_game(timeline));
        nim_submit_p_take(timeline, player, (uint8_t)heap, (uint16_t)count, 0);
        return kifu_run(timeline);
    }
    if (!strcmp(line, "resign\n")) {
        nim_submit_p_resign(timeline, kifu_current_player(kifu_get_game(timeline)));
        return kifu_run(timeline);
    }
    if (!strcmp(line, "undo\n"))
        return kifu_undo(timeline);
    if (!strcmp(line, "redo\n"))
        return kifu_redo(timeline);
    if (!strcmp(line, "save\n") && path)
        return kifu_save(timeline, path, NULL);
    printf("take HEAP COUNT, computer TRIES, resign, undo, redo, or save (if the program was started with a file)\n");
    return KIFU_OK;
}

int main(int argc, char **argv)
{
    const nim_view view = {.base.redraw = redraw, .act_p_take = act_p_take};
    const kifu_options options = {.view = &view.base, .draw = nim_draw};
    const char *path = argc == 2 ? argv[1] : NULL; // of the save
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = KIFU_NOT_FOUND;

    if (path)
        result = kifu_load(&nim_rules, path, &options, NULL, &timeline, &error);
    if (result == KIFU_NOT_FOUND) // a save that is there, and cannot be loaded, must not be overwritten by a new game
        result = kifu_create(&nim_rules, &options, &timeline, &error);
    if (result) {
        printf("%s\n", error.message);
        return 1;
    }
    if (kifu_event_count(timeline) == 0 && begin(timeline))
        printf("no: %s\n", kifu_error_reason(kifu_last_error(timeline)));

    show(timeline);
    for (char line[100]; fgets(line, sizeof line, stdin);) {
        if (obey(timeline, line, path))
            printf("no: %s\n", kifu_error_reason(kifu_last_error(timeline)));
        show(timeline);
    }
    kifu_destroy(timeline);
    return 0;
}
