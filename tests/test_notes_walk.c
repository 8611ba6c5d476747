// Notes: random walks beside a plain model of a game's tree and its notes.

#include <stdio.h>
#include <string.h>

#include "notes_help.h"

// Each event that was ever played is a number of its own, whatever line it is in. The model knows which of them each
// line has, and stores notes by this number.

enum { MOST_EVENTS = 40, MOST_LINES = 64, MOST_PLAYED = 4000, KEYS = 3 };

typedef struct line {
    uint32_t parent, from, count;     // `count`: with its ancestors' events
    uint32_t events[MOST_EVENTS + 1]; // all on the way to its end; from 1: number 0 stands for "before the first one"
    bool gone;
} line;

typedef struct model {
    bool with_variations;
    line lines[MOST_LINES];
    uint32_t line_count, current, executed, played;
    int amounts[MOST_PLAYED];
    char notes[MOST_PLAYED][KEYS][12]; // "": there is none
    bool is_bytes[MOST_PLAYED][KEYS];
} model;

static const char *const keys[KEYS] = {"clock", KIFU_NOTE_COMMENT, "comment2"}; // as strcmp orders them

static void forget_notes(model *model, uint32_t event)
{
    memset(model->notes[event], 0, sizeof model->notes[event]);
}

static uint32_t owner_of(const model *model, uint32_t id, uint32_t event)
{
    while (id && event < model->lines[id].from)
        id = model->lines[id].parent;
    return id;
}

// The line that has the same next event: a child of the line that owns the place, or that line itself.
static uint32_t line_with(const model *model, uint32_t owner, int amount)
{
    for (uint32_t id = 0; id < model->line_count; id++) {
        const line *each = &model->lines[id];
        const bool there = id == owner || (each->parent == owner && each->from == model->executed && id);
        if (!each->gone && there && each->count > model->executed &&
            model->amounts[each->events[model->executed + 1]] == amount)
            return id;
    }
    return KIFU_NONE;
}

// False: the model has no room for it.
static bool model_play(model *model, int amount)
{
    line *now = &model->lines[model->current];
    if (model->played + 1 == MOST_PLAYED || model->executed == MOST_EVENTS || model->line_count == MOST_LINES)
        return false;
    if (model->executed < now->count && model->with_variations) {
        if (model->amounts[now->events[model->executed + 1]] == amount)
            return model->executed++, true;
        uint32_t owner = model->current;
        while (owner && model->executed <= model->lines[owner].from)
            owner = model->lines[owner].parent;
        const uint32_t there = line_with(model, owner, amount);
        if (there != KIFU_NONE)
            return model->current = there, model->executed++, true;
        line *made = &model->lines[model->line_count];
        *made = model->lines[owner];
        made->parent = owner;
        made->from = model->executed;
        model->current = model->line_count++;
        now = made;
    }
    for (uint32_t i = model->executed; i < now->count && !model->with_variations; i++)
        forget_notes(model, now->events[i + 1]);
    now->events[++model->executed] = ++model->played;
    now->count = model->executed;
    model->amounts[model->played] = amount;
    return true;
}

// Whether the next note that the timeline lists is this one.
static void must_list(const kifu_timeline *timeline, const model *model, uint32_t id, uint32_t event, kifu_note *note)
{
    const uint32_t played = event == KIFU_BEFORE_FIRST ? 0 : model->lines[id].events[event + 1];
    for (uint32_t key = 0; key < KEYS; key++) {
        const char *text = model->notes[played][key];
        if (!text[0])
            continue;
        must_be(kifu_next_note(timeline, note));
        must_be(note->line == id && note->event == event && !strcmp(note->key, keys[key]));
        must_be(note->size == strlen(text) && !memcmp(note->bytes, text, note->size));
        must_be((note->text == NULL) == model->is_bytes[played][key]);
    }
}

static void must_agree(const kifu_timeline *timeline, const model *model)
{
    kifu_note note = {0};
    must_be(kifu_current_line(timeline) == model->current && kifu_event_count(timeline) == model->executed);
    must_list(timeline, model, 0, KIFU_BEFORE_FIRST, &note);
    for (uint32_t id = 0; id < model->line_count; id++) {
        const line *each = &model->lines[id];
        for (uint32_t event = each->from; event < each->count && !each->gone; event++)
            must_list(timeline, model, id, event, &note);
    }
    must_be(!kifu_next_note(timeline, &note));
}

// Each event of a line has the notes of the line to which it belongs.
static void lookups_must_agree(const kifu_timeline *timeline, const model *model, uint32_t id)
{
    for (uint32_t event = 0; event < model->lines[id].count; event++) {
        for (uint32_t key = 0; key < KEYS; key++) {
            const uint32_t played = model->lines[id].events[event + 1];
            const char *text = model->notes[played][key];
            kifu_note note;
            must_be(kifu_find_note(timeline, id, event, keys[key], &note) == (text[0] != 0));
            must_be(!text[0] || (note.line == owner_of(model, id, event) && !memcmp(note.bytes, text, note.size)));
            const char *here = id == model->current ? kifu_note_at(timeline, event, keys[key]) : NULL;
            must_be(id != model->current || (here != NULL) == (text[0] && !model->is_bytes[played][key]));
        }
    }
}

static uint32_t any_line(const model *model, kifu_rng *rng)
{
    uint32_t id;
    do
        id = kifu_rng_below(rng, model->line_count);
    while (model->lines[id].gone);
    return id;
}

static void write_note(kifu_timeline *timeline, model *model, kifu_rng *rng)
{
    const uint32_t id = any_line(model, rng), place = kifu_rng_below(rng, model->lines[id].count + 1);
    const uint32_t event = place - 1, key = kifu_rng_below(rng, KEYS); // place 0: KIFU_BEFORE_FIRST
    const uint32_t played = place ? model->lines[id].events[place] : 0;
    char *text = model->notes[played][key];
    const bool bytes = kifu_rng_below(rng, 4) == 0;
    if (kifu_rng_below(rng, 4) == 0) {
        text[0] = 0;
        must(timeline, kifu_set_line_note(timeline, id, event, keys[key], NULL));
        return;
    }
    sprintf(text, "%u", (unsigned)kifu_rng_below(rng, 1000000));
    model->is_bytes[played][key] = bytes;
    if (bytes)
        must(timeline, kifu_set_note_bytes(timeline, id, event, keys[key], text, (uint32_t)strlen(text)));
    else if (id == model->current)
        must(timeline, kifu_set_note(timeline, event, keys[key], text));
    else
        must(timeline, kifu_set_line_note(timeline, id, event, keys[key], text));
}

static void delete_line(kifu_timeline *timeline, model *model, uint32_t id)
{
    bool leads = id == 0, below[MOST_LINES] = {false};
    for (uint32_t each = model->current; each; each = model->lines[each].parent)
        leads = leads || each == id;
    ck_assert_int_eq(kifu_delete_line(timeline, id), leads ? KIFU_MISUSE : KIFU_OK);
    for (uint32_t each = id; each < model->line_count && !leads; each++) {
        below[each] = each == id || below[model->lines[each].parent];
        for (uint32_t event = model->lines[each].from; event < model->lines[each].count && below[each]; event++)
            forget_notes(model, model->lines[each].events[event + 1]);
        model->lines[each].gone |= below[each];
    }
}

// Notes at events from before stay, and those at its own go.
static void roll_back(kifu_timeline *timeline, model *model, kifu_rng *rng)
{
    const bool search = kifu_rng_below(rng, 2);
    must(timeline, kifu_begin(timeline, search ? KIFU_SEARCH : 0));
    for (uint32_t i = kifu_rng_below(rng, 4); i > 0; i--) {
        play(timeline, 50 + (int)i);
        if (!search)
            comment(timeline, kifu_event_count(timeline) - 1, "goes");
        if (kifu_rng_below(rng, 2))
            must(timeline, kifu_undo(timeline));
    }
    if (!search && model->executed) {
        const uint32_t played = model->lines[model->current].events[1];
        comment(timeline, 0, "stays");
        strcpy(model->notes[played][1], "stays");
        model->is_bytes[played][1] = false;
    }
    must(timeline, kifu_roll_back(timeline));
}

static void try_moves(kifu_timeline *timeline)
{
    must_be(tally_try_p_add(timeline, 0, 77, NULL) == KIFU_OK);
    must_be(kifu_set_note(timeline, KIFU_BEFORE_FIRST, "key", "while a try is open") == KIFU_MISUSE);
    must(timeline, kifu_take_back(timeline));
}

static void fork_must_agree(const kifu_timeline *timeline, const model *model, uint32_t count)
{
    static struct model forked;
    kifu_timeline *fork = fork_of(timeline, count, NULL);
    forked = *model;
    forked.line_count = 1;
    forked.current = 0;
    forked.lines[0] = model->lines[model->current];
    forked.lines[0].from = 0;
    forked.lines[0].count = forked.executed = count;
    must_agree(fork, &forked);
    kifu_destroy(fork);
}

static void save_must_agree(kifu_timeline *timeline, const model *model, bool fast)
{
    kifu_options options = {.keep_notes = kifu_keep_notes};
    options.keep_variations = model->with_variations ? kifu_keep_variations : NULL;
    kifu_timeline *loaded = reload_fast(timeline, &options, fast);
    must_agree(loaded, model);
    lookups_must_agree(loaded, model, model->current);
    kifu_destroy(loaded);
}

static void step(kifu_timeline *timeline, model *model, kifu_rng *rng)
{
    const uint32_t what = kifu_rng_below(rng, 32), id = any_line(model, rng);
    const int amount = 1 + (int)kifu_rng_below(rng, 3);
    if (what < 8 && model_play(model, amount)) {
        play(timeline, amount);
    } else if (what < 14 && model->executed) {
        must(timeline, kifu_undo(timeline));
        model->executed--;
    } else if (what < 16 && model->executed < model->lines[model->current].count) {
        must(timeline, kifu_redo(timeline));
        model->executed++;
    } else if (what < 19) {
        model->executed = kifu_rng_below(rng, model->lines[id].count + 1);
        model->current = id;
        must(timeline, kifu_go_to(timeline, id, model->executed, false));
    } else if (what == 19) {
        must(timeline, kifu_promote_line(timeline, id));
    } else if (what == 20) {
        delete_line(timeline, model, id);
    } else if (what == 21) {
        roll_back(timeline, model, rng);
    } else if (what == 22) {
        try_moves(timeline);
    } else if (what == 23) {
        fork_must_agree(timeline, model, kifu_rng_below(rng, model->executed + 1));
    } else if (what == 24) {
        lookups_must_agree(timeline, model, id);
        save_must_agree(timeline, model, amount == 1);
    } else if (what == 25) {
        must(timeline, kifu_seek(timeline, kifu_rng_below(rng, model->executed + 1)));
        write_note(timeline, model, rng);
        must(timeline, kifu_seek(timeline, KIFU_PRESENT));
    } else {
        write_note(timeline, model, rng);
    }
}

START_TEST(V07_random_walks_agree_with_a_plain_model)
{
    static model model;
    const unsigned long games = fuzz_steps(60000) / 200;
    for (unsigned long i = 0; i < games; i++) {
        kifu_rng rng;
        kifu_rng_seed(&rng, fuzz_seed() * 1000003 + i, 7);
        memset(&model, 0, sizeof model);
        model.line_count = 1;
        model.with_variations = i % 2;
        kifu_timeline *timeline = new_tally(NULL, model.with_variations);
        const uint64_t hash = kifu_state_hash(timeline);
        write_note(timeline, &model, &rng);
        ck_assert_uint_eq(kifu_state_hash(timeline), hash);
        for (uint32_t k = 0; k < 200; k++) {
            step(timeline, &model, &rng);
            must_agree(timeline, &model);
        }
        kifu_destroy(timeline);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        V07_random_walks_agree_with_a_plain_model,
    };
    return run_suite("notes walk", tests, sizeof tests / sizeof *tests);
}
