// Strings of events are UTF-8: others are refused when they are submitted. Old saves that have others still load.

#include "crawl.h"
#include "old_text_help.h"
#include "save_help.h"
#include "suite.h"
#include "tally.h"

static kifu_timeline *tally_new(void)
{
    kifu_timeline *tally;
    ck_assert_int_eq(kifu_create(&tally_rules, NULL, &tally, NULL), KIFU_OK);
    return tally;
}

static void expect_refused(const kifu_timeline *timeline, kifu_result result, const char *event, const char *field,
                           const char *byte)
{
    const char *message = kifu_last_error(timeline)->message;
    ck_assert_msg(result == KIFU_INVALID_EVENT, "%d", (int)result);
    ck_assert_msg(strstr(message, event) && strstr(message, field) && strstr(message, byte), "%s", message);
    ck_assert_ptr_nonnull(strstr(message, "is not UTF-8"));
}

// --- What is text ----------------------------------------------------------------------------------------------------

// Whether a string is text, by decoding it and encoding that again.
static bool is_text(const char *string)
{
    const unsigned char *at = (const unsigned char *)string;
    while (*at) {
        uint32_t length = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
        uint32_t code = length == 1 ? *at : *at & (0x7Fu >> length);
        for (uint32_t i = 1; i < length; i++) {
            if (at[i] >> 6 != 2)
                return false;
            code = code << 6 | (at[i] & 63u);
        }
        const uint32_t least = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (!length || least != length || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
            return false;
        at += length;
    }
    return true;
}

static kifu_result add(kifu_timeline *tally, const char *note)
{
    tally_submit_p_add(tally, 0, 1, note);
    return kifu_run(tally);
}

START_TEST(F52_every_kind_of_wrong_text_is_refused)
{
    static const char *const wrong[] = {"\x80",
                                        "\xBF",
                                        "\xC0\x80",
                                        "\xC1\xBF",
                                        "\xE0\x80\x80",
                                        "\xE0\x9F\xBF",
                                        "\xF0\x80\x80\x80",
                                        "\xF0\x8F\xBF\xBF",
                                        "\xED\xA0\x80",
                                        "\xED\xBF\xBF",
                                        "\xF4\x90\x80\x80",
                                        "\xF5\x80\x80\x80",
                                        "\xFE",
                                        "\xFF",
                                        "\xC3",
                                        "\xE2\x82",
                                        "\xF0\x9F\x98",
                                        "\xC3"
                                        "a",
                                        "\xE2"
                                        "a\x80",
                                        "\xF0\x9F"
                                        "a\x80",
                                        "\xF0\x9F\x98"
                                        "a",
                                        "\xFC\x80\x80\x80\x80\x80"};
    static const char *const right[] = {"",
                                        "\x01",
                                        "\x7F",
                                        "\xC2\x80",
                                        "\xDF\xBF",
                                        "\xE0\xA0\x80",
                                        "\xED\x9F\xBF",
                                        "\xEE\x80\x80",
                                        "\xEF\xBF\xBF",
                                        "\xF0\x90\x80\x80",
                                        "\xF4\x8F\xBF\xBF",
                                        "\xEF\xBB\xBFx"};
    kifu_timeline *tally = tally_new();
    for (size_t before = 0; before < 20; before++) { // so that it lies anywhere in 8 bytes
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            for (int behind = 0; behind < 12; behind += 11) {
                char note[64], byte[40];
                snprintf(note, sizeof note, "%.*s%s%.*s", (int)before, "abcdefghijklmnopqrst", wrong[i], behind,
                         "abcdefghijk");
                snprintf(byte, sizeof byte, "byte %zu of the string, 0x%02X", before, (unsigned char)wrong[i][0]);
                const uint32_t events = kifu_event_count(tally);
                expect_refused(tally, add(tally, note), "tally.PAdd", " note: ", byte);
                ck_assert_uint_eq(kifu_event_count(tally), events);
                ck_assert_uint_eq(kifu_pending_count(tally), 0);
            }
        }
        for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
            char note[64];
            snprintf(note, sizeof note, "%.*s%s", (int)before, "abcdefghijklmnopqrst", right[i]);
            ck_assert_int_eq(add(tally, note), KIFU_OK);
        }
    }
    kifu_destroy(tally);
}
END_TEST

START_TEST(F52_random_strings_are_refused_exactly_when_they_are_no_text)
{
    static const unsigned char likely[] = {0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0x9F, 0xA0, 0x8F, 0x90};
    uint32_t seed = (uint32_t)fuzz_seed() + 1;
    unsigned long texts = 0, steps = fuzz_steps(20000);
    kifu_timeline *tally = tally_new();
    for (unsigned long i = 0; i < steps; i++) {
        char note[24] = "";
        const uint32_t length = next_random(&seed) % (i % 2 ? 5 : 20);
        for (uint32_t k = 0; k < length; k++) {
            const uint32_t what = next_random(&seed) % 4;
            note[k] = (char)(what < 2    ? 'a' + next_random(&seed) % 26
                             : what == 2 ? likely[next_random(&seed) % sizeof likely]
                                         : 1 + next_random(&seed) % 255);
        }
        const bool text = is_text(note);
        texts += text;
        ck_assert_int_eq(add(tally, note), text ? KIFU_OK : KIFU_INVALID_EVENT);
    }
    ck_assert_uint_gt(texts, steps / 20);
    kifu_destroy(tally);
}
END_TEST

// --- All ways to bring one -------------------------------------------------------------------------------------------

static kifu_result echo(void *context, kifu_timeline *timeline, const void *state, const kifu_event *event)
{
    (void)context, (void)state;
    if (event->type == TALLY_P_ADD && event->cause == KIFU_NONE)
        tally_submit_p_add(timeline, 0, 2, "\xE9t\xE9"); // Latin-1
    return KIFU_OK;
}

START_TEST(F52_whoever_brings_wrong_text_it_is_refused)
{
    kifu_timeline *tally = tally_new();
    ck_assert_int_eq(tally_play_p_add(tally, 0, 1, "fine"), KIFU_OK);
    expect_refused(tally, tally_play_p_add(tally, 0, 1, "\xFF"), "tally.PAdd", " note: ", "0xFF");
    expect_refused(tally, tally_try_p_add(tally, 0, 1, "a\xFF"), "tally.PAdd", " note: ", "byte 1");
    ck_assert(!tally_can_p_add(tally, 0, 1, "a\xFF"));
    ck_assert(tally_can_p_add(tally, 0, 1, "a"));
    ck_assert_uint_eq(kifu_event_count(tally), 2);
    // Of what rules emit, the input that led to it goes on, as with any consequence that is refused.
    const kifu_observer observer = {.react = echo, .type = TALLY_P_ADD};
    ck_assert_int_eq(kifu_observe(tally, &observer), KIFU_OK);
    expect_refused(tally, add(tally, NULL), "tally.PAdd", " note: ", "0xE9");
    kifu_destroy(tally);
}
END_TEST

START_TEST(F52_the_field_is_named_however_deep_it_is)
{
    static const char *const labels[] = {"a", "b", "\xC3\xA4", "\xC3"};
    static const crawl_word_args inner = {.text = "\xF8"}, outer = {.text = "o", .next = &inner};
    kifu_timeline *crawl;
    ck_assert_int_eq(kifu_create(&crawl_rules, NULL, &crawl, NULL), KIFU_OK);
    crawl_submit_e_words(crawl, &(crawl_e_words_args){.title = "x", .labels = labels, .labels_count = 4});
    expect_refused(crawl, kifu_run(crawl), "crawl.EWords", " labels[3]: ", "0xC3");
    crawl_submit_e_words(crawl, &(crawl_e_words_args){.title = "x", .first = &outer});
    expect_refused(crawl, kifu_run(crawl), "crawl.EWords", " first.next.text: ", "0xF8");
    crawl_submit_e_words(crawl, &(crawl_e_words_args){.title = "\x80", .labels = labels, .labels_count = 3});
    expect_refused(crawl, kifu_run(crawl), "crawl.EWords", " title: ", "0x80");
    kifu_destroy(crawl);
}
END_TEST

// --- Saves -----------------------------------------------------------------------------------------------------------

// Whatever is saved, and wherever to.
static void expect_not_saved(kifu_timeline *tally, const kifu_save_options *options, const char *reason)
{
    static const char *const calls[] = {"kifu_save_to_memory", "kifu_save", "kifu_log_open", "kifu_log_close"};
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu"), *log = in_folder(folder, "b.kifu");
    lab_must(tally, kifu_log_open(tally, log, NULL));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        char expected[200];
        unsigned char *bytes;
        size_t size;
        const kifu_result result = i == 0   ? kifu_save_to_memory(tally, options, &bytes, &size)
                                   : i == 1 ? kifu_save(tally, path, options)
                                   : i == 2 ? kifu_log_open(tally, path, options)
                                            : kifu_log_close(tally, options);
        snprintf(expected, sizeof expected, "%s: byte %s, is not UTF-8", calls[i], reason);
        ck_assert_int_eq(result, KIFU_MISUSE);
        ck_assert_msg(strstr(kifu_last_error(tally)->message, expected) != NULL, "'%s', not '%s'",
                      kifu_last_error(tally)->message, expected);
        ck_assert_int_ne(access(path, F_OK), 0);
    }
    lab_must(tally, kifu_log_close(tally, NULL));
    remove_folder(folder);
}

START_TEST(F52_a_title_or_a_name_that_is_no_text_is_not_saved)
{
    static const char *const names[] = {"Ada", NULL, "J\xC3\xB6rg"}, *const wrong[] = {"Ada", NULL, "J\xF6rg"};
    kifu_timeline *tally = tally_new();
    ck_assert_int_eq(add(tally, "fine"), KIFU_OK);
    expect_not_saved(tally, &(kifu_save_options){.title = "Caf\xE9"}, "3 of kifu_save_options.title, 0xE9");
    expect_not_saved(tally, &(kifu_save_options){.title = "fine", .players = wrong, .player_count = 3},
                     "1 of kifu_save_options.players, 0xF6");
    const kifu_save_options two = {.title = "Caf\xC3\xA9", .players = wrong, .player_count = 2},
                            all = {.players = names, .player_count = 3};
    free(save_of(tally, &two).bytes);
    free(save_of(tally, &all).bytes);
    kifu_destroy(tally);
}
END_TEST

// --- Old saves -------------------------------------------------------------------------------------------------------

START_TEST(F52_an_old_save_with_other_strings_loads_and_is_saved_again)
{
    static old_rules old;
    kifu_timeline *before, *loaded, *more;
    make_old(&old, &lab_rules);
    ck_assert_int_eq(kifu_create(&old.rules, NULL, &before, NULL), KIFU_OK);
    lab_must(before, lab_play(before, "+\xFF\xC3"));
    lab_must(before, lab_play(before, "-\x80"));
    lab_must(before, kifu_undo(before));
    lab_do(before, 0, "\xFE", 0); // It waits, and could never run in this release.
    save first = save_of(before, NULL);
    loaded = load_again(&first);
    expect_same(loaded, before);
    expect_refused(loaded, kifu_run(loaded), "lab.", " script: ", "0xFE");
    lab_must(loaded, kifu_redo(loaded));
    lab_must(loaded, kifu_undo(loaded));
    lab_must(loaded, kifu_redo(loaded));
    lab_must(loaded, kifu_verify_replay(loaded, NULL));
    save again = save_of(loaded, NULL);
    more = load_again(&again);
    expect_same(more, loaded);
    lab_must(more, lab_play(more, "+"));
    kifu_destroy(more);
    kifu_destroy(loaded);
    kifu_destroy(before);
    free(first.bytes);
    free(again.bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        F52_every_kind_of_wrong_text_is_refused,
        F52_random_strings_are_refused_exactly_when_they_are_no_text,
        F52_whoever_brings_wrong_text_it_is_refused,
        F52_the_field_is_named_however_deep_it_is,
        F52_a_title_or_a_name_that_is_no_text_is_not_saved,
        F52_an_old_save_with_other_strings_loads_and_is_saved_again,
    };
    return run_suite("utf8", tests, sizeof tests / sizeof *tests);
}
