// Lines that lead to another state than their save says: one event has another Do function from then on. In the game
// that was loaded, the line is refused, until its first move is played: then the game goes on in it, and it is a line
// as all others.

#include "step.h"

#include "lab.h"
#include "tally.h"

#include <string.h>

// The event that leads elsewhere. No other one at its place in a line is like it.
static struct {
    bool any;
    uint32_t number;
    uint64_t content;
} odd;

bool walk_any_differs(void)
{
    return odd.any;
}

void walk_none_differs(void)
{
    odd.any = false;
}

void walk_differ(bool differs)
{
    odd.any = differs;
}

// --- Do functions ----------------------------------------------------------------------------------------------------

// Called within a Do, also within that of a replay: as many events have happened as the event's number says.
static int32_t more(const kifu_timeline *timeline, uint32_t type, const void *table)
{
    return odd.any && kifu_event_count(timeline) == odd.number &&
                   walk_content_of(kifu_timeline_rules(timeline), type, table) == odd.content
               ? 1000
               : 0;
}

// Each has a total, to which such an event adds more. The linker calls these instead (--wrap).
#define DIFFERS(game, event, TYPE)                                                                                     \
    kifu_result __real_##game##_do_##event(kifu_timeline *timeline, const game##_state *state,                         \
                                           const game##_##event *table);                                               \
    kifu_result __wrap_##game##_do_##event(kifu_timeline *timeline, const game##_state *state,                         \
                                           const game##_##event *table);                                               \
    kifu_result __wrap_##game##_do_##event(kifu_timeline *timeline, const game##_state *state,                         \
                                           const game##_##event *table)                                                \
    {                                                                                                                  \
        const int32_t amount = more(timeline, TYPE, table);                                                            \
        if (amount)                                                                                                    \
            *game##_edit_total(timeline) += amount;                                                                    \
        return __real_##game##_do_##event(timeline, state, table);                                                     \
    }

DIFFERS(tally, p_add, TALLY_P_ADD)
DIFFERS(tally, e_bonus, TALLY_E_BONUS)
DIFFERS(lab, p_add, LAB_P_ADD)
DIFFERS(lab, p_do, LAB_P_DO)
DIFFERS(lab, e_do, LAB_E_DO)

static bool can_differ(const walk *walk, uint32_t type)
{
    const kifu_rules *rules = walk->game->rules;
    if (rules == &tally_rules)
        return type == TALLY_P_ADD || type == TALLY_E_BONUS;
    return rules == &lab_rules && (type == LAB_P_ADD || type == LAB_P_DO || type == LAB_E_DO);
}

bool walk_differs_at(const walk *walk, uint32_t number, const walk_event *event)
{
    odd.number = number;
    odd.content = event->content;
    return can_differ(walk, event->type);
}

// --- The operation ---------------------------------------------------------------------------------------------------

// Whether a line's first event can lead elsewhere, and be played once more, and leads no other line elsewhere.
static bool may_differ(const walk *walk, uint32_t line)
{
    const walk_tree *tree = &walk->tree;
    const walk_line *own = &tree->lines[line];
    const walk_event *last = own->from < own->end ? &own->events[own->end - own->from - 1] : NULL;
    if (last && last->hashed && !last->hash) // Its end has a state of zeros, as if the hash were not known.
        return false;
    if (line == tree->current || own->parent == line || own->from == own->end || own->events[0].cause != KIFU_NONE ||
        !can_differ(walk, own->events[0].type) || walk_end_of_chain(tree, own->parent, own->from) != own->from)
        return false;
    for (uint32_t i = 0; i < tree->line_count; i++) {
        const walk_event *beside = i != line && tree->lines[i].alive ? walk_event_of(tree, i, own->from) : NULL;
        if (beside && (walk_owner(tree, i, own->from) == line || beside->content == own->events[0].content))
            return false;
    }
    return true;
}

// The event as bytes; without them, it is not played.
static void bytes_of_event(walk *walk, uint32_t line, uint32_t event, kifu_buffer *bytes)
{
    kifu_timeline *fork;
    kifu_error error;
    if (kifu_fork_line(walk->timeline, line, walk->tree.lines[line].end, NULL, &fork, &error))
        walk_fail("differs", "a fork: %s", error.message);
    if (kifu_event_bytes(fork, event, bytes))
        walk_fail("differs", "bytes of an event: %s", kifu_last_error(fork)->message);
    kifu_destroy(fork);
}

// Saves; and loads, with what leads elsewhere. False: it cannot be saved.
static bool load_again(walk *walk, const walk_op *op, const char *what)
{
    const kifu_save_options options = {.without_schema = op->a % 2, .without_snapshot = op->a / 2 % 4 == 0};
    unsigned char *bytes;
    size_t size;
    walk_say(walk, "// saved, and loaded, with what leads elsewhere:");
    const kifu_result result = kifu_save_to_memory(walk->timeline, &options, &bytes, &size);
    if (walk_has_no_root(walk, result, "kifu_save_to_memory"))
        return false;
    walk_expect(walk, "save", !result, "kifu_save_to_memory", result);
    odd.any = true;
    const walk_load load = {
        .bytes = bytes, .size = size, .variations = true, .notes = walk->notes, .fast = op->a / 8 % 2};
    kifu_timeline *loaded = walk_loaded(walk, &load, what);
    kifu_free_bytes(walk->timeline, bytes);
    walk_replace(walk, loaded, true, walk->notes, what);
    return true;
}

// Nothing changes.
static void expect_refused(walk *walk, uint32_t line)
{
    walk_say(walk, "(void)!kifu_go_to(timeline, %u, KIFU_WHERE_LEFT, true);", line);
    const kifu_result result = kifu_go_to(walk->timeline, line, KIFU_WHERE_LEFT, true);
    walk_expect(walk, "differs", result == KIFU_DIVERGED, "to a line that differs", result);
    walk_expect_same(walk, "after a line that differs was refused");
}

enum { MOST_RUNS = 100 };

// The first event of a line is played, with what follows from it. False: this is another line.
static bool play_into(walk *walk, uint32_t line, int player, const kifu_buffer *bytes)
{
    const uint32_t parent = walk->tree.lines[line].parent, from = walk->tree.lines[line].from;
    walk_go(walk, &(walk_op){.fail = 0}, parent, from, true);
    if (walk->tree.current != parent || walk->tree.place != from || walk->tree.waiting.count)
        return false;
    walk_say(walk, "// The event with which line %u begins is submitted, and run:", line);
    const kifu_result result = kifu_submit_trusted_bytes(walk->timeline, player, bytes->data, bytes->size, NULL);
    walk_expect(walk, "differs", !result, "the first event of a line", result);
    // Each run says what went wrong; that the line differs, the one behind that which found it.
    for (uint32_t i = 0, good = 0; i < MOST_RUNS && good < 2; i++)
        good = kifu_run(walk->timeline) ? 0 : good + 1;
    walk_played(walk, "after the first event of a line that differs", true, false);
    return walk->tree.current == line;
}

// It is as all others: what was played can be left, and found again.
static void come_back(walk *walk, const walk_op *op, uint32_t line)
{
    for (uint32_t i = 0; i < op->b % 4; i++)
        walk_op_redo(walk, &(walk_op){.fail = 0});
    if (op->b / 4 % 2)
        walk_op_submit_run(walk, &(walk_op){.a = op->a, .b = op->b});
    walk_op_verify(walk, NULL);
    if (!walk->tree.waiting.count) {
        const uint32_t parent = walk->tree.lines[line].parent;
        walk_go(walk, &(walk_op){.fail = 0}, parent, walk->tree.lines[parent].end, true);
        walk_go(walk, &(walk_op){.fail = 0}, line, walk->tree.lines[line].end, true);
    }
}

static void open_unseen(walk *walk)
{
    walk_say(walk, "must(timeline, kifu_log_open(timeline, path, NULL));");
    const kifu_result result = kifu_log_open(walk->timeline, walk->path, NULL);
    walk_expect(walk, "differs", !result, "kifu_log_open with a line that differs", result);
    walk->log_open = true;
    walk->without_schema = false;
    walk->anew = true;
    walk_log_is(walk, "a log file with a line that differs");
}

// --- Of the current line ---------------------------------------------------------------------------------------------

// Whether all events of a line are on the way to the end of the current one.
static bool leads_here(const walk_tree *tree, uint32_t line)
{
    return line == tree->current || walk_shared(tree, line, tree->current) >= tree->lines[line].end;
}

// Whether the next event of redo can lead elsewhere, and leads no line elsewhere that parts from this one; and nothing
// waits behind it.
static bool redo_may_differ(const walk *walk)
{
    const walk_tree *tree = &walk->tree;
    const uint32_t current = tree->current, place = tree->place;
    const walk_event *next = place < tree->lines[current].end ? walk_event_of(tree, current, place) : NULL;
    if (!next || tree->hides || next->cause != KIFU_NONE || !can_differ(walk, next->type) ||
        walk_end_of_chain(tree, current, place) != place)
        return false;
    for (uint32_t i = 0; i < tree->line_count; i++) {
        const walk_line *line = &tree->lines[i];
        const walk_event *beside = line->alive ? walk_event_of(tree, i, place) : NULL;
        if (beside && !leads_here(tree, i) && beside->content == next->content)
            return false;
        for (uint32_t k = 0; line->alive && k < line->kept_count; k++) {
            if (leads_here(tree, i) && line->kept[k].place > place)
                return false;
        }
    }
    return true;
}

// To the end, by redo or by one call. That it differs is said once, where the save has a hash behind the event.
static void go_to_end(walk *walk, const walk_op *op, uint32_t line, uint32_t *said)
{
    walk_tree *tree = &walk->tree;
    const bool redoes = op->b / 2 % 2 && tree->current == line;
    for (bool goes = tree->current != line || tree->place < tree->lines[line].end; goes;) {
        const uint32_t end = tree->lines[line].end;
        walk_say(walk, redoes ? "(void)!kifu_redo(timeline);" : "(void)!kifu_go_to(timeline, %u, %u, true);", line,
                 end);
        const kifu_result result = redoes ? kifu_redo(walk->timeline) : kifu_go_to(walk->timeline, line, end, true);
        walk_expect(walk, "differs", !result || result == KIFU_DIVERGED, "forward in a line that differs", result);
        *said += result == KIFU_DIVERGED;
        walk_tree got;
        walk_see(walk->timeline, &got, "forward in a line that differs");
        const char *why = redoes ? walk_redone(tree, &got) : walk_went(tree, &got, line, end);
        if (why)
            walk_fail("differs", "%s", why);
        walk_accept(walk, &got, "forward in a line that differs");
        goes = redoes && tree->place < tree->lines[line].end;
    }
}

static void redo_differs(walk *walk, const walk_op *op)
{
    const uint32_t line = walk->tree.current, place = walk->tree.place;
    const walk_event *next = walk_event_of(&walk->tree, line, place);
    const int player = next->player;
    kifu_buffer bytes = {0};
    bytes_of_event(walk, line, place, &bytes);
    odd.number = place;
    odd.content = next->content;
    if (!load_again(walk, op, "a save of which redo differs")) {
        kifu_free_buffer(&bytes);
        return;
    }
    walk_close_followers(walk);
    walk_lose_log(walk);
    for (uint32_t i = place; i < walk->tree.lines[line].end; i++)
        walk_event_of(&walk->tree, line, i)->hashed = false;
    if (op->b / 16 % 2)
        open_unseen(walk);
    uint32_t said = 0;
    if (op->b % 2) {
        walk_say(walk, "// The event that redo would bring back is submitted, and run:");
        const kifu_result result = kifu_submit_trusted_bytes(walk->timeline, player, bytes.data, bytes.size, NULL);
        walk_expect(walk, "differs", !result, "the next event of redo", result);
        for (uint32_t i = 0, good = 0; i < MOST_RUNS && good < 2; i++) {
            const kifu_result run = kifu_run(walk->timeline);
            said += run == KIFU_DIVERGED;
            good = run ? 0 : good + 1;
        }
        walk_played(walk, "after the next event of redo", true, false);
    }
    kifu_free_buffer(&bytes);
    if (!walk->tree.waiting.count)
        go_to_end(walk, op, line, &said);
    else
        walk_op_drop(walk, &(walk_op){.fail = 0});
    if (!walk->tree.waiting.count && (walk->tree.current != line || walk->tree.place < walk->tree.lines[line].end))
        go_to_end(walk, op, line, &said);
    if (said > 1)
        walk_fail("differs", "that a line differs is said %u times", said);
    walk_op_verify(walk, NULL);
    if (op->b / 4 % 2 && !walk->log_open) // What was saved loads.
        (void)load_again(walk, op, "a save of what redo made of it");
}

static void end_differs(walk *walk)
{
    walk_forget_appended(walk); // There the line differs.
    if (walk->log_open)
        walk_append(walk, &(walk_op){.fail = 0}, "a log file with a line that differed");
    else if (walk->config.logged)
        walk_op_log_open(walk, &(walk_op){.b = 1});
}

void walk_op_differs(walk *walk, const walk_op *op)
{
    const uint32_t alive = walk_alive(&walk->tree);
    uint32_t line = KIFU_NONE;
    if (walk->config.forks_more && op->b / 64 % 2 && !walk->open && !odd.any) {
        walk_other_rules(walk, op);
        return;
    }
    if (walk->open || odd.any || !walk->variations || walk->tree.waiting.count)
        return;
    if (op->b / 32 % 2 && redo_may_differ(walk)) {
        redo_differs(walk, op);
        end_differs(walk);
        return;
    }
    for (uint32_t i = 0; i < alive && line == KIFU_NONE; i++) {
        const uint32_t id = walk_nth(&walk->tree, op->a / 16 % alive + i);
        line = may_differ(walk, id) ? id : line;
    }
    if (line == KIFU_NONE)
        return;
    walk_line *own = &walk->tree.lines[line];
    kifu_buffer bytes = {0};
    bytes_of_event(walk, line, own->from, &bytes);
    odd.number = own->from;
    odd.content = own->events[0].content;
    if (!load_again(walk, op, "a save with a line that differs")) {
        kifu_free_buffer(&bytes);
        return;
    }
    walk_close_followers(walk);
    walk_lose_log(walk);
    for (uint32_t i = own->from; i < own->end; i++)
        own->events[i - own->from].hashed = false;
    expect_refused(walk, line);
    if (op->b / 8 % 2) {
        (void)load_again(walk, op, "a line that differs, once more");
        expect_refused(walk, line);
    }
    if (op->b / 16 % 2) // It has the line as it is; it is compared when the game is in that.
        open_unseen(walk);
    if (play_into(walk, line, own->events[0].player, &bytes))
        come_back(walk, op, line);
    else if (line < walk->tree.line_count && walk->tree.lines[line].alive)
        walk_delete_line(walk, &(walk_op){.fail = 0}, line);
    kifu_free_buffer(&bytes);
    end_differs(walk);
}
