// Lines, in news: whether they fit to those that are there, and their adoption.

#include <inttypes.h>
#include <stdio.h>

#include "save/line_frames.h"
#include "save/regroup.h"

// --- What is there, and what comes -----------------------------------------------------------------------------------

static const kifu__line_frames *frames_in(const kifu_timeline *stage, const kifu__part *part)
{
    return (const kifu__line_frames *)(const void *)kifu__part_of(stage, part->table);
}

// Where the game stands. A game with one line says nothing.
static kifu__save_tree tree_in(const kifu_timeline *stage, const kifu__part *part)
{
    const kifu__line_frames *frames = frames_in(stage, part);
    return frames->has_tree ? frames->tree : (kifu__save_tree){.next = 1};
}

static kifu_result damaged(kifu_timeline *timeline, uint32_t id)
{
    return kifu__error(&timeline->error, KIFU_DAMAGED,
                       "the news are damaged, and nothing was changed: line %" PRIu32
                       " does not fit to the others; get them again",
                       id);
}

// Lines of which the news do not know. `id` KIFU_NONE: it is not known which.
static kifu_result part_at(kifu_timeline *timeline, const kifu__lines *lines, uint32_t id)
{
    char what[80] = "";
    if (id != KIFU_NONE)
        snprintf(what, sizeof what, ": line %" PRIu32 ", from event %" PRIu32 " on", id, lines->items[id].from);
    return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, id == KIFU_NONE ? id : lines->items[id].from,
                                "the news do not fit, because here are other lines than they know%s; nothing was "
                                "changed. News since 0 are the whole game, and would replace this one",
                                what);
}

static bool is_sent(const kifu__lines *sent, uint32_t id, uint32_t *place)
{
    while (*place < sent->count && sent->items[*place].number < id)
        ++*place;
    return *place < sent->count && sent->items[*place].number == id;
}

// The lines that the news do not name are those that their sender knows.
static kifu_result require_others(kifu_timeline *timeline, kifu__lines *lines, const kifu__news *news,
                                  const kifu__save_tree *tree)
{
    const kifu__lines *sent = kifu__lines_of(news->stage);
    kifu__blob blob = {.memory = &news->memory};
    kifu_result result = KIFU_OK;
    uint64_t sum = 0;
    uint32_t place = 0;
    for (uint32_t id = 0; id < lines->count && !result; id++) {
        const bool given_up = id == tree->next && tree->flags & KIFU__GAVE_UP_LINE;
        if (lines->items[id].deleted || id == tree->current || is_sent(sent, id, &place) || given_up)
            continue;
        result = id >= tree->next || id == lines->current ? part_at(timeline, lines, id)
                                                          : kifu__add_digest(timeline, lines, id, &blob, &sum);
    }
    kifu__free(blob.memory, blob.bytes);
    return result || sum == tree->others ? result : part_at(timeline, lines, KIFU_NONE);
}

// --- The lines as they will be ---------------------------------------------------------------------------------------

static kifu_result list_lines(kifu_timeline *timeline, const kifu__lines *lines, kifu__news *news,
                              const kifu__save_tree *tree)
{
    kifu__lines *sent = kifu__lines_of(news->stage);
    uint32_t place = 0;
    uint32_t capacity = 0;
    kifu__news_line *all = (kifu__news_line *)kifu__grow(&news->memory, NULL, &capacity, tree->next, sizeof *all);
    if (!all)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game's news");
    news->lines = all;
    news->line_count = tree->next;
    news->switches = tree->current != lines->current;
    news->goes_on = news->same == timeline->log.event_count && timeline->executed == news->same &&
                    news->stage->executed >= news->same;
    for (uint32_t id = 0; id < tree->next; id++) {
        kifu__line *line = is_sent(sent, id, &place) ? &sent->items[place] : NULL;
        const kifu__line *as = line ? line : id < lines->count && !news->whole ? &lines->items[id] : NULL;
        all[id] = (kifu__news_line){.sent = line};
        if (id == tree->current)
            all[id] = (kifu__news_line){.there = true,
                                        .parent = tree->parent,
                                        .from = tree->from,
                                        .end = news->stage->log.event_count,
                                        .at = KIFU_NONE};
        else if (as && !as->deleted)
            all[id] = (kifu__news_line){line, true, false, as->parent, as->from, kifu__line_end(timeline, as), as->at};
    }
    return KIFU_OK;
}

// Whether it can be a line: where it branches off, and where its events begin that the log does not have.
static bool is_sound(const kifu__news *news, uint32_t id, uint32_t at)
{
    const kifu__news_line *line = &news->lines[id];
    if (line->end < line->from || (line->at != at && line->at != KIFU_NONE))
        return false;
    if (line->parent == id)
        return id == 0 && line->from == 0;
    const kifu__news_line *above = line->parent < id ? &news->lines[line->parent] : NULL;
    return above && above->there && line->from <= above->end &&
           (line->from > above->from || (above->parent == line->parent && line->from == above->from));
}

static kifu_result require_tree(kifu_timeline *timeline, const kifu__lines *lines, const kifu__news *news,
                                const kifu__save_tree *tree)
{
    uint32_t id = tree->current, at = KIFU_NONE;
    for (;; id = news->lines[id].parent) { // A parent has a smaller number.
        news->lines[id].on_way = true;
        if (!is_sound(news, id, at))
            return damaged(timeline, id);
        if (news->lines[id].parent == id)
            break;
        at = news->lines[id].from;
    }
    for (id = 0; id < tree->next; id++) {
        const kifu__news_line *line = &news->lines[id];
        const bool aside = line->sent || id == tree->current || !line->there || lines->items[id].split;
        if (line->there && !(aside && (line->on_way || is_sound(news, id, line->from))))
            return damaged(timeline, id);
    }
    return tree->main < tree->next && news->lines[tree->main].there ? KIFU_OK : damaged(timeline, tree->main);
}

// --- What stays ------------------------------------------------------------------------------------------------------

// Whether events that are set aside are in the log's bytes, or another line's.
static bool shares(const kifu__line *line)
{
    return line->split && line->shared.first + line->tail.last_count > line->at;
}

// They become the line's own. Nobody sees a difference.
static kifu_result part_from_log(kifu_timeline *timeline, kifu__line *line)
{
    kifu__log_tail *tail = &line->tail;
    kifu__segment shared = line->shared, own;
    shared.count = tail->last_count;
    kifu__segment *segments =
        (kifu__segment *)kifu__new(&timeline->log.memory, ((size_t)tail->segment_count + 1) * sizeof *segments);
    kifu_result result =
        segments ? kifu__copy_events(&timeline->log, &shared, line->at - shared.first, &own) : KIFU_NO_MEMORY;
    if (result) {
        kifu__free(&timeline->log.memory, segments);
        return kifu__error(&timeline->error, result, "%s for a game's news", kifu_result_text(result));
    }
    own.first = line->at;
    segments[0] = own;
    if (tail->segment_count)
        memcpy(segments + 1, tail->segments, tail->segment_count * sizeof *segments);
    kifu__free(&timeline->log.memory, tail->segments);
    tail->segments = segments;
    tail->segment_capacity = ++tail->segment_count;
    tail->last_count = 0;
    return KIFU_OK;
}

// What is in the log's bytes stays only as far as the log does.
static bool stays(const kifu__news *news, uint32_t id)
{
    return news->lines[id].on_way && news->lines[id].at <= news->same;
}

static kifu_result part_all(kifu_timeline *timeline, kifu__lines *lines, const kifu__news *news)
{
    kifu_result result = KIFU_OK;
    for (uint32_t id = 0; id < news->line_count && id < lines->count && !result; id++) {
        const kifu__news_line *line = &news->lines[id];
        if (line->there && !line->sent && line->at != KIFU_NONE && shares(&lines->items[id]) && !stays(news, id))
            result = part_from_log(timeline, &lines->items[id]);
    }
    return result;
}

kifu_result kifu__news_lines_fit(kifu_timeline *timeline, kifu__part *part, kifu__news *news)
{
    const kifu__save_tree tree = tree_in(news->stage, part);
    kifu__lines *lines = kifu__lines_of(timeline);
    const kifu__memory memory = timeline->memory;
    kifu_result result = news->whole ? KIFU_OK : require_others(timeline, lines, news, &tree);
    if (!result)
        result = list_lines(timeline, lines, news, &tree);
    if (!result)
        result = require_tree(timeline, lines, news, &tree);
    if (!result)
        result = part_all(timeline, lines, news);
    if (result)
        return result;
    timeline->memory = news->memory;
    if (!kifu__lines_room(timeline, lines, tree.next))
        result = kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game's news");
    timeline->memory = memory;
    return result;
}

// --- Adopting them ---------------------------------------------------------------------------------------------------

// What the log file says of it stays known.
static void put(kifu_timeline *timeline, kifu__lines *lines, uint32_t id, kifu__line line)
{
    kifu__line *to = &lines->items[id];
    kifu__line_free(timeline, to);
    line.in_file = to->in_file;
    line.file_end = to->file_end;
    line.file_keeps = to->file_keeps;
    line.touched = to->touched;
    line.next_touched = to->next_touched;
    *to = line;
    kifu__line_changed(timeline, lines, id);
}

// Their numbers are given to nobody.
static void give_up(kifu_timeline *timeline, kifu__lines *lines, uint32_t count)
{
    for (uint32_t *place = &lines->touched; *place;) {
        const uint32_t id = *place - 1;
        if (id >= count)
            *place = lines->items[id].next_touched;
        else
            place = &lines->items[id].next_touched;
    }
    while (lines->count > count) {
        kifu__line_free(timeline, &lines->items[--lines->count]);
        lines->given_up_at = ++timeline->tree_changes;
    }
}

// True if lines have changed that are not the current one, or it is another.
static bool adopt(kifu_timeline *timeline, kifu__lines *lines, const kifu__news *news, const kifu__save_tree *tree)
{
    bool more = lines->current != tree->current || lines->count > tree->next;
    give_up(timeline, lines, tree->next);
    (void)kifu__lines_reach(timeline, lines, tree->next - 1); // There is room.
    for (uint32_t id = 0; id < tree->next; id++) {
        const kifu__news_line *line = &news->lines[id];
        kifu__line *here = &lines->items[id];
        if (line->sent) {
            put(timeline, lines, id, *line->sent);
            *line->sent = (kifu__line){.deleted = true};
            more = true;
        } else if (id == tree->current && id != lines->current)
            put(timeline, lines, id, (kifu__line){.parent = line->parent, .from = line->from});
        else if (!line->there && !here->deleted)
            put(timeline, lines, id, (kifu__line){.deleted = more = true});
        else if (!shares(here)) // The last segment of the log in front of it may be another.
            here->tail.last_count = 0;
    }
    return more;
}

void kifu__adopt_news_lines(kifu_timeline *timeline, kifu__part *part, const kifu__news *news)
{
    const kifu__save_tree tree = tree_in(news->stage, part);
    kifu__lines *lines = kifu__lines_of(timeline);
    if (adopt(timeline, lines, news, &tree)) {
        kifu__free(&timeline->memory, lines->files);
        lines->files = NULL;
        lines->file_count = lines->filed = 0;
        lines->before_last = tree.parent;
        lines->given_up = true;
        if (news->switches)
            kifu__tell_notes(timeline, ignore(timeline));
        else
            kifu__tell_notes(timeline, settle(timeline));
        kifu__log_changed(&timeline->log, news->first->base); // For those who follow this timeline.
        kifu__tell_notes(timeline, ignore(timeline));
    }
    lines->given_up |= lines->count > 1 && !news->goes_on; // A log file is written anew.
    lines->linked = 0;
    lines->items[tree.current].parent = tree.parent;
    lines->items[tree.current].from = tree.from;
    lines->current = tree.current;
    timeline->tree_changes += lines->main != tree.main;
    lines->main = tree.main;
    kifu__lines_list(lines);
    timeline->settle_line = NULL;
    if (!(tree.flags & KIFU__BEGINNING_TREE))
        return;
    lines->before_last = tree.before < tree.next && news->lines[tree.before].there ? tree.before : tree.parent;
    kifu__line_begun(timeline);
}
