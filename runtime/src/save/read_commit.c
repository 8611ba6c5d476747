// Reads commits: of a log file, or for a follower, who must be able to take them back (reversal.h). They say what
// became of each branch, so nothing is undone or executed here, and one function reads each kind of record.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "save/saved.h"
#include "save/reversal.h"
#include "wire/buffer.h"

// A kind of records.
typedef struct kind {
    const char *name;
    kifu_result (*read)(kifu__commits *commits, kifu__bytes *body);
} kind;

// --- Where the reader stands -----------------------------------------------------------------------------------------

void kifu__read_into(kifu__commits *commits, kifu__branch *branch)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (timeline->log.branch != branch)
        kifu__log_enter(&timeline->log, branch);
}

// The branch of a line, and up to where its events are wanted. NULL: they are not, or there is no such line.
kifu__branch *kifu__find_read(const kifu__commits *commits, uint32_t line, uint32_t *until)
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
    commits->branch = kifu__find_read(commits, line, &commits->until);
    if (commits->back && commits->branch && count > commits->branch->followed && count > commits->branch->from)
        return kifu__parted(commits, commits->branch->followed);
    if (commits->branch && !commits->way && (count > commits->branch->end || count < timeline->log.begin))
        return kifu__bad_record(commits, "goes to events that are not there");
    if (!commits->branch && !commits->way)
        return commits->back ? kifu__parted(commits, KIFU_NONE)
                             : kifu__bad_record(commits, "goes to a line that is not there");
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

// A timeline with lines stands in one; another may stand where nothing is wanted.
static kifu_result require_line(const kifu__commits *commits)
{
    return commits->branch || commits->way ? KIFU_OK : kifu__bad_record(commits, "is in a line that is gone");
}

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
    if (commits->back && count > branch->followed)
        return kifu__parted(commits, branch->followed);
    if (count > branch->end || (!commits->way && count < branch->from))
        return kifu__bad_record(commits, "is behind the events of its line, or in front of them");
    if (count < branch->end && shared)
        return kifu__bad_record(commits, "replaces events that another line has");
    if (!commits->back) {
        kifu__read_cut(commits, branch, count);
        return KIFU_OK;
    }
    const kifu__branch_before *was = kifu__find_before(branch);
    if (was && count < was->from)
        return kifu__bad_record(commits, "replaces events for a second time");
    if (branch->followed < branch->end)
        return kifu__parted(commits, branch->followed);
    return commits->back->calls->cut_aside(commits->back, branch, count) ? KIFU_OK
                                                                         : kifu__commit_failed(commits, KIFU_NO_MEMORY);
}

static kifu_result read_cut(kifu__commits *commits, kifu__bytes *body)
{
    (void)body;
    const kifu_result result = require_line(commits);
    return !result && commits->branch && commits->count < commits->until ? make_place(commits) : result;
}

// Those from `slot` on. Events of today's rules go where those of a game that is played go; others stay in a segment of
// their own, which gets the bytes.
static kifu_result add_segment(kifu__commits *commits, kifu__segment *segment, uint32_t slot, unsigned char **bytes)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__blob blob = {.memory = &timeline->memory};
    kifu_result result = KIFU_OK;
    if (segment->rules_version != timeline->rules->rules_version && !slot) {
        if (segment->borrowed)
            *bytes = NULL;
        segment->borrowed = false;
        segment->capacity = segment->size;
        result = kifu__log_adopt(&timeline->log, segment);
        if (result)
            kifu__segment_free(segment, &timeline->memory);
        return result;
    }
    for (; slot < segment->count && !result; slot++) {
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
kifu_result kifu__read_rows(kifu__commits *commits, kifu__bytes *body, kifu__frame *frame, unsigned char **bytes)
{
    const char *reason = "it is not whole";
    *frame = *commits->frame;
    *bytes = NULL;
    const kifu_result result = kifu__rows_read(&commits->shapes, body, bytes, &frame->size, &reason);
    frame->payload = *bytes;
    char why[100];
    snprintf(why, sizeof why, "is wrong: %s", reason);
    return result == KIFU_DAMAGED ? kifu__bad_record(commits, why) : kifu__commit_failed(commits, result);
}

static kifu_result take_events(kifu__commits *commits, const kifu__frame *frame, unsigned char **bytes)
{
    kifu__segment segment;
    uint32_t same = 0;
    kifu_result result = kifu__read_segment(commits->reader, frame, commits->count, false, &segment);
    if (result)
        return result;
    if (segment.count > commits->until - commits->count)
        kifu__segment_truncate(&segment, commits->until - commits->count);
    if (commits->back)
        result = commits->back->calls->find_same(commits, &segment, &same);
    commits->count += same;
    if (!result)
        result = make_place(commits);
    if (result) {
        kifu__segment_free(&segment, &commits->reader->timeline->memory);
        return result;
    }
    kifu__read_into(commits, commits->branch);
    result = kifu__commit_failed(commits, add_segment(commits, &segment, same, bytes));
    commits->count -= same;
    commits->branch->followed = commits->branch->end;
    return result;
}

static kifu_result read_events(kifu__commits *commits, kifu__bytes *body)
{
    kifu__frame frame;
    unsigned char *bytes;
    kifu_result result = kifu__read_rows(commits, body, &frame, &bytes);
    result = result ? result : require_line(commits);
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
    const kifu_result result = require_line(commits);
    while (!result && body->good && body->at < body->end) {
        const uint32_t more = kifu__take_number(body);
        const unsigned char *bytes = kifu__take_bytes(body, 8);
        if (!bytes)
            break;
        const uint32_t last =
            branch && branch->checkpoint_count ? branch->checkpoints[branch->checkpoint_count - 1].event_count : 0;
        count = more < KIFU_NONE - count ? count + more : KIFU_NONE;
        if (!branch || count > commits->until || ((commits->way || commits->back) && count <= last))
            continue;
        if (commits->back && !kifu__find_before(branch) &&
            !commits->back->calls->cut_aside(commits->back, branch, branch->end))
            return kifu__commit_failed(commits, KIFU_NO_MEMORY);
        if (count <= last || count <= branch->from || count > branch->end)
            return kifu__bad_record(commits, "has a hash that does not come behind the others");
        kifu__read_into(commits, branch);
        if (!kifu__add_checkpoint(timeline, count, kifu__load64(bytes)))
            return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    }
    return result;
}

// --- The end of a commit ---------------------------------------------------------------------------------------------

static kifu_result read_hash(kifu__commits *commits, kifu__bytes *body)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    const unsigned char *hash = kifu__take_bytes(body, 8);
    const uint32_t size = hash ? (uint32_t)(body->end - body->at) : 0;
    const unsigned char *state = kifu__take_bytes(body, size);
    if (!hash || require_line(commits))
        return require_line(commits);
    if (commits->back) {
        commits->back->hash = kifu__load64(hash);
        commits->game = commits->line;
        return commits->count <= commits->branch->end ? KIFU_OK
                                                      : kifu__bad_record(commits, "is of a place that is not there");
    }
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

// Of a load, whoever opens the file finds it anew.
static kifu_result read_position(kifu__commits *commits, kifu__bytes *body)
{
    (void)kifu__take_bytes(body, 8);
    (void)kifu__take_number(body);
    (void)kifu__take_bytes(body, 4);
    return commits->back ? kifu__bad_record(commits, "begins a file") : KIFU_OK;
}

static kifu_result read_shapes(kifu__commits *commits, kifu__bytes *body)
{
    kifu__reversal *back = commits->back;
    (void)body;
    if (!back || back->forgets_shapes)
        kifu__shapes_cut(&commits->shapes, 0);
    else {
        back->shapes = commits->shapes;
        kifu__shapes_cut(&back->shapes, back->shape_count); // Of this commit.
        back->forgets_shapes = true;
        commits->shapes = (kifu__shapes){.memory = back->shapes.memory};
    }
    return KIFU_OK;
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

static const kind kinds[KIFU__RECORD_KINDS] = {
    [KIFU__STAND] = {"stand", read_stand},
    [KIFU__EVENTS] = {"events", read_events},
    [KIFU__CUT] = {"cut", read_cut},
    [KIFU__HASHES] = {"hashes", read_hashes},
    [KIFU__QUEUE] = {"queue", kifu__take_queue_record},
    [KIFU__ACTIONS] = {"actions", kifu__take_actions_record},
    [KIFU__KEPT] = {"kept", kifu__take_kept_record},
    [KIFU__BRANCH] = {"branch", read_other},
    [KIFU__RETURNED] = {"returned", read_other},
    [KIFU__DELETED] = {"deleted", read_other},
    [KIFU__LEFT] = {"left", read_other},
    [KIFU__TREE] = {"tree", read_other},
    [KIFU__BEGUN] = {"begun", read_other},
    [KIFU__NOTE] = {"note", read_other},
    [KIFU__HASH] = {"hash", read_hash},
    [KIFU__POSITION] = {"position", read_position},
    [KIFU__SHAPES] = {"shapes", read_shapes},
};

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result begin(kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    commits->begun = true;
    commits->shapes.memory = &timeline->memory;
    const kifu_result result = kifu__has_branches(timeline) ? KIFU_OK : kifu__see_commits(commits);
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
    commits->reader = reader;
    const kifu_result result = commits->begun ? KIFU_OK : begin(commits);
    commits->frame = frame;
    return result ? result
                  : kifu__read_records(commits,
                                       (kifu__bytes){frame->payload + KIFU__LINK_SIZE, frame->payload + frame->size,
                                                     frame->size >= KIFU__LINK_SIZE});
}

kifu_result kifu__read_records(kifu__commits *commits, kifu__bytes records)
{
    const kifu__reader *reader = commits->reader;
    const kifu__frame *frame = commits->frame;
    kifu_result result = KIFU_OK;
    uint32_t number = 0;
    kifu__bytes body;
    commits->beginning = false;
    while (!result && records.at < records.end) {
        if (!kifu__next_record(&records, &number, &body))
            return kifu__damaged(reader->error, frame->offset,
                                 "the commit at byte %" PRIu64 " has a record that is not whole", frame->offset);
        if (!number || number >= KIFU__RECORD_KINDS)
            return kifu__error_at(reader->error, KIFU_NEWER_FORMAT, frame->offset,
                                  "the log file has a record of kind %" PRIu32
                                  ", which this program does not know: use a newer version of the game",
                                  number);
        commits->kind = (kifu__record)number;
        commits->name = kinds[number].name;
        result = kinds[number].read(commits, &body);
        if (!result && (!body.good || body.at != body.end))
            result = kifu__bad_record(commits, "has another length than it says");
    }
    if (!result && number != KIFU__HASH)
        result = kifu__damaged(reader->error, frame->offset,
                               "the commit at byte %" PRIu64 " does not end with the hash of a state", frame->offset);
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
