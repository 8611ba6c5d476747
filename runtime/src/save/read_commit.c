// Reads commits: of a file, or for a follower, who must be able to take them back (reversal.h). They say what became of
// each branch, so nothing is undone or executed here. A table names the function for each kind of record; lines and
// notes are read by the parts that keep them. To find the way through a log file, recover.c looks at some kinds before.

#include "save/reader.h"

#include <inttypes.h>
#include <stdio.h>

#include "save/saved.h"
#include "save/reversal.h"
#include "wire/buffer.h"

// --- For all who read records ----------------------------------------------------------------------------------------

kifu_result kifu__bad_commit(const kifu__reader *reader, const kifu__frame *frame, const char *what)
{
    return kifu__damaged(reader->error, frame->offset, "the commit at byte %" PRIu64 " %s", frame->offset, what);
}

kifu_result kifu__bad_record(const kifu__commits *commits, const char *why)
{
    char what[200];
    snprintf(what, sizeof what, "has a record '%s' that %s", commits->name, why);
    return kifu__bad_commit(commits->reader, commits->frame, what);
}

KIFU__APART kifu_result kifu__commit_failed(const kifu__commits *commits, kifu_result result)
{
    return kifu__not_loaded(commits->reader->error, commits->frame->offset, result);
}

void kifu__read_into(kifu__commits *commits, kifu__branch *branch)
{
    kifu_timeline *timeline = commits->reader->timeline;
    if (timeline->log.branch != branch)
        kifu__log_enter(&timeline->log, branch);
}

bool kifu__next_record(kifu__bytes *records, uint32_t *kind, kifu__bytes *body)
{
    *kind = kifu__parse_number(records);
    const uint32_t size = kifu__parse_number(records);
    const unsigned char *at = kifu__parse_bytes(records, size);
    *body = (kifu__bytes){at, at ? at + size : NULL, at != NULL};
    return at != NULL;
}

bool kifu__has_record(const kifu__frame *commit, kifu__record wanted)
{
    kifu__bytes records = kifu__records_in(commit->payload, commit->size), body;
    uint32_t kind;
    while (kifu__next_record(&records, &kind, &body)) {
        if (kind == wanted)
            return true;
    }
    return false;
}

kifu_result kifu__parted(const kifu__commits *commits, uint32_t event)
{
    const kifu_timeline *timeline = commits->reader->timeline;
    const kifu__branch *branch = commits->branch;
    char what[200] = "";
    if (event != KIFU_NONE && branch && event >= branch->from && event < branch->end) {
        const kifu__segment *segment = kifu__segment_with(branch->segments, branch->segment_count, event);
        const kifu__type *type = &timeline->rules->types[segment->types[event - segment->first]];
        snprintf(what, sizeof what, ": event %" PRIu32 " (%.100s) is not in the changes", event, type->table->name);
    } else if (event != KIFU_NONE)
        snprintf(what, sizeof what, ": event %" PRIu32 " of the changes is not here", event);
    return kifu__error_of_event(commits->reader->error, KIFU_DIVERGED, event,
                                "the changes do not fit, because other things happened here%s; nothing was changed. "
                                "The changes since NULL are the whole game, and would replace this one",
                                what);
}

kifu__part *kifu__saved_by(const kifu_timeline *timeline, uint32_t kind)
{
    kifu__part *part = timeline->parts;
    while (part && !(part->table->saved && part->table->saved->kinds >> kind & 1))
        part = part->next;
    return part;
}

kifu__branch *kifu__branch_numbered(kifu_timeline *timeline, uint32_t number)
{
    const kifu__part *keeper = kifu__saved_by(timeline, KIFU__BRANCH);
    if (keeper)
        return keeper->table->saved->branch(timeline, number);
    return number == timeline->log.branch->number ? timeline->log.branch : NULL;
}

// --- Where the reader stands -----------------------------------------------------------------------------------------

kifu_result kifu__reach_way(kifu__commits *commits, uint32_t number)
{
    const kifu__memory *memory = &commits->reader->timeline->memory;
    kifu__way_branch *way =
        (kifu__way_branch *)kifu__grow(memory, commits->way, &commits->way_capacity, (uint64_t)number + 1, sizeof *way);
    if (!way)
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    commits->way = way;
    while (commits->way_count <= number)
        way[commits->way_count++] = (kifu__way_branch){.deleted = true};
    return KIFU_OK;
}

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

kifu_result kifu__commits_go_to(kifu__commits *commits, uint32_t line, uint32_t count)
{
    const kifu_timeline *timeline = commits->reader->timeline;
    commits->branch = kifu__find_read(commits, line, &commits->until);
    if (kifu__is_lost(commits, line) && (!commits->branch || count > commits->branch->end)) {
        commits->branch = NULL;
        commits->line = line;
        commits->count = count;
        return KIFU_OK;
    }
    const kifu__branch *branch = commits->branch;
    if (commits->back && (!branch || (count > branch->followed && count > branch->from)))
        return commits->back->calls->parted(commits, branch ? branch->followed : KIFU_NONE);
    if (branch && (count < timeline->log.begin || (!commits->way && count > branch->end)))
        return kifu__bad_record(commits, "goes to events that are not there");
    if (!branch && !commits->way)
        return kifu__bad_record(commits, "goes to a line that is not there");
    commits->line = line;
    commits->count = count;
    return KIFU_OK;
}

static kifu_result read_stand(kifu__commits *commits, kifu__bytes *body)
{
    (void)body;
    return kifu__commits_go_to(commits, commits->numbers[0], commits->numbers[1]);
}

// --- Events ----------------------------------------------------------------------------------------------------------

kifu_result kifu__require_line(const kifu__commits *commits)
{
    return commits->branch || commits->way || kifu__is_lost(commits, commits->line)
               ? KIFU_OK
               : kifu__bad_record(commits, "is in a line that is gone");
}

static kifu_result read_hashes(kifu__commits *commits, kifu__bytes *body)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__branch *branch = commits->branch;
    uint32_t count = 0;
    const kifu_result result = kifu__require_line(commits);
    while (!result && body->good && body->at < body->end) {
        const uint32_t more = kifu__parse_number(body);
        const unsigned char *bytes = kifu__parse_bytes(body, 8);
        if (!bytes)
            break;
        const uint32_t last =
            branch && branch->checkpoint_count ? branch->checkpoints[branch->checkpoint_count - 1].event_count : 0;
        count = more < KIFU_NONE - count ? count + more : KIFU_NONE;
        if (!branch || count > commits->until ||
            (((commits->way && commits->is_log) || commits->back) && count <= last))
            continue;
        if (commits->back && !kifu__find_before(branch) &&
            !commits->back->calls->cut_aside(commits->back, branch, branch->end))
            return kifu__commit_failed(commits, KIFU_NO_MEMORY);
        if (commits->back && count <= kifu__find_before(branch)->from) // The event was here before: it has its own.
            continue;
        if (count <= last || count <= branch->from || count > branch->end)
            return kifu__bad_record(commits, "has a hash that does not come behind the others");
        kifu__read_into(commits, branch);
        kifu__checkpoint *read = kifu__add_checkpoint(timeline, count, kifu__load64(bytes));
        if (!read)
            return kifu__commit_failed(commits, KIFU_NO_MEMORY);
        read->loaded = true;
    }
    return result;
}

// --- The end of a commit ---------------------------------------------------------------------------------------------

void kifu__forget_states(kifu__commits *commits, uint32_t count)
{
    kifu__reader *reader = commits->reader;
    while (reader->snapshot_count && reader->snapshots[reader->snapshot_count - 1].event_count > count)
        reader->snapshot_count--;
}

// What was said of states behind the place, where the game was before, does not count any more.
static void keep_states_of_place(kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu__branch *before = commits->way ? &timeline->log.first : kifu__branch_numbered(timeline, commits->game);
    uint32_t same = 0;
    if (before && commits->branch)
        same = kifu__common(before, commits->branch);
    kifu__forget_states(commits, same < commits->count ? same : commits->count);
}

static kifu_result read_hash(kifu__commits *commits, kifu__bytes *body)
{
    kifu__reader *reader = commits->reader;
    const unsigned char *hash = kifu__parse_bytes(body, 8);
    const uint32_t size = hash ? (uint32_t)(body->end - body->at) : 0;
    const unsigned char *state = kifu__parse_bytes(body, size);
    const kifu_result result = kifu__require_line(commits);
    if (!hash || result)
        return result;
    if (!commits->back)
        keep_states_of_place(commits);
    commits->game = commits->line;
    if (!commits->branch || (commits->way && commits->count > commits->until))
        return KIFU_OK;
    if (commits->count > commits->branch->end)
        return kifu__bad_record(commits, "is of a place that is not there");
    if (commits->back) {
        commits->back->hash = kifu__load64(hash);
        return KIFU_OK;
    }
    const kifu__saved_snapshot snapshot = {.offset = commits->frame->offset,
                                           .hash = kifu__load64(hash),
                                           .event_count = commits->count,
                                           .state_size = size,
                                           .state = size ? state : NULL};
    return kifu__take_snapshot(reader, &snapshot);
}

// Of a load, whoever opens the file finds it anew.
static kifu_result read_position(kifu__commits *commits, kifu__bytes *body)
{
    (void)kifu__parse_bytes(body, 8);
    (void)kifu__parse_number(body);
    (void)kifu__parse_bytes(body, 4);
    return commits->begun < 2 ? KIFU_OK : kifu__bad_record(commits, "begins a file");
}

static kifu_result read_end(kifu__commits *commits, kifu__bytes *body)
{
    (void)body;
    commits->reader->ended = true;
    return KIFU_OK;
}

// --- The tree --------------------------------------------------------------------------------------------------------

// Of a timeline with one branch: a whole save begins with the lines on the way, one behind the other.
static kifu_result begin_first_line(kifu__commits *commits, uint32_t number, uint32_t parent, uint32_t from)
{
    kifu__reader *reader = commits->reader;
    const uint32_t end = reader->timeline->log.branch->end;
    const bool first =
        number && number == parent && !commits->begun_count && from == reader->timeline->log.begin; // Not line 0.
    reader->left_out->lines += number != parent;
    if (commits->begun > 1)
        return kifu__commits_go_to(commits, number, from);
    if (!first && (number == parent || parent != commits->deepest || from != end))
        return kifu__bad_record(commits, "does not branch off from the end of the line before it");
    const kifu_result result = kifu__reach_way(commits, number);
    if (result)
        return result;
    commits->begun_count++;
    commits->way[commits->deepest].until = from;
    commits->way[commits->deepest].there = !first;
    commits->way[number] = (kifu__way_branch){.parent = parent, .from = from, .until = KIFU_NONE, .there = true};
    commits->deepest = number;
    return kifu__commits_go_to(commits, number, from);
}

static kifu_result read_branch(kifu__commits *commits)
{
    const uint32_t number = commits->numbers[0], parent = commits->numbers[1], from = commits->numbers[2];
    if (number >= KIFU__HIDDEN || parent > number)
        return kifu__bad_record(commits, "has a number that no line can have");
    return commits->is_log ? commits->reader->log_calls->begin_line(commits, number, parent, from)
                           : begin_first_line(commits, number, parent, from);
}

static kifu_result read_rows(kifu__commits *commits, kifu__bytes *body)
{
    return commits->rows->read(commits, body);
}

static kifu_result read_in_part(kifu__commits *commits, kifu__bytes *body)
{
    kifu__reader *reader = commits->reader;
    const kifu__part *part = kifu__saved_by(reader->timeline, commits->kind);
    if (part)
        return part->table->saved->record(commits, body);
    if (commits->kind == KIFU__BRANCH)
        return read_branch(commits);
    if (commits->kind == KIFU__NOTE && reader->left_out)
        reader->left_out->notes++;
    body->at = body->end;
    return KIFU_OK;
}

// Where a kind of records may be.
enum { IN_SAVES = 1, IN_LOGS = 2, IN_CHANGES = 4, ANYWHERE = IN_SAVES | IN_LOGS | IN_CHANGES };

// A kind of records. (A pointer to the name would take more bytes than the name.)
typedef struct kind {
    char name[9];
    uint8_t where;
    uint8_t numbers;                                                // With which its body begins.
    kifu_result (*read)(kifu__commits *commits, kifu__bytes *body); // NULL: a part does, if there is one that can.
} kind;

// Behind each, who writes it.
static const kind record_kinds[KIFU__RECORD_KINDS] = {
    [KIFU__STAND] = {"stand", ANYWHERE, 2, read_stand},                    // kifu__commit_stand
    [KIFU__EVENTS] = {"events", ANYWHERE, 0, kifu__read_events_record},    // add_event_rows, add_event_segments
    [KIFU__CUT] = {"cut", IN_LOGS | IN_CHANGES, 0, read_rows},             // kifu__commit_events
    [KIFU__HASHES] = {"hashes", ANYWHERE, 0, read_hashes},                 // add_hashes
    [KIFU__QUEUE] = {"queue", ANYWHERE, 2, kifu__read_queue_record},       // kifu__commit_queue
    [KIFU__ACTIONS] = {"actions", ANYWHERE, 0, kifu__read_actions_record}, // kifu__commit_actions
    [KIFU__KEPT] = {"kept", ANYWHERE, 3, kifu__read_kept_record},          // kifu__commit_kept
    [KIFU__BRANCH] = {"branch", ANYWHERE, 3, NULL},                        // kifu__commit_branch
    [KIFU__RETURNED] = {"returned", ANYWHERE, 1, NULL},                    // add_lines
    [KIFU__DELETED] = {"deleted", ANYWHERE, 1, NULL},                      // add_lines
    [KIFU__LEFT] = {"left", ANYWHERE, 2, NULL},                            // add_left
    [KIFU__TREE] = {"tree", ANYWHERE, 2, NULL},                            // add_end
    [KIFU__BEGUN] = {"begun", ANYWHERE, 1, NULL},                          // add_end
    [KIFU__NOTE] = {"note", ANYWHERE, 4, NULL},                            // add_note
    [KIFU__HASH] = {"hash", ANYWHERE, 0, read_hash},                       // kifu__commit_hash
    [KIFU__POSITION] = {"position", IN_LOGS, 0, read_position},            // add_position
    [KIFU__SHAPES] = {"shapes", IN_LOGS | IN_CHANGES, 0, read_rows},       // kifu__plan_commit_of
    [KIFU__TIP] = {"tip", IN_SAVES, 1, NULL},                              // add_tip
    [KIFU__END] = {"end", IN_SAVES, 0, read_end},                          // add_commits
};

void kifu__begin_reading_record(kifu__commits *commits, uint32_t number, kifu__bytes *body)
{
    commits->kind = (kifu__record)number;
    commits->name = record_kinds[number].name;
    for (uint32_t i = 0; i < record_kinds[number].numbers; i++)
        commits->numbers[i] = kifu__parse_number(body);
}

static kifu_result read_record_of(kifu__commits *commits, kifu__bytes *body)
{
    const kind *kind = &record_kinds[commits->kind];
    const unsigned here = commits->back ? IN_CHANGES : commits->is_log ? IN_LOGS : IN_SAVES;
    if (commits->reader->ended)
        return kifu__bad_record(commits, "stands behind the end");
    if (!(kind->where & here))
        return kifu__bad_record(commits, kind->where == IN_SAVES  ? "is only in whole saves"
                                         : kind->where == IN_LOGS ? "is only in log files"
                                                                  : "is only in log files and changes");
    kifu_result result = KIFU_OK;
    if (body->good)
        result = kind->read ? kind->read(commits, body) : read_in_part(commits, body);
    return result || (body->good && body->at == body->end)
               ? result
               : kifu__bad_record(commits, "has another length than it says");
}

// --- All of it -------------------------------------------------------------------------------------------------------

// A log file has the record 'position' in front.
static KIFU__APART kifu_result begin_reading(kifu__commits *commits, kifu__bytes records)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    kifu_result result = KIFU_OK;
    commits->shapes.memory = &timeline->memory;
    commits->is_log = kifu__begins_log(records);
    if (commits->is_log && !reader->log_calls)
        return kifu__error_at(reader->error, KIFU_DAMAGED, commits->frame->offset,
                              "the save is a log file that was not closed: %s", kifu__try_what);
    if (!kifu__has_branches(timeline)) {
        result = kifu__reach_way(commits, 0);
        if (!result)
            commits->way[0] = (kifu__way_branch){.until = KIFU_NONE, .there = true};
        if (!result && commits->is_log)
            result = reader->log_calls->find_way(commits);
    }
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
    const kifu__bytes records = kifu__records_in(frame->payload, frame->size);
    commits->reader = reader;
    commits->frame = frame;
    kifu_result result = commits->begun ? KIFU_OK : begin_reading(commits, records);
    commits->begun++;
    commits->frame = frame; // Another one was looked at.
    return result ? result : kifu__read_records(commits, records);
}

kifu_result kifu__read_records(kifu__commits *commits, kifu__bytes records)
{
    const kifu__reader *reader = commits->reader;
    const kifu__frame *frame = commits->frame;
    kifu_result result = KIFU_OK;
    uint32_t number = 0;
    kifu__bytes body;
    if (commits->is_log || commits->back)
        commits->beginning = false;
    while (!result && records.at < records.end) {
        if (!kifu__next_record(&records, &number, &body))
            return kifu__bad_commit(reader, frame, "has a record that is not whole");
        if (number >= KIFU__SKIPPED_RECORDS && reader->ended)
            return kifu__bad_commit(reader, frame, "has a record that stands behind the end");
        if (number >= KIFU__SKIPPED_RECORDS)
            continue;
        if (!number || number >= KIFU__RECORD_KINDS)
            return kifu__refuse_kind(reader->error, frame, "record", number);
        kifu__begin_reading_record(commits, number, &body);
        result = read_record_of(commits, &body);
    }
    if (!result && (commits->is_log || commits->back) && number != KIFU__HASH)
        result = kifu__bad_commit(reader, frame, "does not end with the hash of a state");
    return result;
}

kifu_result kifu__end_commits(kifu__reader *reader)
{
    kifu__commits *commits = &reader->commits;
    kifu_timeline *timeline = reader->timeline;
    if (!commits->begun)
        return reader->half
                   ? KIFU_OK
                   : kifu__damaged(reader->error, UINT64_MAX, "the save has no commit, which says what happened");
    if (!commits->branch || commits->count > commits->until || commits->count > commits->branch->end ||
        commits->count < timeline->log.begin)
        return kifu__damaged(reader->error, reader->end, "the save ends where there are no events");
    keep_states_of_place(commits);
    kifu__read_into(commits, commits->branch);
    timeline->executed = commits->count;
    return KIFU_OK;
}
