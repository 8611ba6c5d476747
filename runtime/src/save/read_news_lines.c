// Lines, in news. They are read into a stage that has nothing else of the tree: whether they fit to the lines that are
// there is looked at when all are read (take_news_lines.c).

#include <inttypes.h>

#include "save/line_frames.h"
#include "wire/buffer.h"

static kifu_result refuse(const kifu__reader *reader, const kifu__frame *frame, uint32_t line, const char *why)
{
    return kifu__damaged(reader->error, frame->offset, "line %" PRIu32 ", at byte %" PRIu64 ", %s", line, frame->offset,
                         why);
}

static kifu_result take_tree(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame,
                             const kifu__save_tree *tree)
{
    if (frames->has_tree || tree->next == KIFU_NONE || tree->current >= tree->next)
        return refuse(reader, frame, tree->current, "is the current one, and cannot be");
    frames->has_tree = true;
    frames->tree = *tree;
    kifu__lines_of(reader->timeline)->count = 0;
    return KIFU_OK;
}

static kifu_result take_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame,
                             const kifu__save_line *fields)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__lines *lines = kifu__lines_of(reader->timeline);
    const uint32_t place = lines->count;
    if (!frames->has_tree || fields->id == frames->tree.current || fields->id >= frames->tree.next ||
        (place && fields->id <= lines->items[place - 1].number))
        return refuse(reader, frame, fields->id, "is in a wrong place");
    if (!kifu__lines_reach(reader->timeline, lines, place))
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    lines->items[place] = (kifu__line){
        .parent = fields->parent,
        .from = fields->from,
        .deleted = fields->flags & KIFU__DELETED_LINE,
        .unchecked = true,
        .comparable = fields->fingerprint == rules->fingerprint && fields->rules_version == rules->rules_version,
        .tip_hash = fields->tip_hash,
        .fingerprint = fields->fingerprint,
        .rules_version = fields->rules_version,
        .number = fields->id,
    };
    if (lines->items[place].deleted)
        return KIFU_OK;
    const kifu__save_line opened = *fields; // The room is used for what follows.
    return kifu__open_line(reader, frames, frame, &opened, place, opened.next);
}

kifu_result kifu__take_news_line(kifu__reader *reader, kifu__line_frames *frames, const kifu__frame *frame)
{
    const bool tree = frame->kind == KIFU__FRAME_TREE;
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *fields = NULL;
    const kifu_result result =
        kifu__payload_read(&buffer, tree ? &kifu__save_tree_table : &kifu__save_line_table, &reader->room, &fields);
    if (result)
        return result;
    return tree ? take_tree(reader, frames, frame, (const kifu__save_tree *)fields)
                : take_line(reader, frames, frame, (const kifu__save_line *)fields);
}
