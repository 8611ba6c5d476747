/// What suites of notes share: games of amounts, and their comments.
#ifndef NOTES_HELP_H
#define NOTES_HELP_H

#include "history_help.h"
#include "suite.h"
#include "tally.h"

static inline kifu_timeline *new_tally(const kifu_options *given, bool with_variations)
{
    kifu_timeline *timeline;
    kifu_error error;
    kifu_options options = given ? *given : (kifu_options){.hash_interval = 3};
    options.keep_notes = kifu_keep_notes;
    options.keep_variations = with_variations ? kifu_keep_variations : NULL;
    ck_assert_msg(!kifu_create(&tally_rules, &options, &timeline, &error), "%s", error.message);
    return timeline;
}

static inline void play(kifu_timeline *timeline, int amount)
{
    tally_submit_p_add(timeline, 0, amount, NULL);
    must(timeline, kifu_run(timeline));
}

static inline void comment(kifu_timeline *timeline, uint32_t event, const char *text)
{
    must(timeline, kifu_set_note(timeline, event, KIFU_NOTE_COMMENT, text));
}

#define must_read(timeline, event, expected)                                                                           \
    do {                                                                                                               \
        const char *read_ = kifu_note_at(timeline, event, KIFU_NOTE_COMMENT);                                          \
        ck_assert_ptr_nonnull(read_);                                                                                  \
        ck_assert_str_eq(read_, expected);                                                                             \
    } while (0)

#define must_be_gone(timeline, event) ck_assert_ptr_null(kifu_note_at(timeline, event, KIFU_NOTE_COMMENT))

static inline uint32_t count_notes(const kifu_timeline *timeline)
{
    kifu_note note = {0};
    uint32_t count = 0;
    while (kifu_next_note(timeline, &note))
        count++;
    return count;
}

#endif
