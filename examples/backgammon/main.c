// backgammon: the game in a terminal, line by line. `backgammon FILE` goes on with a save.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kifu/drawing.h>
#include <kifu/main.h>
#include <kifu/notes.h>
#include <kifu/variations.h>

#include "board.h"
#include "draw.h"
#include "game.h"
#ifdef WITH_TOOL
#include "backgammon_web.h"
#endif

// --- The view --------------------------------------------------------------------------------------------------------

static const char *place_name(int place, char name[4])
{
    snprintf(name, 4, "%d", place);
    return place == BOARD_BAR ? "bar" : place == BOARD_OFF ? "off" : name;
}

static double act_e_dice(void *context, kifu_timeline *timeline, const backgammon_state *state,
                         const backgammon_e_dice *dice)
{
    (void)context, (void)timeline;
    printf("%s has %u and %u\n", backgammon_names[kifu_current_player(&state->game)], dice->first, dice->second);
    return 0;
}

static double act_p_move(void *context, kifu_timeline *timeline, const backgammon_state *state,
                         const backgammon_p_move *move, const backgammon_p_move_transient *transient)
{
    (void)context, (void)state;
    char from[4], to[4];
    printf("%s plays %s/%s%s\n", backgammon_names[kifu_player(timeline)], place_name(move->from, from),
           place_name(board_to(move->from, move->die), to), transient->hits ? " and hits" : "");
    return 0;
}

static kifu_result print(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, (FILE *)context) == size ? KIFU_OK : KIFU_IO;
}

static void show(kifu_timeline *timeline)
{
    kifu_drawing drawing = {.write = print, .context = stdout, .text = true};
    if (kifu_draw_state(timeline, &drawing))
        printf("the board cannot be drawn\n");
}

static void list_moves(kifu_timeline *timeline)
{
    kifu_moves moves = {0};
    char text[80];
    if (!kifu_list_moves(timeline, kifu_current_player(kifu_get_game(timeline)), &moves)) {
        for (uint32_t i = 0; i < moves.count; i++) {
            kifu_move_text(timeline, &moves.items[i], text, sizeof text);
            printf("%s\n", text);
        }
    }
    kifu_free_moves(&moves);
}

static void list_lines(const kifu_timeline *timeline)
{
    kifu_line line;
    kifu_event first;
    char text[80] = "";
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        if (kifu_line_event(timeline, line.id, line.from, &first))
            kifu_event_text(timeline, &first, text, sizeof text);
        printf("%s line %u, after %u events: %s%s\n", line.current ? "*" : " ", line.id, line.from, text,
               line.main ? " (the main line)" : "");
    }
}

static void list_notes(const kifu_timeline *timeline)
{
    kifu_event event;
    char text[80] = "the whole game";
    for (kifu_note note = {0}; kifu_next_note(timeline, &note);) {
        if (kifu_line_event(timeline, note.line, note.event, &event))
            kifu_event_text(timeline, &event, text, sizeof text);
        printf("%s: %s\n", text, note.text);
    }
}

// --- Commands --------------------------------------------------------------------------------------------------------

static bool is_over(const kifu_timeline *timeline)
{
    return kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER;
}

// "8/5", "bar/20", "3/off": a move that the game lists, so each die that leads there will do.
static kifu_result move(kifu_timeline *timeline, const char *text)
{
    kifu_moves moves = {0};
    kifu_result result = kifu_list_moves(timeline, kifu_current_player(kifu_get_game(timeline)), &moves);
    bool found = false;
    for (uint32_t i = 0; i < moves.count && !found; i++) {
        const backgammon_p_move *each = moves.items[i].table;
        char from[4], to[4], name[8];
        if (moves.items[i].type != BACKGAMMON_P_MOVE)
            continue;
        snprintf(name, sizeof name, "%s/%s", place_name(each->from, from),
                 place_name(board_to(each->from, each->die), to));
        found = !strcmp(name, text);
        if (found)
            kifu_submit_move(timeline, &moves.items[i]);
    }
    kifu_free_moves(&moves);
    if (!result && !found)
        printf("no: the dice do not allow that (`moves` lists what they do)\n");
    return result ? result : kifu_run(timeline);
}

// Until it is the other player's turn: it rolls by itself.
static kifu_result let_computer_play(kifu_timeline *timeline, uint32_t tries)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    kifu_result result = KIFU_OK;
    while (!result && !is_over(timeline) && kifu_current_player(kifu_get_game(timeline)) == player)
        result = kifu_play_best(timeline, &backgammon_bot, &(kifu_thinking){.tries = tries});
    return result;
}

// A comment on the move that was just played, and not on the end of the turn behind it.
static kifu_result comment(kifu_timeline *timeline, const char *text)
{
    const uint32_t event = kifu_chain_start(timeline, kifu_position(timeline) - 1);
    return kifu_set_note(timeline, event, KIFU_NOTE_COMMENT, text);
}

// In a game that is over, also past dice.
static kifu_result go_to_line(kifu_timeline *timeline, uint32_t line)
{
    return kifu_go_to(timeline, line, KIFU_WHERE_LEFT, is_over(timeline));
}

static kifu_result obey(kifu_timeline *timeline, const char *line, const char *path)
{
    const int player = kifu_current_player(kifu_get_game(timeline));
    if (!strcmp(line, "roll"))
        return backgammon_play_p_roll(timeline, player);
    if (strchr(line, '/'))
        return move(timeline, line);
    if (!strncmp(line, "computer", 8))
        return let_computer_play(timeline, (uint32_t)strtoul(line + 8, NULL, 10));
    if (!strcmp(line, "undo"))
        return kifu_undo(timeline);
    if (!strcmp(line, "redo"))
        return kifu_redo(timeline);
    if (!strncmp(line, "comment ", 8))
        return comment(timeline, line + 8);
    if (!strncmp(line, "line ", 5))
        return go_to_line(timeline, (uint32_t)strtoul(line + 5, NULL, 10));
    if (!strcmp(line, "save") && path)
        return kifu_save(timeline, path, &(kifu_save_options){.players = backgammon_names, .player_count = 2});
    if (!strcmp(line, "moves"))
        list_moves(timeline);
    else if (!strcmp(line, "lines"))
        list_lines(timeline);
    else if (!strcmp(line, "comments"))
        list_notes(timeline);
    else
        printf("roll, FROM/TO (8/5, bar/20, 3/off), moves, computer TRIES, undo, redo, lines, line NUMBER, "
               "comment WORDS, comments, save (if the program was started with a file)\n");
    return KIFU_OK;
}

int main(int argc, char **argv)
{
#ifdef WITH_TOOL // the commands of kifu, which know the rules here: `backgammon tool events FILE`
    if (argc > 1 && !strcmp(argv[1], "tool"))
        return kifu_main(&backgammon_rules, &(kifu_options){.draw = backgammon_draw, .web = &backgammon_web}, argc - 1,
                         argv + 1);
#endif
    const backgammon_view view = {.act_e_dice = act_e_dice, .act_p_move = act_p_move};
    const kifu_options options = {
        .view = &view.base,
        .draw = backgammon_draw,
        .keep_variations = kifu_keep_variations, // what is undone stays,
        .promote_played = true,                  // beside the game as it is played
        .keep_notes = kifu_keep_notes,
    };
    const char *path = argc > 1 ? argv[1] : NULL; // of the save
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = KIFU_NOT_FOUND;
    if (path)
        result = kifu_load(&backgammon_rules, path, &options, NULL, &timeline, &error);
    if (result == KIFU_NOT_FOUND) // a save that is there, and cannot be loaded, must not be overwritten by a new game
        result = kifu_create(&backgammon_rules, &options, &timeline, &error);
    if (result) {
        printf("%s\n", error.message);
        return 1;
    }
    if (kifu_event_count(timeline) == 0 && backgammon_begin(timeline, seed ? &seed : NULL))
        printf("%s\n", kifu_last_error(timeline)->message);
    if (kifu_get_game(timeline)->player_count != 2) { // a save may come from anywhere
        printf("this is no game of two players\n");
        kifu_destroy(timeline);
        return 1;
    }
    show(timeline);
    for (char line[200]; fgets(line, sizeof line, stdin);) {
        const uint64_t shown = kifu_state_hash(timeline);
        line[strcspn(line, "\r\n")] = '\0';
        if (obey(timeline, line, path))
            printf("no: %s\n", kifu_error_reason(kifu_last_error(timeline)));
        if (kifu_state_hash(timeline) != shown)
            show(timeline);
    }
    kifu_destroy(timeline);
    return 0;
}
