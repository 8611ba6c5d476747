// Variations in saves: what a game with a loaded tree does, a game that was never saved does as well.

#include <stdio.h>
#include <string.h>

#include "history_help.h"
#include "run_codec.h"
#include "save_help.h"
#include "suite.h"

static const kifu_codec small_codec = {"runs", run_bound, run_compress, run_decompress, NULL, &kifu_small_packing};
static const kifu_codec *const codecs[] = {NULL, &run_codec, &small_codec};
enum { CODECS = sizeof codecs / sizeof *codecs };

static const kifu_options keeping = {.hash_interval = 3, .keep_variations = kifu_keep_variations};

static kifu_timeline *load_tree(const save *save, const kifu_codec *codec)
{
    kifu_left_out left_out;
    const kifu_load_options how = {.codec = codec, .left_out = &left_out};
    kifu_timeline *lab = load_by(save, &keeping, &how);
    ck_assert_uint_eq(left_out.lines, 0);
    ck_assert_int_eq(left_out.why.result, KIFU_OK);
    return lab;
}

// --- Comparing -------------------------------------------------------------------------------------------------------

static void expect_same_line(kifu_timeline *one, kifu_timeline *other, const kifu_line *line)
{
    kifu_event a, b;
    for (uint32_t i = line->from; i < line->from + line->count; i++) {
        must_be(kifu_line_event(one, line->id, i, &a) && kifu_line_event(other, line->id, i, &b));
        must_be(a.type == b.type && a.cause == b.cause && a.player == b.player && a.flags == b.flags);
        must_be(a.rules_version == b.rules_version);
        if (a.type == LAB_P_DO) {
            const lab_p_do *first = a.table, *second = b.table;
            must_be(first->times == second->times);
            ck_assert_pstr_eq(lab_p_do_script(first), lab_p_do_script(second));
        }
    }
}

static void expect_same_tree(kifu_timeline *one, kifu_timeline *other)
{
    kifu_line a, b;
    expect_same(one, other);
    ck_assert_uint_eq(kifu_line_count(one), kifu_line_count(other));
    for (uint32_t i = 0; kifu_line_at(one, i, &a); i++) {
        must_be(kifu_line_at(other, i, &b));
        must_be(a.id == b.id && a.parent == b.parent && a.from == b.from && a.count == b.count);
        must_be(a.main == b.main && a.current == b.current);
        expect_same_line(one, other, &a);
    }
}

// --- A walk ----------------------------------------------------------------------------------------------------------

static uint32_t any_line(const kifu_timeline *lab, uint32_t choice, kifu_line *line)
{
    must_be(kifu_line_at(lab, choice % kifu_line_count(lab), line));
    return line->id;
}

// The same on each of two timelines.
static kifu_result walk_step(kifu_timeline *lab, uint32_t choice)
{
    kifu_line line;
    const uint32_t id = any_line(lab, choice >> 8, &line), place = choice >> 4;
    switch (choice % 32) {
    case 0:
    case 1:
        return kifu_go_to(lab, id, KIFU_WHERE_LEFT, true);
    case 2:
        return kifu_go_to(lab, id, place % (line.from + line.count + 1), true);
    case 3:
        return kifu_go_to(lab, id, line.from + line.count, false);
    case 4:
        return kifu_promote_line(lab, id);
    case 5:
        return place % 3 ? KIFU_OK : kifu_delete_line(lab, id);
    case 6:
        if (kifu_begin(lab, place % 2 ? KIFU_SEARCH : 0))
            return KIFU_MISUSE;
        random_lab_step(lab, choice >> 3);
        random_lab_step(lab, choice >> 5);
        return place % 4 == 2 ? kifu_commit(lab) : kifu_roll_back(lab);
    default:
        random_lab_step(lab, choice);
        return KIFU_OK;
    }
}

static kifu_timeline *save_and_load(kifu_timeline *lab, uint32_t choice)
{
    const kifu_codec *codec = codecs[choice % CODECS];
    save save = save_of(lab, &(kifu_save_options){.codec = codec, .without_snapshot = choice % 7 == 0});
    kifu_timeline *loaded = load_tree(&save, codec);
    kifu_destroy(lab);
    free(save.bytes);
    return loaded;
}

START_TEST(V09_a_loaded_tree_goes_on_as_one_that_was_never_saved)
{
    const unsigned long games = 1 + fuzz_steps(6000) / 150;
    for (unsigned long i = 0; i < games; i++) {
        uint32_t seed = (uint32_t)(fuzz_seed() * 1000003 + i);
        kifu_timeline *lab = lab_new(&keeping), *saved = lab_new(&keeping);
        for (int k = 0; k < 150; k++) {
            const uint32_t choice = next_random(&seed);
            const kifu_result one = walk_step(lab, choice), other = walk_step(saved, choice);
            ck_assert_msg(one == other, "game %lu, step %d: %s or %s", i, k, kifu_last_error(lab)->message,
                          kifu_last_error(saved)->message);
            expect_same_tree(lab, saved);
            if (next_random(&seed) % 6 == 0) {
                saved = save_and_load(saved, next_random(&seed));
                expect_same_tree(lab, saved);
            }
        }
        kifu_destroy(lab);
        kifu_destroy(saved);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V09_a_loaded_tree_goes_on_as_one_that_was_never_saved,
    };
    return run_suite("tree_saves", tests, sizeof tests / sizeof *tests);
}
