// Records, for those who read them; and which part has them.

#include <inttypes.h>
#include <stdio.h>

#include "save/reader.h"
#include "save/saved.h"

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

kifu_result kifu__commit_failed(const kifu__commits *commits, kifu_result result)
{
    return result ? kifu__not_loaded(commits->reader->error, commits->frame->offset, result) : KIFU_OK;
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
