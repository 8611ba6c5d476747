// The commits of a log file, for a timeline that keeps no variations and has one branch. First it is found out which
// branches lead to where the game is in the end; then of each, what it has up to the next one goes there. Of others,
// only the shapes of their rows are needed.

#include "save/reader.h"

#include "save/saved.h"

static kifu_result see_record(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t number = kifu__take_number(body);
    kifu_result result = KIFU_OK;
    switch (commits->kind) {
    case KIFU__STAND:
        commits->line = number;
        return KIFU_OK;
    case KIFU__BRANCH: {
        commits->name = "branch";
        const uint32_t parent = kifu__take_number(body), from = kifu__take_number(body);
        if (!body->good || parent > number || number >= KIFU__HIDDEN)
            return kifu__bad_record(commits, "has a number that no line can have");
        if (number < commits->next)
            return kifu__bad_record(commits, "begins a line with a number that was given before");
        if (parent == number && (commits->begun_count || commits->any_events))
            return kifu__bad_record(commits, "names the first line behind others");
        commits->next = number + 1;
        result = kifu__reach_way(commits, number);
        if (result)
            return result;
        commits->line = number;
        commits->way[number] = (kifu__way_branch){.parent = parent, .from = from, .begins = ++commits->begun_count};
        if (parent == number && number)
            commits->way[0].deleted = true;
        return KIFU_OK;
    }
    case KIFU__EVENTS:
        commits->any_events = true;
        return KIFU_OK;
    case KIFU__TREE: {
        const uint32_t next = kifu__take_number(body);
        commits->next = next > commits->next ? next : commits->next;
        return KIFU_OK;
    }
    case KIFU__RETURNED:
        commits->next = number < commits->next ? number : commits->next;
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
    kifu__bytes records = kifu__records_in(commits->frame->payload, commits->frame->size), body;
    kifu_result result = KIFU_OK;
    uint32_t kind;
    while (!result && records.at < records.end && kifu__next_record(&records, &kind, &body)) {
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
    commits->name = "stand";
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
    uint32_t count = 0;
    for (uint32_t line = 0; line < commits->way_count; line++)
        count += !commits->way[line].deleted;
    if (count)
        reader->left_out->lines += count - 1;
    commits->line = 0;
    commits->begun_count = 0;
    return KIFU_OK;
}

kifu_result kifu__see_commits(kifu__commits *commits)
{
    kifu__reader *reader = commits->reader;
    const kifu__file *file = &reader->loaded->file;
    kifu__frame frame;
    commits->frame = &frame;
    commits->kind = KIFU__STAND;
    kifu_result result = KIFU_OK;
    commits->way[0] = (kifu__way_branch){.parent = 0};
    commits->next = 1;
    for (uint64_t offset = KIFU__FILE_HEAD; offset < file->size && offset < reader->end && !result;) {
        result = kifu__read_frame(file->bytes, file->size, &offset, &frame, reader->error);
        if (!result && frame.kind == KIFU__FRAME_COMMIT)
            result = see_commit(commits);
    }
    return result ? result : find_way(commits);
}
