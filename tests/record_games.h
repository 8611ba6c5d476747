/// Three games in which all happens that can be in the record of a game, for suites of saves, log files and changes.
/// They are linked with exact_room -Wl,--wrap=kifu__os_entropy,--wrap=fsync. Memory comes from test_allocate,
/// and an array has room for as many as were asked for: what is written behind them is seen, whatever their number.
#ifndef TESTS_RECORD_GAMES_H
#define TESTS_RECORD_GAMES_H

#include "change_parts.h"
#include "crawl_help.h"
#include "exact_room.h"
#include "log_file_help.h"
#include "random_event.h"
#include "tree_help.h"
#include "wire.h"

// --- Three games -----------------------------------------------------------------------------------------------------

typedef struct subject {
    const char *name;
    const kifu_rules *rules;
    kifu_timeline *(*begin)(const kifu_options *options);
    void (*step)(kifu_timeline *timeline, uint32_t number); ///< 0 to STEPS - 1, in order.
    void (*submit)(kifu_timeline *timeline, bool other);    ///< One of two inputs.
} subject;

enum { STEPS = 10 };

/// Where the memory of all games comes from.
static test_memory record_memory = {.until_failure = -1};

/// `less`: neither variations nor notes are kept.
static inline kifu_options options_of(const subject *subject, bool less)
{
    kifu_options options = keeping;
    options.hash_interval = 2;
    options.allocate = test_allocate;
    options.allocate_context = &record_memory;
    options.keep_variations = less ? NULL : kifu_keep_variations;
    options.keep_notes = less ? NULL : kifu_keep_notes;
    options.user = subject->rules == &crawl_rules ? &test_hooks : NULL;
    return options;
}

static kifu_timeline *begin_lab(const kifu_options *options)
{
    kifu_timeline *lab = lab_new(options);
    lab_submit_e_add_player(lab, 0, 0x112233);
    lab_submit_e_initialize(lab, SEEDED(7));
    lab_must(lab, kifu_run(lab));
    return lab;
}

static void step_lab(kifu_timeline *lab, uint32_t number)
{
    switch (number) {
    case 0:
        lab_must(lab, lab_play(lab, "+(+r)"));
        lab_submit_p_add(lab, 0, 3);
        lab_must(lab, kifu_run(lab));
        break;
    case 1: // A line begins, and inputs and consequences wait.
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "-"));
        lab_do(lab, 0, "5(6)(7)", 1);
        lab_must(lab, kifu_step(lab));
        lab_submit_p_add(lab, 0, 8);
        break;
    case 2: // They wait where it was left.
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        lab_must(lab, kifu_set_line_note(lab, 1, 1, "a", "here"));
        lab_must(lab, kifu_set_note_bytes(lab, 0, KIFU_BEFORE_FIRST, "b", "\1\2", 2));
        break;
    case 3: // A line has begun, and not all has happened that follows.
        lab_do(lab, 0, "+(+r)", 1);
        lab_must(lab, kifu_step(lab));
        lab_must(lab, kifu_set_note(lab, 2, KIFU_NOTE_COMMENT, "new"));
        break;
    case 4: // All has: it is what line 0 has there. Its number is returned.
        lab_must(lab, kifu_run(lab));
        lab_must(lab, kifu_go_to(lab, 0, 2, true));
        lab_must(lab, lab_play(lab, "++"));
        lab_must(lab, kifu_promote_line(lab, 1));
        lab_must(lab, kifu_set_line_note(lab, 1, 1, "a", NULL));
        lab_must(lab, lab_play(lab, "+"));
        break;
    case 5: // What waited waits again, and happens.
        lab_must(lab, kifu_go_to(lab, 1, KIFU_WHERE_LEFT, true));
        lab_must(lab, kifu_run(lab));
        break;
    case 6:
        lab_must(lab, kifu_delete_line(lab, 2));
        lab_must(lab, kifu_undo(lab));
        break;
    case 7:
        lab_must(lab, kifu_undo(lab));
        lab_must(lab, lab_play(lab, "3(4)"));
        lab_must(lab, lab_play(lab, "r"));
        break;
    case 8: // One is left out again.
        lab_must(lab, kifu_begin(lab, 0));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(lab, kifu_roll_back(lab));
        lab_must(lab, kifu_undo(lab));
        lab_do(lab, 0, "-(-)", 2);
        break;
    default:
        lab_must(lab, kifu_go_to(lab, 0, KIFU_WHERE_LEFT, true));
        lab_must(lab, lab_play(lab, "+"));
    }
}

static void submit_lab(kifu_timeline *lab, bool other)
{
    lab_do(lab, 0, other ? "-(-)(-)" : "+", 1);
}

static kifu_handle heroes[3];

static kifu_timeline *begin_crawl(const kifu_options *options)
{
    kifu_timeline *crawl = crawl_new(options);
    for (uint32_t i = 0; i < 3; i++)
        heroes[i] = crawl_add(crawl, CRAWL_KIND_HERO, 1 + 2 * i, 1, 100);
    return crawl;
}

static void set_rest(kifu_timeline *crawl, uint32_t hero)
{
    must(crawl, kifu_set_action(crawl, heroes[hero], crawl_submit_p_rest(crawl, (int)hero, heroes[hero])));
}

static void step_crawl(kifu_timeline *crawl, uint32_t number)
{
    switch (number) {
    case 0:
        set_rest(crawl, 0);
        set_rest(crawl, 1);
        break;
    case 1:
        bell_at(crawl, 3, 3, 0);
        must(crawl, kifu_run(crawl));
        crawl_step(crawl, crawl_hunt);
        break;
    case 2: // Others are set where this was left.
        must(crawl, kifu_go_to(crawl, 0, 3, true));
        must(crawl, kifu_set_note(crawl, 1, "a", "here"));
        break;
    case 3:
        set_rest(crawl, 2);
        crawl_submit_p_rest(crawl, 1, heroes[1]);
        break;
    case 4:
        must(crawl, kifu_run(crawl));
        crawl_step(crawl, crawl_hunt);
        break;
    case 5:
        go_to_turn(crawl, 2);
        bell_at(crawl, 1, 9, 4);
        must(crawl, kifu_run(crawl));
        break;
    case 6:
        must(crawl, kifu_forget(crawl, kifu_event_count(crawl) - 1));
        break;
    case 7:
        go_to_turn(crawl, 4);
        set_rest(crawl, 0);
        break;
    case 8:
        must(crawl, kifu_set_note(crawl, kifu_event_count(crawl) - 1, "a", "new"));
        set_rest(crawl, 0);
        crawl_submit_p_rest(crawl, 0, heroes[0]);
        break;
    default:
        must(crawl, kifu_run(crawl));
        crawl_step(crawl, crawl_hunt);
    }
}

static void submit_crawl(kifu_timeline *crawl, bool other)
{
    crawl_submit_p_rest(crawl, (int)other, heroes[other]);
}

// Events of all shapes: with vectors, tables in tables, fields that are absent.
static void submit_any(kifu_timeline *wire, kifu_rng *rng)
{
    static uint64_t room[RANDOM_EVENT_ROOM / 8];
    const uint32_t type = 1 + kifu_rng_below(rng, wire_rules.type_count);
    uint32_t size = 0;
    while (!size || size > 300)
        size = random_event(rng, wire_rules.types[type].table, (unsigned char *)room);
    (void)kifu__submit(wire, type, -1, room, size);
}

static kifu_timeline *begin_wire(const kifu_options *options)
{
    kifu_timeline *wire;
    ck_assert_int_eq(kifu_create(&wire_rules, options, &wire, NULL), KIFU_OK);
    return wire;
}

static void step_wire(kifu_timeline *wire, uint32_t number)
{
    kifu_rng rng;
    kifu_rng_seed(&rng, number, 1);
    if (number % 3 == 2)
        must(wire, kifu_go_to(wire, 0, number / 2, true));
    for (int i = 0; i < 3; i++)
        submit_any(wire, &rng);
    if (number % 4 != 3)
        must(wire, kifu_run(wire));
}

static void submit_wire(kifu_timeline *wire, bool other)
{
    wire_submit_e_text(wire, other ? "text" : NULL, "name");
}

static const subject subjects[] = {{"lab", &lab_rules, begin_lab, step_lab, submit_lab},
                                   {"crawl", &crawl_rules, begin_crawl, step_crawl, submit_crawl},
                                   {"wire", &wire_rules, begin_wire, step_wire, submit_wire}};
enum { SUBJECTS = sizeof subjects / sizeof *subjects };

// --- What they are ---------------------------------------------------------------------------------------------------

/// A number for bytes: quicker than a checksum.
static inline uint32_t sum_of(uint32_t sum, const void *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes;
    uint64_t all = sum + UINT64_C(0x9E3779B97F4A7C15) * (size + 1);
    for (; size; at += size < 8 ? size : 8, size -= size < 8 ? size : 8) {
        uint64_t word = 0;
        memcpy(&word, at, size < 8 ? size : 8);
        all = (all ^ word) * UINT64_C(0xD1342543DE82EF95);
        all ^= all >> 32;
    }
    return (uint32_t)all;
}

/// A checksum of all of a game: of a packed save, since events in memory may lie in more segments than before.
static inline uint32_t sum_of_game(kifu_timeline *timeline)
{
    const int64_t time = fixed_time;
    const save save = save_of(timeline, &(kifu_save_options){.without_schema = true, .codec = &kifu_compact});
    fixed_time = time;
    const uint32_t sum = sum_of(0, save.bytes, save.size);
    free(save.bytes);
    return sum;
}

/// The numbers of streams: each is so much more than the last one, which is even, since the lowest bit is always set.
static uint32_t stream_number, stream_step;

bool __wrap_kifu__os_entropy(void *bytes, size_t size);
bool __wrap_kifu__os_entropy(void *bytes, size_t size)
{
    memset(bytes, 0xA5, size);
    stream_number += stream_step;
    if (stream_step)
        memcpy(bytes, &stream_number, sizeof stream_number < size ? sizeof stream_number : size);
    return true;
}

int __wrap_fsync(int file);

/// No power fails here, and disks are slow.
int __wrap_fsync(int file)
{
    (void)file;
    return 0;
}

#endif
