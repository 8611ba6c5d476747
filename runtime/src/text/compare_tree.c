// Two games with all their lines and notes. Both trees are walked together: where lines part, those that go on with the
// same events, or at least with the same one, are taken for one line, whatever their numbers are.
//
// A call of its own beside kifu_compare, so a program that compares games without variations does not link it. Numbers
// of lines say only in which order they were begun, and are not compared.

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/compare.h"
#include "text/print.h"

// One of the two games.
typedef struct tree_side {
    kifu_timeline *timeline;
    kifu_stretch *stretches;
    uint32_t count;
    bool *matched; // Of each stretch: there is one like it where the other game has come to.
} tree_side;

// Two stretches that belong together, up to event number `at`.
typedef struct pair {
    uint32_t a, b, at;
} pair;

typedef struct comparing_trees {
    tree_side a, b;
    pair *pairs; // That wait.
    uint32_t pair_count;
    kifu_tree_tell *tell;
    void *context;
    kifu_tree_difference found; // Room for what is told next.
    bool enough;
} comparing_trees;

// --- Telling ---------------------------------------------------------------------------------------------------------

static void tell_of_trees(comparing_trees *comparing, const char *format, ...) KIFU__PRINTF(2, 3);

// What does not fit is cut off.
static void tell_of_trees(comparing_trees *comparing, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(comparing->found.message, sizeof comparing->found.message, format, arguments);
    va_end(arguments);
    comparing->enough = comparing->enough || !comparing->tell(comparing->context, &comparing->found);
}

static const char *name_at(const tree_side *side, uint32_t stretch, uint32_t event)
{
    kifu_event found;
    return kifu_line_event(side->timeline, side->stretches[stretch].line, event, &found) ? found.name : "";
}

// How many lines branch off from what follows from a stretch. All that follows it comes behind it, without a gap.
static uint32_t count_lines(const tree_side *side, uint32_t stretch)
{
    const kifu_stretch *all = side->stretches;
    uint32_t lines = 0;
    for (uint32_t i = stretch + 1; i < side->count && all[i].parent != KIFU_NONE && all[i].parent >= stretch; i++)
        lines += all[i].line != all[all[i].parent].line;
    return lines;
}

// A line, or the rest of one, that only one of the games has: from event number `at` on, which is in a stretch.
static void tell_missing(comparing_trees *comparing, bool of_a, uint32_t stretch, uint32_t at)
{
    const tree_side *side = of_a ? &comparing->a : &comparing->b;
    const kifu_stretch *here = &side->stretches[stretch];
    const uint32_t lines = count_lines(side, stretch);
    const bool begins =
        here->from == at && here->parent != KIFU_NONE && here->line != side->stretches[here->parent].line;
    char more[80] = "";
    comparing->found = (kifu_tree_difference){
        .what = KIFU_LINE_MISSING,
        .line_a = of_a ? here->line : KIFU_NONE,
        .line_b = of_a ? KIFU_NONE : here->line,
        .event = at,
        .current = here->current,
        .name = name_at(side, stretch, at),
    };
    kifu_tree_difference *found = &comparing->found;
    snprintf(found->a, sizeof found->a, "%s", of_a ? found->name : "absent");
    snprintf(found->b, sizeof found->b, "%s", of_a ? "absent" : found->name);
    if (lines)
        snprintf(more, sizeof more, "; so are all that branch off from it (%" PRIu32 ")", lines);
    tell_of_trees(comparing, "line %" PRIu32 " %s event %" PRIu32 ", %s, only in the %s game%s", here->line,
                  begins ? "begins with" : "goes on with", at, found->name, of_a ? "first" : "second", more);
}

// Two lines that are equal up to an event go on with different ones; `compared` says in what.
static void tell_parted(comparing_trees *comparing, uint32_t a, uint32_t b, uint32_t at,
                        const kifu_comparison *compared)
{
    const kifu_stretch *one = &comparing->a.stretches[a], *other = &comparing->b.stretches[b];
    char there[60] = "";
    comparing->found = (kifu_tree_difference){
        .what = KIFU_LINES_DIFFER,
        .line_a = one->line,
        .line_b = other->line,
        .event = at,
        .current = one->current && other->current,
        .name = name_at(&comparing->a, a, at),
    };
    kifu_tree_difference *found = &comparing->found;
    memcpy(found->field, compared->field, sizeof found->field);
    memcpy(found->a, compared->a, sizeof found->a);
    memcpy(found->b, compared->b, sizeof found->b);
    if (one->line != other->line)
        snprintf(there, sizeof there, ", which is line %" PRIu32 " in the second game", other->line);
    tell_of_trees(comparing,
                  "event %" PRIu32 ", %s, of line %" PRIu32 "%s, differs: %s is %s in the one game and %s in the other",
                  at, found->name, one->line, there, found->field, found->a, found->b);
}

// The stretches are one, and only in one of the games the main line leads through it.
static void tell_main(comparing_trees *comparing, uint32_t a, uint32_t b, uint32_t at)
{
    const kifu_stretch *one = &comparing->a.stretches[a], *other = &comparing->b.stretches[b];
    comparing->found =
        (kifu_tree_difference){.what = KIFU_MAIN_LINES_DIFFER, .line_a = one->line, .line_b = other->line, .event = at};
    tell_of_trees(comparing,
                  "line %" PRIu32 " of the %s game is its main line from event %" PRIu32
                  " on, and the same line of the other one, %" PRIu32 ", is not",
                  one->main ? one->line : other->line, one->main ? "first" : "second", at,
                  one->main ? other->line : one->line);
}

// --- Notes -----------------------------------------------------------------------------------------------------------

// The next note at an event of a line; `*note` with the key "" begins. False: there is no other.
static bool next_note(const tree_side *side, kifu_note *note)
{
    const uint32_t line = note->line, event = note->event;
    return kifu__next_note(side->timeline, note) && note->line == line && note->event == event;
}

typedef struct quoted_room {
    char at[6 * 90 + 3]; // Of each byte an escape, and the quotes.
    size_t used;
} quoted_room;

static kifu_result write_to_quoted(void *context, const char *text, size_t size)
{
    quoted_room *room = context;
    memcpy(room->at + room->used, text, size);
    room->used += size;
    return KIFU_OK;
}

// In quotes, with what is a quote or no character inside as an escape.
static void quote(const char *text, size_t length, quoted_room *room)
{
    kifu__printer printer = {.write = write_to_quoted, .context = room, .plain = true};
    room->used = 0;
    kifu__print_string(&printer, text, length);
    (void)kifu__print_end(&printer); // There is room.
}

static void tell_text(const kifu_note *note, char *text, size_t size)
{
    enum { MOST = 89 };
    quoted_room room;
    if (!note)
        snprintf(text, size, "absent");
    else if (!note->text)
        snprintf(text, size, "%" PRIu32 " bytes", note->size);
    else {
        size_t length = note->size < MOST ? note->size : MOST;
        quote(note->text, length, &room);
        while (length && (room.used + sizeof "..." > size ||
                          (length < note->size && ((unsigned char)note->text[length] & 0xc0) == 0x80)))
            quote(note->text, --length, &room); // No character is cut.
        snprintf(text, size, "%.*s%s\"", (int)room.used - 1, room.at, length < note->size ? "..." : "");
    }
}

static void tell_note(comparing_trees *comparing, const kifu_note *a, const kifu_note *b, const char *name)
{
    const kifu_note *note = a ? a : b;
    char where[200] = "before the first event";
    comparing->found = (kifu_tree_difference){
        .what = KIFU_NOTES_DIFFER,
        .line_a = a ? a->line : KIFU_NONE,
        .line_b = b ? b->line : KIFU_NONE,
        .event = note->event,
        .name = name,
        .key = note->key,
    };
    kifu_tree_difference *found = &comparing->found;
    tell_text(a, found->a, sizeof found->a);
    tell_text(b, found->b, sizeof found->b);
    if (note->event != KIFU_BEFORE_FIRST)
        snprintf(where, sizeof where, "at event %" PRIu32 ", %.100s, of line %" PRIu32, note->event, name, note->line);
    tell_of_trees(comparing, "the note '%.100s' %s differs: it is %s in the one game and %s in the other", note->key,
                  where, found->a, found->b);
}

static bool same_note(const kifu_note *a, const kifu_note *b)
{
    return !a->text == !b->text && a->size == b->size && (!a->size || !memcmp(a->bytes, b->bytes, a->size));
}

// Of an event that both games have, in these lines. Keys ascend.
static void compare_notes(comparing_trees *comparing, uint32_t line_a, uint32_t line_b, uint32_t event,
                          const char *name)
{
    kifu_note a = {.line = line_a, .event = event, .key = ""}, b = {.line = line_b, .event = event, .key = ""};
    bool there_a = next_note(&comparing->a, &a), there_b = next_note(&comparing->b, &b);
    while ((there_a || there_b) && !comparing->enough) {
        const int order = !there_a ? 1 : !there_b ? -1 : strcmp(a.key, b.key);
        if (order || !same_note(&a, &b))
            tell_note(comparing, order <= 0 ? &a : NULL, order >= 0 ? &b : NULL, name);
        if (order <= 0)
            there_a = next_note(&comparing->a, &a);
        if (order >= 0)
            there_b = next_note(&comparing->b, &b);
    }
}

// --- Lines -----------------------------------------------------------------------------------------------------------

static bool same_event_of_trees(const comparing_trees *comparing, uint32_t a, uint32_t b, uint32_t at,
                                kifu_comparison *compared)
{
    const kifu_timeline *one = comparing->a.timeline, *other = comparing->b.timeline;
    kifu_event event_a, event_b;
    return kifu_line_event(one, comparing->a.stretches[a].line, at, &event_a) &&
           kifu_line_event(other, comparing->b.stretches[b].line, at, &event_b) &&
           kifu__equal_events(one, &event_a, other, &event_b, compared);
}

// The stretches with event number `at` that may follow: the one that is there, or those where lines part.
static uint32_t first_choice(const tree_side *side, uint32_t stretch, uint32_t at)
{
    const kifu_stretch *here = &side->stretches[stretch];
    return at < here->from + here->count ? stretch : here->parts ? stretch + 1 : KIFU_NONE;
}

static uint32_t next_choice(const tree_side *side, uint32_t stretch, uint32_t choice)
{
    return choice == stretch ? KIFU_NONE : side->stretches[choice].next;
}

// Whether two stretches go on with the same events as far as both go.
static bool same_events_of_trees(const comparing_trees *comparing, uint32_t a, uint32_t b, uint32_t at)
{
    const kifu_stretch *one = &comparing->a.stretches[a], *other = &comparing->b.stretches[b];
    kifu_comparison ignored;
    while (at < one->from + one->count && at < other->from + other->count &&
           same_event_of_trees(comparing, a, b, at, &ignored))
        at++;
    return at == one->from + one->count || at == other->from + other->count;
}

// Finds in the second game what goes on like a choice of the first: with the same events, or at least with the same
// one. It searches from where the last one was found.
static uint32_t find_match(comparing_trees *comparing, const pair *pair, uint32_t choice, uint32_t from, bool whole)
{
    const tree_side *b = &comparing->b;
    kifu_comparison ignored;
    uint32_t at = from;
    if (at == KIFU_NONE)
        return KIFU_NONE;
    do {
        if (!b->matched[at] && same_event_of_trees(comparing, choice, at, pair->at, &ignored) &&
            (!whole || same_events_of_trees(comparing, choice, at, pair->at)))
            return at;
        at = next_choice(b, pair->b, at);
        at = at == KIFU_NONE ? first_choice(b, pair->b, pair->at) : at;
    } while (at != from);
    return KIFU_NONE;
}

// The one that does not branch off, if the other game has none like it.
static uint32_t straight_rest(const tree_side *side, uint32_t stretch, uint32_t at)
{
    for (uint32_t i = first_choice(side, stretch, at); i != KIFU_NONE; i = next_choice(side, stretch, i)) {
        if (side->stretches[i].line == side->stretches[stretch].line)
            return side->matched[i] ? KIFU_NONE : i;
    }
    return KIFU_NONE;
}

static void tell_rests(comparing_trees *comparing, bool of_a, uint32_t stretch, uint32_t at, uint32_t told)
{
    tree_side *side = of_a ? &comparing->a : &comparing->b;
    for (uint32_t i = first_choice(side, stretch, at); i != KIFU_NONE; i = next_choice(side, stretch, i)) {
        if (!side->matched[i] && i != told && !comparing->enough)
            tell_missing(comparing, of_a, i, at);
        side->matched[i] = false; // It may go on in several stretches of the other game.
    }
}

// The main lines are the same up to there: says where they part, if both games have what follows.
static void match_main(comparing_trees *comparing, const pair *pair, uint32_t a, uint32_t b)
{
    const bool main_a = comparing->a.stretches[a].main, main_b = comparing->b.stretches[b].main;
    const bool same_so_far = comparing->a.stretches[pair->a].main && comparing->b.stretches[pair->b].main;
    if (main_a != main_b && same_so_far && !comparing->enough)
        tell_main(comparing, a, b, pair->at);
}

static int by_stretch(const void *a, const void *b)
{
    const uint32_t one = ((const pair *)a)->a, other = ((const pair *)b)->a;
    return (one > other) - (one < other);
}

// Both games have the events before `pair->at`: pairs what follows, and tells what does not.
static void match_choices(comparing_trees *comparing, const pair *pair)
{
    const tree_side *a = &comparing->a, *b = &comparing->b;
    const uint32_t at = pair->at, waiting = comparing->pair_count;
    const uint32_t first = first_choice(a, pair->a, at);
    uint32_t from = first_choice(b, pair->b, at);
    for (int whole = 1; whole >= 0; whole--) { // Several may begin with the same event.
        for (uint32_t i = first; i != KIFU_NONE; i = next_choice(a, pair->a, i)) {
            const uint32_t match = a->matched[i] ? KIFU_NONE : find_match(comparing, pair, i, from, whole);
            if (match == KIFU_NONE)
                continue;
            a->matched[i] = b->matched[match] = true;
            from = match;
            comparing->pairs[comparing->pair_count++] = (struct pair){i, match, at};
            match_main(comparing, pair, i, match);
        }
    }
    qsort(&comparing->pairs[waiting], comparing->pair_count - waiting, sizeof(struct pair), by_stretch);
    for (uint32_t low = waiting, high = comparing->pair_count; high > low + 1; low++) { // The first one is to be next.
        const struct pair last = comparing->pairs[--high];
        comparing->pairs[high] = comparing->pairs[low];
        comparing->pairs[low] = last;
    }
    const uint32_t rest_a = straight_rest(a, pair->a, at), rest_b = straight_rest(b, pair->b, at);
    const bool parted = rest_a != KIFU_NONE && rest_b != KIFU_NONE;
    kifu_comparison compared;
    if (parted && !same_event_of_trees(comparing, rest_a, rest_b, at, &compared) && !comparing->enough)
        tell_parted(comparing, rest_a, rest_b, at, &compared);
    tell_rests(comparing, true, pair->a, at, parted ? rest_a : KIFU_NONE);
    tell_rests(comparing, false, pair->b, at, parted ? rest_b : KIFU_NONE);
}

// Along two stretches, as far as both go on with the same events.
static void walk_lines(comparing_trees *comparing, pair pair)
{
    const kifu_stretch *a = &comparing->a.stretches[pair.a], *b = &comparing->b.stretches[pair.b];
    kifu_comparison ignored;
    while (pair.at < a->from + a->count && pair.at < b->from + b->count && !comparing->enough &&
           same_event_of_trees(comparing, pair.a, pair.b, pair.at, &ignored)) {
        compare_notes(comparing, a->line, b->line, pair.at, name_at(&comparing->a, pair.a, pair.at));
        pair.at++;
    }
    if (!comparing->enough)
        match_choices(comparing, &pair);
}

// --- All of it -------------------------------------------------------------------------------------------------------

// Where the current line has its events before `at`.
static uint32_t stretch_before(const tree_side *side, uint32_t at)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < side->count; i++) {
        if (side->stretches[i].current && side->stretches[i].from < at)
            found = i;
    }
    return found;
}

static kifu_result draw(tree_side *side, kifu_timeline *timeline, kifu_error *error)
{
    const uint32_t room = 2 * kifu_line_count(timeline);
    side->timeline = timeline;
    side->stretches = (kifu_stretch *)kifu__new(&timeline->memory, room * (sizeof *side->stretches + 1));
    if (!side->stretches)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for comparing %u lines", (unsigned)room / 2);
    side->matched = (bool *)(side->stretches + room);
    memset(side->matched, 0, room);
    return kifu_draw_tree(timeline, side->stretches, room, &side->count, error);
}

// What both have may begin later in one of them.
static kifu_result compare_lines(comparing_trees *comparing, kifu_error *error)
{
    const tree_side *a = &comparing->a, *b = &comparing->b;
    const uint32_t begin_a = a->stretches[0].from, begin_b = b->stretches[0].from;
    const uint32_t begin = begin_a > begin_b ? begin_a : begin_b;
    comparing->pairs = (pair *)kifu__new(&a->timeline->memory, ((size_t)a->count + b->count) * sizeof(pair));
    if (!comparing->pairs)
        return kifu__error(error, KIFU_NO_MEMORY, "out of memory for comparing two games");
    compare_notes(comparing, 0, 0, KIFU_BEFORE_FIRST, NULL);
    comparing->pairs[comparing->pair_count++] = (pair){stretch_before(a, begin), stretch_before(b, begin), begin};
    while (comparing->pair_count && !comparing->enough)
        walk_lines(comparing, comparing->pairs[--comparing->pair_count]);
    return KIFU_OK;
}

kifu_result kifu__compare_trees(kifu_timeline *a, kifu_timeline *b, kifu_tree_tell *tell, void *context,
                                kifu_error *error)
{
    comparing_trees comparing = {.tell = tell, .context = context};
    kifu_result result = draw(&comparing.a, a, error);
    if (!result)
        result = draw(&comparing.b, b, error);
    if (!result)
        result = compare_lines(&comparing, error);
    kifu__free(&a->memory, comparing.pairs);
    kifu__free(&a->memory, comparing.a.stretches);
    kifu__free(&b->memory, comparing.b.stretches);
    return result;
}

kifu_result kifu_compare_trees(kifu_timeline *a, kifu_timeline *b, kifu_tree_tell *tell, void *context)
{
    kifu_result result = kifu__require_comparable(a, "kifu_compare_trees");
    if (!result)
        result = kifu__require_comparable(b, "kifu_compare_trees");
    return result ? result : kifu__compare_trees(a, b, tell, context, &a->error);
}
