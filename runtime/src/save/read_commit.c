// Reads the commits of a log file. They say what became of each branch, so nothing is undone or executed here, and one
// function reads each kind of record.
//
// A timeline without variations has one branch. First it is found out which branches lead to where the game is in the
// end; then of each, what it has up to the next one goes there. Of others, only the shapes of their rows are needed.

#include "save/reader.h"

#include <inttypes.h>

#include "save/action_frames.h"
#include "save/saved.h"
#include "wire/buffer.h"

static const char *const names[KIFU__RECORD_KINDS] = {
    [KIFU__STAND] = "stand",       [KIFU__EVENTS] = "events",   [KIFU__CUT] = "cut",       [KIFU__HASHES] = "hashes",
    [KIFU__QUEUE] = "queue",       [KIFU__ACTIONS] = "actions", [KIFU__KEPT] = "kept",     [KIFU__BRANCH] = "branch",
    [KIFU__RETURNED] = "returned", [KIFU__DELETED] = "deleted", [KIFU__LEFT] = "left",     [KIFU__TREE] = "tree",
    [KIFU__BEGUN] = "begun",       [KIFU__NOTE] = "note",       [KIFU__HASH] = "hash",
};

kifu_result kifu__bad_record(const kifu__commits *commits, const char *why)
{
    return kifu__damaged(commits->reader->error, commits->frame->offset,
                         "the commit of the log file at byte %" PRIu64 " has a record '%s' that %s",
                         commits->frame->offset, names[commits->kind], why);
}

static kifu_result not_loaded(const kifu__commits *commits, kifu_result result)
{
    return result ? kifu__not_loaded(commits->reader->error, commits->frame->offset, result) : KIFU_OK;
}

// The next record: its kind and body. False: there is none.
static bool next_record(kifu__bytes *records, uint32_t *kind, kifu__bytes *body)
{
    *kind = kifu__take_number(records);
    const uint32_t size = kifu__take_number(records);
    const unsigned char *at = kifu__take_bytes(records, size);
    *body = (kifu__bytes){at, at ? at + size : NULL, at != NULL};
    return at != NULL;
}

// --- Where the reader stands -----------------------------------------------------------------------------------------

void kifu__read_into(kifu__commits *commits, kifu__branch *branch)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (timeline->log.branch != branch)
        kifu__log_enter(&timeline->log, branch);
}

// The branch of a line, and up to where its events are wanted. NULL: they are not, or there is no such line.
static kifu__branch *find(const kifu__commits *commits, uint32_t line, uint32_t *until)
{
    kifu_timeline *timeline = commits->reader->timeline;
    *until = KIFU_NONE;
    if (!commits->way)
        return kifu__branch_numbered(timeline, line);
    if (line >= commits->way_count || !commits->way[line].there)
        return NULL;
    *until = commits->way[line].until;
    return &timeline->log.first;
}

static kifu_result go(kifu__commits *commits, uint32_t line, uint32_t count)
{
    const kifu_timeline *timeline = commits->reader->timeline;
    commits->branch = find(commits, line, &commits->until);
    if (commits->branch && !commits->way && (count > commits->branch->end || count < timeline->log.begin))
        return kifu__bad_record(commits, "goes to events that are not there");
    if (!commits->branch && !commits->way)
        return kifu__bad_record(commits, "goes to a line that is not there");
    commits->line = line;
    commits->count = count;
    return KIFU_OK;
}

static kifu_result read_stand(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t line = kifu__take_number(body), count = kifu__take_number(body);
    return body->good ? go(commits, line, count) : KIFU_OK;
}

// --- Events ----------------------------------------------------------------------------------------------------------

// States that the game does not come to any more say nothing of it.
static void forget_states(kifu__commits *commits, uint32_t count)
{
    kifu__reader *reader = commits->reader;
    while (reader->snapshot_count && reader->snapshots[reader->snapshot_count - 1].event_count > count)
        reader->snapshot_count--;
}

void kifu__read_cut(kifu__commits *commits, kifu__branch *branch, uint32_t count)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (count >= branch->end)
        return;
    kifu__branch *hashed = commits->way ? branch : kifu__branch_numbered(timeline, commits->game);
    if (hashed && kifu__leads_through(hashed, branch) && count < kifu__leaves(hashed, branch))
        forget_states(commits, count);
    if (kifu__hears(timeline, loses))
        timeline->tell->lose(timeline, branch, count);
    kifu__branch_cut(timeline, branch, count);
}

// Whether another line has some of the events behind the first `count` of a line.
static bool is_shared(kifu__commits *commits, uint32_t line, uint32_t count)
{
    if (line >= commits->fork_count || !commits->forks[line].count || commits->forks[line].most <= count)
        return false;
    commits->forks[line].most = commits->last_fork(commits, line); // The last one may be deleted.
    return commits->forks[line].most > count;
}

// Whether events may go behind the place, and those that are there may go.
static kifu_result make_place(kifu__commits *commits)
{
    kifu__branch *branch = commits->branch;
    const uint32_t count = commits->count;
    const bool shared = commits->way ? commits->line != commits->deepest : is_shared(commits, commits->line, count);
    if (count > branch->end || (!commits->way && count < branch->from))
        return kifu__bad_record(commits, "is behind the events of its line, or in front of them");
    if (count < branch->end && shared)
        return kifu__bad_record(commits, "replaces events that another line has");
    kifu__read_cut(commits, branch, count);
    return KIFU_OK;
}

static kifu_result read_cut(kifu__commits *commits, kifu__bytes *body)
{
    (void)body;
    return commits->branch && commits->count < commits->until ? make_place(commits) : KIFU_OK;
}

// Events of today's rules go where those of a game that is played go; others stay in a segment of their own, which gets
// the bytes.
static kifu_result add_segment(kifu__commits *commits, kifu__segment *segment, unsigned char **bytes)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    if (segment->rules_version != timeline->rules->rules_version) {
        if (segment->borrowed)
            *bytes = NULL;
        segment->borrowed = false;
        segment->capacity = segment->size;
        result = kifu__log_adopt(&timeline->log, segment);
        if (result)
            kifu__segment_free(segment, &timeline->memory);
        return result;
    }
    for (uint32_t slot = 0; slot < segment->count && !result; slot++) {
        const void *table;
        result = kifu__blob_of(timeline->rules, segment, slot, &blob);
        if (!result)
            result = kifu__log_append(&timeline->log, segment->types[slot], blob.bytes, blob.size, segment->marks[slot],
                                      &table);
    }
    kifu__free(&timeline->memory, blob.bytes);
    kifu__segment_free(segment, &timeline->memory);
    return result;
}

// Makes a frame of the rows; its payload is new memory.
static kifu_result read_rows(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes)
{
    const char *reason = "is not whole";
    *frame = *commits->frame;
    *bytes = NULL;
    const kifu_result result = kifu__rows_read(&commits->shapes, body, bytes, &frame->size, &reason);
    frame->payload = *bytes;
    return result == KIFU_DAMAGED ? kifu__bad_record(commits, reason) : not_loaded(commits, result);
}

static kifu_result take_events(kifu__commits *commits, const kifu__frame *frame, unsigned char **bytes)
{
    kifu__segment segment;
    kifu_result result = make_place(commits);
    if (result)
        return result;
    kifu__read_into(commits, commits->branch);
    result = kifu__read_segment(commits->reader, frame, commits->count, false, &segment);
    if (result)
        return result;
    if (segment.count > commits->until - commits->count)
        kifu__segment_truncate(&segment, commits->until - commits->count);
    return not_loaded(commits, add_segment(commits, &segment, bytes));
}

static kifu_result read_events(kifu__commits *commits, kifu__bytes *body)
{
    kifu__frame frame;
    unsigned char *bytes;
    kifu_result result = read_rows(commits, body, &frame, &bytes);
    const uint32_t count = result ? 0 : kifu__segment_parts(bytes).count;
    if (!result && count > KIFU_NONE - 1 - commits->count)
        result = kifu__bad_record(commits, "has more events than a game can have");
    if (!result && commits->branch && commits->count < commits->until)
        result = take_events(commits, &frame, &bytes);
    commits->count += count;
    kifu__free(&commits->reader->timeline->memory, bytes);
    return result;
}

static kifu_result read_hashes(kifu__commits *commits, kifu__bytes *body)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__branch *branch = commits->branch;
    uint32_t count = 0;
    while (body->good && body->at < body->end) {
        const uint32_t more = kifu__take_number(body);
        const unsigned char *bytes = kifu__take_bytes(body, 8);
        if (!bytes)
            break;
        const uint32_t last =
            branch && branch->checkpoint_count ? branch->checkpoints[branch->checkpoint_count - 1].event_count : 0;
        count = more < KIFU_NONE - count ? count + more : KIFU_NONE;
        if (!branch || count > commits->until || (commits->way && count <= last))
            continue;
        if (count <= last || count <= branch->from || count > branch->end)
            return kifu__bad_record(commits, "has a hash that does not come behind the others");
        kifu__read_into(commits, branch);
        if (!kifu__add_checkpoint(timeline, count, kifu__load64(bytes)))
            return not_loaded(commits, KIFU_NO_MEMORY);
    }
    return KIFU_OK;
}

// --- What waits ------------------------------------------------------------------------------------------------------

// What waits after `executed` events, if anything does.
static kifu_result take_waiting(kifu__commits *commits, kifu__bytes *body, uint32_t executed)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__frame frame;
    unsigned char *bytes;
    if (body->at == body->end)
        return KIFU_OK;
    kifu_result result = read_rows(commits, body, &frame, &bytes);
    timeline->executed = executed;
    if (!result)
        result = kifu__read_proposals(commits->reader, &frame, NULL, &timeline->consequences, &timeline->inputs);
    kifu__free(&timeline->memory, bytes);
    return result;
}

static kifu_result take_first(const kifu__commits *commits, kifu__queue *queue, uint32_t count)
{
    if (count > queue->count)
        return kifu__bad_record(commits, "takes more events than wait");
    while (count--)
        kifu__queue_pop(queue);
    return KIFU_OK;
}

static kifu_result read_queue(kifu__commits *commits, kifu__bytes *body)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const uint32_t inputs = kifu__take_number(body), consequences = kifu__take_number(body);
    kifu_result result = take_first(commits, &timeline->inputs, inputs);
    if (!result)
        result = take_first(commits, &timeline->consequences, consequences);
    return result || !body->good ? result : take_waiting(commits, body, commits->count);
}

static kifu_result take_actions(kifu__commits *commits, const unsigned char *bytes, uint32_t size)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu__turn_rules *turns = timeline->rules->turns;
    if (!turns || !turns->frames)
        return KIFU_OK;
    kifu__frame frame = *commits->frame;
    unsigned char *own = (unsigned char *)kifu__new(&timeline->memory, size + (size_t)1); // aligned, as a payload is
    if (!own)
        return not_loaded(commits, KIFU_NO_MEMORY);
    memcpy(own, bytes, size);
    frame.payload = own;
    frame.size = size;
    const kifu_result result = turns->frames->take(commits->reader, &frame);
    kifu__free(&timeline->memory, own);
    return result;
}

static kifu_result read_actions(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t size = (uint32_t)(body->end - body->at);
    commits->reader->timeline->executed = commits->count;
    return take_actions(commits, kifu__take_bytes(body, size), size);
}

// Puts it there as the timeline would put away what waits.
static kifu_result keep(kifu__commits *commits, kifu__bytes *body, uint32_t place, const unsigned char *actions,
                        uint32_t size)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu__queue consequences = timeline->consequences, inputs = timeline->inputs;
    kifu__standing standing = {.parts = NULL};
    timeline->consequences = timeline->inputs = (kifu__queue){.count = 0};
    kifu_result result = kifu__keep(timeline, &standing) ? KIFU_OK : not_loaded(commits, KIFU_NO_MEMORY);
    if (kifu__hears(timeline, clears))
        timeline->tell->clear(timeline);
    if (!result)
        result = take_waiting(commits, body, place);
    timeline->executed = place;
    if (!result && size)
        result = take_actions(commits, actions, size);
    if (!result && !kifu__put_away(timeline))
        result = not_loaded(commits, KIFU_NO_MEMORY);
    kifu__queue_free(&timeline->consequences, &timeline->memory);
    kifu__queue_free(&timeline->inputs, &timeline->memory);
    timeline->consequences = consequences;
    timeline->inputs = inputs;
    kifu__bring_back(timeline, &standing);
    kifu__standing_free(&standing, &timeline->memory);
    return result;
}

static kifu_result read_kept(kifu__commits *commits, kifu__bytes *body)
{
    uint32_t until;
    const uint32_t line = kifu__take_number(body), place = kifu__take_number(body), size = kifu__take_number(body);
    const unsigned char *actions = kifu__take_bytes(body, size);
    kifu__branch *branch = find(commits, line, &until);
    if (!body->good)
        return KIFU_OK;
    if (!commits->way && (!branch || place > branch->end || (branch->parent && place <= branch->from)))
        return kifu__bad_record(commits, "is of a place that is not there");
    if (!branch || place > until || place > branch->end) {
        kifu__frame frame;
        unsigned char *bytes = NULL;
        const kifu_result result = body->at < body->end ? read_rows(commits, body, &frame, &bytes) : KIFU_OK;
        kifu__free(&commits->reader->timeline->memory, bytes);
        return result;
    }
    kifu__read_into(commits, branch);
    return keep(commits, body, place, actions, size);
}

// --- The end of a commit ---------------------------------------------------------------------------------------------

static kifu_result read_hash(kifu__commits *commits, kifu__bytes *body)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    const unsigned char *hash = kifu__take_bytes(body, 8);
    const uint32_t size = hash ? (uint32_t)(body->end - body->at) : 0;
    const unsigned char *state = kifu__take_bytes(body, size);
    if (!hash)
        return KIFU_OK;
    const kifu__branch *before = commits->way ? &timeline->log.first : kifu__branch_numbered(timeline, commits->game);
    uint32_t same = 0;
    if (before && commits->branch)
        same = kifu__common(before, commits->branch);
    forget_states(commits, same < commits->count ? same : commits->count);
    commits->game = commits->line;
    if (!commits->branch || (commits->way && commits->count > commits->until))
        return KIFU_OK;
    if (commits->count > commits->branch->end)
        return kifu__bad_record(commits, "is of a place that is not there");
    const kifu__saved_snapshot snapshot = {.offset = commits->frame->offset,
                                           .hash = kifu__load64(hash),
                                           .event_count = commits->count,
                                           .state_size = size,
                                           .state = size ? state : NULL};
    const kifu_result result = size && reader->comparable ? kifu__verify_state(reader, &snapshot) : KIFU_OK;
    return result ? result : kifu__remember_snapshot(reader, &snapshot);
}

// --- The tree --------------------------------------------------------------------------------------------------------

// Of a timeline with one branch.
static kifu_result read_branch(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t number = kifu__take_number(body), parent = kifu__take_number(body), from = kifu__take_number(body);
    if (!body->good)
        return KIFU_OK;
    const uint32_t begins = ++commits->begun_count;
    if (number >= commits->way_count) // It is returned later.
        return go(commits, number, from);
    kifu__way_branch *branch = &commits->way[number];
    branch->there = begins == branch->begins && branch->until;
    if (branch->there && parent != number && from > commits->reader->timeline->log.branch->end)
        return kifu__bad_record(commits, "begins behind the events of the other one");
    if (branch->there)
        commits->deepest = number;
    return go(commits, number, from);
}

static kifu_result read_other(kifu__commits *commits, kifu__bytes *body)
{
    kifu__reader *reader = commits->reader;
    bool taken = false;
    kifu_result result = KIFU_OK;
    for (kifu__part *part = reader->timeline->parts; part && !taken && !result; part = part->next) {
        if (part->table->saved && part->table->saved->record)
            result = part->table->saved->record(commits, part, body, &taken);
    }
    if (result || taken)
        return result;
    if (commits->kind == KIFU__BRANCH)
        return read_branch(commits, body);
    if (commits->kind == KIFU__NOTE && reader->left_out)
        reader->left_out->notes++;
    body->at = body->end;
    return KIFU_OK;
}

static kifu_result (*const readers[KIFU__RECORD_KINDS])(kifu__commits *commits, kifu__bytes *body) = {
    [KIFU__STAND] = read_stand,    [KIFU__EVENTS] = read_events,   [KIFU__CUT] = read_cut,
    [KIFU__HASHES] = read_hashes,  [KIFU__QUEUE] = read_queue,     [KIFU__ACTIONS] = read_actions,
    [KIFU__KEPT] = read_kept,      [KIFU__BRANCH] = read_other,    [KIFU__RETURNED] = read_other,
    [KIFU__DELETED] = read_other,  [KIFU__LEFT] = read_other,      [KIFU__TREE] = read_other,
    [KIFU__BEGUN] = read_other,    [KIFU__NOTE] = read_other,      [KIFU__HASH] = read_hash,
};

// --- Which branches lead to where the game is ------------------------------------------------------------------------

static kifu_result reach(kifu__commits *commits, uint32_t number)
{
    const kifu__memory *memory = &commits->reader->timeline->memory;
    kifu__way_branch *way = (kifu__way_branch *)kifu__grow(memory, commits->way, &commits->way_capacity,
                                                           (uint64_t)number + 1, sizeof *way);
    if (!way)
        return not_loaded(commits, KIFU_NO_MEMORY);
    commits->way = way;
    while (commits->way_count <= number)
        way[commits->way_count++] = (kifu__way_branch){.deleted = true};
    return KIFU_OK;
}

static kifu_result see_record(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t number = kifu__take_number(body);
    kifu_result result = KIFU_OK;
    switch (commits->kind) {
    case KIFU__STAND:
        commits->line = number;
        return KIFU_OK;
    case KIFU__BRANCH: {
        const uint32_t parent = kifu__take_number(body), from = kifu__take_number(body);
        if (!body->good || parent > number || number >= KIFU__HIDDEN)
            return kifu__bad_record(commits, "has a number that no line can have");
        result = reach(commits, number);
        if (result)
            return result;
        commits->line = number;
        commits->way[number] =
            (kifu__way_branch){.parent = parent, .from = from, .begins = ++commits->begun_count};
        if (parent == number && number)
            commits->way[0].deleted = true;
        return KIFU_OK;
    }
    case KIFU__RETURNED:
        commits->way_count = number < commits->way_count ? number : commits->way_count;
        return KIFU_OK;
    case KIFU__DELETED:
        if (number < commits->way_count)
            commits->way[number].deleted = true;
        return KIFU_OK;
    default:
        return KIFU_OK;
    }
}

static kifu_result see_commit(kifu__commits *commits)
{
    kifu__bytes records = {commits->frame->payload + KIFU__LINK_SIZE, commits->frame->payload + commits->frame->size,
                           commits->frame->size >= KIFU__LINK_SIZE};
    kifu_result result = KIFU_OK;
    uint32_t kind;
    kifu__bytes body;
    while (!result && records.good && records.at < records.end && next_record(&records, &kind, &body)) {
        commits->kind = kind < KIFU__RECORD_KINDS ? (kifu__record)kind : 0;
        if (commits->kind)
            result = see_record(commits, &body);
    }
    return result;
}

static kifu_result find_way(kifu__commits *commits)
{
    kifu__reader *reader = commits->reader;
    uint32_t until = KIFU_NONE;
    for (uint32_t line = commits->line;; line = commits->way[line].parent) {
        if (line >= commits->way_count || commits->way[line].deleted)
            return kifu__bad_record(commits, "goes to a line that is not there");
        kifu__way_branch *branch = &commits->way[line];
        branch->until = until;
        if (branch->parent == line) {
            commits->deepest = line;
            branch->there = !branch->begins;
            break;
        }
        until = branch->from < until ? branch->from : until;
    }
    for (uint32_t line = 0; line < commits->way_count && reader->left_out; line++)
        reader->left_out->lines += !commits->way[line].deleted;
    commits->line = 0;
    commits->begun_count = 0;
    return KIFU_OK;
}

static kifu_result see_file(kifu__commits *commits)
{
    kifu__reader *reader = commits->reader;
    const kifu__file *file = &reader->loaded->file;
    kifu__frame frame;
    commits->frame = &frame;
    commits->kind = KIFU__STAND;
    kifu_result result = reach(commits, 0);
    if (!result)
        commits->way[0].deleted = false;
    for (uint64_t offset = KIFU__FILE_HEAD; offset < file->size && offset < reader->end && !result;) {
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, reader->error);
        if (!result && frame.kind == KIFU__FRAME_COMMIT)
            result = see_commit(commits);
    }
    return result ? result : find_way(commits);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result begin(kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    commits->begun = true;
    commits->shapes.memory = &timeline->memory;
    const kifu_result result = kifu__has_branches(timeline) ? KIFU_OK : see_file(commits);
    commits->branch = &timeline->log.first;
    commits->until = commits->way ? commits->way[0].until : KIFU_NONE;
    if (commits->way && !commits->way[0].there)
        commits->branch = NULL;
    commits->count = timeline->log.begin;
    return result;
}

kifu_result kifu__read_commit(kifu__reader *reader, const kifu__frame *frame)
{
    kifu__commits *commits = &reader->commits;
    kifu__bytes records = {frame->payload + KIFU__LINK_SIZE, frame->payload + frame->size,
                           frame->size >= KIFU__LINK_SIZE};
    commits->reader = reader;
    kifu_result result = commits->begun ? KIFU_OK : begin(commits);
    uint32_t kind = 0;
    kifu__bytes body;
    commits->frame = frame;
    commits->beginning = false;
    while (!result && records.at < records.end) {
        if (!next_record(&records, &kind, &body))
            return kifu__damaged(reader->error, frame->offset,
                                 "the commit of the log file at byte %" PRIu64 " has a record that is not whole",
                                 frame->offset);
        if (!kind || kind >= KIFU__RECORD_KINDS)
            return kifu__error_at(reader->error, KIFU_NEWER_FORMAT, frame->offset,
                                  "the log file has a record of kind %" PRIu32
                                  ", which this program does not know: use a newer version of the game",
                                  kind);
        commits->kind = (kifu__record)kind;
        result = readers[kind](commits, &body);
        if (!result && (!body.good || body.at != body.end))
            result = kifu__bad_record(commits, "has another length than it says");
    }
    if (!result && kind != KIFU__HASH)
        result = kifu__damaged(reader->error, frame->offset,
                               "the commit of the log file at byte %" PRIu64 " does not end with the hash of a state",
                               frame->offset);
    return result;
}

kifu_result kifu__end_commits(kifu__reader *reader)
{
    kifu__commits *commits = &reader->commits;
    kifu_timeline *timeline = reader->timeline;
    if (!commits->begun)
        return KIFU_OK;
    if (!commits->branch || commits->count > commits->until || commits->count > commits->branch->end)
        return kifu__damaged(reader->error, reader->end, "the log file ends where there are no events");
    kifu__read_into(commits, commits->branch);
    timeline->executed = commits->count;
    return KIFU_OK;
}
