// Changes are the last commits of the stream, or the whole game. Their head, and what is behind it:
//
//   changes  "KfCh", stream (8 bytes), position of what is in front of them (commit: a number; checksum: 4 bytes),
//            rules version (a number), check of the game (4 bytes), commits: each its length, records, checksum behind
//            it
//   whole    "KfCw", the same head; whether the game keeps lines (a number), checksum of all but this; a save
//
// Numbers are those of wire/number.h. See schema/FORMAT.md, "Changes".

#include "save/follow.h"

#include <inttypes.h>

#include "base/crc32c.h"
#include "save/saved.h"
#include "save/stream.h"
#include "wire/buffer.h"

// --- The head --------------------------------------------------------------------------------------------------------

static const char changes_magic[] = "KfCh", whole_magic[] = "KfCw";

// A number by which a game's schema is told from others.
static uint32_t game_check(const kifu_rules *rules)
{
    return kifu__crc32c(kifu__crc32c(0, rules->name, strlen(rules->name)), &rules->fingerprint,
                        sizeof rules->fingerprint);
}

// A failure is the blob's.
static void add_change_head(kifu__blob *bytes, const kifu_rules *rules, const char *magic,
                            const kifu_stream_position *at)
{
    const uint32_t check = game_check(rules);
    kifu__build(bytes, 0, magic, 4, 1);
    kifu__build(bytes, 0, &at->stream, sizeof at->stream, 1);
    kifu__add_number(bytes, at->commit);
    kifu__build(bytes, 0, &at->checksum, sizeof at->checksum, 1);
    kifu__add_number(bytes, rules->rules_version);
    kifu__build(bytes, 0, &check, sizeof check, 1);
}

kifu_result kifu__damaged_changes(kifu_timeline *timeline, uint64_t offset, const char *why)
{
    return kifu__error_at(&timeline->error, KIFU_DAMAGED, offset,
                          "the changes are damaged at byte %" PRIu64 ", and nothing was changed: %s; get them again",
                          offset, why);
}

kifu_result kifu__read_change_head(kifu_timeline *timeline, kifu__bytes *bytes, kifu__change_head *head)
{
    const unsigned char *magic = kifu__parse_bytes(bytes, 4);
    head->whole = magic && !memcmp(magic, whole_magic, 4);
    if (!magic || (!head->whole && memcmp(magic, changes_magic, 4) != 0))
        return kifu__error(&timeline->error, KIFU_NOT_A_SAVE,
                           "these bytes are not the changes of a game: give those that kifu_changes_since has made");
    const unsigned char *stream = kifu__parse_bytes(bytes, 8);
    head->at.commit = kifu__parse_number(bytes);
    const unsigned char *checksum = kifu__parse_bytes(bytes, 4);
    head->rules_version = kifu__parse_number(bytes);
    const unsigned char *check = kifu__parse_bytes(bytes, 4);
    head->lines = head->whole && kifu__parse_number(bytes);
    const uint32_t size = bytes->good ? (uint32_t)(bytes->at - magic) : 0;
    const unsigned char *sum = head->whole ? kifu__parse_bytes(bytes, 4) : NULL;
    if (!bytes->good)
        return kifu__damaged_changes(timeline, 0, "they end in their head");
    const size_t rest = (size_t)(bytes->end - bytes->at);
    if (sum && kifu__load32(sum) != kifu__crc32c(kifu__crc32c(0, magic, size), bytes->at, rest))
        return kifu__damaged_changes(timeline, 0, "they have another checksum than they say");
    head->at.stream = kifu__load64(stream);
    head->at.checksum = kifu__load32(checksum);
    head->check = kifu__load32(check);
    return KIFU_OK;
}

kifu_result kifu__require_same_game(kifu_timeline *timeline, const kifu__change_head *head)
{
    const kifu_rules *rules = timeline->rules;
    if (head->check == game_check(rules) && head->rules_version == rules->rules_version)
        return KIFU_OK;
    if (head->rules_version > rules->rules_version)
        return kifu__error(&timeline->error, KIFU_NEWER_GAME,
                           "these changes are of rules version %" PRIu32
                           " of a game, and this program has rules version %" PRIu32 " of %.100s: update the program",
                           head->rules_version, rules->rules_version, rules->name);
    return kifu__error(&timeline->error, KIFU_OTHER_GAME,
                       "these are changes of another game than %.100s, or of another version of it (rules version "
                       "%" PRIu32 ", here %" PRIu32 "): both sides need the same; a save may be loaded by another "
                       "version",
                       rules->name, head->rules_version, rules->rules_version);
}

// --- Commits ---------------------------------------------------------------------------------------------------------

static const char whole_helps[] = "the changes since NULL are the whole game, and would replace this one";

bool kifu__next_change(kifu__bytes *bytes, kifu__bytes *records, uint32_t *checksum)
{
    const uint32_t size = kifu__parse_number(bytes);
    const unsigned char *at = kifu__parse_bytes(bytes, size), *sum = kifu__parse_bytes(bytes, 4);
    if (!sum)
        return false;
    *records = (kifu__bytes){at, at + size, true};
    *checksum = kifu__load32(sum);
    return true;
}

static kifu_result require_chain(kifu_timeline *timeline, const kifu_stream_position *at, kifu_stream_position position,
                                 kifu__bytes bytes, const unsigned char *first)
{
    kifu__bytes records;
    uint32_t checksum;
    bool same = true;
    while (bytes.at < bytes.end) {
        if (position.commit == at->commit)
            same = position.checksum == at->checksum;
        const uint64_t offset = (uint64_t)(bytes.at - first);
        if (!kifu__next_change(&bytes, &records, &checksum))
            return kifu__damaged_changes(timeline, offset, "a commit is not whole");
        if (kifu__stream_checksum(position.checksum, records) != checksum)
            return kifu__damaged_changes(timeline, offset, "a commit has another checksum than it says");
        position.commit++;
        position.checksum = checksum;
    }
    if (position.commit == at->commit)
        same = position.checksum == at->checksum;
    if (same)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_OTHER_STREAM,
                       "the changes are those of a stream that has begun anew at an earlier place, for what came "
                       "behind that was lost: %s",
                       whole_helps);
}

static kifu_result require_behind(kifu_timeline *timeline, const kifu_stream_position *at,
                                  const kifu_stream_position *begin)
{
    if (!at->stream || at->stream != begin->stream)
        return kifu__error(&timeline->error, KIFU_OTHER_STREAM,
                           "the changes are of another stream than this timeline follows%s: %s",
                           at->stream ? "" : ", for it follows none", whole_helps);
    if (at->commit >= begin->commit)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_GAP,
                       "changes are missing: these begin behind commit %" PRIu32
                       ", and this timeline has those up to commit %" PRIu32
                       ". Ask for the changes since kifu_followed",
                       begin->commit, at->commit);
}

kifu_result kifu__require_changes_behind(kifu_timeline *timeline, const kifu_stream_position *at,
                                         const kifu_stream_position *begin, kifu__bytes bytes,
                                         const unsigned char *first)
{
    kifu_result result = require_behind(timeline, at, begin);
    if (!result)
        result = require_chain(timeline, at, *begin, bytes, first);
    if (!result && bytes.at == bytes.end)
        result = kifu__damaged_changes(timeline, (uint64_t)(bytes.at - first), "they have no commit");
    return result;
}

// --- What was not said -----------------------------------------------------------------------------------------------

static kifu_result say_all(kifu_timeline *timeline, kifu__source **source)
{
    *source = kifu__begin_source(timeline);
    if (!*source)
        return KIFU_NO_MEMORY;
    const kifu_result result =
        (*source)->append ? (*source)->append(timeline) : kifu__say_to_followers(timeline, *source);
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
    const uint32_t at = source->recent_count - behind, begin = behind ? source->each[at] : source->recent.size;
    const unsigned char *bytes = source->recent.bytes, *end = bytes ? bytes + source->recent.size : bytes;
    if ((at ? kifu__load32(bytes + begin - 4) : source->before) != since->checksum)
        return false;
    *commits = (kifu__bytes){behind ? bytes + begin : end, end, true};
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
    add_change_head(bytes, timeline->rules, whole_magic, &source->recorded.position);
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
        add_change_head(bytes, timeline->rules, changes_magic, since);
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
