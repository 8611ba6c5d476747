// The head of changes, and what is behind it:
//
//   changes  "KfCh", stream (8 bytes), position of what is in front of them (commit: a number; checksum: 4 bytes),
//            rules version (a number), check of the game (4 bytes), commits: each its length, records, checksum behind
//            it
//   whole    "KfCw", the same head; whether the game keeps lines (a number), checksum of all but this; a save
//
// Numbers are those of wire/number.h. See schema/FORMAT.md, "Changes".

#include "save/change_head.h"

#include <inttypes.h>

#include "base/crc32c.h"
#include "wire/buffer.h"

// A number by which a game's schema is told from others.
static uint32_t game_check(const kifu_rules *rules)
{
    return kifu__crc32c(kifu__crc32c(0, rules->name, strlen(rules->name)), &rules->fingerprint,
                        sizeof rules->fingerprint);
}

void kifu__add_change_head(kifu__blob *bytes, const kifu_rules *rules, const char *magic,
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

// --- Reading ---------------------------------------------------------------------------------------------------------

kifu_result kifu__damaged_changes(kifu_timeline *timeline, uint64_t offset, const char *why)
{
    return kifu__error_at(&timeline->error, KIFU_DAMAGED, offset,
                          "the changes are damaged at byte %" PRIu64 ", and nothing was changed: %s; get them again",
                          offset, why);
}

kifu_result kifu__read_change_head(kifu_timeline *timeline, kifu__bytes *bytes, kifu__change_head *head)
{
    const unsigned char *magic = kifu__parse_bytes(bytes, 4);
    head->whole = magic && !memcmp(magic, KIFU__WHOLE_MAGIC, 4);
    if (!magic || (!head->whole && memcmp(magic, KIFU__CHANGES_MAGIC, 4) != 0))
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
