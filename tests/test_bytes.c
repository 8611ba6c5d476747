// Events as bytes: built, out of the log, and submitted from anywhere.

#include <stdio.h>

#include "bytes_help.h"
#include "harbour.h"
#include "history_help.h"
#include "nim.h"
#include "quay.h"
#include "save_help.h"
#include "seeded.h"
#include "wire.h"

static kifu_timeline *new_game(const kifu_rules *rules, const kifu_options *options)
{
    kifu_timeline *timeline;
    kifu_error error;
    ck_assert_msg(!kifu_create(rules, options, &timeline, &error), "%s", error.message);
    return timeline;
}

// Nim, ready for the first move.
static kifu_timeline *new_nim(const kifu_options *options)
{
    kifu_timeline *timeline = new_game(&nim_rules, options);
    const uint16_t stones[] = {3, 5, 7, 9};
    nim_submit_e_reset_game(timeline);
    nim_submit_e_add_player(timeline, 0, 0xff0000);
    nim_submit_e_add_player(timeline, 1, 0x0000ff);
    nim_submit_e_initialize(timeline, SEEDED_FROM(1, 0));
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    must(timeline, kifu_run(timeline));
    return timeline;
}

static void refused(kifu_timeline *timeline, kifu_result result, kifu_result expected, const char *message)
{
    ck_assert_int_eq(result, expected);
    ck_assert_int_eq(kifu_last_error(timeline)->result, expected);
    ck_assert_str_eq(kifu_last_error(timeline)->message, message);
}

// --- Building --------------------------------------------------------------------------------------------------------

START_TEST(B01_building_submits_nothing)
{
    kifu_timeline *nim = new_nim(NULL);
    kifu_buffer built = {0}, logged = {0};
    const uint32_t count = kifu_event_count(nim);
    const kifu_ticket ticket = nim_submit_p_take(nim, 0, 1, 2, 3);
    must(nim, kifu_run(nim));
    must(nim, nim_build_p_take(nim, &built, 1, 2, 3));
    ck_assert_uint_eq(built.size, 88);
    ck_assert_uint_eq(kifu_event_count(nim), count + 1);
    ck_assert_uint_eq(kifu_pending_count(nim), 0);
    must(nim, kifu_event_bytes(nim, count, &logged));
    same_buffers(&built, &logged);
    // With references, too; and the next ticket is the one after the last.
    must(nim, nim_build_e_deal(nim, &built, (const uint16_t[]){3, 5, 7, 9}, 4));
    must(nim, kifu_event_bytes(nim, 4, &logged));
    same_buffers(&built, &logged);
    ck_assert_uint_eq(kifu_pending_count(nim), 0);
    ck_assert_uint_eq(nim_submit_p_take(nim, 1, 0, 1, 0), ticket + 1);
    kifu_free_buffer(&built);
    kifu_free_buffer(&logged);
    ck_assert_ptr_null(built.data);
    kifu_destroy(nim);
}
END_TEST

START_TEST(B01_into_memory_of_the_callers)
{
    kifu_timeline *nim = new_nim(NULL);
    kifu_buffer grown = {0};
    unsigned char room[100];
    memset(room, 0x77, sizeof room);
    must(nim, nim_build_p_take(nim, &grown, 1, 2, 3));
    kifu_buffer own = {.data = room, .capacity = 87};
    refused(nim, nim_build_p_take(nim, &own, 1, 2, 3), KIFU_TOO_LARGE,
            "nim.PTake needs 88 bytes, and there is room for 87");
    ck_assert_uint_eq(own.size, 88);
    ck_assert_uint_eq(room[0], 0x77);
    own = (kifu_buffer){.data = room + 1, .capacity = own.size};
    must(nim, nim_build_p_take(nim, &own, 1, 2, 3));
    ck_assert_ptr_eq(own.data, room + 1);
    same_buffers(&own, &grown);
    ck_assert_uint_eq(room[89], 0x77);
    kifu_free_buffer(&own); // It was never the library's.
    ck_assert_uint_eq(room[89], 0x77);
    kifu_free_buffer(&grown);
    kifu_destroy(nim);
}
END_TEST

START_TEST(B01_a_buffer_is_written_from_its_beginning)
{
    kifu_timeline *nim = new_nim(NULL);
    kifu_buffer buffer = {0}, fresh = {0};
    uint16_t stones[400] = {1};
    must(nim, nim_build_e_deal(nim, &buffer, stones, 400));
    ck_assert_uint_gt(buffer.size, 800);
    must(nim, nim_build_p_take(nim, &buffer, 1, 2, 3));
    must(nim, nim_build_p_take(nim, &fresh, 1, 2, 3));
    same_buffers(&buffer, &fresh);
    kifu_free_buffer(&buffer);
    kifu_free_buffer(&fresh);
    kifu_destroy(nim);
}
END_TEST

START_TEST(B01_what_is_built_wrongly_is_refused_and_leaves_no_trace)
{
    kifu_timeline *wire = new_game(&wire_rules, NULL), *nim = new_nim(NULL);
    kifu_buffer buffer = {0};
    refused(wire, wire_build_e_one_enum(wire, &buffer, 3, 1), KIFU_INVALID_EVENT,
            "wire.EOneEnum has a wrong field, colour: value 3 is not in enum wire.Colour");
    refused(wire, wire_build_e_text(wire, &buffer, "text", NULL), KIFU_INVALID_EVENT,
            "wire.EText has a wrong field, name: it is required, and absent");
    ck_assert_ptr_null(buffer.data);
    refused(nim, nim_build_e_deal(nim, &buffer, NULL, 4), KIFU_MISUSE,
            "a vector of 4 elements of nim.EDeal was submitted as a null pointer");
    must(nim, kifu_run(nim));
    // An earlier submit's fault stays until something runs.
    nim_submit_e_deal(nim, NULL, 1);
    must(nim, nim_build_p_take(nim, &buffer, 1, 2, 3));
    must(nim, nim_build_e_deal(nim, &buffer, NULL, 0));
    refused(nim, kifu_run(nim), KIFU_MISUSE, "a vector of 1 elements of nim.EDeal was submitted as a null pointer");
    kifu_free_buffer(&buffer);
    kifu_destroy(wire);
    kifu_destroy(nim);
}
END_TEST

// Whoever runs builds something, and takes something out of the log.
typedef struct builder {
    kifu_buffer flat, deal, logged;
    uint32_t calls;
} builder;

static void build_all(builder *builder, kifu_timeline *timeline)
{
    ck_assert_int_eq(nim_build_p_take(timeline, &builder->flat, 1, 2, 3), KIFU_OK);
    ck_assert_int_eq(nim_build_e_deal(timeline, &builder->deal, (const uint16_t[]){1, 2}, 2), KIFU_OK);
    ck_assert_int_eq(kifu_event_bytes(timeline, 1, &builder->logged), KIFU_OK);
    builder->calls++;
}

static double act(void *context, kifu_timeline *timeline, const nim_state *state, const nim_p_take *take)
{
    (void)state;
    (void)take;
    build_all(context, timeline);
    return 0;
}

static kifu_result react(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)state;
    (void)event;
    build_all(context, timeline);
    return KIFU_OK;
}

START_TEST(B01_events_are_built_wherever_something_runs)
{
    builder builder = {0};
    const nim_view view = {.base.context = &builder, .act_p_take = act};
    const kifu_observer observer = {.react = react, .type = NIM_P_TAKE, .context = &builder};
    const kifu_options options = {.view = &view.base};
    kifu_timeline *nim = new_nim(&options), *plain = new_nim(NULL);
    must(nim, kifu_observe(nim, &observer));
    for (int i = 0; i < 3; i++) {
        nim_submit_p_take(nim, i % 2, 3, 1, 0);
        nim_submit_p_take(plain, i % 2, 3, 1, 0);
    }
    must(nim, kifu_run(nim));
    must(plain, kifu_run(plain));
    ck_assert_uint_eq(builder.calls, 6);
    expect_same_log(nim, plain);
    // And while an event is tried, but for what is in the log.
    must(nim, nim_try_p_take(nim, 1, 3, 1, 0));
    must(nim, nim_build_e_deal(nim, &builder.deal, NULL, 0));
    refused(nim, kifu_event_bytes(nim, 1, &builder.logged), KIFU_MISUSE,
            "kifu_event_bytes was called while a try is open: call kifu_take_back first");
    kifu_take_back(nim);
    expect_same_log(nim, plain);
    kifu_free_buffer(&builder.flat);
    kifu_free_buffer(&builder.deal);
    kifu_free_buffer(&builder.logged);
    kifu_destroy(nim);
    kifu_destroy(plain);
}
END_TEST

// --- Out of the log --------------------------------------------------------------------------------------------------

static void all_the_same(kifu_timeline *a, kifu_timeline *b, uint32_t from)
{
    kifu_buffer one = {0}, other = {0};
    for (uint32_t i = from; i < kifu_event_count(a); i++) {
        must(a, kifu_event_bytes(a, i, &one));
        must(b, kifu_event_bytes(b, i, &other));
        same_buffers(&one, &other);
    }
    kifu_free_buffer(&one);
    kifu_free_buffer(&other);
}

START_TEST(B03_any_event_of_the_log_becomes_bytes)
{
    kifu_timeline *nim = new_nim(NULL), *fork, *bare, *loaded;
    kifu_buffer buffer = {0};
    kifu_error error;
    for (int i = 0; i < 40; i++) { // So that there is a segment that forks share.
        nim_submit_e_deal(nim, (const uint16_t[]){9, 9, 9, 9}, 4);
        nim_submit_p_take(nim, 0, (uint8_t)(i % 4), 1, 0);
        nim_submit_e_deal(nim, (const uint16_t[]){9, 9, 9, 9}, (uint32_t)i % 5);
        const kifu_result ignored = kifu_run(nim); // It may be another player's turn.
        (void)ignored;
    }
    must(nim, kifu_fork(nim, KIFU_PRESENT, NULL, &fork, &error));
    must(nim, kifu_fork(nim, KIFU_WITHOUT_PAST, NULL, &bare, &error));
    save save = save_of(nim, NULL);
    must(nim, kifu_load_from_memory(&nim_rules, save.bytes, save.size, NULL, NULL, &loaded, &error));
    ck_assert_int_gt(count_segments(&save), 1);
    all_the_same(nim, fork, 0);
    all_the_same(nim, loaded, 0);
    kifu_destroy(nim); // What the fork shares stays.
    all_the_same(fork, loaded, 0);
    char message[200];
    const uint32_t count = kifu_event_count(fork);
    snprintf(message, sizeof message,
             "kifu_event_bytes was called for event %u, but the log has the events from 0 to before %u", count, count);
    refused(fork, kifu_event_bytes(fork, count, &buffer), KIFU_MISUSE, message);
    snprintf(message, sizeof message,
             "kifu_event_bytes was called for event %u, but the log has the events from %u to before %u", count - 1,
             count, count);
    refused(bare, kifu_event_bytes(bare, count - 1, &buffer), KIFU_MISUSE, message);
    nim_submit_e_deal(bare, (const uint16_t[]){1}, 1);
    nim_submit_e_deal(fork, (const uint16_t[]){1}, 1);
    must(bare, kifu_run(bare));
    must(fork, kifu_run(fork));
    all_the_same(fork, bare, count);
    free(save.bytes);
    kifu_destroy(fork);
    kifu_destroy(bare);
    kifu_destroy(loaded);
}
END_TEST

// --- Submitting ------------------------------------------------------------------------------------------------------

START_TEST(B02_bytes_become_an_input_of_the_player_who_is_named)
{
    kifu_timeline *nim = new_nim(NULL), *twin = new_nim(NULL);
    kifu_buffer buffer = {0};
    kifu_ticket ticket;
    must(nim, nim_build_p_take(nim, &buffer, 2, 3, 40));
    for (unsigned shift = 0; shift < 8; shift++) {
        must(twin, submit_copy(twin, (int)shift % 2, buffer.data, buffer.size, shift, &ticket));
        ck_assert_uint_eq(ticket, nim_submit_p_take(nim, (int)shift % 2, 2, 3, 40));
        ck_assert_int_eq(kifu_run(twin), kifu_run(nim));
        ck_assert_str_eq(kifu_last_error(twin)->message, kifu_last_error(nim)->message);
    }
    expect_same_log(nim, twin);
    kifu_event event;
    ck_assert(kifu_event_at(twin, 7, &event));
    ck_assert_int_eq(event.player, 1);
    ck_assert_uint_eq(event.flags, nim_rules.types[NIM_P_TAKE].flags);
    kifu_free_buffer(&buffer);
    kifu_destroy(nim);
    kifu_destroy(twin);
}
END_TEST

// Where things are in the bytes of a PTake, and what is put there; `size` 0: all of it.
typedef struct change {
    uint32_t at, value, size;
    kifu_result result;
    const char *message;
} change;

static const change changes[] = {
    {4, 0x12345678, 0, KIFU_OTHER_GAME,
     "these are not the bytes of an event of nim: its file identifier is not at byte 4"},
    {0, 20, 7, KIFU_OTHER_GAME, "these are not the bytes of an event of nim: its file identifier is not at byte 4"},
    {0, 20, 8, KIFU_DAMAGED, "kifu.Segment: its offset leads outside the buffer (byte 0)"},
    {0, 400, 0, KIFU_DAMAGED, "kifu.Segment: its offset leads outside the buffer (byte 0)"},
    {52, 0, 0, KIFU_DAMAGED, "the bytes of nim.PTake: its offset is 0 (byte 52)"},
    {60, 9, 0, KIFU_UNKNOWN_EVENT,
     "the bytes are of an event of type 9, and this version of nim knows types 1 to 8: a newer version of the game "
     "wrote "
     "them"},
    {60, 0, 0, KIFU_UNKNOWN_EVENT,
     "the bytes are of an event of type 0, and this version of nim knows types 1 to 8: a newer version of the game "
     "wrote "
     "them"},
    {60, 5, 0, KIFU_REJECTED,
     "the bytes of kifu.EEndGame were not submitted: it is an engine event, which only the rules of the game submit"},
    {44, 0x01ff0000, 0, KIFU_REJECTED,
     "the bytes of nim.PTake were not submitted: its mark has a cause (0) or flags (0x1), which bytes have not"},
    {44, 0x00ff0003, 0, KIFU_REJECTED,
     "the bytes of nim.PTake were not submitted: its mark has a cause (3) or flags (0x0), which bytes have not"},
    {44, 0x00000000, 0, KIFU_REJECTED,
     "the bytes of nim.PTake were not submitted: its mark names player 0, and it was to be submitted for player 1"},
    {44, 0x00800000, 0, KIFU_REJECTED,
     "the bytes of nim.PTake were not submitted: its mark names player -128, and it was to be submitted for player 1"},
    {40, 2, 0, KIFU_DAMAGED,
     "kifu.Segment: 1 events need as many types and marks, and there are 1 types and 2 marks (byte 20)"},
    {44, 0x00010000, 0, KIFU_OK, NULL}, // It names the same player.
    {36, 0, 0, KIFU_OK, NULL},          // An earlier version of the rules.
    {0, 20, 88, KIFU_OK, NULL},
};

// A list of events, each built by name, is a game: the one that its short constructors make.
START_TEST(M01_a_game_is_made_from_a_list_of_events_engine_events_too)
{
    enum { COUNT = 7 };
    kifu_timeline *nim = new_nim(NULL), *other = new_game(&nim_rules, NULL);
    kifu_buffer list[COUNT] = {{0}};
    const uint16_t stones[] = {3, 5, 7, 9};
    kifu_e_add_player_args red = kifu_e_add_player_defaults(), blue = kifu_e_add_player_defaults();
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    nim_e_deal_args deal = nim_e_deal_defaults();
    nim_p_take_args take = nim_p_take_defaults();
    red.color = 0xff0000;
    blue.position = 1;
    blue.color = 0x0000ff;
    initialize = *SEEDED_FROM(1, 0);
    deal.stones = stones;
    deal.stones_count = 4;
    take.heap = 1;
    take.count = 2;
    must(nim, nim_build_e_reset_game_args(nim, &list[0], NULL));
    must(nim, nim_build_e_add_player_args(nim, &list[1], &red));
    must(nim, nim_build_e_add_player_args(nim, &list[2], &blue));
    must(nim, nim_build_e_initialize_args(nim, &list[3], &initialize));
    must(nim, nim_build_e_deal_args(nim, &list[4], &deal));
    must(nim, nim_build_e_start_round_args(nim, &list[5], NULL));
    must(nim, nim_build_p_take_args(nim, &list[6], &take));
    must(nim, nim_play_p_take(nim, 0, 1, 2, 0));
    refused(
        other, kifu_submit_bytes(other, -1, list[4].data, list[4].size, NULL), KIFU_REJECTED,
        "the bytes of nim.EDeal were not submitted: it is an engine event, which only the rules of the game submit");
    for (int i = 0; i < COUNT; i++) {
        kifu_ticket ticket;
        must(other, kifu_submit_trusted_bytes(other, i == 6 ? 0 : -1, list[i].data, list[i].size, &ticket));
        ck_assert_uint_ne(ticket, 0);
        kifu_free_buffer(&list[i]);
    }
    must(other, kifu_run(other));
    ck_assert_uint_eq(kifu_event_count(other), kifu_event_count(nim));
    expect_same_log(nim, other);
    ck_assert_uint_eq(kifu_state_hash(nim), kifu_state_hash(other));
    kifu_destroy(other);
    kifu_destroy(nim);
}
END_TEST

START_TEST(M01_the_inputs_of_a_game_make_it_again)
{
    kifu_timeline *nim = new_nim(NULL), *other = new_game(&nim_rules, NULL);
    kifu_buffer buffer = {0};
    kifu_event event;
    for (uint8_t heap = 0; heap < 4; heap++) // The last one ends the game by a consequence.
        must(nim, nim_play_p_take(nim, heap % 2, heap, (uint16_t)(3 + 2 * heap), 0));
    ck_assert(kifu_event_at(nim, kifu_event_count(nim) - 1, &event) && event.cause != KIFU_NONE);
    for (uint32_t i = 0; kifu_event_at(nim, i, &event); i++) {
        if (event.cause != KIFU_NONE)
            continue;
        must(nim, kifu_event_bytes(nim, i, &buffer));
        must(other, kifu_submit_trusted_bytes(other, event.player, buffer.data, buffer.size, NULL));
        must(other, kifu_run(other));
    }
    expect_same_log(nim, other);
    kifu_free_buffer(&buffer);
    kifu_destroy(other);
    kifu_destroy(nim);
}
END_TEST

START_TEST(M01_what_takes_one_value_is_what_takes_the_fields)
{
    kifu_timeline *nim = new_nim(NULL);
    nim_p_take_args take = nim_p_take_defaults();
    ck_assert(!nim_can_p_take_args(nim, 0, NULL)); // The defaults: no stone.
    take.heap = 2;
    take.count = 7;
    ck_assert(nim_can_p_take_args(nim, 0, &take));
    ck_assert(!nim_can_p_take_args(nim, 1, &take));
    must(nim, nim_try_p_take_args(nim, 0, &take));
    ck_assert_uint_eq(nim_get_state(nim)->heaps[2], 0);
    kifu_take_back(nim);
    must(nim, nim_try_legal_p_take_args(nim, 0, &take));
    kifu_take_back(nim);
    ck_assert_uint_ne(nim_submit_p_take_args(nim, 0, &take), 0);
    must(nim, kifu_run(nim));
    ck_assert_uint_eq(nim_get_state(nim)->heaps[2], 0);
    take.heap = 1;
    take.count = 1;
    must(nim, nim_play_p_take_args(nim, 1, &take));
    ck_assert_uint_eq(nim_get_state(nim)->heaps[1], 4);
    kifu_destroy(nim);
}
END_TEST

START_TEST(M01_trusted_bytes_are_verified_as_others_are)
{
    kifu_timeline *nim = new_nim(NULL);
    kifu_buffer buffer = {0};
    must(nim, nim_build_e_end_game(nim, &buffer));
    refused(nim, kifu_submit_trusted_bytes(nim, -1, buffer.data, buffer.size / 2, NULL), KIFU_DAMAGED,
            kifu_last_error(nim)->message);
    refused(nim, kifu_submit_trusted_bytes(nim, 128, buffer.data, buffer.size, NULL), KIFU_MISUSE,
            "kifu_submit_trusted_bytes was called for player 128: a player's number is 0 to 127, or -1 for none");
    ck_assert_uint_eq(kifu_pending_count(nim), 0);
    kifu_free_buffer(&buffer);
    kifu_destroy(nim);
}
END_TEST

START_TEST(B02_other_bytes_are_refused_in_words)
{
    kifu_timeline *nim = new_nim(NULL);
    kifu_buffer buffer = {0};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *change = &changes[i];
        must(nim, nim_build_p_take(nim, &buffer, 2, 3, 40));
        memcpy(buffer.data + change->at, &change->value, sizeof change->value);
        const size_t size = change->size ? change->size : buffer.size;
        const kifu_result result = submit_copy(nim, 1, buffer.data, size, (unsigned)i % 8, NULL);
        if (change->result)
            refused(nim, result, change->result, change->message);
        ck_assert_int_eq(result, change->result);
        ck_assert_uint_eq(kifu_pending_count(nim), !result);
        must(nim, kifu_drop_inputs(nim));
    }
    refused(nim, kifu_submit_bytes(nim, 1, buffer.data, (size_t)1 << 31, NULL), KIFU_TOO_LARGE,
            "an event has less than 2 GiB as bytes");
    refused(nim, kifu_submit_bytes(nim, 1, NULL, 0, NULL), KIFU_OTHER_GAME,
            "these are not the bytes of an event of nim: its file identifier is not at byte 4");
    kifu_free_buffer(&buffer);
    kifu_destroy(nim);
}
END_TEST

START_TEST(B02_the_values_in_bytes_are_looked_at)
{
    kifu__type types[16];
    const kifu_rules rules = rules_of_players(&wire_rules, types);
    kifu_timeline *wire = new_game(&rules, NULL);
    kifu_buffer buffer = {0};
    must(wire, wire_build_e_one_enum(wire, &buffer, WIRE_COLOUR_BLUE, 7));
    must(wire, submit_copy(wire, 1, buffer.data, buffer.size, 0, NULL));
    const uint32_t at = 72 + (uint32_t)offsetof(wire_e_one_enum, colour);
    ck_assert_uint_eq(buffer.data[at], WIRE_COLOUR_BLUE);
    buffer.data[at] = 3;
    char message[200];
    snprintf(message, sizeof message,
             "the bytes of wire.EOneEnum, field colour: value 3 is not in enum wire.Colour (byte %u)", (unsigned)at);
    refused(wire, submit_copy(wire, 1, buffer.data, buffer.size, 0, NULL), KIFU_DAMAGED, message);
    buffer.data[at] = WIRE_COLOUR_RED;
    must(wire, submit_copy(wire, 1, buffer.data, buffer.size, 0, NULL));
    ck_assert_uint_eq(kifu_pending_count(wire), 2);
    kifu_free_buffer(&buffer);
    kifu_destroy(wire);
}
END_TEST

// A whole segment, with the identifier in front of it, as any tool could put it there.
static kifu_result submit_segment(kifu_timeline *timeline, const unsigned char *segment, uint32_t size)
{
    unsigned char *bytes = malloc(size + 8);
    set32(bytes, get32(segment) + 8);
    set32(bytes + 4, kifu_file_identifier(kifu_timeline_rules(timeline)));
    memcpy(bytes + 8, segment, size);
    const kifu_result result = submit_copy(timeline, 1, bytes, size + 8, 0, NULL);
    free(bytes);
    return result;
}

START_TEST(B02_bytes_of_several_events_or_of_none_are_refused)
{
    kifu_timeline *nim = new_nim(NULL);
    save save = save_of(nim, NULL);
    const frames frames = frames_of(&save);
    const uint32_t size = frames.all[find_frame(&frames, FRAME_SEGMENT)].size;
    unsigned char *log = first_segment(&frames);
    refused(nim, submit_segment(nim, log, size), KIFU_REJECTED,
            "the bytes of nim were not submitted: there are 6 events, and bytes are of one");
    for (uint32_t id = SEGMENT_TYPES; id <= SEGMENT_MARKS; id++)
        set32(log + vector_at(log, get32(log), id), 0);
    refused(nim, submit_segment(nim, log, size), KIFU_REJECTED,
            "the bytes of nim were not submitted: there are 0 events, and bytes are of one");
    free(save.bytes);
    kifu_destroy(nim);
}
END_TEST

START_TEST(B02_the_bytes_of_another_game_are_refused)
{
    kifu_timeline *nim = new_nim(NULL), *wire = new_game(&wire_rules, NULL);
    kifu_buffer buffer = {0};
    must(wire, wire_build_e_empty(wire, &buffer));
    refused(nim, kifu_submit_bytes(nim, 1, buffer.data, buffer.size, NULL), KIFU_OTHER_GAME,
            "these are not the bytes of an event of nim: its file identifier is not at byte 4");
    kifu_free_buffer(&buffer);
    kifu_destroy(nim);
    kifu_destroy(wire);
}
END_TEST

// --- Where it is called ----------------------------------------------------------------------------------------------

typedef struct caller {
    kifu_buffer buffer;
    kifu_result result;
    char message[500];
} caller;

static kifu_result submit_inside(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    caller *caller = context;
    (void)state;
    (void)event;
    caller->result = kifu_submit_bytes(timeline, 1, caller->buffer.data, caller->buffer.size, NULL);
    memcpy(caller->message, kifu_last_error(timeline)->message, sizeof caller->message);
    return KIFU_OK;
}

START_TEST(B02_submitting_bytes_is_for_outside)
{
    static const char inside[] = "kifu_submit_bytes was called while an event runs (from Do, a check, a reaction or a "
                                 "view function): call it from outside";
    kifu_timeline *nim = new_nim(NULL);
    caller caller = {0};
    must(nim, nim_build_p_take(nim, &caller.buffer, 2, 1, 0));
    must(nim, kifu_observe(nim, &(kifu_observer){.react = submit_inside, .type = NIM_P_TAKE, .context = &caller}));
    nim_submit_p_take(nim, 0, 1, 1, 0);
    ck_assert_int_eq(kifu_run(nim), KIFU_MISUSE);
    ck_assert_int_eq(caller.result, KIFU_MISUSE);
    ck_assert_str_eq(caller.message, inside);
    must(nim, kifu_remove_observers(nim, &caller));
    const kifu_buffer *buffer = &caller.buffer;
    refused(nim, kifu_submit_bytes(nim, 128, buffer->data, buffer->size, NULL), KIFU_MISUSE,
            "kifu_submit_bytes was called for player 128: a player's number is 0 to 127, or -1 for none");
    refused(nim, kifu_submit_bytes(nim, -2, buffer->data, buffer->size, NULL), KIFU_MISUSE,
            "kifu_submit_bytes was called for player -2: a player's number is 0 to 127, or -1 for none");
    must(nim, kifu_seek(nim, 3));
    refused(nim, kifu_submit_bytes(nim, 0, buffer->data, buffer->size, NULL), KIFU_MISUSE,
            "kifu_submit_bytes was called while the past is shown: go back with kifu_seek(timeline, KIFU_PRESENT), or "
            "make a copy to play on with kifu_fork");
    must(nim, kifu_seek(nim, KIFU_PRESENT));
    must(nim, nim_try_p_take(nim, kifu_current_player(kifu_get_game(nim)), 3, 1, 0));
    refused(nim, kifu_submit_bytes(nim, 0, buffer->data, buffer->size, NULL), KIFU_MISUSE,
            "kifu_submit_bytes was called while a try is open: call kifu_take_back first");
    kifu_take_back(nim);
    nim_submit_e_deal(nim, NULL, 1);
    refused(nim, kifu_submit_bytes(nim, 0, buffer->data, buffer->size, NULL), KIFU_MISUSE,
            "a vector of 1 elements of nim.EDeal was submitted as a null pointer");
    must(nim, kifu_submit_bytes(nim, 0, buffer->data, buffer->size, NULL));
    ck_assert_uint_eq(kifu_pending_count(nim), 1);
    kifu_free_buffer(&caller.buffer);
    kifu_destroy(nim);
}
END_TEST

// --- Other versions --------------------------------------------------------------------------------------------------

// The quay's rules, called as the harbour's are: one game, as its first release had it.
static kifu_rules quay_as_released(void)
{
    kifu_rules rules = quay_rules;
    rules.name = harbour_rules.name;
    rules.union_name = harbour_rules.union_name;
    return rules;
}

START_TEST(B02_bytes_of_another_version_are_converted)
{
    const kifu_rules rules = quay_as_released();
    const kifu_options tested = {.sync_test = kifu_sync_test};
    kifu_timeline *quay = new_game(&rules, NULL), *harbour = new_game(&harbour_rules, &tested);
    kifu_buffer buffer = {0};
    kifu_event event;
    const quay_p_take_args take = {.heap = 4, .count = 6, .note = "stones"};
    must(quay, quay_build_p_take(quay, &buffer, &take));
    must(harbour, submit_copy(harbour, 3, buffer.data, buffer.size, 1, NULL));
    must(harbour, kifu_run(harbour));
    ck_assert(kifu_event_at(harbour, 0, &event));
    ck_assert_str_eq(event.name, "harbour.PMove");
    ck_assert_int_eq(event.player, 3);
    ck_assert_uint_eq(event.rules_version, 4);
    const harbour_p_move *move = event.table;
    ck_assert_uint_eq(move->from, 4);
    ck_assert_uint_eq(move->halves, 12); // as rules version 2 counted
    ck_assert_str_eq(harbour_p_move_why(move, 0), "stones");
    // What is not superseded stays what it is; and the newer version's event is none of the older one's.
    must(quay, quay_build_p_late(quay, &buffer, 7, 8, 9));
    must(harbour, submit_copy(harbour, 3, buffer.data, buffer.size, 0, NULL));
    ck_assert(kifu_pending_at(harbour, 0, &event) || kifu_pending_at(harbour, kifu_pending_count(harbour) - 1, &event));
    must(harbour, kifu_event_bytes(harbour, 0, &buffer));
    refused(quay, kifu_submit_bytes(quay, 3, buffer.data, buffer.size, NULL), KIFU_UNKNOWN_EVENT,
            "the bytes are of an event of type 18, and this version of harbour knows types 1 to 16: a newer version of "
            "the game wrote them");
    kifu_free_buffer(&buffer);
    kifu_destroy(quay);
    kifu_destroy(harbour);
}
END_TEST

START_TEST(B02_what_an_old_event_has_become_may_not_be_a_players)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL), *harbour = new_game(&harbour_rules, NULL);
    kifu_buffer buffer = {0};
    must(quay, quay_build_p_hail(quay, &buffer));
    refused(harbour, kifu_submit_bytes(harbour, 3, buffer.data, buffer.size, NULL), KIFU_REJECTED,
            "the bytes of harbour.EHail were not submitted: it is an engine event, which only the rules of the game "
            "submit");
    must(quay, quay_build_e_push(quay, &buffer, 3)); // which became a player's
    refused(harbour, kifu_submit_bytes(harbour, 3, buffer.data, buffer.size, NULL), KIFU_REJECTED,
            "the bytes of harbour.EPush were not submitted: it is an engine event, which only the rules of the game "
            "submit");
    kifu_free_buffer(&buffer);
    kifu_destroy(quay);
    kifu_destroy(harbour);
}
END_TEST

static kifu_result upcast_wrongly(kifu_timeline *timeline, uint32_t type, const void *event)
{
    const quay_p_take *take = event;
    (void)type;
    if (take->heap == 0)
        return kifu_fail(timeline, "there is no such heap any more");
    harbour_submit_p_move(timeline, 5, take->heap, 1, 2, NULL, 0);
    return KIFU_OK;
}

START_TEST(B02_an_upcast_function_may_refuse_but_not_name_another_player)
{
    const kifu_rules old = quay_as_released();
    kifu_rules new = harbour_rules;
    new.upcast = upcast_wrongly;
    kifu_timeline *quay = new_game(&old, NULL), *harbour = new_game(&new, NULL);
    kifu_buffer buffer = {0};
    must(quay, quay_build_p_take(quay, &buffer, &(quay_p_take_args){.heap = 4, .count = 6}));
    refused(harbour, kifu_submit_bytes(harbour, 3, buffer.data, buffer.size, NULL), KIFU_REJECTED,
            "the bytes of harbour.PTake were not submitted: its upcast function submits it for another player");
    must(harbour, kifu_submit_bytes(harbour, 5, buffer.data, buffer.size, NULL));
    must(quay, quay_build_p_take(quay, &buffer, &(quay_p_take_args){.heap = 0}));
    refused(harbour, kifu_submit_bytes(harbour, 5, buffer.data, buffer.size, NULL), KIFU_FAILED,
            "the event (harbour.PTake) could not become harbour.PMove: there is no such heap any more");
    ck_assert_str_eq(kifu_error_reason(kifu_last_error(harbour)), "there is no such heap any more");
    ck_assert_uint_eq(kifu_last_error(harbour)->event, KIFU_NONE);
    ck_assert_uint_eq(kifu_pending_count(harbour), 1);
    kifu_free_buffer(&buffer);
    kifu_destroy(quay);
    kifu_destroy(harbour);
}
END_TEST

START_TEST(B03_events_of_an_older_version_keep_its_number)
{
    const kifu_rules rules = quay_as_released();
    kifu_timeline *quay = new_game(&rules, NULL), *harbour;
    kifu_buffer old = {0}, kept = {0};
    kifu_error error;
    quay_submit_p_wait(quay, 3);
    must(quay, kifu_run(quay));
    save save = save_of(quay, NULL);
    must(quay, kifu_load_from_memory(&harbour_rules, save.bytes, save.size, NULL, NULL, &harbour, &error));
    must(quay, kifu_event_bytes(quay, 0, &old));
    must(harbour, kifu_event_bytes(harbour, 0, &kept));
    same_buffers(&old, &kept); // rules version 2 wrote both
    must(harbour, harbour_build_p_wait(harbour, &kept));
    ck_assert_mem_ne(old.data, kept.data, old.size);
    free(save.bytes);
    kifu_free_buffer(&old);
    kifu_free_buffer(&kept);
    kifu_destroy(quay);
    kifu_destroy(harbour);
}
END_TEST

// --- Memory ----------------------------------------------------------------------------------------------------------

static int allocations_left, allocations, blocks;

static void *allocate_some(void *context, void *block, size_t size)
{
    (void)context;
    if (size == 0) {
        blocks -= block != NULL;
        free(block);
        return NULL;
    }
    allocations++;
    if (allocations_left-- <= 0)
        return NULL;
    blocks += !block;
    return realloc(block, size);
}

static const kifu_options starving = {.allocate = allocate_some};

// Everything that needs memory.
static kifu_result build_and_submit(kifu_timeline *quay, kifu_timeline *harbour, kifu_buffer *buffer)
{
    const quay_p_take_args take = {.heap = 4, .count = 6, .note = "stones"};
    kifu_result result = kifu_event_bytes(quay, 0, buffer);
    if (!result)
        result = quay_build_p_wait(quay, buffer);
    if (!result)
        result = quay_build_p_take(quay, buffer, &take);
    if (!result)
        result = submit_copy(harbour, 3, buffer->data, buffer->size, 1, NULL);
    ck_assert_uint_eq(kifu_pending_count(harbour), !result);
    return result;
}

START_TEST(B01_B02_without_memory_nothing_is_half_done)
{
    const kifu_rules rules = quay_as_released();
    kifu_result result = KIFU_NO_MEMORY;
    int room = 0;
    for (; result; room++) {
        blocks = 0;
        allocations_left = 1000;
        kifu_timeline *quay = new_game(&rules, &starving), *harbour = new_game(&harbour_rules, &starving);
        kifu_buffer buffer = {0};
        quay_submit_p_wait(quay, 3);
        must(quay, kifu_run(quay));
        allocations_left = room;
        result = build_and_submit(quay, harbour, &buffer);
        ck_assert(result == KIFU_OK || result == KIFU_NO_MEMORY);
        allocations_left = 1000;
        if (result) // Later there is some.
            ck_assert_int_eq(build_and_submit(quay, harbour, &buffer), KIFU_OK);
        must(harbour, kifu_run(harbour));
        ck_assert_uint_eq(kifu_event_count(harbour), 2);
        kifu_free_buffer(&buffer);
        kifu_destroy(quay);
        kifu_destroy(harbour);
        ck_assert_int_eq(blocks, 0);
    }
    ck_assert_int_gt(room, 6);
}
END_TEST

START_TEST(B01_B02_nothing_is_allocated_again_and_again)
{
    allocations_left = INT32_MAX;
    kifu_timeline *nim = new_nim(&starving);
    kifu_buffer buffer = {0};
    for (int i = 0; i < 20; i++) {
        if (i == 2)
            allocations = 0;
        must(nim, nim_build_e_deal(nim, &buffer, (const uint16_t[]){1, 2, 3}, 3));
        must(nim, nim_build_p_take(nim, &buffer, 1, 2, 3));
        must(nim, submit_copy(nim, 1, buffer.data, buffer.size, 1, NULL));
        must(nim, kifu_event_bytes(nim, 4, &buffer));
        must(nim, kifu_drop_inputs(nim));
    }
    ck_assert_int_eq(allocations, 0);
    kifu_free_buffer(&buffer);
    kifu_destroy(nim);
}
END_TEST

// --- Random games ----------------------------------------------------------------------------------------------------

START_TEST(B02_random_games_of_nim_go_as_bytes_to_another_timeline)
{
    kifu_buffer built = {0}, logged = {0};
    kifu_rng rng;
    kifu_rng_seed(&rng, fuzz_seed(), 5);
    for (unsigned long game = 0; game < fuzz_steps(1000) / 10; game++) {
        kifu_timeline *here = new_nim(NULL), *there = new_nim(NULL);
        while (kifu_get_game(here)->phase != KIFU_PHASE_GAME_OVER) {
            const uint8_t heap = (uint8_t)kifu_rng_below(&rng, 4);
            const uint16_t count = (uint16_t)(1 + kifu_rng_below(&rng, 4)), seconds = (uint16_t)kifu_rng_next(&rng);
            const int player = (int)kifu_rng_below(&rng, 2);
            if (kifu_rng_below(&rng, 30)) {
                must(here, nim_build_p_take(here, &built, heap, count, seconds));
                nim_submit_p_take(here, player, heap, count, seconds);
            } else {
                must(here, nim_build_p_resign(here, &built));
                nim_submit_p_resign(here, player);
            }
            must(there, submit_copy(there, player, built.data, built.size, kifu_rng_below(&rng, 8), NULL));
            const kifu_result result = kifu_run(here);
            ck_assert_int_eq(kifu_run(there), result);
            if (result)
                continue;
            const uint32_t last = kifu_event_count(here) - 1;
            kifu_event event;
            ck_assert(kifu_event_at(here, last, &event));
            must(here, kifu_event_bytes(here, event.cause == KIFU_NONE ? last : event.cause, &logged));
            same_buffers(&built, &logged);
        }
        expect_same_log(here, there);
        kifu_destroy(here);
        kifu_destroy(there);
    }
    kifu_free_buffer(&built);
    kifu_free_buffer(&logged);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        B01_building_submits_nothing,
        B01_into_memory_of_the_callers,
        B01_a_buffer_is_written_from_its_beginning,
        B01_what_is_built_wrongly_is_refused_and_leaves_no_trace,
        B01_events_are_built_wherever_something_runs,
        B03_any_event_of_the_log_becomes_bytes,
        B02_bytes_become_an_input_of_the_player_who_is_named,
        M01_a_game_is_made_from_a_list_of_events_engine_events_too,
        M01_the_inputs_of_a_game_make_it_again,
        M01_what_takes_one_value_is_what_takes_the_fields,
        M01_trusted_bytes_are_verified_as_others_are,
        B02_other_bytes_are_refused_in_words,
        B02_the_values_in_bytes_are_looked_at,
        B02_bytes_of_several_events_or_of_none_are_refused,
        B02_the_bytes_of_another_game_are_refused,
        B02_submitting_bytes_is_for_outside,
        B02_bytes_of_another_version_are_converted,
        B02_what_an_old_event_has_become_may_not_be_a_players,
        B02_an_upcast_function_may_refuse_but_not_name_another_player,
        B03_events_of_an_older_version_keep_its_number,
        B01_B02_without_memory_nothing_is_half_done,
        B01_B02_nothing_is_allocated_again_and_again,
        B02_random_games_of_nim_go_as_bytes_to_another_timeline,
    };
    return run_suite("bytes", tests, sizeof tests / sizeof *tests);
}
