// Changes come from anywhere. All of it is verified as a load does it, into the tree that is there, so that a commit
// which is refused can be taken back; then the game goes where the commit says.

#include <inttypes.h>

#include "base/crc32c.h"
#include "history/lines.h"
#include "save/budget.h"
#include "save/follow.h"
#include "save/saved.h"
#include "save/stream.h"
#include "wire/buffer.h"

// --- The part --------------------------------------------------------------------------------------------------------

// The part of a timeline that follows another one.
typedef struct following {
    kifu__part part;
    kifu_stream_position at;
    kifu__commits commits;  // What it knows of the stream: shapes, and where the reader stands.
    uint64_t changes;       // As `timeline->tree.changes`, after the last commit,
    uint32_t begin;         // and its first event.
    bool own;               // Its tree was changed by itself since it got the whole game.
    kifu_ticket waiting[2]; // The first that waited then, of both queues,
    uint32_t waiting_count; // how many did,
    kifu_ticket last;       // and the last that had been submitted.
    // Where it keeps what waits, by itself: where it stood after the last commit, and at one other place.
    kifu__place_kept place, other;
    int kept, others; // So many of it are kept there; -1: more has changed.
} following;

static void free_follower(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free_commits(&timeline->memory, &((following *)(void *)part)->commits);
}

static bool is_place(const kifu__place_kept *one, const kifu__branch *branch, uint32_t place)
{
    return one->branch == branch->number && one->place == place;
}

static void note_kept_of_follower(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, uint32_t place)
{
    following *follower = (following *)(void *)part;
    const int change = kifu__find_kept(branch, place) ? 1 : -1;
    (void)timeline;
    if (follower->commits.back || follower->others < 0)
        return;
    if (!follower->others && !is_place(&follower->place, branch, place))
        follower->other = (kifu__place_kept){branch->number, place};
    int *kept = is_place(&follower->place, branch, place)   ? &follower->kept
                : is_place(&follower->other, branch, place) ? &follower->others
                                                            : NULL;
    if (kept && *kept + change >= 0)
        *kept += change;
    else // What the commits have there is gone, or too much has changed.
        follower->others = -1;
}

static const kifu__part_table follower_table = {
    .size = sizeof(following), .order = KIFU__FOLLOWER, .waits = note_kept_of_follower, .freed = free_follower};

kifu_stream_position kifu_followed(const kifu_timeline *timeline)
{
    const following *follower = (const following *)(const void *)kifu__part_of(timeline, &follower_table);
    return follower ? follower->at : (kifu_stream_position){.stream = 0};
}

static kifu_ticket first_of(const kifu__queue *queue)
{
    const kifu__proposal *first = kifu__queue_first(queue);
    return first ? first->ticket : 0;
}

static void stamp_follower(const kifu_timeline *timeline, following *follower)
{
    follower->waiting_count = timeline->consequences.count + timeline->inputs.count;
    follower->waiting[0] = first_of(&timeline->consequences);
    follower->waiting[1] = first_of(&timeline->inputs);
    follower->last = timeline->last_ticket;
    follower->changes = timeline->tree.changes;
    follower->begin = timeline->log.begin;
    follower->place =
        (kifu__place_kept){kifu__owner(timeline->log.branch, timeline->executed, NULL)->number, timeline->executed};
    follower->kept = follower->others = 0;
}

// Whether a proposal was submitted after the last commit.
static bool has_newer(const kifu__queue *queue, kifu_ticket last, kifu_ticket newest)
{
    const kifu__proposal *at = newest == last ? NULL : kifu__queue_first(queue);
    while (at && at->ticket - last - 1 >= newest - last)
        at = kifu__queue_next(queue, at);
    return at != NULL;
}

// Whether what waits is what waited after the last commit.
static bool waits_as_before(const kifu_timeline *timeline, const following *follower)
{
    following now = *follower;
    stamp_follower(timeline, &now);
    return !follower->kept && !follower->others && now.waiting_count == follower->waiting_count &&
           !memcmp(now.waiting, follower->waiting, sizeof now.waiting) &&
           !has_newer(&timeline->consequences, follower->last, now.last) &&
           !has_newer(&timeline->inputs, follower->last, now.last);
}

// --- A commit --------------------------------------------------------------------------------------------------------

typedef struct applying {
    kifu_timeline *timeline;
    following *follower;
    kifu__reader reader;
    kifu__save_header header;
    kifu__budget budget;
    kifu__memory memory; // What commits need comes from here.
    kifu_error fault;    // Of the view.
} applying;

// Lines come, which the timeline does not keep yet: it does from now on, unless the commit is refused.
static kifu_result keep_lines(kifu_timeline *timeline, kifu__bytes records)
{
    uint32_t kind;
    kifu__bytes body;
    while (!kifu__has_branches(timeline) && kifu__next_record(&records, &kind, &body)) {
        if (kind >= KIFU__BRANCH && kind <= KIFU__BEGUN)
            return kifu_keep_variations(timeline);
    }
    return KIFU_OK;
}

// Reads it into the tree, with memory from the budget. The place stays.
static kifu_result read_commit(applying *applying, kifu__commits *commits, kifu__bytes records)
{
    kifu_timeline *timeline = applying->timeline;
    const kifu__memory memory = timeline->memory;
    const uint32_t handlers = timeline->handlers;
    timeline->memory = timeline->log.memory = applying->memory;
    timeline->handlers &= ~KIFU__HANDLER(dropped);
    commits->branch = kifu__branch_numbered(timeline, commits->line);
    const kifu__part *keeper = kifu__saved_by(timeline, KIFU__BRANCH);
    kifu_result result = KIFU_OK;
    if (keeper && !keeper->table->saved->follow(commits))
        result = kifu__commit_failed(commits, KIFU_NO_MEMORY);
    if (!result && !commits->branch)
        result = kifu__parted(commits, KIFU_NONE);
    if (!result)
        result = kifu__read_records(commits, records);
    const kifu__branch *branch = commits->branch;
    if (!result && branch && commits->count > branch->followed && commits->count > branch->from)
        result = kifu__parted(commits, branch->followed); // Where it stays, other events lie in front of it here.
    if (!result && keeper)
        keeper->table->saved->were_read(commits);
    timeline->handlers |= handlers & KIFU__HANDLER(dropped);
    timeline->memory = timeline->log.memory = memory;
    timeline->executed = commits->back->executed;
    kifu__relink(commits->back);
    kifu__log_enter(&timeline->log, commits->back->stands);
    return result;
}

static void take_it(kifu__commits *commits)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu__part *keeper = kifu__saved_by(timeline, KIFU__BRANCH);
    if (keeper)
        keeper->table->saved->followed(commits);
    kifu__drop_before(commits->back);
    timeline->delay = 0;
    kifu__find_due(timeline);
    kifu__find_input(timeline);
    kifu__changed(timeline);
    if ((commits->back->queues || commits->back->actions) && kifu__has_handler(timeline, dropped))
        timeline->dispatch->dropped(timeline, 0);
}

static void take_it_back(kifu__commits *commits, kifu__branch *branch, uint32_t line, uint32_t count)
{
    kifu_timeline *timeline = commits->reader->timeline;
    const kifu_error error = timeline->error;
    kifu__source *source = kifu__source_of(timeline);
    kifu__bring_all_back(commits->back, &commits->shapes);
    kifu__log_enter(&timeline->log, branch);
    if (source)
        source->forgot = true;
    kifu__find_due(timeline);
    kifu__find_input(timeline);
    commits->line = line;
    commits->count = count;
    commits->fork_count = 0;
    timeline->error = error;
}

static kifu_result apply_here(applying *applying, kifu__bytes records, uint64_t offset)
{
    kifu_timeline *timeline = applying->timeline;
    following *follower = applying->follower;
    kifu__commits *commits = &follower->commits;
    const kifu__frame frame = {.kind = KIFU__FRAME_COMMIT, .offset = offset};
    kifu__branch *branch = timeline->log.branch;
    const uint32_t line = commits->line, count = commits->count;
    kifu__reversal back = {.calls = &kifu__reversal_functions,
                           .timeline = timeline,
                           .stands = branch,
                           .executed = timeline->executed,
                           .shape_count = commits->shapes.count};
    commits->frame = &frame;
    if (!waits_as_before(timeline, follower))
        return kifu__parted(commits, KIFU_NONE);
    commits->back = &back;
    commits->shapes.memory = &timeline->memory;
    commits->rows = &kifu__row_functions;
    if (timeline->tree.changes != follower->changes)
        commits->fork_count = 0; // They are counted anew.
    kifu_result result = read_commit(applying, commits, records);
    if (!result)
        result = kifu__follow_to(commits, &applying->fault);
    if (result)
        take_it_back(commits, branch, line, count);
    else {
        take_it(commits);
        stamp_follower(timeline, follower);
    }
    commits->back = NULL;
    return result;
}

// What waited there waits again, also where the way leads back to it, by which other games drop that. What a view or a
// listener does wrong on the way is no failure. KIFU_NO_MEMORY.
static kifu_result return_to_stream(kifu_timeline *timeline, uint32_t line, uint32_t count)
{
    kifu__branch *path = kifu__branch_numbered(timeline, line);
    kifu__branch *owner = path ? kifu__owner(path, count, NULL) : NULL;
    kifu__kept *kept = owner ? kifu__remove_kept(owner, count) : NULL;
    const kifu_result result = kifu_go_to(timeline, line, count, true);
    const bool there = timeline->log.branch == path && timeline->executed == count;
    if (kept)
        kifu__add_kept(owner, kept);
    if (!there)
        return result == KIFU_NO_MEMORY ? result : KIFU_OK;
    if (kept && !kifu__make_room_for_kept(timeline, path, count))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY,
                           "out of memory for what waits in the game that is followed");
    if (kept)
        kifu__restore_kept(timeline);
    return KIFU_OK;
}

// What waits here, or is set, is put away first, where the way leads on from it.
static void go_away_again(kifu_timeline *timeline, uint32_t line, uint32_t count)
{
    kifu__branch *here = timeline->log.branch, *path = kifu__branch_numbered(timeline, line);
    const uint32_t executed = timeline->executed;
    if (path == here && count == executed)
        return;
    if (path && count >= executed && kifu__common(here, path) >= executed && !kifu__store_kept(timeline))
        return;
    (void)kifu_go_to(timeline, line, count, true);
    if (timeline->log.branch == here && timeline->executed == executed) // There was no memory.
        kifu__restore_kept(timeline);
}

// Where it has gone elsewhere by itself, it returns; and goes there again if the commit is refused.
static kifu_result apply_commit(applying *applying, kifu__bytes records, uint64_t offset)
{
    kifu_timeline *timeline = applying->timeline;
    kifu__commits *commits = &applying->follower->commits;
    const uint32_t line = timeline->log.branch->number, count = timeline->executed;
    const bool away =
        (line != commits->line || count != commits->count) && !waits_as_before(timeline, applying->follower);
    commits->reader = &applying->reader;
    const bool as_it_came = timeline->tree.changes == applying->follower->changes;
    applying->follower->own |= !as_it_came || timeline->log.begin != applying->follower->begin;
    const bool kept = kifu__has_branches(timeline);
    kifu_result result = keep_lines(timeline, records);
    const uint32_t followed = commits->line;
    const kifu__line was = kifu__line_as_it_is(timeline, followed);
    timeline->due.held = KIFU_NONE;
    if (!result && away)
        result = return_to_stream(timeline, commits->line, commits->count);
    if (!result)
        result = apply_here(applying, records, offset);
    // What changes say fits the game that was followed. Where it does not, although they are whole, and the tree is not
    // as it came, what they rely on was deleted or forgotten here.
    if (result == KIFU_DAMAGED && applying->follower->own)
        result = kifu__parted(commits, KIFU_NONE);
    if (result && away) {
        const kifu_error error = timeline->error;
        go_away_again(timeline, line, count);
        kifu__line_leave_as(timeline, followed, &was);
        timeline->error = error;
    }
    timeline->due.held = 0;
    if (result && !kept)
        kifu__end_variations(timeline);
    if (result && as_it_came) // It is again.
        applying->follower->changes = timeline->tree.changes;
    return result;
}

// --- Commits ---------------------------------------------------------------------------------------------------------

// What is verified was made of rows, and a byte of that is nowhere in the changes: their commit is.
static void place_error(kifu_error *error, uint64_t offset)
{
    if (error->offset == UINT64_MAX)
        return;
    char *byte = strstr(error->message, " (byte ");
    const char *behind = byte ? strchr(byte, ')') : NULL;
    if (behind)
        memmove(byte, behind + 1, strlen(behind));
    error->offset = offset;
}

static kifu_result apply_all(applying *applying, kifu_stream_position position, kifu__bytes bytes,
                             const unsigned char *first)
{
    kifu_stream_position *at = &applying->follower->at;
    kifu_result result = kifu__require_changes_behind(applying->timeline, at, &position, bytes, first);
    while (!result && bytes.at < bytes.end) {
        kifu__bytes records = {0};
        const uint64_t offset = (uint64_t)(bytes.at - first);
        (void)kifu__next_change(&bytes, &records, &position.checksum);
        if (position.commit++ < at->commit)
            continue;
        result = apply_commit(applying, records, offset);
        if (!result)
            *at = position;
        else
            place_error(&applying->timeline->error, offset);
    }
    return result;
}

static kifu_result apply_whole(applying *applying, const kifu__change_head *head, kifu__bytes bytes)
{
    kifu_timeline *timeline = applying->timeline;
    following *follower = applying->follower;
    const bool kept = kifu__has_branches(timeline), lines = head->lines || kept;
    kifu_result result = lines ? kifu_keep_variations(timeline) : KIFU_OK;
    if (!result)
        result = kifu__exchange_game(timeline, bytes.at, (uint64_t)(bytes.end - bytes.at), lines, &applying->fault);
    if (result && !kept)
        kifu__end_variations(timeline);
    if (result)
        return result;
    kifu__source *source = kifu__source_of(timeline);
    if (source)
        source->forgot = true;
    kifu__free_commits(&timeline->memory, &follower->commits);
    follower->commits = (kifu__commits){.shapes = {.memory = &timeline->memory},
                                        .line = timeline->log.branch->number,
                                        .count = timeline->executed,
                                        .until = KIFU_NONE};
    follower->at = head->at;
    follower->own = false;
    stamp_follower(timeline, follower);
    return KIFU_OK;
}

// --- All of it -------------------------------------------------------------------------------------------------------

// What was refused, because the budget does not allow it.
static kifu_result too_large(const applying *applying)
{
    return kifu__error(&applying->timeline->error, KIFU_TOO_LARGE,
                       "the changes need %" PRIu64
                       " bytes of memory or more, and kifu_options.changes_memory allows %" PRIu64
                       "; nothing was changed: raise it if you trust the sender",
                       applying->budget.needed, applying->budget.most);
}

static kifu_result apply(kifu_timeline *timeline, kifu__bytes bytes)
{
    const unsigned char *first = bytes.at;
    const uint64_t size = (uint64_t)(bytes.end - first), most = timeline->options.changes_memory;
    kifu__change_head head = {.whole = false};
    kifu_result result = kifu__read_change_head(timeline, &bytes, &head);
    if (!result)
        result = kifu__require_same_game(timeline, &head);
    following *follower = result ? NULL : (following *)(void *)kifu__attach(timeline, &follower_table);
    if (!follower)
        return result ? result : kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory to follow a game");
    applying applying = {.timeline = timeline, .follower = follower, .fault = {.result = KIFU_OK}};
    applying.header = (kifu__save_header){.rules_version = timeline->rules->rules_version,
                                          .fingerprint = timeline->rules->fingerprint};
    applying.memory = kifu__budget_begin(&applying.budget, &timeline->memory,
                                         most ? most : KIFU__BUDGET_LEAST + KIFU__BUDGET_TIMES * size);
    kifu__reader *reader = &applying.reader;
    *reader =
        (kifu__reader){.timeline = timeline, .error = &timeline->error, .header = &applying.header, .comparable = true};
    result = head.whole ? apply_whole(&applying, &head, bytes) : apply_all(&applying, head.at, bytes, first);
    if (result == KIFU_NO_MEMORY && applying.budget.needed)
        result = too_large(&applying);
    if (timeline->rules->upcasting)
        timeline->rules->upcasting->end(&reader->upcaster);
    if (result || !applying.fault.result)
        return result;
    timeline->error = applying.fault;
    return applying.fault.result;
}

// What a load would say of a file.
static void reword(kifu_error *error, kifu_result result)
{
    char *advice = strstr(error->message, "; get ");
    if (result != KIFU_DAMAGED && result != KIFU_NEWER_FORMAT && result != KIFU_UNKNOWN_EVENT)
        return;
    if (!strncmp(error->message, "the changes", 11)) // It was said already.
        return;
    if (advice)
        *advice = '\0';
    const kifu_error why = *error;
    kifu__error_at(error, result, why.offset,
                   "the changes are refused, and nothing was changed: %.400s; get them again", why.message);
    error->event = why.event;
}

kifu_result kifu_apply_changes(kifu_timeline *timeline, const void *bytes, size_t size)
{
    const char *call = "kifu_apply_changes";
    const unsigned char *first = (const unsigned char *)bytes;
    kifu_result result = kifu__require_calm(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (!result)
        result = kifu__require_no_transaction(timeline, call);
    if (result)
        return result;
    result = apply(timeline, (kifu__bytes){first, first + size, true});
    reword(&timeline->error, result);
    return result;
}
