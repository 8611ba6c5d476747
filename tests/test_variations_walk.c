// Variations: random walks through a game's tree beside a plain model of it.

#include <string.h>

#include "suite.h"
#include "variations_help.h"

enum { MOST_NODES = 4000, NOTHING = -1 };

typedef struct node {
    int parent;   // NOTHING: the beginning
    int along;    // the node that goes on in the same line; NOTHING: the line ends here
    int amount;   // of the move that leads here,
    bool noted;   // and whether it has a note
    uint32_t end; // how many events there are with it
    uint32_t line;
    int64_t total;
    bool gone; // deleted
} node;

typedef struct model {
    node nodes[MOST_NODES];
    int count, now;
    struct {
        uint32_t parent, from, end;
        int tip;
        bool gone;
    } lines[MOST_NODES];
    uint32_t line_count, main, line; // `line`: the current one
    bool promotes;                   // kifu_options.promote_played
} model;

static void begin_model(model *model)
{
    model->count = 1;
    model->now = 0;
    model->nodes[0] = (node){.parent = NOTHING, .along = NOTHING};
    model->line_count = 1;
    memset(&model->lines[0], 0, sizeof model->lines[0]);
    model->main = model->line = 0;
}

// Where redo leads: along the current line to its end.
static int next_of(const model *model)
{
    int node = model->lines[model->line].tip;
    if (node == model->now)
        return NOTHING;
    while (model->nodes[node].parent != model->now)
        node = model->nodes[node].parent;
    return node;
}

// The move is there already, or it is a new one: of the line that ends here, or of a line of its own.
static void model_play(model *model, int amount, bool noted)
{
    node *now = &model->nodes[model->now];
    for (int i = 1; i < model->count; i++) {
        const node *other = &model->nodes[i];
        if (other->parent != model->now || other->amount != amount || other->noted != noted || other->gone)
            continue;
        if (next_of(model) != i)
            model->line = other->line;
        model->now = i;
        model->main = model->promotes ? model->line : model->main;
        return;
    }
    const int id = model->count++;
    node *made = &model->nodes[id];
    *made = (node){.parent = model->now,
                   .along = NOTHING,
                   .amount = amount,
                   .noted = noted,
                   .end = now->end + 1 + noted,
                   .total = now->total + amount + noted,
                   .line = now->line};
    if (now->along == NOTHING) {
        now->along = id;
    } else {
        made->line = model->line_count++;
        model->lines[made->line].parent = now->line;
        model->lines[made->line].from = now->end;
        model->lines[made->line].gone = false;
    }
    model->lines[made->line].end = made->end;
    model->lines[made->line].tip = id;
    model->line = made->line;
    model->now = id;
    model->main = model->promotes ? model->line : model->main;
}

// The node of a line at which its first `count` events have happened, or the next one at which a chain ends.
static void model_go(model *model, uint32_t line, uint32_t count)
{
    int node = model->lines[line].tip;
    while (model->nodes[node].parent != NOTHING && model->nodes[model->nodes[node].parent].end >= count)
        node = model->nodes[node].parent;
    model->now = node;
    model->line = line;
}

static void must_agree(kifu_timeline *timeline, const model *model)
{
    const node *now = &model->nodes[model->now];
    const int next = next_of(model);
    kifu_line line;
    uint32_t listed = 0;
    ck_assert_uint_eq(kifu_current_line(timeline), model->line);
    ck_assert_int_eq(total(timeline), now->total);
    ck_assert_uint_eq(kifu_event_count(timeline), now->end);
    ck_assert_uint_eq(kifu_can_undo(timeline, NULL), now->parent == NOTHING ? 0 : 1U + now->noted);
    ck_assert_uint_eq(kifu_can_redo(timeline, NULL), next == NOTHING ? 0 : 1U + model->nodes[next].noted);
    for (uint32_t id = 0; id < model->line_count; id++) {
        if (model->lines[id].gone)
            continue;
        ck_assert(kifu_line_at(timeline, listed++, &line));
        ck_assert_uint_eq(line.id, id);
        ck_assert_uint_eq(line.parent, model->lines[id].parent);
        ck_assert_uint_eq(line.from, model->lines[id].from);
        ck_assert_uint_eq(line.from + line.count, model->lines[id].end);
        ck_assert(line.main == (id == model->main));
    }
    ck_assert_uint_eq(kifu_line_count(timeline), listed);
    ck_assert(!kifu_line_at(timeline, listed, &line));
}

// Each event of each line, as a tree would be drawn.
static void events_must_agree(const kifu_timeline *timeline, const model *model)
{
    kifu_event none;
    for (uint32_t id = 0; id <= model->line_count; id++) { // nothing behind the end, nor of a line that is not there
        const bool there = id < model->line_count && !model->lines[id].gone;
        for (uint32_t index = there ? model->lines[id].end : 0; index <= model->nodes[model->now].end; index++)
            ck_assert_msg(!kifu_line_event(timeline, id, index, &none), "line %u, event %u", id, index);
    }
    for (int i = 1; i < model->count; i++) {
        const node *each = &model->nodes[i];
        kifu_event event;
        if (each->gone)
            continue;
        const uint32_t index = each->end - 1 - each->noted;
        ck_assert_msg(kifu_line_event(timeline, each->line, index, &event), "line %u, event %u", each->line, index);
        const tally_p_add *add = event.table;
        ck_assert_uint_eq(event.type, TALLY_P_ADD);
        ck_assert_uint_eq(event.index, index);
        ck_assert_int_eq(add->amount, each->amount);
        ck_assert((tally_p_add_note(add) != NULL) == each->noted);
        ck_assert(!each->noted || (kifu_line_event(timeline, each->line, index + 1, &event) &&
                                   event.type == TALLY_E_BONUS && event.cause == index));
    }
}

static void delete_line(kifu_timeline *timeline, model *model, uint32_t line)
{
    bool leads = line == 0, below[MOST_NODES] = {false};
    for (uint32_t id = model->line; id; id = model->lines[id].parent)
        leads = leads || id == line;
    ck_assert_int_eq(kifu_delete_line(timeline, line), leads ? KIFU_MISUSE : KIFU_OK);
    if (leads)
        return;
    below[line] = true;
    for (uint32_t id = line + 1; id < model->line_count; id++)
        below[id] = below[model->lines[id].parent];
    while (below[model->main])
        model->main = model->lines[model->main].parent;
    for (uint32_t id = line; id < model->line_count; id++)
        model->lines[id].gone |= below[id];
    for (int i = 1; i < model->count; i++)
        model->nodes[i].gone |= below[model->nodes[i].line];
}

static uint32_t any_line(const model *model, kifu_rng *rng)
{
    uint32_t id;
    do
        id = kifu_rng_below(rng, model->line_count);
    while (model->lines[id].gone);
    return id;
}

static void fork_and_destroy(kifu_timeline *timeline, const model *model)
{
    kifu_timeline *fork;
    ck_assert_int_eq(kifu_fork(timeline, KIFU_PRESENT, NULL, &fork, NULL), KIFU_OK);
    ck_assert_int_eq(total(fork), model->nodes[model->now].total);
    ck_assert_uint_eq(kifu_line_count(fork), 1);
    play(fork, 1000, NULL);
    ck_assert_int_eq(kifu_undo(fork), KIFU_OK);
    play(fork, 2000, NULL);
    ck_assert_uint_eq(kifu_line_count(fork), 2);
    kifu_destroy(fork);
}

static void transact(kifu_timeline *timeline, kifu_rng *rng)
{
    ck_assert_int_eq(kifu_begin(timeline, kifu_rng_below(rng, 2) ? KIFU_SEARCH : 0), KIFU_OK);
    for (uint32_t i = kifu_rng_below(rng, 4); i > 0; i--) {
        play(timeline, 50, NULL);
        if (kifu_rng_below(rng, 2))
            ck_assert_int_eq(kifu_undo(timeline), KIFU_OK);
    }
    ck_assert_int_eq(kifu_roll_back(timeline), KIFU_OK);
}

static void step(kifu_timeline *timeline, model *model, kifu_rng *rng)
{
    const node *now = &model->nodes[model->now];
    const int next = next_of(model);
    const uint32_t what = kifu_rng_below(rng, 32), line = any_line(model, rng);
    if (what < 10) {
        const int amount = 1 + (int)kifu_rng_below(rng, 3);
        const bool noted = kifu_rng_below(rng, 3) == 0;
        play(timeline, amount, noted ? "a note" : NULL);
        model_play(model, amount, noted);
    } else if (what < 17) {
        ck_assert_int_eq(kifu_undo(timeline), now->parent == NOTHING ? KIFU_NOTHING_TO_UNDO : KIFU_OK);
        model->now = now->parent == NOTHING ? model->now : now->parent;
    } else if (what < 20) {
        ck_assert_int_eq(kifu_redo(timeline), next == NOTHING ? KIFU_NOTHING_TO_REDO : KIFU_OK);
        model->now = next == NOTHING ? model->now : next;
    } else if (what < 25) {
        const uint32_t count = kifu_rng_below(rng, model->lines[line].end + 1);
        ck_assert_int_eq(kifu_go_to(timeline, line, count, false), KIFU_OK);
        model_go(model, line, count);
    } else if (what == 25) {
        ck_assert_int_eq(kifu_promote_line(timeline, line), KIFU_OK);
        model->main = line;
    } else if (what == 26) {
        delete_line(timeline, model, line);
    } else if (what == 27) {
        tally_submit_p_add(timeline, 0, 0, NULL); // rejected
        ck_assert_int_eq(kifu_run(timeline), KIFU_REJECTED);
        ck_assert_int_eq(kifu_promote_line(timeline, model->line_count), KIFU_MISUSE); // There is none yet.
    } else if (what == 28) {
        fork_and_destroy(timeline, model);
    } else if (what == 29) {
        ck_assert_int_eq(kifu_seek(timeline, kifu_rng_below(rng, now->end + 1)), KIFU_OK);
        ck_assert_int_eq(kifu_seek(timeline, KIFU_PRESENT), KIFU_OK);
    } else if (what == 30) {
        transact(timeline, rng);
    } else {
        events_must_agree(timeline, model);
    }
}

static void walk_at_random(bool promotes)
{
    static model model;
    const unsigned long games = fuzz_steps(24000) / 400;
    for (unsigned long i = 0; i < games; i++) {
        kifu_rng rng;
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 5);
        const kifu_options options = {.hash_interval = 1 + kifu_rng_below(&rng, 20), .promote_played = promotes};
        kifu_timeline *timeline = new_tally(&options);
        begin_model(&model);
        model.promotes = promotes;
        const uint32_t steps = i % 10 ? 60 : 1000;
        for (uint32_t k = 0; k < steps; k++) {
            step(timeline, &model, &rng);
            must_agree(timeline, &model);
        }
        kifu_destroy(timeline);
    }
}

START_TEST(V09_random_walks_agree_with_a_plain_model)
{
    walk_at_random(false);
}
END_TEST

START_TEST(F67_V09_in_random_walks_the_line_that_is_played_is_the_main_one)
{
    walk_at_random(true);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V09_random_walks_agree_with_a_plain_model,
        F67_V09_in_random_walks_the_line_that_is_played_is_the_main_one,
    };
    return run_suite("walks through variations", tests, sizeof tests / sizeof *tests);
}
