// Changes are the last commits of the stream, or the whole game. See change_head.c for the bytes.

#include <kifu/changes.h>

#include "base/crc32c.h"
#include "save/change_head.h"
#include "save/saved.h"
#include "save/stream.h"

// --- What was not said -----------------------------------------------------------------------------------------------

static kifu_result say_all(kifu_timeline *timeline, kifu__source **source)
{
    uint64_t size;
    *source = kifu__source_of(timeline);
    kifu_result result = KIFU_OK;
    if (*source && (*source)->append)
        result = (*source)->append(timeline);
    else if (*source)
        result = kifu__say_to_followers(timeline, *source);
    else if ((*source = kifu__begin_source(timeline)) == NULL)
        result = KIFU_NO_MEMORY;
    else
        result = kifu__say_whole(timeline, *source, &size);
    if (!result && !(*source)->followed) {
        (*source)->followed = true;
        (*source)->before = (*source)->recorded.position.checksum;
    }
    return result;
}

// --- The bytes -------------------------------------------------------------------------------------------------------

// The last commits behind a position, if they are remembered.
static bool find_recent(const kifu__source *source, const kifu_stream_position *since, kifu__bytes *commits)
{
    const uint32_t behind = source->recorded.position.commit - since->commit;
    if (since->stream != source->recorded.position.stream || since->commit > source->recorded.position.commit ||
        behind > source->recent_count)
        return false;
    const uint32_t at = source->recent_count - behind;
    if ((at ? source->each[at - 1].checksum : source->before) != since->checksum)
        return false;
    const unsigned char *bytes = source->recent.bytes, *end = bytes ? bytes + source->recent.size : bytes;
    *commits = (kifu__bytes){behind ? bytes + source->each[at].begin : end, end, true};
    return true;
}

static void add_whole(kifu_timeline *timeline, kifu__source *source, kifu__blob *bytes)
{
    const kifu_save_options options = {.without_schema = true};
    unsigned char *save = NULL;
    size_t size = 0;
    const kifu_result result = kifu__save_to_memory_at(timeline, &options, 0, &save, &size);
    if (result || size > KIFU__MOST_BUILT) {
        bytes->result = result ? result : KIFU_TOO_LARGE;
        kifu__free(&timeline->memory, save);
        return;
    }
    kifu__add_change_head(bytes, timeline->rules, KIFU__WHOLE_MAGIC, &source->recorded.position);
    kifu__add_number(bytes, kifu__has_branches(timeline));
    const uint32_t head = kifu__crc32c(0, bytes->bytes, bytes->result ? 0 : bytes->size);
    const uint32_t checksum = kifu__crc32c(head, save, size);
    kifu__build(bytes, 0, &checksum, sizeof checksum, 1);
    kifu__build(bytes, 0, save, size, 1);
    kifu__free(&timeline->memory, save);
    source->recorded.new_shapes = true; // Who gets this knows none.
}

static kifu_result add_since(kifu_timeline *timeline, kifu__source *source, const kifu_stream_position *since,
                             kifu_changes *changes, kifu__blob *bytes)
{
    kifu__bytes commits = {0};
    kifu__blob found = {.memory = &timeline->memory};
    bool known = since && since->stream && find_recent(source, since, &commits);
    kifu_result result = KIFU_OK;
    if (!known && since && since->stream == source->recorded.position.stream && source->find) {
        result = source->find(timeline, since, &found, &known);
        commits = (kifu__bytes){found.bytes, found.bytes ? found.bytes + found.size : NULL, true};
    }
    if (!result && known && commits.at != commits.end) {
        kifu__add_change_head(bytes, timeline->rules, KIFU__CHANGES_MAGIC, since);
        kifu__build(bytes, 0, commits.at, (uint64_t)(commits.end - commits.at), 1);
    } else if (!result && !known) {
        add_whole(timeline, source, bytes);
        changes->whole = true;
    }
    kifu__free(&timeline->memory, found.bytes);
    return result;
}

kifu_result kifu_changes_since(kifu_timeline *timeline, const kifu_stream_position *since, kifu_changes *changes)
{
    kifu__source *source;
    *changes = (kifu_changes){.size = 0};
    kifu_result result = kifu__require_savable(timeline, "kifu_changes_since", NULL);
    if (!result)
        result = say_all(timeline, &source);
    if (result)
        return result;
    kifu__blob bytes = {.memory = &timeline->memory};
    result = add_since(timeline, source, since, changes, &bytes);
    if (!result && bytes.result)
        result =
            kifu__error(&timeline->error, bytes.result, "%s for the changes of a game", kifu_result_text(bytes.result));
    if (result) {
        kifu__free(&timeline->memory, bytes.bytes);
        return result;
    }
    changes->bytes = bytes.bytes;
    changes->size = bytes.size;
    changes->until = source->recorded.position;
    return KIFU_OK;
}
