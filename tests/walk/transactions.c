// Operations of transactions and searches.

#include "step.h"

#include <string.h>

// In a search, how many notes the lines show of those that there were before it.
static uint32_t count_shown(const walk *walk)
{
    uint32_t shown = 0;
    kifu_event event;
    for (uint32_t i = 0; i < walk->tree.note_count; i++) {
        const walk_note *note = &walk->tree.notes[i];
        // A transaction that was open before the search may have other events there.
        const bool stays = note->line != kifu_current_line(walk->timeline) || note->event < walk->before[0].place;
        shown += note->event == KIFU_BEFORE_FIRST ||
                 (stays && kifu_line_event(walk->timeline, note->line, note->event, &event));
    }
    return shown;
}

void walk_expect_notes(walk *walk, const char *what)
{
    kifu_note note = {0}, found;
    uint32_t listed = 0;
    for (; kifu_next_note(walk->timeline, &note); listed++) {
        kifu_event event;
        if (note.event != KIFU_BEFORE_FIRST && !kifu_line_event(walk->timeline, note.line, note.event, &event))
            walk_fail("notes", "%s: a note is listed at event %u of line %u, which is not shown", what, note.event,
                      note.line);
    }
    bool searches = false;
    for (uint32_t i = 0; i < walk->open; i++)
        searches |= walk->search[i];
    const uint32_t shown = searches ? count_shown(walk) : listed;
    if (listed != shown)
        walk_fail("notes", "%s: %u notes are listed, and the lines show the events of %u", what, listed, shown);
    static const char *const keys[] = {KIFU_NOTE_COMMENT, KIFU_NOTE_GLYPH, "k"}; // As walk_op_note sets them.
    uint32_t there = 0;
    kifu_line line;
    for (uint32_t i = 0; kifu_line_at(walk->timeline, i, &line); i++) {
        // A transaction may have begun a line.
        const uint32_t end = line.id < walk->tree.line_count ? walk->tree.lines[line.id].end : line.from + line.count;
        for (uint32_t at = 0; at <= end; at++) {
            const uint32_t event = at == end ? KIFU_BEFORE_FIRST : at;
            for (int key = 0; key < 3; key++)
                there += kifu_find_note(walk->timeline, line.id, event, keys[key], &found) &&
                         (found.line == line.id || (event == KIFU_BEFORE_FIRST && !i));
        }
    }
    if (there != listed)
        walk_fail("notes", "%s: %u notes are found, and %u are listed", what, there, listed);
}

static walk_picture picture_of(const kifu_timeline *timeline)
{
    walk_picture picture = {
        .place = kifu_event_count(timeline),
        .can_undo = kifu_can_undo(timeline, NULL),
        .can_redo = kifu_can_redo(timeline, NULL),
        .waiting = kifu_pending_count(timeline),
        .hash = kifu_state_hash(timeline),
    };
    kifu_event event;
    for (uint32_t i = 0; kifu_pending_at(timeline, i, &event); i++)
        picture.queue = walk_mix(picture.queue, &event.type, sizeof event.type);
    return picture;
}

void walk_op_begin(walk *walk, const walk_op *op)
{
    static const char *const names[] = {"0", "KIFU_DEFERRED", "KIFU_SEARCH", "KIFU_UNCHAINED"};
    static const uint32_t flags[] = {0, KIFU_DEFERRED, KIFU_SEARCH, KIFU_UNCHAINED};
    if (walk->open == MOST_OPEN)
        return;
    const walk_picture picture = picture_of(walk->timeline);
    walk_arm(walk, op);
    walk_say(walk, "(void)!kifu_begin(timeline, %s);", names[op->a % 4]);
    const kifu_result result = kifu_begin(walk->timeline, flags[op->a % 4]);
    const bool starved = walk_disarm(walk);
    if (result) {
        walk_expect(walk, "begin", starved && result == KIFU_NO_MEMORY, "kifu_begin", result);
        if (walk->open)
            walk_expect_before(walk, "after a begin that was refused");
        else
            walk_expect_same(walk, "after a begin that was refused");
        return;
    }
    walk->before[walk->open] = picture;
    walk->search[walk->open++] = flags[op->a % 4] == KIFU_SEARCH;
    walk_expect_notes(walk, "after a begin");
}

void walk_op_roll_back(walk *walk, const walk_op *op)
{
    (void)op;
    if (!walk->open)
        return;
    walk_expect_notes(walk, "before a roll-back");
    walk_say(walk, "must(timeline, kifu_roll_back(timeline));");
    const kifu_result result = kifu_roll_back(walk->timeline);
    walk_expect(walk, "roll_back", !result, "kifu_roll_back", result);
    const walk_picture now = picture_of(walk->timeline);
    if (memcmp(&now, &walk->before[--walk->open], sizeof now))
        walk_fail(
            "roll_back",
            "a roll-back leads to event %u, undo %u, redo %u, %u waiting; not to %u, undo %u, redo %u, %u waiting",
            now.place, now.can_undo, now.can_redo, now.waiting, walk->before[walk->open].place,
            walk->before[walk->open].can_undo, walk->before[walk->open].can_redo, walk->before[walk->open].waiting);
    if (!walk->open)
        walk_expect_same(walk, "after a roll-back");
}

void walk_op_commit(walk *walk, const walk_op *op)
{
    if (!walk->open)
        return;
    if (walk->search[walk->open - 1]) {
        walk_op_roll_back(walk, op);
        return;
    }
    walk_say(walk, "(void)!kifu_commit(timeline);");
    const kifu_result result = kifu_commit(walk->timeline);
    if (result)
        return; // It is still open.
    if (--walk->open)
        walk_expect_before(walk, "after a commit");
    else
        walk_expect_grown(
            walk, "after a commit",
            &(walk_growth){.variations = walk->variations, .promotes = walk->config.promotes, .commit = true});
}

// Nothing happens in it.
void walk_op_empty(walk *walk, const walk_op *op)
{
    const uint32_t open = walk->open;
    walk_op_begin(walk, op);
    if (walk->open > open && op->b % 4 == 3)
        walk_op_empty(walk, &(walk_op){.a = op->a / 4, .b = op->b / 4});
    if (walk->open > open && op->b % 2)
        walk_op_commit(walk, op);
    else if (walk->open > open)
        walk_op_roll_back(walk, op);
}

void walk_close_all(walk *walk)
{
    while (walk->open)
        walk_op_roll_back(walk, NULL);
}
