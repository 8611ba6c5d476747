/// What suites share that compare many outcomes with those of before. pinned/NAME.txt has a line for each group: how
/// many were taken, how many refused, and a checksum of what each of them came to: what the error says, or what the
/// game is that was read. If that has changed on purpose, let KIFU_PINNED_FILE name that file: it is written anew, and
/// all outcomes go into another one (.all), where differences can be looked at.
#ifndef TESTS_PINNED_HELP_H
#define TESTS_PINNED_HELP_H

#include <stdarg.h>
#include <stdio.h>

#include "record_games.h"

typedef struct report {
    char name[120];
    uint32_t taken, refused;
    uint32_t sum, number;
    FILE *expected, *all; ///< `all` NULL: it is compared.
} report;

static inline report open_report(const char *name)
{
    char path[1000], all[1000];
    const char *root = getenv("KIFU_SOURCE_DIR"), *written = getenv("KIFU_PINNED_FILE");
    snprintf(path, sizeof path, "%s/tests/pinned/%s.txt", root ? root : ".", name);
    snprintf(all, sizeof all, "%s.all", written ? written : "");
    const report report = {.expected = fopen(written ? written : path, written ? "w" : "r"),
                           .all = written ? fopen(all, "w") : NULL};
    ck_assert(report.expected && (report.all || !written));
    return report;
}

static inline void close_report(const report *report)
{
    ck_assert_int_eq(record_memory.blocks, 0);
    char line[10];
    ck_assert_msg(report->all || !fgets(line, sizeof line, report->expected), "the pinned file has more lines");
    if (report->all)
        fclose(report->all);
    fclose(report->expected);
}

// Returns whether it is to be looked at: with sanitizers, each twelfth one is.
static bool begin_group(report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool begin_group(report *report, const char *format, ...)
{
#ifdef SUITE_PART
    char line[200];
    if (!report->all && report->number++ % (4 * SUITE_PART)) {
        must_be(fgets(line, sizeof line, report->expected));
        return false;
    }
#endif
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->name, sizeof report->name, format, arguments);
    va_end(arguments);
    report->taken = report->refused = report->sum = 0;
    return true;
}

static inline void end_group(report *report)
{
    char line[200], expected[200] = "";
    snprintf(line, sizeof line, "%s: %u taken, %u refused, %08x\n", report->name, report->taken, report->refused,
             report->sum);
    if (report->all)
        fputs(line, report->expected);
    else
        ck_assert_msg(fgets(expected, sizeof expected, report->expected) && !strcmp(expected, line),
                      "%.160s, and before %.160s", line, expected);
}

static void say(report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(report *report, const char *format, ...)
{
    char line[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    report->sum = sum_of(report->sum, line, strlen(line));
    if (report->all)
        fprintf(report->all, "%s: %s\n", report->name, line);
}

static inline void say_refused(report *report, const char *how, const kifu_error *error)
{
    report->refused++;
    must_be(error->result && strlen(error->message) > 20);
    say(report, "%s: %s at %lld, event %lld: %s", how, kifu_result_text(error->result), (long long)error->offset,
        (long long)error->event, error->message);
}

/// The game, and what it is when it was gone through.
static inline void say_taken(report *report, const char *how, kifu_timeline *timeline, const kifu_left_out *left_out)
{
    report->taken++;
    say(report, "%s: taken, %u lines and %u notes left out, %08x", how, left_out ? left_out->lines : 0,
        left_out ? left_out->notes : 0, sum_of_game(timeline));
    use_tree(timeline);
    say(report, "then %08x, and it says: %s", sum_of_game(timeline), kifu_last_error(timeline)->message);
}

/// A load of these bytes; with all that it says.
static inline void say_load(report *report, const char *how, const subject *subject, bool less, const save *bytes,
                            kifu_load_options load_options)
{
    const kifu_options options = options_of(subject, less);
    kifu_left_out left_out = {0};
    kifu_recovery recovery = {0};
    kifu_timeline *loaded;
    kifu_error error;
    load_options.recovery = load_options.recover ? &recovery : NULL;
    load_options.left_out = &left_out;
    load_options.codec = &kifu_compact;
    if (kifu_load_from_memory(subject->rules, bytes->bytes, bytes->size, &options, &load_options, &loaded, &error)) {
        say_refused(report, how, &error);
        return;
    }
    say_taken(report, how, loaded, &left_out);
    if (recovery.why.result)
        say(report, "recovered, but for %llu bytes: %s", (unsigned long long)recovery.dropped, recovery.why.message);
    kifu_destroy(loaded);
}

#endif
