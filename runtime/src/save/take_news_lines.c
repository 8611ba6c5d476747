// Lines, in news: whether they fit to those that are there, and their adoption.

#include <inttypes.h>
#include <stdio.h>

#include "save/assemble.h"
#include "save/line_frames.h"

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

// How many of the first `news->same` events stay in the branches in which they are: up to where the path of the current
// line here, or as it will be, leaves a line that the other one does not leave there.
static uint32_t count_kept(const kifu_timeline *timeline, const kifu__lines *lines, const kifu__news *news,
                           const kifu__save_tree *tree)
{
    uint32_t kept = KIFU_NONE, id = tree->current, at = KIFU_NONE;
    for (;; id = news->lines[id].parent) { // From the current line up: it is known that they lead to line 0.
        const kifu__news_line *line = &news->lines[id];
        const kifu__line *here = id < lines->count && !lines->items[id].deleted ? &lines->items[id] : NULL;
        const bool same = here && here->parent == line->parent && here->from == line->from &&
                          kifu__leads_through(timeline->log.branch, here->branch);
        const uint32_t leaves = same ? kifu__line_at(lines, id) : KIFU_NONE;
        if (!same)
            kept = line->from;
        else if (leaves != at && (kept == KIFU_NONE || kept > (leaves < at ? leaves : at)))
            kept = leaves < at ? leaves : at;
        at = line->from;
        if (line->parent == id)
            break;
    }
    return kept < news->same ? kept : news->same;
}

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
    news->goes_on = news->same == timeline->log.branch->end && timeline->executed == news->same &&
                    news->stage->executed >= news->same;
    for (uint32_t id = 0; id < tree->next; id++) {
        kifu__line *line = is_sent(sent, id, &place) ? &sent->items[place] : NULL;
        const kifu__line *as = line ? line : id < lines->count && !news->whole ? &lines->items[id] : NULL;
        all[id] = (kifu__news_line){.sent = line};
        if (id == tree->current)
            all[id] = (kifu__news_line){.there = true,
                                        .parent = tree->parent,
                                        .from = tree->from,
                                        .end = news->stage->log.branch->end,
                                        .at = KIFU_NONE};
        else if (as && !as->deleted) {
            const uint32_t at = line ? line->at : kifu__line_at(lines, id);
            all[id] = (kifu__news_line){line, true, false, as->parent, as->from, kifu__line_end(as), at};
        }
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
        const bool aside = line->sent || id == tree->current || !line->there || id != lines->current;
        if (line->there && !(aside && (line->on_way || is_sound(news, id, line->from))))
            return damaged(timeline, id);
    }
    return tree->main < tree->next && news->lines[tree->main].there ? KIFU_OK : damaged(timeline, tree->main);
}

// --- Whether there is room -------------------------------------------------------------------------------------------

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
    if (result)
        return result;
    const uint32_t kept = count_kept(timeline, lines, news, &tree);
    if (kept < news->first->base)
        return damaged(timeline, tree.current);
    const kifu__line *current = &lines->items[lines->current];
    news->same = kept;
    news->in_place = tree.current == lines->current && tree.parent == current->parent && tree.from == current->from &&
                     kept == current->branch->end;
    timeline->memory = news->memory;
    if (!kifu__lines_room(timeline, lines, tree.next))
        result = kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game's news");
    timeline->memory = memory;
    return result;
}

// What is new of the way to the current line, from there on: see append_all. The branch that has what line `id` gets;
// NULL: it stays.
static kifu__branch *next_piece(const kifu__news *news, kifu__branch *piece, uint32_t id)
{
    return !news->in_place && piece && piece->from >= news->lines[id].from ? piece : NULL;
}

// The branch to which that is added: the line's, unless all of it is new.
static kifu__branch *branch_for(const kifu__lines *lines, const kifu__news *news, uint32_t id, kifu__branch *piece)
{
    const bool all = piece && piece->from == news->lines[id].from && news->lines[id].parent != id;
    return all ? piece : lines->items[id].branch;
}

static kifu__branch *before(const kifu__news *news, kifu__branch *piece)
{
    return piece && piece->from > news->same ? piece->parent : NULL;
}

bool kifu__news_lines_room(kifu_timeline *timeline, kifu__part *part, const kifu__news *news)
{
    kifu__lines *lines = kifu__lines_of(timeline);
    kifu__branch *rest = timeline->log.branch;
    bool good = true;
    for (uint32_t id = tree_in(news->stage, part).current; good; id = news->lines[id].parent) {
        const kifu__news_line *line = &news->lines[id];
        kifu__branch *piece = next_piece(news, rest, id), *to = branch_for(lines, news, id, piece);
        const uint32_t sent = line->sent ? line->sent->branch->segment_count : 0;
        good = kifu__branch_room(&timeline->log, to, sent + (piece && piece != to ? piece->segment_count : 0));
        if (piece)
            rest = before(news, piece);
        if (line->parent == id)
            break;
    }
    return good;
}

// --- Adopting them ---------------------------------------------------------------------------------------------------

// What the log file says of it stays known. `keeps`: its branch is its own already.
static void put(kifu_timeline *timeline, kifu__lines *lines, uint32_t id, kifu__line line)
{
    kifu__line *to = &lines->items[id];
    if (to->branch && to->branch != line.branch)
        kifu__line_delete(timeline, lines, id);
    line.in_file = to->in_file;
    line.file_left = to->file_left;
    line.touched = to->touched;
    line.next_touched = to->next_touched;
    *to = line;
    kifu__line_changed(timeline, lines, id);
}

// The branches of the lines on the way to the current one.
static void adopt_way(kifu_timeline *timeline, kifu__lines *lines, const kifu__news *news, uint32_t current)
{
    kifu__branch *rest = timeline->log.branch;
    for (uint32_t id = current;; id = news->lines[id].parent) {
        const kifu__news_line *line = &news->lines[id];
        kifu__branch *piece = next_piece(news, rest, id), *to = branch_for(lines, news, id, piece);
        if (piece)
            rest = before(news, piece);
        if (piece && piece != to) {
            kifu__log_enter(&timeline->log, to); // Not the piece any more.
            kifu__branch_cut(timeline, to, piece->from);
            kifu__branch_extend(timeline, to, piece);
            kifu__free(&timeline->memory, piece);
        } else if (!piece && line->sent)
            kifu__branch_cut(timeline, to, line->at);
        if (line->sent) {
            kifu__branch_extend(timeline, to, line->sent->branch);
            kifu__free(&timeline->memory, line->sent->branch);
            line->sent->branch = to;
        }
        if (to != lines->items[id].branch) {
            kifu__line_delete(timeline, lines, id);
            lines->items[id].branch = to;
            lines->items[id].deleted = false;
        }
        if (line->parent == id)
            break;
    }
}

// No other line gets their numbers.
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
        kifu__line_delete(timeline, lines, --lines->count);
        lines->given_up_at = ++timeline->tree.changes;
    }
}

// True if lines have changed that are not the current one, or it is another.
static bool adopt(kifu_timeline *timeline, kifu__lines *lines, const kifu__news *news, const kifu__save_tree *tree)
{
    bool more = lines->current != tree->current || lines->count > tree->next;
    (void)kifu__lines_reach(timeline, lines, tree->next - 1); // There is room.
    adopt_way(timeline, lines, news, tree->current);
    give_up(timeline, lines, tree->next);
    for (uint32_t id = 0; id < tree->next; id++) {
        const kifu__news_line *line = &news->lines[id];
        kifu__line *here = &lines->items[id];
        if (line->sent) {
            put(timeline, lines, id, *line->sent);
            *line->sent = (kifu__line){.deleted = true};
            more = true;
        } else if (id == tree->current && id != lines->current)
            put(timeline, lines, id, (kifu__line){.branch = here->branch, .parent = line->parent, .from = line->from});
        else if (!line->there && !here->deleted) {
            put(timeline, lines, id, (kifu__line){.deleted = true});
            more = true;
        }
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
        lines->anew = true;
        kifu__log_changed(&timeline->log, news->first->base); // For those who follow this timeline.
    }
    lines->anew |= lines->count > 1 && !news->goes_on; // A log file is written anew.
    lines->linked = 0;
    lines->items[tree.current].parent = tree.parent;
    lines->items[tree.current].from = tree.from;
    lines->current = tree.current;
    kifu__log_enter(&timeline->log, lines->items[tree.current].branch);
    timeline->tree.changes += lines->main != tree.main;
    lines->main = tree.main;
    kifu__lines_list(lines);
    kifu__lines_link(lines);
    kifu__line_settled(timeline);
    if (!(tree.flags & KIFU__BEGINNING_TREE))
        return;
    lines->before_last = tree.before < tree.next && news->lines[tree.before].there ? tree.before : tree.parent;
    kifu__line_begun(timeline);
}
