// reversi_demo: what Kifu does, shown on Reversi. Each step ends with what it proves, checked; the exit status is 1
// when anything claimed does not hold.

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WITH_TOOL
#include <kifu/main.h>
#endif

#include "board.h"
#include "demo_print.h"
#include "draw.h"
#include "game.h"
#include "recorded_game.h"

static const kifu_options options = {
    .quiet = true, .draw = reversi_draw, .keep_variations = kifu_keep_variations, .keep_notes = kifu_keep_notes};
static bool all_true = true;

static void title(const char *text)
{
    static int step;
    printf("\n=== %d. %s\n\n", ++step, text);
}

// Says something, and whether it is so.
static void claim(bool holds, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  %s ", holds ? "[yes]" : "[NO!]");
    vprintf(format, arguments);
    puts("");
    va_end(arguments);
    all_true = all_true && holds;
}

// Nothing after this would make sense.
static void need(kifu_result result, const kifu_error *error)
{
    if (!result)
        return;
    printf("  [NO!] %s\n", error->message);
    exit(1);
}

static kifu_timeline *new_game(void)
{
    kifu_timeline *timeline;
    kifu_error error;
    uint64_t seed = RECORDED_SEED;
    need(kifu_create(&reversi_rules, &options, &timeline, &error), &error);
    need(reversi_begin(timeline, &seed), kifu_last_error(timeline));
    return timeline;
}

static kifu_timeline *load_game(const char *path)
{
    kifu_timeline *timeline;
    kifu_error error;
    need(kifu_load(&reversi_rules, path, &options, NULL, &timeline, &error), &error);
    return timeline;
}

static void play(kifu_timeline *timeline, const char *square)
{
    int player = kifu_current_player(kifu_get_game(timeline));
    reversi_p_place_args place = reversi_p_place_defaults();
    place.square = (uint8_t)board_square(square);
    reversi_submit_p_place(timeline, player, &place);
    need(kifu_run(timeline), kifu_last_error(timeline));
}

static void play_recorded(kifu_timeline *timeline, int moves)
{
    for (int i = 0; i < moves; i++)
        play(timeline, recorded_game + 3 * i);
}

static bool same_state(const kifu_timeline *timeline, const reversi_state *state)
{
    return memcmp(reversi_get_state(timeline), state, sizeof *state) == 0;
}

static bool same_log(const kifu_timeline *one, const kifu_timeline *other)
{
    kifu_event a, b;
    for (uint32_t i = 0; i < kifu_event_count(one); i++) {
        if (!kifu_event_at(one, i, &a) || !kifu_event_at(other, i, &b) || a.type != b.type || a.player != b.player ||
            a.cause != b.cause || a.flags != b.flags)
            return false;
    }
    return kifu_event_count(one) == kifu_event_count(other);
}

static void print_last_events(const kifu_timeline *timeline, uint32_t count)
{
    kifu_event event;
    for (uint32_t i = kifu_event_count(timeline) - count; kifu_event_at(timeline, i, &event); i++)
        print_event(&event);
}

static long file_size(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    fclose(file);
    return size;
}

static void show_schema(void)
{
    title("The schema: what the game's developer writes");
    const char *schema = REVERSI_FOLDER "/reversi.fbs";
    bool shown = print_passage(schema, "struct State", "}");
    puts("");
    shown = print_passage(schema, "table PPlace", "}") && shown;
    puts("");
    shown = print_passage(schema, "table EFlip", "}") && shown;
    puts("    ...\n");
    shown = print_passage(schema, "union Event", "}") && shown;
    puts("");
    claim(shown, "an event is a table in plain FlatBuffers; the state is one plain struct");
}

static void show_generated(void)
{
    title("The generated C: what the developer uses");
    bool shown = print_passage(REVERSI_HEADERS "/p_place.h", "typedef struct reversi_p_place", "} reversi_p_place;");
    puts("");
    shown =
        print_passage(REVERSI_HEADERS "/p_place.h", "typedef struct reversi_p_place_args", "} reversi_p_place_args;") &&
        shown;
    shown = print_passage(REVERSI_HEADERS "/p_place.h", "reversi_submit_p_place(", ";") && shown;
    puts("");
    shown = print_passage(REVERSI_HEADERS "/p_place.h", "reversi_check_p_place(", ";") && shown;
    shown = print_passage(REVERSI_HEADERS "/p_place.h", "reversi_do_p_place(", ";") && shown;
    puts("");
    shown = print_passage(REVERSI_HEADERS "/state.h", "*reversi_edit_board(", "}") && shown;
    puts("");
    puts("  and what he or she writes to go with it, do_p_place.c:\n");
    shown = print_passage(REVERSI_FOLDER "/do_p_place.c", "kifu_result reversi_do_p_place", "return KIFU_OK;") && shown;
    puts("    }\n");
    claim(shown, "one function body per event; the struct is what lies in the log and in the save");
}

static kifu_timeline *show_game(void)
{
    title("A recorded game, played to its end");
    kifu_timeline *timeline = new_game();
    const reversi_state *state = reversi_get_state(timeline);
    for (int i = 0; i < RECORDED_MOVES; i += 20)
        printf("    %.59s\n", recorded_game + 3 * i);
    play_recorded(timeline, RECORDED_MOVES);
    puts("");

    uint32_t black = board_count(state->board, REVERSI_DISC_BLACK);
    uint32_t white = board_count(state->board, REVERSI_DISC_WHITE);
    char aside[200];
    snprintf(aside, sizeof aside, "X black %u\nO white %u\n\n%u events\nstate %016" PRIx64, black, white,
             kifu_event_count(timeline), kifu_state_hash(timeline));
    print_board(state, aside);
    puts("");
    claim(state->game.phase == KIFU_PHASE_GAME_OVER, "the rules ended the game by an event of their own, EEndGame");
    claim(black == RECORDED_BLACK && white == RECORDED_WHITE, "black won %d to %d, as recorded", RECORDED_BLACK,
          RECORDED_WHITE);
    claim(kifu_state_hash(timeline) == RECORDED_HASH, "the state's bytes are those of the day it was recorded");
    reversi_submit_p_place(timeline, 0, NULL);
    claim(kifu_run(timeline) == KIFU_REJECTED, "one more move: \"%s\"", kifu_last_error(timeline)->message);
    return timeline;
}

static void show_undo(kifu_timeline *timeline)
{
    title("One undo takes back a move and all that followed from it");
    kifu_timeline *before = new_game();
    play_recorded(before, RECORDED_MOVES - 1);
    reversi_state after = *reversi_get_state(timeline);
    uint32_t count = kifu_event_count(timeline), chain = kifu_can_undo(timeline, NULL);
    print_last_events(timeline, chain);
    puts("");
    need(kifu_undo(timeline), kifu_last_error(timeline));
    claim(kifu_event_count(timeline) == count - chain, "undo: these %u events are gone from the log", chain);
    claim(same_state(timeline, reversi_get_state(before)), "the state is, byte for byte, that of a game of %d moves",
          RECORDED_MOVES - 1);
    need(kifu_redo(timeline), kifu_last_error(timeline));
    claim(same_state(timeline, &after) && kifu_event_count(timeline) == count, "redo: all is back, byte for byte");

    kifu_timeline *fresh = new_game();
    claim(kifu_undo(fresh) == KIFU_NOTHING_TO_UNDO, "nobody undoes the setup: \"%s\"", kifu_last_error(fresh)->message);
    kifu_destroy(fresh);
    kifu_destroy(before);
}

static void show_save(kifu_timeline *timeline)
{
    title("Save and load");
    need(kifu_save(timeline, REVERSI_SAVE, NULL), kifu_last_error(timeline));
    long size = file_size(REVERSI_SAVE), schema = (long)reversi_rules.bfbs_size;
    printf("    %ld bytes, of which %ld are the schema, so that any FlatBuffers tool can read it\n\n", size, schema);
    kifu_timeline *loaded = load_game(REVERSI_SAVE);
    claim(kifu_state_hash(loaded) == kifu_state_hash(timeline),
          "loaded: the same state, had by doing the events again");
    claim(same_log(loaded, timeline), "the same %u events", kifu_event_count(loaded));
    claim(kifu_can_undo(loaded, NULL) == kifu_can_undo(timeline, NULL) && !kifu_undo(loaded),
          "undo goes on as if nothing had happened");
    kifu_destroy(loaded);
}

static void show_old_save(void)
{
    title("A save that version 1 of the game wrote");
    puts("  Version 2 of the schema has a new event, a new field with a default, a deprecated field, and one more "
         "field in\n"
         "  the state (v1/reversi.fbs -> reversi.fbs):\n");
    bool shown = print_difference(REVERSI_FOLDER "/v1/reversi.fbs", REVERSI_FOLDER "/reversi.fbs");
    kifu_timeline *old = load_game(REVERSI_FOLDER "/v1/game.kifu");
    puts("\n  The last events of v1/game.kifu, loaded by version 2:\n");
    uint32_t chain = kifu_can_undo(old, NULL);
    print_last_events(old, chain);
    puts("");

    kifu_timeline *same = new_game();
    play_recorded(same, RECORDED_V1_MOVES);
    kifu_event event = {.table = NULL};
    bool defaults = true;
    for (uint32_t i = 0; kifu_event_at(old, i, &event); i++) {
        if (event.type == REVERSI_P_PLACE)
            defaults = defaults && ((const reversi_p_place *)event.table)->seconds == -1;
    }
    claim(shown && defaults, "the moves have the new field, with its default: seconds -1");
    claim(same_state(old, reversi_get_state(same)) && same_log(old, same),
          "state and log are those of version 2 after the same %d moves", RECORDED_V1_MOVES);
    uint32_t undone = kifu_can_redo(old, NULL);
    claim(undone > 0 && !kifu_redo(old), "a move that was taken back in version 1 is redone in version 2 (%u events)",
          undone);

    reversi_submit_p_resign(old, kifu_current_player(kifu_get_game(old)));
    need(kifu_run(old), kifu_last_error(old));
    need(kifu_save(old, REVERSI_SAVE, NULL), kifu_last_error(old));
    kifu_timeline *again = load_game(REVERSI_SAVE);
    claim(kifu_state_hash(again) == kifu_state_hash(old) && reversi_winner(reversi_get_state(again)),
          "the game goes on with the new event, PResign, and is saved and loaded as version 2");
    puts("\n  Version 1, asked to load that one, says:\n");
    fputs("    ", stdout);
    fflush(stdout);
#ifdef _WIN32 // Its shell takes away one pair of quotes.
    int status = system("\"\"" REVERSI_V1_PROGRAM "\" read \"" REVERSI_SAVE "\"\"");
#else
    int status = system("\"" REVERSI_V1_PROGRAM "\" read \"" REVERSI_SAVE "\"");
#endif
    puts("");
    claim(status != 0, "an event that a program does not know is refused, never skipped");
    kifu_destroy(again);
    kifu_destroy(same);
    kifu_destroy(old);
}

static void show_variations(kifu_timeline *timeline)
{
    title("What was taken back stays, as a variation, with the notes that players wrote");
    const reversi_state end = *reversi_get_state(timeline);
    const uint32_t count = kifu_event_count(timeline);
    for (int i = 0; i < 9; i++)
        need(kifu_undo(timeline), kifu_last_error(timeline));
    const uint32_t move = kifu_event_count(timeline);
    play(timeline, "b1");
    need(kifu_set_note(timeline, move, KIFU_NOTE_COMMENT, "White need not leave b1 to Black."),
         kifu_last_error(timeline));
    play(timeline, "e1");
    claim(kifu_line_count(timeline) == 2, "nine moves back, and on with b1 and e1: the game has two lines now");
    need(kifu_go_to(timeline, 0, count, false), kifu_last_error(timeline));
    claim(same_state(timeline, &end), "and back to the end as it was played: the same state, byte for byte");
    need(kifu_save(timeline, REVERSI_SAVE, NULL), kifu_last_error(timeline));
    kifu_timeline *loaded = load_game(REVERSI_SAVE);
    need(kifu_go_to(loaded, 1, KIFU_WHERE_LEFT, false), kifu_last_error(loaded));
    claim(kifu_line_count(loaded) == 2, "a save has both lines; here it is loaded, and gone to the end of line 1:\n");
    print_board(reversi_get_state(loaded), "");
    kifu_destroy(loaded);
}

#ifdef WITH_TOOL
// As somebody in a shell would call it.
static int call(int argc, const char *const *argv)
{
    printf("    $ reversi");
    for (int i = 0; i < argc; i++)
        printf(" %s", strrchr(argv[i], '/') ? strrchr(argv[i], '/') + 1 : argv[i]);
    puts("");
    fflush(stdout);
    const int status = kifu_main(&reversi_rules, &options, argc, (char **)(uintptr_t)argv);
    fflush(stdout);
    puts("");
    return status;
}

static void show_command(kifu_timeline *timeline)
{
    static const char *const players[] = {"Black", "White"};
    const kifu_save_options names = {.title = "The game of ./dev demo", .players = players, .player_count = 2};
    title("The command kifu, here in the game's own program, looks at the game that was played");
    need(kifu_save(timeline, REVERSI_SAVE, &names), kifu_last_error(timeline));
    int status = call(3, (const char *const[]){"tool", "info", REVERSI_SAVE});
    status |= call(5, (const char *const[]){"tool", "events", REVERSI_SAVE, "--from=9", "--to=15"});
    status |= call(3, (const char *const[]){"tool", "tree", REVERSI_SAVE});
    status |= call(3, (const char *const[]){"tool", "verify", REVERSI_SAVE});
    status |= call(5, (const char *const[]){"tool", "html", REVERSI_SAVE, "-o", REVERSI_PAGE});
    claim(!status && file_size(REVERSI_PAGE) > 0,
          "the page shows every event, and the state after it. Open it in a browser:");
    printf("\n      file://%s\n\n  Look at the save yourself:\n\n      ./dev kifu info %s\n", REVERSI_PAGE,
           REVERSI_SAVE);
}
#else
static void show_command(kifu_timeline *timeline)
{
    (void)timeline;
    title("The command kifu");
    puts("  It is left out, because cJSON was not found (Debian: libcjson-dev).");
    remove(REVERSI_SAVE);
}
#endif

int main(void)
{
    puts("Kifu turns a schema of a game's events into C: moves, undo, saves. This is Reversi (examples/reversi).");
    show_schema();
    show_generated();
    kifu_timeline *timeline = show_game();
    show_undo(timeline);
    show_save(timeline);
    show_old_save();
    show_variations(timeline);
    show_command(timeline);
    kifu_destroy(timeline);
    printf("\n%s\n", all_true ? "All of it holds. `./dev play` opens the game." : "Something above does not hold.");
    return all_true ? 0 : 1;
}
