// Plays fixed pseudo-random games, and prints a line for each: what must be the same on every machine.
// test_determinism.py builds this with every compiler there is, and compares with expected.txt.
//
//     play SOURCES FOLDER [all]     SOURCES: of Kifu, for its old saves; FOLDER: for a file of its own
//
// With "all" the saves have their schemas, whose bytes another flatc may write otherwise, and the messages count, whose
// words may change: equal from all compilers today, and not to be pinned.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "camp.h"
#include "base/crc32c.h"
#include "game.h"
#include "lab.h"
#include "perft.h"
#include "random_event.h"
#include "recorded_game.h"
#include "save/writer.h"
#include "script.h"
#include "shapes.h"
#include "wire.h"

enum { SAVED_AT = 1700000000, MOST_INPUT_ERRORS = 1000 };

typedef struct game {
    const char *name;
    const kifu_rules *rules;
    void (*begin)(kifu_timeline *timeline);
    void (*submit)(kifu_timeline *timeline, kifu_rng *rng); ///< One random input.
    bool forged; ///< Also load saves whose changed bytes no checksum shows. No Do may run for long on what it then
                 ///< reads.
} game;

// --- What a line tells -----------------------------------------------------------------------------------------------

// Of all that happened since the last line, in between and at last: states, saves, results, messages.
static uint32_t story;
static bool all;

static void tell(const void *bytes, size_t size)
{
    story = kifu__crc32c(story, bytes, size);
}

static void tell_number(uint64_t number)
{
    tell(&number, sizeof number);
}

static void tell_error(const kifu_error *error)
{
    tell_number(error->result);
    tell_number(error->event);
    tell_number(error->offset);
    if (all) {
        tell_number(error->reason);
        tell(error->message, strlen(error->message));
    }
}

static kifu_result tell_result(const kifu_timeline *timeline, kifu_result result)
{
    if (result)
        tell_error(kifu_last_error(timeline));
    tell_number(kifu_state_hash(timeline));
    tell_number(kifu_event_count(timeline));
    return result;
}

static void need(kifu_result result, const kifu_error *error)
{
    if (!result)
        return;
    printf("%s\n", error->message);
    exit(1);
}

// --- Saves -----------------------------------------------------------------------------------------------------------

typedef struct save {
    unsigned char *bytes; // From malloc.
    size_t size;
    uint32_t crc;
} save;

static save save_of(kifu_timeline *timeline)
{
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.title = "Same", .players = players, .player_count = 2, .without_schema = !all};
    save save;
    need(kifu__save_to_memory_at(timeline, &options, SAVED_AT, &save.bytes, &save.size), kifu_last_error(timeline));
    save.crc = kifu__crc32c(0, save.bytes, save.size);
    if (save.crc != kifu__crc32c_by_table(0, save.bytes, save.size)) {
        puts("the two checksums differ");
        exit(1);
    }
    tell(save.bytes, save.size);
    return save;
}

static kifu_timeline *load(const kifu_rules *rules, const save *save)
{
    kifu_timeline *timeline;
    kifu_error error;
    need(kifu_load_from_memory(rules, save->bytes, save->size, NULL, NULL, &timeline, &error), &error);
    tell_result(timeline, KIFU_OK);
    return timeline;
}

// Makes the checksums of all frames right (schema/FORMAT.md).
static void seal(const save *save)
{
    uint32_t length, crc;
    for (size_t at = 16; at + 16 <= save->size; at += 16 + (((size_t)length + 7) & ~(size_t)7)) {
        memcpy(&length, save->bytes + at, sizeof length);
        if (length > save->size - at - 16)
            return;
        crc = kifu__crc32c(kifu__crc32c(0, save->bytes + at + 8, 8), save->bytes + at + 16, length);
        memcpy(save->bytes + at + 4, &crc, sizeof crc);
    }
}

// Changes a byte of the save; tells what a load says to that.
static void load_damaged(const game *game, const save *save, kifu_rng *rng)
{
    struct save damaged = *save;
    if (kifu_rng_below(rng, 8) == 0)
        damaged.size = kifu_rng_below(rng, (uint32_t)save->size);
    unsigned char *byte = save->bytes + kifu_rng_below(rng, (uint32_t)save->size);
    *byte ^= (unsigned char)(1u << kifu_rng_below(rng, 8));
    if (game->forged && kifu_rng_below(rng, 4))
        seal(save);
    kifu_timeline *timeline;
    kifu_error error;
    if (kifu_load_from_memory(game->rules, damaged.bytes, damaged.size, NULL, NULL, &timeline, &error)) {
        tell_error(&error);
        return;
    }
    tell_result(timeline, KIFU_OK);
    free(save_of(timeline).bytes);
    kifu_destroy(timeline);
}

// --- The games -------------------------------------------------------------------------------------------------------

static void print_game(const char *name, unsigned number, kifu_timeline *timeline)
{
    save save = save_of(timeline);
    printf("%s %u: events %" PRIu32 ", state %016" PRIx64 ", save of %lu bytes %08" PRIx32 ", story %08" PRIx32 "\n",
           name, number, kifu_event_count(timeline), kifu_state_hash(timeline), (unsigned long)save.size, save.crc,
           story);
    fflush(stdout);
    free(save.bytes);
    story = 0;
}

// Also what fails and what is rejected ends here.
static void run(kifu_timeline *timeline)
{
    for (int i = 0; tell_result(timeline, kifu_run(timeline)) && i < MOST_INPUT_ERRORS; i++)
        ;
}

static kifu_timeline *play(const game *game, unsigned number, int steps)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, number, 21);
    const kifu_options options = {.seed = UINT64_C(0x100000001) * number, .max_consequences = 40};
    kifu_timeline *timeline;
    kifu_error error;
    need(kifu_create(game->rules, &options, &timeline, &error), &error);
    game->begin(timeline);
    run(timeline);
    for (int step = 0; step < steps; step++) {
        uint32_t choice = kifu_rng_below(&rng, 16);
        save save;
        if (choice < 9) {
            game->submit(timeline, &rng);
            run(timeline);
        } else if (choice < 12) {
            tell_result(timeline, kifu_undo(timeline));
        } else if (choice < 14) {
            tell_result(timeline, kifu_redo(timeline));
        } else {
            if (choice == 14 &&
                kifu_rng_below(&rng, 2)) // Inputs wait in the save, the consequences of one perhaps, too.
                game->submit(timeline, &rng);
            if (!kifu_is_idle(timeline) && kifu_rng_below(&rng, 2))
                tell_result(timeline, kifu_step(timeline));
            save = save_of(timeline);
            if (choice == 14) { // Goes on with what was loaded.
                kifu_destroy(timeline);
                timeline = load(game->rules, &save);
                run(timeline);
            } else {
                load_damaged(game, &save, &rng);
            }
            free(save.bytes);
        }
    }
    return timeline;
}

// --- The lab ---------------------------------------------------------------------------------------------------------

static void lab_begin(kifu_timeline *timeline)
{
    lab_submit_e_reset_game(timeline);
    lab_submit_e_add_player(timeline, 0, 0xC00000);
    lab_submit_e_add_player(timeline, 1, 0x0000C0);
    lab_submit_e_initialize(timeline, NULL);
    lab_submit_e_start_round(timeline);
}

// Each number is drawn in a statement of its own: C does not say which argument of a call comes first.
static void lab_submit(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char *const scripts[] = {"+r1", "(-2(r)[+3])p", "r-4f", "[!1]5", "(r(r(r(rl))))", "!not",
                                          "o",   "[p(6)]7+8",    "m",    "rr(u)+"};
    uint32_t kind = kifu_rng_below(rng, 24);
    uint32_t number = kifu_rng_next(rng);
    int player = (int)(number % 2);
    if (kind < 14)
        lab_do(timeline, player, scripts[number / 3 % 10], (uint8_t)(number / 30 % 5));
    else if (kind < 17)
        lab_submit_p_add(timeline, player, (int32_t)(number % 9) * -100000000);
    else if (kind < 20)
        lab_submit_e_mood(timeline, (lab_mood)(number % 3 * 5)); // 10 is no mood
    else if (kind < 23)
        lab_submit_e_show(timeline, (int32_t)(number >> 2));
    else
        lab_submit_e_seal(timeline);
}

// --- Shapes ----------------------------------------------------------------------------------------------------------

static void shapes_begin(kifu_timeline *timeline)
{
    shapes_submit_e_initialize(timeline, NULL);
}

static void shapes_submit(kifu_timeline *timeline, kifu_rng *rng)
{
    uint64_t seed = (uint64_t)kifu_rng_next(rng) << 32 | 77;
    uint32_t count = kifu_rng_below(rng, 40);
    shapes_submit_p_scribble(timeline, -1, seed, count, kifu_rng_below(rng, 5) == 0);
}

// --- Wire ------------------------------------------------------------------------------------------------------------

static void wire_begin(kifu_timeline *timeline)
{
    wire_submit_e_empty(timeline);
}

// By a generated function, or as bytes.
static void wire_submit(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char *const strings[] = {"", "a", "four", "seventeen letters"};
    static const wire_colour colours[] = {WIRE_COLOUR_GREEN, WIRE_COLOUR_BLUE, WIRE_COLOUR_RED};
    static const wire_level levels[] = {WIRE_LEVEL_HIGH, WIRE_LEVEL_LOW, WIRE_LEVEL_MIDDLE};
    static const uint8_t bytes[] = {255, 0, 128, 7, 9};
    static const int16_t shorts[] = {-1, 300, INT16_MIN};
    static const double doubles[] = {0.1, -1e300, 1e-310};
    static const float ratios[] = {0.1f, -0.0f, 1e-40f};
    static const bool flags[] = {true, false, true};
    static const wire_point points[] = {{.x = -3, .y = 70000, .colour = WIRE_COLOUR_BLUE}, {.y = -1}};
    static const wire_grid grids[] = {{.cells = {WIRE_COLOUR_BLUE},
                                       .points = {{.x = 1}, {.y = INT32_MIN}},
                                       .traits = WIRE_TRAIT_CURSED,
                                       .ratio = 0.3},
                                      {.cells = {WIRE_COLOUR_RED, WIRE_COLOUR_GREEN}, .ratio = -2.5}};
    const wire_point no_point = {0};
    const wire_grid no_grid = {0};
    static const wire_plain_args plains[] = {{.a = 1, .b = 2}, {.a = 3, .b = 40}};
    static const wire_leaf_args leaves[] = {{.colour = WIRE_COLOUR_BLUE, .weight = 0.7, .note = "light"},
                                            {.colour = WIRE_COLOUR_GREEN, .weight = 1.0 / 3}};
    static uint64_t room[RANDOM_EVENT_ROOM / 8];

    uint64_t number = (uint64_t)kifu_rng_next(rng) << 32;
    number |= kifu_rng_next(rng);
    uint8_t small = (uint8_t)(number & 255);
    uint32_t some = kifu_rng_below(rng, 3), more = kifu_rng_below(rng, 3);
    wire_distance distance = some ? WIRE_DISTANCE_NEAR : WIRE_DISTANCE_FAR;
    const wire_branch_args tip = {
        .leaves = leaves, .leaves_count = more, .level = WIRE_LEVEL_LOW, .has_age = more == 1};
    const wire_branch_args branches[] = {
        {.leaves = leaves, .leaves_count = some, .next = &tip, .level = levels[more], .has_age = true, .age = number},
        {.main = some ? &leaves[1] : NULL, .tags = strings, .tags_count = more + 1, .level = WIRE_LEVEL_HIGH}};

    uint32_t type = WIRE_E_EMPTY + kifu_rng_below(rng, wire_rules.type_count);
    if (kifu_rng_below(rng, 3) == 0) {
        uint32_t size = random_event(rng, wire_rules.types[type].table, (unsigned char *)room);
        kifu__submit(timeline, type, -1, room, size);
        return;
    }
    switch (type) {
    case WIRE_E_EMPTY:
        wire_submit_e_empty(timeline);
        break;
    case WIRE_E_FLAT:
        wire_submit_e_flat(timeline, &(wire_e_flat_args){.a = small,
                                                         .b = (uint16_t)(number >> 9 & 0xffff),
                                                         .c = (int32_t)(number >> 33),
                                                         .d = number,
                                                         .e = ratios[some],
                                                         .f = doubles[more],
                                                         .g = (int8_t)(small & 127),
                                                         .h = more == 1});
        break;
    case WIRE_E_ONE_ENUM:
        wire_submit_e_one_enum(timeline, (wire_colour)(some * 2), (uint32_t)(number >> 32)); // 4 is no colour
        break;
    case WIRE_E_CHECKS:
        wire_submit_e_checks(timeline, &(wire_e_checks_args){.colour = colours[some],
                                                             .flag = more == 0,
                                                             .level = levels[more],
                                                             .traits = WIRE_TRAIT_HEAVY | WIRE_TRAIT_CURSED,
                                                             .distance = distance,
                                                             .point = more ? points[more - 1] : no_point,
                                                             .grid = some ? grids[some - 1] : no_grid});
        break;
    case WIRE_E_OPTIONAL:
        wire_submit_e_optional(timeline, &(wire_e_optional_args){.has_a = some != 0,
                                                                 .a = small,
                                                                 .has_b = more != 0,
                                                                 .b = number,
                                                                 .has_c = some == 1,
                                                                 .c = levels[more],
                                                                 .has_d = more == 1,
                                                                 .d = flags[some],
                                                                 .has_e = some == 2,
                                                                 .e = ratios[more],
                                                                 .has_distance = more == 2,
                                                                 .distance = distance,
                                                                 .always = (uint16_t)(number >> 40 & 0xffff)});
        break;
    case WIRE_E_TEXT:
        wire_submit_e_text(timeline, more ? strings[more] : NULL, small < 200 ? strings[some + 1] : NULL); // required
        break;
    case WIRE_E_VECTORS:
        wire_submit_e_vectors(timeline, &(wire_e_vectors_args){.bytes = bytes,
                                                               .bytes_count = small % 6u,
                                                               .shorts = more ? shorts : NULL,
                                                               .shorts_count = more,
                                                               .doubles = doubles,
                                                               .doubles_count = some,
                                                               .colours = colours,
                                                               .colours_count = 3 - some,
                                                               .levels = levels,
                                                               .levels_count = 3 - more,
                                                               .flags = flags,
                                                               .flags_count = some,
                                                               .points = points,
                                                               .points_count = more,
                                                               .grids = grids,
                                                               .grids_count = some,
                                                               .strings = strings,
                                                               .strings_count = some + more,
                                                               .plains = plains,
                                                               .plains_count = more});
        break;
    case WIRE_E_NESTED:
        wire_submit_e_nested(timeline, some ? &branches[some - 1] : NULL, more ? &plains[0] : NULL, branches, more,
                             &plains[1]);
        break;
    default:
        wire_submit_e_changed(timeline, &(wire_e_changed_args){.kept = small,
                                                               .text = strings[some],
                                                               .place = more ? points[0] : no_point,
                                                               .number = -(int64_t)(number >> 1)});
    }
}

// --- Reversi ---------------------------------------------------------------------------------------------------------

static void begin_reversi(kifu_timeline *timeline)
{
    uint64_t seed = RECORDED_SEED;
    need(reversi_begin(timeline, &seed), kifu_last_error(timeline));
}

static void submit_reversi(kifu_timeline *timeline, kifu_rng *rng)
{
    const reversi_state *state = reversi_get_state(timeline);
    uint8_t moves[BOARD_SQUARES];
    uint32_t count = board_moves(state->board, board_to_move(&state->game), moves);
    int player = kifu_current_player(&state->game);
    uint32_t kind = kifu_rng_below(rng, 40);
    if (kind == 0)
        reversi_submit_p_resign(timeline, player);
    else if (kind < 3 || !count) // mostly illegal
        reversi_submit_p_place(timeline, player,
                               &(reversi_p_place_args){.square = (uint8_t)kifu_rng_below(rng, 70), .seconds = 3});
    else
        reversi_submit_p_place(
            timeline, player,
            &(reversi_p_place_args){.square = moves[kifu_rng_below(rng, count)], .seconds = (int16_t)kind});
}

static void play_recorded(void)
{
    kifu_timeline *timeline;
    kifu_error error;
    need(kifu_create(&reversi_rules, NULL, &timeline, &error), &error);
    begin_reversi(timeline);
    for (uint32_t depth = 1; depth <= 4; depth++) {
        kifu_result result = KIFU_OK;
        uint64_t games = reversi_perft(timeline, depth, &result);
        need(result, kifu_last_error(timeline));
        printf("perft %" PRIu32 ": %" PRIu64 "\n", depth, games);
    }
    for (int i = 0; i < RECORDED_MOVES; i++) {
        int player = kifu_current_player(kifu_get_game(timeline));
        reversi_submit_p_place(
            timeline, player,
            &(reversi_p_place_args){.square = (uint8_t)board_square(recorded_game + 3 * i), .seconds = -1});
        need(tell_result(timeline, kifu_run(timeline)), kifu_last_error(timeline));
    }
    printf("recorded game: %s\n", kifu_state_hash(timeline) == RECORDED_HASH ? "as recorded" : "another end");
    print_game("recorded game", 0, timeline);
    kifu_destroy(timeline);
}

// --- Files -----------------------------------------------------------------------------------------------------------

// Loads a save of this or of an older version, and redoes what it can.
static void play_old(const kifu_rules *rules, const char *sources, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", sources, name);
    kifu_timeline *timeline;
    kifu_error error;
    need(kifu_load(rules, path, NULL, NULL, &timeline, &error), &error);
    tell_result(timeline, KIFU_OK);
    run(timeline);
    while (!tell_result(timeline, kifu_redo(timeline)))
        ;
    print_game(name, 0, timeline);
    for (int i = 0; i < 3; i++)
        tell_result(timeline, kifu_undo(timeline));
    print_game(name, 1, timeline);
    kifu_destroy(timeline);
}

static bool print_info(void *context, const kifu_save_info *info)
{
    (void)context;
    if (info->error)
        tell_error(info->error);
    printf("info: %s '%s' of %s, %" PRIu32 " events, saved at %" PRId64 ", fingerprint %016" PRIx64 "\n", info->game,
           info->title, info->players[1], info->event_count, info->saved_at, info->fingerprint);
    return true;
}

// A file with the time of after 2038, and one larger than 31 bits can say.
static void play_files(const char *folder)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/game.kifu", folder);
    kifu_timeline *timeline, *loaded;
    kifu_error error;
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.title = "Later", .players = players, .player_count = 2, .without_schema = !all};
    need(kifu_create(&reversi_rules, NULL, &timeline, &error), &error);
    begin_reversi(timeline);
    need(kifu__save_at(timeline, path, &options, INT64_C(5000000000)), kifu_last_error(timeline));
    need(kifu_read_save_info(path, print_info, NULL, NULL, &error), &error);
    need(kifu_load(&reversi_rules, path, NULL, NULL, &loaded, &error), &error);
    print_game("file", 0, loaded);
    kifu_destroy(loaded);
    kifu_destroy(timeline);
    // The script made it.
    snprintf(path, sizeof path, "%s/large", folder);
    need(kifu_list_saves(folder, print_info, NULL, NULL, &error), &error);
    if (kifu_read_save_info(path, print_info, NULL, NULL, &error))
        printf("large file: result %d\n", (int)error.result);
}

// --- Numbers ---------------------------------------------------------------------------------------------------------

static void print_numbers(void)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, 42, 54);
    printf("random:");
    for (int i = 0; i < 3; i++)
        printf(" %08" PRIx32, kifu_rng_next(&rng));
    for (int i = 0; i < 5000; i++) {
        tell_number(kifu_rng_next(&rng));
        tell_number(kifu_rng_below(&rng, UINT32_C(3000000000)));
    }
    printf(", story %08" PRIx32 "\n", story);
    story = 0;

    // All ways through the checksum, from all alignments: the longest part is done in three at once.
    static unsigned char bytes[60000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(kifu_rng_next(&rng) & 255);
    uint32_t chain = 0;
    for (size_t first = 0; first < 9; first++) {
        for (size_t size = first; size < sizeof bytes - first; size = size * 3 / 2 + 1) {
            uint32_t crc = kifu__crc32c(chain, bytes + first, size);
            if (crc != kifu__crc32c_by_table(chain, bytes + first, size))
                printf("the two checksums of %lu bytes differ\n", (unsigned long)size);
            chain = crc;
        }
    }
    printf("checksums: %08" PRIx32 " %08" PRIx32 "\n", kifu__crc32c(0, "123456789", 9), chain);
}

int main(int count, char **arguments)
{
    static const game games[] = {
        {"lab", &lab_rules, lab_begin, lab_submit, true},
        {"shapes", &shapes_rules, shapes_begin, shapes_submit, false},
        {"wire", &wire_rules, wire_begin, wire_submit, true},
        {"reversi", &reversi_rules, begin_reversi, submit_reversi, false},
    };
    static const char *const old[] = {"v1/undone", "v1/waiting", "v2/undone",  "v2/storm", "v2/waiting",
                                      "v3/undone", "v3/storm",   "v3/waiting", "v3/stone"};
    all = count == 4 && strcmp(arguments[3], "all") == 0;
    if (count != 3 && !all) {
        fputs("usage: play SOURCES FOLDER [all]\n", stderr);
        return 2;
    }
    print_numbers();
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        for (unsigned number = 1; number <= 4; number++) {
            kifu_timeline *timeline = play(&games[i], number, 120);
            print_game(games[i].name, number, timeline);
            kifu_destroy(timeline);
        }
    }
    play_recorded();
    play_old(&reversi_rules, arguments[1], "examples/reversi/v1/game.kifu");
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        char name[100];
        snprintf(name, sizeof name, "tests/compat/%s.kifu", old[i]);
        play_old(&camp_rules, arguments[1], name);
    }
    play_files(arguments[2]);
    return 0;
}
