// News are what a whole save would have behind the events that stay.
//
// They contain all of redo and all that waits: 40 bytes for each undo, instead of a second plan of differences. Digests
// show where two games part, not states, because the log is the game: one for each of the last 16 events before the
// news, and others at doubling distances; all behind that is compared event by event.
//
// News since a change that is not remembered any more are all events, and must fit. They replace nothing, because a
// follower that went its own way would lose it without a word; only news since 0 replace.
//
// They do not fit where the past is forgotten: digests count from a log's first event, so two games that begin at
// different events have none in common. A follower gets a save then.

#include <kifu/news.h>

#include <inttypes.h>
#include <stddef.h>

#include "base/crc32c.h"
#include "save/changes.h"
#include "save/saved.h"
#include "save/writer.h"
#include "wire/buffer.h"

// All frames but the first.
static kifu__plan plan_rest(kifu_timeline *timeline, const kifu__since *since)
{
    const uint32_t base = since->base;
    kifu__plan plan = {.timeline = timeline, .since = since};
    kifu__written written = {.begun = true, .events = base, .executed = base};
    kifu__plan_changes(&plan, &written);
    kifu__plan_parts(&plan, KIFU__SOME_NEWS);
    kifu__plan_snapshot(&plan, false);
    return plan;
}

// From the first to the last, so that each begins where the one before it was.
static kifu_result add_digests(kifu_timeline *timeline, kifu__blob *payload, uint32_t base)
{
    uint64_t digests[KIFU__MOST_DIGESTS];
    uint32_t count = 0;
    kifu_result result = KIFU_OK;
    while (kifu__digest_place(base, count))
        count++;
    for (uint32_t i = count; i-- > 0 && !result;)
        result = kifu__digest_log(timeline, kifu__digest_place(base, i), &digests[i]);
    if (!result)
        kifu__build_vector(payload, offsetof(kifu__save_news, digests), digests, count, count * sizeof *digests, 8);
    return result;
}

// The first frame, of which the checksum is still to be entered.
static void plan_first(kifu__plan *plan, uint64_t change, uint64_t size)
{
    kifu_timeline *timeline = plan->timeline;
    const kifu_rules *rules = timeline->rules;
    kifu__since since;
    plan->result = kifu__since_change(timeline, change, &since);
    const kifu__save_news news = {
        .rules_version = rules->rules_version,
        .fingerprint = rules->fingerprint,
        .since = change,
        .base = since.base,
        .length = since.length,
        .digest = since.digest,
        .size = (uint32_t)size,
    };
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_news_table, &news);
    kifu__build_string(&payload, offsetof(kifu__save_news, game), rules->name);
    if (!plan->result)
        plan->result = add_digests(timeline, &payload, since.base);
    if (kifu__payload_end(plan, &kifu__save_news_table, &payload))
        kifu__plan_add(plan, KIFU__FRAME_NEWS, payload.bytes, payload.size, true);
}

static kifu_result put(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)error;
    unsigned char **end = (unsigned char **)context;
    memcpy(*end, bytes, size);
    *end += size;
    return KIFU_OK;
}

// The frames of `rest`, and in front of them that of `first`.
static kifu_result write(kifu__plan *first, kifu__plan *rest, unsigned char *bytes)
{
    unsigned char *to = bytes + first->size;
    kifu__sink sink = {.write = put, .context = &to, .error = &first->timeline->error};
    kifu_result result = kifu__plan_write(rest, &sink, false);
    unsigned char *payload = first->pieces->payload;
    kifu__save_news *news = (kifu__save_news *)(void *)(payload + kifu__load32(payload));
    news->checksum = kifu__crc32c(0, bytes + first->size, (size_t)rest->size);
    to = bytes;
    return result ? result : kifu__plan_write(first, &sink, false);
}

kifu_result kifu_news_since(kifu_timeline *timeline, uint64_t change, unsigned char **bytes, size_t *size)
{
    uint64_t now;
    kifu__since since;
    *bytes = NULL;
    *size = 0;
    if (timeline->log.begin)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_news_since: what was before event %" PRIu32
                           " is forgotten, and such a game gives no news: send a save instead (kifu_save_to_memory)",
                           timeline->log.begin);
    kifu_result result = kifu__require_savable(timeline, "kifu_news_since", NULL);
    if (!result)
        result = kifu__count_changes(timeline, &now);
    if (!result)
        result = kifu__since_change(timeline, change, &since);
    if (result)
        return result;
    kifu__plan first = {.timeline = timeline}, rest = plan_rest(timeline, &since);
    result = rest.result;
    if (!result && rest.size > UINT32_MAX)
        result = kifu__error(&timeline->error, KIFU_TOO_LARGE, "the news would have %" PRIu64 " bytes: make a save",
                             rest.size);
    if (!result) {
        plan_first(&first, change, rest.size);
        result = first.result;
    }
    const uint64_t whole = first.size + rest.size;
    const bool fits = !result && whole <= SIZE_MAX;
    unsigned char *made = fits ? (unsigned char *)kifu__new(&timeline->memory, (size_t)whole) : NULL;
    if (made) {
        result = write(&first, &rest, made);
        *bytes = made;
        *size = (size_t)whole;
    } else if (!result)
        result = kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a game's news");
    kifu__plan_drop(&first);
    kifu__plan_drop(&rest);
    return result;
}
