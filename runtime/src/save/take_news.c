// What can fail is done first, and beside what is there: the events are added to the log behind those that stay, and
// executed on a copy of the state. Then the state goes back to the last event that both have in common, and forward.
//
// The second execution is the price for news that are wrong, or a Do that is not deterministic, changing nothing. A
// model outside the state has no copy: there the events are executed once, and taken back if the state is another.

#include "save/read_news.h"

#include <inttypes.h>

#include "core/go.h"
#include "save/assemble.h"
#include "save/saved.h"

typedef struct taking {
    kifu_timeline *timeline;
    const kifu__news *news;
    uint32_t common;       // So many of the executed events stay.
    uint32_t executed;     // So many were executed before.
    unsigned how;          // How the state goes there.
    kifu__standing waited; // What waited before,
    kifu__branch *left;    // and the branch that was the current one.
} taking;

static kifu_result no_memory(kifu_timeline *timeline)
{
    return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game's news; nothing was changed");
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// --- The log ---------------------------------------------------------------------------------------------------------

static kifu_result append(kifu__log *log, const kifu__segment *segment, uint32_t slot, kifu__blob *blob)
{
    const void *table;
    const kifu_result result = kifu__blob_of(log->rules, segment, slot, blob);
    if (result)
        return result;
    return kifu__log_append(log, segment->types[slot], blob->bytes, blob->size, segment->marks[slot], &table);
}

// The events of earlier rules, from `slot` up to number `end`, stay in a segment of their own.
static kifu_result adopt(kifu__log *log, const kifu__segment *segment, uint32_t slot, uint32_t end, kifu__blob *blob)
{
    kifu__segment copy;
    const uint32_t count = end - segment->first;
    kifu_result result = kifu__segment_new(&log->memory, log->rules, segment->rules_version, count - slot, 0, &copy);
    if (result)
        return result;
    for (; slot < count && !result; slot++) {
        result = kifu__blob_of(log->rules, segment, slot, blob);
        if (!result)
            result = kifu__segment_add(&copy, &log->memory, log->rules, segment->types[slot], blob->bytes, blob->size,
                                       segment->marks[slot], INT32_MAX);
    }
    if (!result)
        result = kifu__log_adopt(log, &copy);
    if (result)
        kifu__segment_free(&copy, &log->memory);
    return result;
}

// Where the next line on the way to the current one begins, behind so many events; KIFU_NONE: none does.
static uint32_t next_from(const kifu__news *news, uint32_t events)
{
    uint32_t from = KIFU_NONE;
    for (uint32_t id = 0; id < news->line_count; id++) {
        const kifu__news_line *line = &news->lines[id];
        if (line->on_way && line->parent != id && line->from > events && line->from < from)
            from = line->from;
    }
    return from;
}

// Another hidden branch, at the end of the path or where the news go on with other events. False without memory.
static bool begin_piece(kifu_timeline *timeline, uint32_t from)
{
    kifu__branch *piece = (kifu__branch *)kifu__new(&timeline->memory, sizeof *piece);
    if (!piece)
        return false;
    *piece = (kifu__branch){.number = timeline->log.branch->number};
    kifu__branch_begin(piece, timeline->log.branch, from);
    kifu__log_enter(&timeline->log, piece);
    return true;
}

// Where the events can go to the end of the current branch, they do; else each line on the way to the current one, as
// it will be, gets a branch for what it has of them. With memory from the budget.
static kifu_result append_all(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu__news *news = taking->news;
    kifu__branch *from = &news->stage->log.first;
    kifu__blob blob = {.memory = &news->memory};
    kifu_result result = KIFU_OK;
    uint32_t fork = next_from(news, news->same);
    if (!news->in_place) {
        kifu__log_changed(&timeline->log, news->same);
        kifu__drop_keyframes(timeline, news->same);
        if (!begin_piece(timeline, news->same))
            return no_memory(timeline);
    }
    timeline->log.memory = news->memory;
    for (uint32_t event = news->same, end; event < from->end && !result;) {
        const kifu__segment *segment = kifu__path_segment(from, event, &end);
        const bool today = segment->rules_version == timeline->rules->rules_version;
        const uint32_t slot = event - segment->first;
        if (event == fork) {
            timeline->log.memory = timeline->memory;
            result = begin_piece(timeline, event) ? KIFU_OK : KIFU_NO_MEMORY;
            timeline->log.memory = news->memory;
            fork = next_from(news, event);
        }
        if (!result)
            result = today ? append(&timeline->log, segment, slot, &blob)
                           : adopt(&timeline->log, segment, slot, fork < end ? fork : end, &blob);
        event = today ? event + 1 : fork < end ? fork : end;
    }
    kifu__free(blob.memory, blob.bytes);
    timeline->log.memory = timeline->memory;
    if (!result && fork == from->end && !begin_piece(timeline, fork)) // It has no event yet.
        result = KIFU_NO_MEMORY;
    if (result)
        kifu__error(&timeline->error, result, "%s for the events of a game's news; nothing was changed",
                    kifu_result_text(result));
    return result;
}

// --- Beside the state ------------------------------------------------------------------------------------------------

static kifu_result diverged(const taking *taking, uint32_t from, uint32_t to)
{
    const uint32_t last = to ? to - 1 : 0;
    return kifu__error_of_event(&taking->timeline->error, KIFU_DIVERGED, to ? last : KIFU_NONE,
                                "one of the events %" PRIu32 " to %" PRIu32
                                " in the news leads to another state here; nothing was changed. See "
                                "runtime/docs/troubleshooting.md, \"When a game diverges\"",
                                from < last ? from : last, last);
}

// Executes the new events on `state`, which is that after `from` events, and compares it with the hashes in the news.
static kifu_result compare(const taking *taking, unsigned char *state, uint32_t from)
{
    const kifu_timeline *stage = taking->news->stage;
    const uint32_t size = stage->rules->state_size;
    uint32_t agreed = from;
    kifu_result result = KIFU_OK;
    const kifu__checkpoint *next = kifu__next_checkpoint(stage->log.branch, 0);
    for (bool last = false; !last && !result;) {
        last = !next || next->event_count >= stage->executed;
        const uint32_t to = last ? stage->executed : next->event_count;
        const uint64_t hash = last ? taking->news->hash : next->hash;
        if (!last)
            next = kifu__next_checkpoint(stage->log.branch, to);
        if (to < from)
            continue;
        result = kifu__replay_into(taking->timeline, taking->timeline->log.branch, state, from, to);
        from = to;
        if (!result && kifu__hash_state(state, size) != hash)
            result = diverged(taking, agreed, to);
        agreed = to;
    }
    return result;
}

// A model outside the state cannot be executed beside it.
static kifu_result try_beside(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    if (timeline->options.reset)
        return KIFU_OK;
    unsigned char *state = (unsigned char *)kifu__new(&timeline->memory, kifu__state_room(timeline->rules));
    if (!state)
        return no_memory(timeline);
    uint32_t from = taking->common;
    if (!kifu__journal_state_at(timeline, from, state))
        from = kifu__nearest_state(timeline, from, state);
    const kifu_result result = compare(taking, state, from);
    kifu__free(&timeline->memory, state);
    return result;
}

// --- There -----------------------------------------------------------------------------------------------------------

// One event that is new here, as a film shows it. A fault is the view's.
static kifu_result show_next(kifu_timeline *timeline, kifu_error *fault)
{
    const uint32_t event = timeline->executed;
    timeline->core.player = kifu__log_mark(&timeline->log, event)->player;
    const kifu_result result = kifu__go(timeline, event + 1, KIFU__TOLD);
    if (result)
        return result;
    kifu__show(timeline, kifu__log_type(&timeline->log, event), kifu__log_table(&timeline->log, event));
    if (kifu__hears(timeline, ran))
        timeline->tell->ran(timeline, event, "Act", "");
    if (kifu__take_fault(timeline) && !fault->result)
        *fault = timeline->error;
    return KIFU_OK;
}

// Back to what both have in common, then by what was undone here, then by what is new.
static kifu_result go(const taking *taking, kifu_error *fault)
{
    kifu_timeline *timeline = taking->timeline;
    const uint32_t end = taking->news->stage->executed;
    const uint32_t known = taking->news->whole ? end : least(end, taking->news->same);
    const bool moves = timeline->executed != known;
    kifu_result result = KIFU_OK;
    if (timeline->executed > taking->common)
        result = kifu__go(timeline, taking->common, taking->how);
    if (!result && timeline->executed < known)
        result = kifu__go(timeline, known, taking->how);
    if (!result && taking->news->whole)
        kifu__moved(timeline, KIFU__JUMPED);
    if (!result && (moves || taking->news->whole) && kifu__show_anew(timeline, KIFU_OK))
        *fault = timeline->error;
    while (!result && timeline->executed < end)
        result = show_next(timeline, fault);
    if (!result && kifu_state_hash(timeline) != taking->news->hash)
        result = diverged(taking, taking->common, end);
    return result;
}

// What waits in the news waits in the parts.
static bool take_parts(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    if (kifu__hears(timeline, returns))
        (void)timeline->tell->give_back(timeline, NULL);
    return kifu__parts_copy(taking->news->stage, timeline);
}

// --- As it was -------------------------------------------------------------------------------------------------------

// The path is the one that it was.
static void bring_back_log(taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    kifu__log_changed(&timeline->log, taking->news->same);
    if (taking->news->in_place)
        kifu__cut_log(timeline, taking->news->same);
    while (timeline->log.branch != taking->left) {
        kifu__branch *piece = timeline->log.branch;
        const bool first = piece->parent == kifu__owner(taking->left, piece->from, NULL);
        kifu__log_enter(&timeline->log, first ? taking->left : piece->parent);
        kifu__branch_free(timeline, piece);
        kifu__free(&timeline->memory, piece);
    }
}

// After it was gone there, or a part of the way.
static void return_back(taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu_error error = timeline->error;
    kifu_result result = KIFU_OK;
    if (timeline->executed > taking->common)
        result = kifu__go(timeline, taking->common, taking->how);
    kifu__drop_keyframes(timeline, taking->news->same);
    bring_back_log(taking);
    kifu__find_due(timeline);
    if (!result && timeline->executed < taking->executed)
        result = kifu__go(timeline, taking->executed, taking->how);
    if (taking->news->whole)
        kifu__moved(timeline, KIFU__JUMPED);
    (void)kifu__show_anew(timeline, result);
    timeline->error = error;
}

// --- All of it -------------------------------------------------------------------------------------------------------

// On the way, some may have been recorded that the other timeline does not have. Of the news, those count with which a
// state was compared: of events before them the timeline has its own, and those behind are recorded by redo. Without
// memory, fewer are there.
static void take_hashes(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu_timeline *stage = taking->news->stage;
    uint32_t end = KIFU_NONE;
    for (kifu__branch *branch = timeline->log.branch; branch; end = branch->from, branch = branch->parent) {
        const uint32_t first = kifu__checkpoints_up_to(branch, least(taking->common, end));
        const uint32_t behind = kifu__checkpoints_up_to(branch, end), left = branch->checkpoint_count - behind;
        if (left)
            memmove(branch->checkpoints + first, branch->checkpoints + behind, left * sizeof *branch->checkpoints);
        branch->checkpoint_count = first + left;
    }
    const kifu__checkpoint *next = kifu__next_checkpoint(stage->log.branch, taking->common);
    for (; next && next->event_count <= stage->executed;
         next = kifu__next_checkpoint(stage->log.branch, next->event_count))
        (void)kifu__add_checkpoint(timeline, next->event_count, next->hash);
}

static void tell_kept(kifu_timeline *timeline, const kifu__branch *branch, const kifu__kept *kept)
{
    if (kifu__hears(timeline, waits))
        timeline->tell->wait(timeline, branch, kept->executed);
}

// What waits by its place along the path is what the news tell.
static void take_kept(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    kifu__branch *stage = taking->news->stage->log.branch;
    uint32_t end = KIFU_NONE;
    for (kifu__branch *branch = timeline->log.branch; branch; end = branch->from, branch = branch->parent) {
        kifu__kept **link = &branch->kept;
        while (*link && (*link)->executed > end)
            link = &(*link)->next;
        for (const kifu__kept *kept = *link; kept; kept = kept->next)
            tell_kept(timeline, branch, kept);
        kifu__free_kept(link, &timeline->memory);
    }
    while (stage->kept) {
        kifu__kept *kept = stage->kept;
        stage->kept = kept->next;
        kifu__branch *owner = kifu__owner(timeline->log.branch, kept->executed, NULL);
        kifu__kept **link = &owner->kept;
        while (*link && (*link)->executed > kept->executed)
            link = &(*link)->next;
        kept->next = *link;
        *link = kept;
        tell_kept(timeline, owner, kept);
    }
    kifu__log_keeps(&timeline->log, taking->news->stage->log.keeps_from); // Also in lines that came with the news.
}

// What parts have in saves: lines, notes.
static void adopt_parts(const taking *taking)
{
    for (kifu__part *part = taking->timeline->parts; part; part = part->next) {
        if (part->table->saved && part->table->saved->adopt)
            part->table->saved->adopt(taking->timeline, part, taking->news);
    }
}

// Nothing fails any more.
static void take_rest(taking *taking)
{
    kifu_timeline *timeline = taking->timeline, *stage = taking->news->stage;
    const kifu__queue consequences = timeline->consequences, inputs = timeline->inputs;
    timeline->consequences = stage->consequences;
    timeline->inputs = stage->inputs;
    stage->consequences = consequences;
    stage->inputs = inputs;
    timeline->last_ticket = stage->last_ticket;
    timeline->delay = 0;
    if (!taking->news->lines && !taking->news->in_place) { // There is only one line.
        kifu__branch *piece = timeline->log.branch;
        kifu__log_enter(&timeline->log, taking->left);
        kifu__branch_cut(timeline, taking->left, piece->from);
        kifu__branch_extend(timeline, taking->left, piece);
        kifu__free(&timeline->memory, piece);
    }
    adopt_parts(taking);
    take_hashes(taking);
    take_kept(taking);
    kifu__find_due(timeline);
    kifu__find_input(timeline);
    kifu__changed(timeline);
    if (kifu__hears(timeline, dropped))
        timeline->tell->dropped(timeline, 0);
}

// Where the branches of the news come behind others. False without memory.
static bool make_room(const taking *taking)
{
    kifu_timeline *timeline = taking->timeline;
    const kifu__news *news = taking->news;
    bool good = news->lines || news->in_place ||
                kifu__branch_room(&timeline->log, taking->left, timeline->log.branch->segment_count);
    for (kifu__part *part = timeline->parts; part && good; part = part->next) {
        if (part->table->saved && part->table->saved->makes_room)
            good = part->table->saved->makes_room(timeline, part, news);
    }
    return good;
}

static kifu_result take(taking *taking, kifu_error *fault)
{
    kifu_timeline *timeline = taking->timeline;
    kifu_result result = append_all(taking);
    if (!result && !make_room(taking))
        result = no_memory(timeline);
    if (!result)
        result = try_beside(taking);
    if (!result && !take_parts(taking))
        result = no_memory(timeline);
    if (result) {
        bring_back_log(taking);
        kifu__bring_back(timeline, &taking->waited);
        return result;
    }
    if (kifu__hears(timeline, called))
        timeline->tell->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    result = go(taking, fault);
    if (!result) {
        take_rest(taking);
        return KIFU_OK;
    }
    return_back(taking);
    kifu__bring_back(timeline, &taking->waited);
    return result;
}

kifu_result kifu__take_news(kifu_timeline *timeline, kifu__news *news)
{
    if (!news->lines)
        news->in_place = news->same == timeline->log.branch->end;
    taking taking = {
        .timeline = timeline,
        .news = news,
        .common = least(least(timeline->executed, news->stage->executed), news->same),
        .executed = timeline->executed,
        .how = news->whole ? KIFU__SILENT : KIFU__TOLD,
        .left = timeline->log.branch,
    };
    kifu_error fault = {.result = KIFU_OK};
    kifu_result result = KIFU_OK;
    if (!kifu__keep(timeline, &taking.waited))
        result = no_memory(timeline);
    else
        result = take(&taking, &fault);
    kifu__standing_free(&taking.waited, &timeline->memory);
    if (result || !fault.result)
        return result;
    timeline->error = fault;
    return fault.result;
}
