// What a player's program sends: moves, batches, undo and redo as bytes; and what becomes of them.

#include <stdio.h>

#include "bytes_help.h"
#include "frame_help.h"
#include "game.h"
#include "harbour.h"
#include "hazard.h"
#include "hazard_hooks.h"
#include "listen_help.h"
#include "quay.h"
#include "reversi.h"

static void refused(kifu_timeline *timeline, kifu_result result, kifu_result expected, const char *part)
{
    const kifu_error *error = kifu_last_error(timeline);
    ck_assert_msg(result == expected, "%s, not %s: %s", kifu_result_text(result), kifu_result_text(expected),
                  result ? error->message : "");
    ck_assert_int_eq(error->result, expected);
    must_say(timeline, part);
}

// --- Moves -----------------------------------------------------------------------------------------------------------

START_TEST(W06_a_listed_move_is_as_bytes_what_its_build_function_writes)
{
    kifu_timeline *hazard;
    kifu_buffer move = {0}, built = {0};
    kifu_moves moves = {0};
    uint32_t dares = 0;
    ck_assert(!kifu_create(&hazard_rules, NULL, &hazard, NULL));
    must(hazard, hazard_begin(hazard, 1));
    must(hazard, kifu_list_moves(hazard, kifu_current_player(kifu_get_game(hazard)), &moves));
    for (uint32_t i = 0; i < moves.count; i++) {
        const hazard_p_dare *dare = moves.items[i].table;
        if (moves.items[i].type != HAZARD_P_DARE)
            continue;
        must(hazard, kifu_move_bytes(hazard, &moves.items[i], &move));
        must(hazard, hazard_build_p_dare(hazard, &built, hazard_p_dare_bets(dare), hazard_p_dare_bets_count(dare),
                                         hazard_p_dare_words(dare)));
        same_buffers(&move, &built);
        dares++;
    }
    ck_assert_uint_gt(dares, 2);
    move.allocate(move.allocate_context, move.data, 0);
    move = (kifu_buffer){.data = (unsigned char[40]){0}, .capacity = 40};
    refused(hazard, kifu_move_bytes(hazard, &moves.items[0], &move), KIFU_TOO_LARGE, "there is room for 40");
    kifu_free_moves(&moves);
    kifu_free_buffer(&built);
    kifu_destroy(hazard);
}
END_TEST

START_TEST(W10_what_waits_is_as_bytes_what_its_build_function_writes)
{
    kifu_timeline *hazard;
    kifu_buffer waiting = {0}, built = {0};
    kifu_event event;
    const uint16_t bets[] = {3, 1, 2};
    ck_assert(!kifu_create(&hazard_rules, NULL, &hazard, NULL));
    must(hazard, hazard_begin(hazard, 1));
    refused(hazard, kifu_pending_bytes(hazard, 0, &waiting), KIFU_MISUSE, "but only 0 wait");
    hazard_submit_p_dare(hazard, 0, bets, 3, "all or nothing");
    ck_assert(kifu_pending_at(hazard, 0, &event));
    must(hazard, kifu_pending_bytes(hazard, 0, &waiting));
    must(hazard, hazard_build_p_dare(hazard, &built, bets, 3, "all or nothing"));
    same_buffers(&waiting, &built);
    refused(hazard, kifu_pending_bytes(hazard, 1, &waiting), KIFU_MISUSE, "but only 1 wait");
    must(hazard, kifu_drop_inputs(hazard));
    kifu_free_buffer(&waiting);
    kifu_free_buffer(&built);
    kifu_destroy(hazard);
}
END_TEST

START_TEST(W06_games_of_reversi_by_requests_of_84_bytes)
{
    kifu_buffer move = {0}, built = {0};
    kifu_moves moves = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 1);
    for (unsigned long game = 0; game < fuzz_steps(200) / 20; game++) {
        kifu_timeline *here, *there;
        const uint64_t seed = kifu_rng_next(&rng);
        ck_assert(!kifu_create(&reversi_rules, NULL, &here, NULL));
        must(here, reversi_begin(here, &seed));
        ck_assert(!kifu_fork(here, KIFU_PRESENT, NULL, &there, NULL));
        while (kifu_get_game(here)->phase != KIFU_PHASE_GAME_OVER) {
            const int player = kifu_current_player(kifu_get_game(here));
            must(here, kifu_list_moves(here, player, &moves));
            const kifu_move *chosen = &moves.items[kifu_rng_below(&rng, moves.count)];
            const reversi_p_place *place = chosen->table;
            const reversi_p_place_args args = {.square = place->square, .seconds = place->seconds};
            must(here, kifu_move_bytes(here, chosen, &move));
            must(here, reversi_build_p_place(here, &built, &args));
            same_buffers(&move, &built);
            ck_assert_uint_eq(move.size, 84); // 120 at most
            kifu_submit_move(here, chosen);
            must(here, kifu_run(here));
            must(there, kifu_run_request(there, player, move.data, move.size));
        }
        expect_same_log(here, there);
        kifu_destroy(here);
        kifu_destroy(there);
    }
    kifu_free_moves(&moves);
    kifu_free_buffer(&move);
    kifu_free_buffer(&built);
}
END_TEST

// --- Batches ---------------------------------------------------------------------------------------------------------

// Adds a PDo for each of the scripts, which are separated by spaces; "7" adds a PAdd of 7, and "0" one that is refused.
static kifu_buffer batch_of(kifu_timeline *lab, const char *scripts)
{
    kifu_buffer batch = {0}, one = {0};
    char script[20];
    int length;
    for (; sscanf(scripts, "%19s%n", script, &length) == 1; scripts += length) {
        const bool number = script[0] >= '0' && script[0] <= '9';
        if (number)
            must(lab, lab_build_p_add(lab, &one, script[0] - '0'));
        else
            must(lab, lab_build_p_do(lab, &one, &(lab_p_do_args){.script = script, .times = 1}));
        const bool first = !batch.size;
        must(lab, kifu_add_bytes(lab, &batch, one.data, one.size));
        if (first)
            same_buffers(&batch, &one);
    }
    kifu_free_buffer(&one);
    return batch;
}

static kifu_result run_batch(kifu_timeline *lab, int player, const char *scripts)
{
    kifu_buffer batch = batch_of(lab, scripts);
    const kifu_result result = kifu_run_request(lab, player, batch.data, batch.size);
    kifu_free_buffer(&batch);
    return result;
}

static void submit_all(kifu_timeline *lab, int player, const char *scripts)
{
    char script[20];
    int length;
    for (; sscanf(scripts, "%19s%n", script, &length) == 1; scripts += length) {
        if (script[0] >= '0' && script[0] <= '9')
            lab_submit_p_add(lab, player, script[0] - '0');
        else
            lab_submit_p_do(lab, player, &(lab_p_do_args){.script = script, .times = 1});
    }
}

// Rules whose consequences are undone one by one.
static kifu_rules rules_without_chains(kifu__type *types)
{
    kifu_rules rules = lab_rules;
    memcpy(types, rules.types, (rules.type_count + 1) * sizeof *types);
    types[LAB_E_DO].flags = KIFU_UNDOABLE;
    rules.types = types;
    return rules;
}

static const char *const accepted[] = {"+", "(+)(-)1", "+ +", "r(r(r)) 7", "(@) (+)", "v 1 w", "+(p) (p) 2 [!] [+]"};

START_TEST(W06_events_leave_what_submit_and_run_leave_and_a_batch_is_a_transaction)
{
    kifu__type types[16];
    const kifu_rules rules = rules_without_chains(types);
    for (size_t i = 0; i < 2 * sizeof accepted / sizeof *accepted; i++) {
        const char *scripts = accepted[i / 2];
        const bool batch = strchr(scripts, ' ') != NULL;
        kifu_timeline *one, *other;
        kifu_error error;
        ck_assert_msg(!kifu_create(i % 2 ? &rules : &lab_rules, NULL, &one, &error), "%s", error.message);
        const uint64_t seed = 3;
        lab_submit_e_initialize(one, SEEDED(seed));
        submit_all(one, 0, "+ (+)");
        must(one, kifu_run(one));
        ck_assert(!kifu_fork(one, KIFU_PRESENT, NULL, &other, NULL));
        if (batch)
            must(one, kifu_begin(one, 0));
        submit_all(one, 1, scripts);
        must(one, kifu_run(one));
        if (batch)
            must(one, kifu_commit(one));
        must(other, run_batch(other, 1, scripts));
        expect_same_log(one, other); // with undo flags and players
        ck_assert_uint_eq(kifu_can_undo(one, NULL), kifu_can_undo(other, NULL));
        if (!strcmp(scripts, "+ +"))
            ck_assert_uint_eq(kifu_can_undo(other, NULL), 2);
        if (!strcmp(scripts, "(+)(-)1"))
            ck_assert_uint_eq(kifu_can_undo(other, NULL), i % 2 ? 1 : 3);
        kifu_destroy(one);
        kifu_destroy(other);
    }
}
END_TEST

static unsigned redrawn, rejected;

static void redraw(void *context, kifu_timeline *timeline)
{
    (void)context, (void)timeline;
    redrawn++;
}

static void reject(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    (void)context, (void)timeline, (void)outcome;
    rejected++;
}

typedef struct bad {
    const char *script;
    kifu_result result;
    const char *words; // at the end, for the player
} bad;

// That one of a batch does not happen; "l" never ends.
static const bad bads[] = {
    {"!", KIFU_REJECTED, "forbidden by its first letter"},
    {"0", KIFU_REJECTED, "nothing to add"},
    {"f", KIFU_FAILED, "the script says so"},
    {"+(f)", KIFU_FAILED, "the script says so"},
    {"l", KIFU_RUNAWAY, NULL},
    {"(+)u", KIFU_MISUSE, NULL},
};

START_TEST(W06_if_one_event_does_not_happen_none_has_and_nothing_was_shown)
{
    const lab_view view = {.base = {.redraw = redraw, .rejected = reject}};
    static char name[] = "total";
    const kifu_observer observer = {.listen = listen, KIFU_PART(lab_state, total), .context = name};
    const unsigned count = 4 * sizeof bads / sizeof *bads;
    for (unsigned n = 0; n < 2 * count; n++) { // then once more, on quiet timelines
        const unsigned i = n % count;
        const bad *bad = &bads[i / 4];
        const kifu_options options = {
            .view = &view.base, .quiet = n >= count, .max_consequences = 20, .sync_test = kifu_sync_test};
        kifu_timeline *lab = lab_started(&options);
        must(lab, kifu_observe(lab, &observer));
        submit_all(lab, 0, "+ r(+)");
        must(lab, kifu_run(lab));
        must(lab, kifu_undo(lab));
        const lab_picture before = lab_look(lab);
        const uint32_t redo = kifu_can_redo(lab, NULL), undo = kifu_can_undo(lab, NULL);
        ck_assert_uint_eq(redo, 2);
        heard[0] = '\0';
        redrawn = rejected = 0;
        char scripts[60] = "", place[40];
        for (unsigned j = 0; j < 3; j++) { // alone, or one of three
            if (i % 4 == 3 || i % 4 == j)
                strcat(scripts, bad->script);
            else
                strcat(scripts, j == 1 ? "(+)(r)" : "+r");
            if (i % 4 == 3)
                break;
            strcat(scripts, " ");
        }
        snprintf(place, sizeof place, "in the batch, event %u of 3: ", i % 4 + 1);
        const kifu_result result = run_batch(lab, 1, scripts);
        refused(lab, result, bad->result, i % 4 == 3 ? "" : place);
        if (bad->words)
            ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), bad->words);
        lab_same(lab, &before);
        ck_assert_uint_eq(kifu_can_redo(lab, NULL), redo);
        ck_assert_uint_eq(kifu_can_undo(lab, NULL), undo);
        ck_assert_uint_eq(kifu_open_transactions(lab), 0);
        must_hear("");
        ck_assert_uint_eq(redrawn + rejected, 0);
        must(lab, kifu_redo(lab));
        must(lab, run_batch(lab, 1, "+ 7"));
        must_hear(options.quiet ? "" : "total 1>2 #3 total 2>3 #4 total 3>10 #5 ");
        kifu_destroy(lab);
    }
}
END_TEST

static void run_without_memory(bool quiet)
{
    for (long n = 0, more = 1; more; n++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate,
                                      .allocate_context = &memory,
                                      .quiet = quiet,
                                      .keep_variations = n % 2 ? kifu_keep_variations : NULL};
        kifu_timeline *lab = lab_started(&options);
        submit_all(lab, 0, "+ +");
        must(lab, kifu_run(lab));
        must(lab, kifu_undo(lab));
        kifu_buffer batch = batch_of(lab, "+(r) 7 (+(+))");
        kifu_timeline *other;
        ck_assert(!kifu_fork(lab, KIFU_PRESENT, NULL, &other, NULL));
        const lab_picture before = lab_look(lab);
        memory.until_failure = n / 4;
        memory.for_ever = n / 2 % 2;
        memory.failed = false;
        const kifu_result result = kifu_run_request(lab, 1, batch.data, batch.size);
        more = memory.failed || n < 40;
        memory.until_failure = -1;
        if (result) {
            ck_assert(memory.failed && result == KIFU_NO_MEMORY);
            lab_same(lab, &before);
            ck_assert_uint_eq(kifu_can_redo(lab, NULL), 1);
            ck_assert_uint_eq(kifu_line_count(lab), 1);
            must(lab, kifu_run_request(lab, 1, batch.data, batch.size));
        }
        submit_all(other, 1, "+(r) 7 (+(+))");
        must(other, kifu_begin(other, 0));
        must(other, kifu_run(other));
        must(other, kifu_commit(other));
        ck_assert_str_eq(lab_log(lab), lab_log(other));
        ck_assert(kifu_state_hash(lab) == kifu_state_hash(other));
        kifu_free_buffer(&batch);
        kifu_destroy(lab);
        kifu_destroy(other);
        ck_assert_int_eq(memory.blocks, 0);
        ck_assert_int_lt(n, 1000);
    }
}

START_TEST(W06_without_memory_a_request_leaves_nothing)
{
    run_without_memory(false);
    run_without_memory(true);
}
END_TEST

START_TEST(W06_without_memory_a_batch_does_not_change)
{
    long refusals = 0;
    for (long n = 0, more = 1; more; n++) {
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        kifu_timeline *lab = lab_started(&options);
        kifu_buffer batch = batch_of(lab, "+ 7"), undo = {0}, all = batch_of(lab, "+ 7 (+(+)(+)(+)(+))");
        kifu_buffer last = batch_of(lab, "(+(+)(+)(+)(+))");
        const uint32_t size = batch.size;
        unsigned char *copy = malloc(size);
        memcpy(copy, batch.data, size);
        must(lab, lab_play(lab, "+"));
        memory.until_failure = n;
        memory.failed = false;
        const kifu_result result = kifu_add_bytes(lab, &batch, last.data, last.size);
        const kifu_result undone = result ? KIFU_OK : kifu_undo_bytes(lab, 1, &undo);
        more = memory.failed;
        refusals += more;
        memory.until_failure = -1;
        ck_assert(more ? result == KIFU_NO_MEMORY || undone == KIFU_NO_MEMORY : !result && !undone);
        if (result) {
            ck_assert_uint_eq(batch.size, size);
            ck_assert_mem_eq(batch.data, copy, size);
            must(lab, kifu_add_bytes(lab, &batch, last.data, last.size));
        }
        same_buffers(&batch, &all);
        free(copy);
        kifu_free_buffer(&batch);
        kifu_free_buffer(&all);
        kifu_free_buffer(&last);
        kifu_free_buffer(&undo);
        kifu_destroy(lab);
        ck_assert_int_eq(memory.blocks, 0);
    }
    ck_assert_int_gt(refusals, 2);
}
END_TEST

START_TEST(W06_a_batch_has_at_most_256_events)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer batch = {0}, half = {0}, one = {0};
    kifu_request request;
    must(lab, lab_build_p_add(lab, &one, 1));
    for (int i = 0; i < 128; i++)
        must(lab, kifu_add_bytes(lab, &half, one.data, one.size));
    must(lab, kifu_add_bytes(lab, &batch, half.data, half.size));
    same_buffers(&batch, &half);
    must(lab, kifu_add_bytes(lab, &batch, half.data, half.size));
    const uint32_t size = batch.size;
    refused(lab, kifu_add_bytes(lab, &batch, one.data, one.size), KIFU_TOO_LARGE,
            "a batch has at most 256 events, and this one would have 257");
    ck_assert_uint_eq(batch.size, size);
    must(lab, kifu_read_request(lab, 1, batch.data, batch.size, &request));
    ck_assert_int_eq(request.kind, KIFU_REQUEST_PLAY);
    ck_assert_uint_eq(request.events, 256);
    ck_assert_uint_eq(request.place, KIFU_NONE);
    ck_assert_uint_eq(kifu_event_count(lab), 1); // Nothing has happened.
    must(lab, kifu_run_request(lab, 1, batch.data, batch.size));
    ck_assert_int_eq(lab_get_state(lab)->total, 256);
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 256);
    refused(lab, kifu_submit_bytes(lab, 1, batch.data, batch.size, NULL), KIFU_REJECTED,
            "there are 256 events, and bytes are of one");
    kifu_free_buffer(&batch);
    kifu_free_buffer(&half);
    kifu_free_buffer(&one);
    kifu_destroy(lab);
}
END_TEST

START_TEST(W06_what_is_not_a_players_event_gets_into_no_batch)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer batch = batch_of(lab, "+ 7"), more = {0};
    const uint32_t size = batch.size;
    must(lab, lab_build_e_seal(lab, &more));
    refused(lab, kifu_add_bytes(lab, &batch, more.data, more.size), KIFU_REJECTED, "it is an engine event");
    must(lab, lab_play(lab, "+"));
    must(lab, kifu_undo_bytes(lab, 1, &more));
    refused(lab, kifu_add_bytes(lab, &batch, more.data, more.size), KIFU_DAMAGED, "its offset is 0");
    refused(lab, kifu_submit_bytes(lab, 1, more.data, more.size, NULL), KIFU_DAMAGED, "its offset is 0");
    refused(lab, kifu_add_bytes(lab, &batch, NULL, 0), KIFU_OTHER_GAME, "its file identifier is not at byte 4");
    ck_assert_uint_eq(batch.size, size);

    kifu_buffer own = {.data = malloc(size), .size = size, .capacity = size};
    memcpy(own.data, batch.data, size);
    refused(lab, kifu_add_bytes(lab, &own, batch.data, batch.size), KIFU_TOO_LARGE, "a batch needs ");
    same_buffers(&own, &batch);
    free(own.data);

    batch.data[size - 1] = 0xff; // the padding behind the amount of the last event
    must(lab, kifu_run_request(lab, 0, batch.data, batch.size));
    kifu_free_buffer(&batch);
    kifu_free_buffer(&more);
    kifu_destroy(lab);
}
END_TEST

// 256 events of which each is the same 4,000 letters.
START_TEST(W06_events_that_share_their_parts_do_not_grow_without_end)
{
    char script[4000];
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer one = {0};
    memset(script, '+', sizeof script - 1);
    script[sizeof script - 1] = '\0';
    for (uint32_t count = 2; count <= 256; count += 254) {
        kifu_buffer batch = {0};
        for (uint32_t i = 0; i < count; i++) {
            must(lab, lab_build_p_do(lab, &one, &(lab_p_do_args){.script = i ? "" : script, .times = 1}));
            must(lab, kifu_add_bytes(lab, &batch, one.data, one.size));
        }
        const uint32_t event = event_in(batch.data, 0);
        for (uint32_t i = 1; i < count; i++) {
            const uint32_t offset = offset_in(batch.data, i);
            set32(batch.data + offset, event - offset);
        }
        const kifu_result result = kifu_run_request(lab, 0, batch.data, batch.size);
        if (count == 2)
            must(lab, result);
        else
            refused(lab, result, KIFU_TOO_LARGE, "share parts so often");
        kifu_free_buffer(&batch);
    }
    ck_assert_int_eq(lab_get_state(lab)->total, 2 * 3999);
    kifu_free_buffer(&one);
    kifu_destroy(lab);
}
END_TEST

// --- Undo and redo ---------------------------------------------------------------------------------------------------

static kifu_buffer undo_of(kifu_timeline *lab, uint32_t steps)
{
    kifu_buffer request = {0};
    must(lab, kifu_undo_bytes(lab, steps, &request));
    ck_assert_uint_eq(request.size, 28);
    return request;
}

static kifu_result run(kifu_timeline *lab, const kifu_buffer *request)
{
    return kifu_run_request(lab, 0, request->data, request->size);
}

START_TEST(W06_undo_and_redo_go_so_many_steps)
{
    kifu_timeline *game = lab_started(NULL), *copy;
    kifu_request request;
    submit_all(game, 0, "+(+) 1 2(+) (+)(+)");
    must(game, kifu_run(game));
    const lab_picture all = lab_look(game);
    ck_assert(!kifu_fork(game, KIFU_PRESENT, NULL, &copy, NULL)); // on the player's machine
    kifu_buffer undo = undo_of(copy, 3), redo = {0};
    must(game, kifu_read_request(game, 0, undo.data, undo.size, &request));
    ck_assert_int_eq(request.kind, KIFU_REQUEST_UNDO);
    ck_assert_uint_eq(request.events, 5);
    ck_assert_uint_eq(request.place, 8);
    lab_same(game, &all);
    must(game, run(game, &undo));
    ck_assert_uint_eq(kifu_event_count(game), 3);
    for (int i = 0; i < 3; i++)
        must(copy, kifu_undo(copy));
    must(copy, kifu_redo_bytes(copy, 2, &redo));
    must(game, kifu_read_request(game, 0, redo.data, redo.size, &request));
    ck_assert_int_eq(request.kind, KIFU_REQUEST_REDO);
    ck_assert_uint_eq(request.events, 2);
    ck_assert_uint_eq(request.place, 3);
    must(game, run(game, &redo));
    ck_assert_uint_eq(kifu_event_count(game), 5);
    must(game, kifu_redo_bytes(game, 1, &redo));
    must(game, run(game, &redo));
    lab_same(game, &all);
    kifu_free_buffer(&undo);
    kifu_free_buffer(&redo);
    kifu_destroy(game);
    kifu_destroy(copy);
}
END_TEST

START_TEST(W06_late_and_doubled_requests_undo_nothing_else)
{
    const char *gone = "the game has gone on since";
    kifu_timeline *lab = lab_started(NULL);
    kifu_request request;
    submit_all(lab, 0, "+ 1 +(+)");
    must(lab, kifu_run(lab));
    kifu_buffer undo = undo_of(lab, 1), redo = {0};
    must(lab, run(lab, &undo));
    refused(lab, run(lab, &undo), KIFU_REJECTED, "made at another place of the game, after event 5: ");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), gone);
    must(lab, kifu_redo_bytes(lab, 1, &redo));
    must(lab, run(lab, &redo));
    refused(lab, run(lab, &redo), KIFU_REJECTED, gone);
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "-(+)")); // as many events, another state
    ck_assert_uint_eq(kifu_event_count(lab), 5);
    refused(lab, run(lab, &undo), KIFU_REJECTED, gone);
    refused(lab, kifu_read_request(lab, 0, undo.data, undo.size, &request), KIFU_REJECTED, gone);
    memset(undo.data + 20, 0, 8); // A writer who does not know the state does not say it.
    must(lab, run(lab, &undo));
    must(lab, kifu_undo(lab));
    must(lab, lab_play(lab, "-(+)"));
    must(lab, lab_play(lab, "+"));
    refused(lab, run(lab, &undo), KIFU_REJECTED, "here, no step leads to after event 3: ");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), gone);
    ck_assert_uint_eq(kifu_event_count(lab), 5);
    kifu_free_buffer(&undo);
    kifu_free_buffer(&redo);
    kifu_destroy(lab);
}
END_TEST

START_TEST(W06_what_undo_and_redo_refuse_is_refused_before_anything_is_undone)
{
    kifu_timeline *lab = lab_started(NULL);
    kifu_buffer buffer = {0};
    must_refuse(lab, kifu_undo_bytes(lab, 0, &buffer));
    ck_assert_int_eq(kifu_undo_bytes(lab, 1, &buffer), KIFU_NOTHING_TO_UNDO);
    ck_assert_int_eq(kifu_redo_bytes(lab, 1, &buffer), KIFU_NOTHING_TO_REDO);
    submit_all(lab, 0, "v + 1");
    must(lab, kifu_run(lab));
    refused(lab, kifu_undo_bytes(lab, 3, &buffer), KIFU_NOT_UNDOABLE, "hidden information was revealed");
    kifu_buffer undo = undo_of(lab, 2);
    undo.data[16] = 1; // to before the first
    memset(undo.data + 20, 0, 8);
    refused(lab, run(lab, &undo), KIFU_NOT_UNDOABLE, "hidden information was revealed");
    ck_assert_uint_eq(kifu_event_count(lab), 4);
    must(lab, kifu_undo(lab));
    refused(lab, kifu_redo_bytes(lab, 2, &buffer), KIFU_NOTHING_TO_REDO, "so many steps were not undone");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(lab)), "there is nothing to redo");
    must(lab, kifu_redo_bytes(lab, 1, &buffer));
    buffer.data[16] = 9; // further than there are events
    refused(lab, run(lab, &buffer), KIFU_NOTHING_TO_REDO, "so many steps");
    must(lab, kifu_redo(lab));
    must(lab, kifu_undo_bytes(lab, 1, &undo));
    must(lab, kifu_begin(lab, 0)); // Undo stops there.
    refused(lab, run(lab, &undo), KIFU_NOT_UNDOABLE, "a transaction began");
    must(lab, kifu_roll_back(lab));
    unsigned char room[27];
    kifu_buffer own = {.data = room, .capacity = sizeof room};
    refused(lab, kifu_undo_bytes(lab, 1, &own), KIFU_TOO_LARGE, "a request needs 28 bytes, and there is room for 27");
    kifu_free_buffer(&buffer);
    kifu_free_buffer(&undo);
    kifu_destroy(lab);
}
END_TEST

// Two steps, of which the second fails here.
static bool fails;

static kifu_result do_some(kifu_timeline *timeline, uint32_t type, const void *state, const void *event,
                           void *transient)
{
    if (fails && type == LAB_P_ADD)
        return kifu_fail(timeline, "not any more");
    return lab_rules.do_event(timeline, type, state, event, transient);
}

START_TEST(W06_a_redo_that_fails_on_the_way_is_made_good)
{
    kifu_rules rules = lab_rules;
    kifu_timeline *lab;
    kifu_buffer redo = {0};
    rules.do_event = do_some;
    ck_assert(!kifu_create(&rules, NULL, &lab, NULL));
    submit_all(lab, 0, "+ +(+) 1");
    must(lab, kifu_run(lab));
    for (int i = 0; i < 2; i++)
        must(lab, kifu_undo(lab));
    const lab_picture before = lab_look(lab);
    must(lab, kifu_redo_bytes(lab, 2, &redo));
    fails = true;
    refused(lab, run(lab, &redo), KIFU_FAILED, "not any more");
    lab_same(lab, &before);
    fails = false;
    must(lab, run(lab, &redo));
    ck_assert_uint_eq(kifu_event_count(lab), 4);
    kifu_free_buffer(&redo);
    kifu_destroy(lab);
}
END_TEST

// --- Hostile bytes ---------------------------------------------------------------------------------------------------

// From a copy that ends where its memory ends, and that is not aligned.
static kifu_result run_copy(kifu_timeline *timeline, const unsigned char *bytes, size_t size)
{
    unsigned char *copy = malloc(size + 3);
    kifu_request request;
    memcpy(copy + 3, bytes, size);
    const kifu_result read = kifu_read_request(timeline, 1, copy + 3, size, &request);
    const kifu_result result = kifu_run_request(timeline, 1, copy + 3, size);
    ck_assert(!read || read == result); // What can be read may be illegal.
    free(copy);
    return result;
}

START_TEST(W06_bytes_that_are_cut_or_flipped_are_refused_or_read_as_what_they_are)
{
    kifu_timeline *lab = lab_started(&(kifu_options){.max_consequences = 20});
    submit_all(lab, 0, "+ 1");
    must(lab, kifu_run(lab));
    kifu_buffer requests[] = {
        batch_of(lab, "+(r) 7 (+(+))"), batch_of(lab, "7"), undo_of(lab, 1), undo_of(lab, 2), {0}};
    must(lab, kifu_undo(lab));
    must(lab, kifu_redo_bytes(lab, 1, &requests[4]));
    unsigned refusals = 0, happened = 0;
    for (unsigned i = 0; i < 5; i++) {
        if (i == 2)
            must(lab, kifu_redo(lab));
        if (i == 4)
            must(lab, kifu_undo(lab));
        const lab_picture before = lab_look(lab);
        kifu_buffer *request = &requests[i];
        if (i < 2) // What happens is taken back.
            must(lab, kifu_begin(lab, 0));
        for (uint32_t size = 0; size < request->size; size++) {
            const kifu_result result = run_copy(lab, request->data, size);
            if (!result) { // The padding behind the last event may be missing.
                ck_assert_uint_gt(size + 4, request->size);
            } else {
                ck_assert_int_eq(kifu_last_error(lab)->result, result);
                ck_assert_uint_gt(strlen(kifu_last_error(lab)->message), 20);
            }
        }
        for (uint32_t bit = 0; bit < 8 * request->size; bit++) {
            request->data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            const kifu_result result = run_copy(lab, request->data, request->size);
            refusals += result != KIFU_OK;
            happened += result == KIFU_OK;
            if (i >= 2)
                lab_same(lab, &before);
            request->data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            if (i < 2 && !result) {
                must(lab, kifu_roll_back(lab));
                lab_same(lab, &before);
                must(lab, kifu_begin(lab, 0));
            }
        }
        if (i < 2)
            must(lab, kifu_roll_back(lab));
        lab_same(lab, &before);
        kifu_free_buffer(request);
    }
    ck_assert_uint_gt(refusals, 1000);
    ck_assert_uint_gt(happened, 100);
    kifu_destroy(lab);
}
END_TEST

START_TEST(W06_other_requests_are_refused_in_words)
{
    static const struct {
        uint32_t at, value, size;
        kifu_result result;
        const char *words;
    } changes[] = {
        {4, 1, 28, KIFU_OTHER_GAME, "this is not a request in a game of lab: its file identifier is not at byte 4"},
        {8, 0x65746f76, 28, KIFU_NEWER_FORMAT,
         "a request of kind 0x65746f76, which this version of Kifu does not know"},
        {8, 0x65746f76, 40, KIFU_NEWER_FORMAT, "update the program"},
        {8, 0x6f646e75, 32, KIFU_DAMAGED, "an undo or a redo has 28 bytes, and this one has 32"},
        {8, 0x6f646e75, 10, KIFU_DAMAGED, "an undo or a redo has 28 bytes, and this one has 10"},
        {16, 3, 28, KIFU_DAMAGED, "an undo or a redo leads from after 3 events to after 3"},
        {8, 0x6f646572, 28, KIFU_DAMAGED, "an undo or a redo leads from after 3 events to after 2"},
        {12, 4, 28, KIFU_REJECTED, "the request was made at another place of the game, after event 4: "},
        {20, 0, 28, KIFU_REJECTED, "the request was made at another place of the game, after event 3: "},
        {0, 8, 28, KIFU_DAMAGED, "kifu.Segment"},
    };
    kifu_timeline *lab = lab_started(NULL);
    submit_all(lab, 0, "+ +");
    must(lab, kifu_run(lab));
    kifu_buffer undo = undo_of(lab, 1);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        unsigned char bytes[40] = {0};
        memcpy(bytes, undo.data, undo.size);
        memcpy(bytes + changes[i].at, &changes[i].value, 4);
        refused(lab, run_copy(lab, bytes, changes[i].size), changes[i].result, changes[i].words);
        ck_assert_uint_eq(kifu_event_count(lab), 3);
    }
    kifu_free_buffer(&undo);
    kifu_destroy(lab);
}
END_TEST

START_TEST(W06_a_mark_may_not_name_another_player_in_any_event_of_a_batch)
{
    kifu_timeline *lab = lab_started(NULL);
    for (uint32_t i = 0; i < 3; i++) {
        kifu_buffer batch = batch_of(lab, "+ 7 +");
        unsigned char *mark = batch.data + mark_in(batch.data, i);
        mark[2] = 0;
        char words[100];
        snprintf(words, sizeof words,
                 "in the batch, event %u of 3: the bytes of lab.%s were not submitted: its mark "
                 "names player 0, ",
                 i + 1, i == 1 ? "PAdd" : "PDo");
        refused(lab, kifu_run_request(lab, 1, batch.data, batch.size), KIFU_REJECTED, words);
        must(lab, kifu_run_request(lab, 0, batch.data, batch.size));
        must(lab, kifu_undo(lab));
        kifu_free_buffer(&batch);
    }
    kifu_destroy(lab);
}
END_TEST

// --- Other versions --------------------------------------------------------------------------------------------------

START_TEST(W06_a_batch_of_another_version_is_converted)
{
    kifu_rules rules = quay_rules; // the first release of the harbour
    rules.name = harbour_rules.name;
    rules.union_name = harbour_rules.union_name;
    kifu_timeline *quay, *harbour;
    ck_assert(!kifu_create(&rules, NULL, &quay, NULL) && !kifu_create(&harbour_rules, NULL, &harbour, NULL));
    kifu_buffer batch = {0}, one = {0}, newer = {0};
    kifu_event event;
    const quay_p_take_args take = {.heap = 4, .count = 6, .note = "stones"};
    must(quay, quay_build_p_wait(quay, &one));
    must(quay, kifu_add_bytes(quay, &batch, one.data, one.size));
    must(quay, quay_build_p_take(quay, &one, &take));
    must(quay, kifu_add_bytes(quay, &batch, one.data, one.size));
    must(harbour, kifu_add_bytes(harbour, &newer, batch.data, batch.size)); // by the player's program, or the referee's
    for (int i = 0; i < 2; i++) {
        must(harbour, kifu_run_request(harbour, 3, i ? newer.data : batch.data, i ? newer.size : batch.size));
        for (uint32_t index = 1; kifu_event_at(harbour, index, &event) && event.type != HARBOUR_P_MOVE; index++)
            ck_assert_int_ne(event.cause, KIFU_NONE);
        ck_assert_str_eq(event.name, "harbour.PMove");
        ck_assert_int_eq(event.player, 3);
        const harbour_p_move *move = event.table;
        ck_assert_uint_eq(move->from, 4);
        ck_assert_uint_eq(move->halves, 12);
        ck_assert_str_eq(harbour_p_move_why(move, 0), "stones");
        must(harbour, kifu_undo(harbour));
    }
    refused(quay, kifu_run_request(quay, 3, newer.data, newer.size), KIFU_NEWER_GAME, "update the program");
    kifu_timeline *lab = lab_started(NULL);
    refused(lab, kifu_run_request(lab, 3, newer.data, newer.size), KIFU_OTHER_GAME,
            "these are not the bytes of an event of lab");
    must(harbour, kifu_run_request(harbour, 3, newer.data, newer.size));
    must(quay, kifu_run_request(quay, 3, one.data, one.size));
    must(quay, kifu_undo_bytes(quay, 1, &one));
    refused(lab, run(lab, &one), KIFU_OTHER_GAME, "this is not a request in a game of lab");
    refused(harbour, run(harbour, &one), KIFU_REJECTED, "the game has gone on since");
    kifu_free_buffer(&batch);
    kifu_free_buffer(&newer);
    kifu_free_buffer(&one);
    kifu_destroy(quay);
    kifu_destroy(harbour);
    kifu_destroy(lab);
}
END_TEST

// --- Where it is called ----------------------------------------------------------------------------------------------

typedef struct caller {
    kifu_buffer request;
    kifu_result run, read, add;
} caller;

static void call_all(void *context, kifu_timeline *timeline, const kifu_outcome *outcome)
{
    caller *caller = context;
    kifu_request request;
    kifu_buffer batch = {0};
    (void)outcome;
    caller->run = kifu_run_request(timeline, 0, caller->request.data, caller->request.size);
    caller->read = kifu_read_request(timeline, 0, caller->request.data, caller->request.size, &request);
    caller->add = kifu_add_bytes(timeline, &batch, caller->request.data, caller->request.size);
}

START_TEST(W06_requests_are_for_outside_where_nothing_waits)
{
    kifu_timeline *lab = lab_started(NULL);
    caller caller = {.request = batch_of(lab, "+ 7")};
    const kifu_buffer *batch = &caller.request;
    must_refuse(lab, kifu_run_request(lab, 128, batch->data, batch->size));
    must_refuse(lab, kifu_run_request(lab, -2, batch->data, batch->size));
    const kifu_ticket ticket = lab_do(lab, 0, "+", 1);
    must_refuse(lab, run(lab, batch));
    must_say(lab, "an input waits");
    must(lab, kifu_follow(lab, ticket, call_all, &caller));
    (void)!kifu_run(lab);
    ck_assert(caller.run == KIFU_MISUSE && caller.read == KIFU_MISUSE && caller.add == KIFU_MISUSE);
    must(lab, lab_try_p_add(lab, 0, 2));
    must_refuse(lab, run(lab, batch));
    kifu_take_back(lab);
    must(lab, kifu_seek(lab, 1));
    must_refuse(lab, run(lab, batch));
    must(lab, kifu_seek(lab, KIFU_PRESENT));
    lab_submit_p_add(lab, 200, 1); // The error of an earlier submit is reported first.
    must_refuse(lab, run(lab, batch));
    must_say(lab, "submitted for player 200");
    must(lab, run(lab, batch));
    kifu_free_buffer(&caller.request);
    kifu_destroy(lab);
}
END_TEST

START_TEST(W06_requests_inside_of_a_transaction_and_with_variations)
{
    const kifu_options options = {.keep_variations = kifu_keep_variations, .record_inputs = kifu_record_inputs};
    kifu_timeline *lab = lab_started(&options);
    must(lab, run_batch(lab, 0, "+ 7"));
    must(lab, kifu_undo(lab));
    ck_assert_int_eq(run_batch(lab, 0, "+ 0"), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_line_count(lab), 1);
    must(lab, run_batch(lab, 0, "+ 6"));
    ck_assert_uint_eq(kifu_line_count(lab), 2);
    must(lab, kifu_begin(lab, 0));
    must(lab, run_batch(lab, 1, "+"));
    ck_assert_int_eq(run_batch(lab, 0, "+ 0"), KIFU_REJECTED);
    ck_assert_uint_eq(kifu_open_transactions(lab), 1);
    must(lab, run_batch(lab, 1, "+ +"));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 3);
    must(lab, kifu_verify_rules(lab, NULL, NULL, NULL));
    kifu_buffer undo = undo_of(lab, 2);
    must(lab, run(lab, &undo));
    ck_assert_uint_eq(kifu_event_count(lab), 1);
    must(lab, run_batch(lab, 0, "+ 7")); // These are line 0.
    ck_assert_uint_eq(kifu_line_count(lab), 2);
    ck_assert_uint_eq(kifu_current_line(lab), 0);
    must(lab, kifu_verify_rules(lab, NULL, NULL, NULL));
    kifu_free_buffer(&undo);
    kifu_destroy(lab);
}
END_TEST

START_TEST(P05_an_unchained_transaction_leaves_undo_flags_alone)
{
    kifu_timeline *lab = lab_started(NULL);
    must(lab, kifu_begin(lab, KIFU_UNCHAINED));
    submit_all(lab, 0, "+ 1 (+)");
    must(lab, kifu_run(lab));
    must(lab, kifu_commit(lab));
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 2);
    must(lab, kifu_begin(lab, KIFU_UNCHAINED));
    must(lab, kifu_undo(lab) == KIFU_NOT_UNDOABLE ? KIFU_OK : KIFU_FAILED);
    submit_all(lab, 0, "+ 1");
    must(lab, kifu_run(lab));
    must(lab, kifu_roll_back(lab));
    ck_assert_uint_eq(kifu_event_count(lab), 5);
    must(lab, kifu_begin(lab, 0));
    must(lab, kifu_begin(lab, KIFU_UNCHAINED));
    submit_all(lab, 0, "+ 1");
    must(lab, kifu_run(lab));
    must(lab, kifu_commit(lab));
    must(lab, kifu_commit(lab)); // of the outermost one
    ck_assert_uint_eq(kifu_can_undo(lab, NULL), 2);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        W06_a_listed_move_is_as_bytes_what_its_build_function_writes,
        W10_what_waits_is_as_bytes_what_its_build_function_writes,
        W06_games_of_reversi_by_requests_of_84_bytes,
        W06_events_leave_what_submit_and_run_leave_and_a_batch_is_a_transaction,
        W06_if_one_event_does_not_happen_none_has_and_nothing_was_shown,
        W06_without_memory_a_request_leaves_nothing,
        W06_without_memory_a_batch_does_not_change,
        W06_a_batch_has_at_most_256_events,
        W06_what_is_not_a_players_event_gets_into_no_batch,
        W06_events_that_share_their_parts_do_not_grow_without_end,
        W06_undo_and_redo_go_so_many_steps,
        W06_late_and_doubled_requests_undo_nothing_else,
        W06_what_undo_and_redo_refuse_is_refused_before_anything_is_undone,
        W06_a_redo_that_fails_on_the_way_is_made_good,
        W06_bytes_that_are_cut_or_flipped_are_refused_or_read_as_what_they_are,
        W06_other_requests_are_refused_in_words,
        W06_a_mark_may_not_name_another_player_in_any_event_of_a_batch,
        W06_a_batch_of_another_version_is_converted,
        W06_requests_are_for_outside_where_nothing_waits,
        W06_requests_inside_of_a_transaction_and_with_variations,
        P05_an_unchained_transaction_leaves_undo_flags_alone,
    };
    return run_suite("requests", tests, sizeof tests / sizeof *tests);
}
