// The log: small segments first, each a valid FlatBuffer where its bytes are seen.

#include <stdio.h>

#include "checks.h"
#include "lab_help.h"
#include "suite.h"
#include "wire/table.h"
#include "core/timeline.h"

// All segments but the last are valid as they are, because forks on other threads may share them; the last one once it
// is shown.
static void must_be_valid(const kifu__log *log)
{
    for (uint32_t i = 0; i + 1 < log->branch->segment_count; i++)
        ck_assert_uint_eq(log->branch->segments[i].offsets[-1], log->branch->segments[i].count);
    kifu__log_show(log);
    for (uint32_t i = 0; i < log->branch->segment_count; i++) {
        const kifu__segment *segment = &log->branch->segments[i];
        kifu_error error;
        kifu__buffer buffer = {.bytes = segment->bytes, .size = segment->size, .error = &error};
        kifu__segment seen;
        bool castable = true;
        ck_assert_msg(!kifu__verify_segment(&buffer, log->rules, segment->first, false, NULL, 0, &seen, &castable),
                      "%s", error.message);
        ck_assert(castable);
        ck_assert_uint_eq(seen.count, segment->count);
        ck_assert_ptr_eq(seen.marks, segment->marks);
        ck_assert_ptr_eq(seen.offsets, segment->offsets);
        ck_assert_ptr_eq(seen.types, segment->types);
    }
}

START_TEST(a_shown_segment_is_valid_at_every_moment)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 200; i++) {
        char script[20];
        snprintf(script, sizeof script, "+(+)(-%d)", i % 10);
        if (i % 3)
            lab_do(lab, 0, i % 5 ? script : NULL, 1); // without a script: a variant vtable
        else
            lab_submit_p_add(lab, 1, i + 1);
        kifu_result result;
        while ((result = kifu_run(lab)) == KIFU_MISUSE)
            ; // the trace is full
        lab_must(lab, result);
        must_be_valid(&lab->log);
        if (i % 7 == 0) {
            lab_must(lab, kifu_undo(lab));
            must_be_valid(&lab->log);
        }
    }
    kifu_destroy(lab);
}
END_TEST

START_TEST(segments_grow_with_the_log)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 20000; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    const kifu__log *log = &lab->log;
    ck_assert_uint_eq(log->branch->segments[0].slots, 16);
    for (uint32_t i = 1; i < log->branch->segment_count; i++) {
        uint32_t twice = log->branch->segments[i - 1].slots * 2;
        ck_assert_uint_eq(log->branch->segments[i].slots, twice < 4096 ? twice : 4096);
        ck_assert_uint_eq(log->branch->segments[i].first,
                          log->branch->segments[i - 1].first + log->branch->segments[i - 1].count);
    }
    for (uint32_t i = 0; i < 20000; i += 61) {
        const kifu__segment *segment = kifu__log_segment_of(log, i);
        ck_assert_uint_ge(i, segment->first);
        ck_assert_uint_lt(i, segment->first + segment->count);
    }
    kifu_destroy(lab);
}
END_TEST

// Nor does what a segment reserves change where it ends.
START_TEST(a_long_log_reserves_little_more_than_it_has)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 40000; i++)
        lab_submit_p_add(lab, 0, 1);
    lab_must(lab, kifu_run(lab));
    const kifu__log *log = &lab->log;
    uint64_t reserved = 0, used = 0;
    for (uint32_t i = 0; i < log->branch->segment_count; i++) {
        reserved += log->branch->segments[i].capacity;
        used += log->branch->segments[i].size;
        if (i + 1 < log->branch->segment_count)
            ck_assert_uint_eq(log->branch->segments[i].count, log->branch->segments[i].slots);
    }
    ck_assert_uint_le(reserved * 100, used * 130);
    kifu_destroy(lab);
}
END_TEST

START_TEST(an_event_larger_than_a_segment_is_legal)
{
    kifu_timeline *lab = lab_new(NULL);
    static char script[300000];
    memset(script, '+', sizeof script - 1);
    lab_must(lab, lab_play(lab, "+"));
    lab_must(lab, lab_play(lab, script));
    lab_must(lab, lab_play(lab, "+"));
    ck_assert_int_eq(lab_get_state(lab)->total, (int)sizeof script + 1);
    must_be_valid(&lab->log);
    lab_must(lab, kifu_undo(lab));
    lab_must(lab, kifu_undo(lab));
    ck_assert_int_eq(lab_get_state(lab)->total, 1);
    kifu_destroy(lab);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_shown_segment_is_valid_at_every_moment,
        segments_grow_with_the_log,
        a_long_log_reserves_little_more_than_it_has,
        an_event_larger_than_a_segment_is_legal,
    };
    return run_suite("log", tests, sizeof tests / sizeof *tests);
}
