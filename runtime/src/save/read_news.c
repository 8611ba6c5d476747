// News come from anywhere. All of it is verified as a load does it, and compared with the log, before anything changes.

#include "save/read_news.h"

#include <kifu/news.h>

#include <inttypes.h>
#include <stdio.h>

#include "base/crc32c.h"
#include "save/budget.h"
#include "save/changes.h"
#include "save/reader.h"
#include "save/saved.h"
#include "wire/buffer.h"

typedef struct reading {
    kifu_timeline *timeline;
    kifu__reader reader; // Into the stage.
    kifu__loaded loaded; // The bytes.
    uint64_t offset;     // Of the next frame.
    kifu__budget budget; // For what is read, and for the events in the log.
    kifu__news news;
} reading;

static kifu_result damaged(const reading *reading, const char *why)
{
    return kifu__error_at(&reading->timeline->error, KIFU_DAMAGED, reading->offset,
                          "the news are damaged at byte %" PRIu64 ", and nothing was changed: %s; get them again",
                          reading->offset, why);
}

// --- The first frame -------------------------------------------------------------------------------------------------

static bool is_whole(const reading *reading, const kifu__save_news *first)
{
    const kifu__file *file = &reading->loaded.file;
    const uint64_t rest = file->size - reading->offset;
    return rest == first->size && kifu__crc32c(0, file->bytes + reading->offset, (size_t)rest) == first->checksum;
}

static kifu_result require_same_game(const reading *reading, const kifu__save_news *first)
{
    const kifu_rules *rules = reading->timeline->rules;
    kifu_error *error = &reading->timeline->error;
    const char *game = (const char *)kifu__elements(&first->game);
    if (strcmp(game, rules->name) != 0)
        return kifu__error(error, KIFU_OTHER_GAME, "these are news of the game '%.100s', not of '%.100s'", game,
                           rules->name);
    if (first->fingerprint == rules->fingerprint && first->rules_version == rules->rules_version)
        return KIFU_OK;
    if (first->rules_version > rules->rules_version)
        return kifu__error(error, KIFU_NEWER_GAME,
                           "these news are of rules version %" PRIu32 " of %.100s, and this program has rules version "
                           "%" PRIu32 ": update the program",
                           first->rules_version, game, rules->rules_version);
    return kifu__error(error, KIFU_OTHER_GAME,
                       "these are news from another version of the game (rules version %" PRIu32 ", here %" PRIu32
                       "): both sides need the same; a save of the game may be loaded by another version",
                       first->rules_version, rules->rules_version);
}

static kifu_result read_first(reading *reading)
{
    enum { KIND = 8 }; // where it is in the head of a frame
    const kifu__file *file = &reading->loaded.file;
    kifu__frame frame;
    const void *fields = NULL;
    if (file->size < KIFU__FRAME_HEAD || kifu__load32(file->bytes + KIND) != KIFU__FRAME_NEWS)
        return kifu__error(&reading->timeline->error, KIFU_NOT_A_SAVE,
                           "these bytes are not a game's news: give those that kifu_news_since has made");
    if (kifu__read_frame(file->bytes, file->size, &reading->offset, &frame, NULL))
        return damaged(reading, "the first frame is not whole");
    kifu__buffer buffer = kifu__buffer_of(&reading->reader, &frame);
    buffer.error = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_news_table, &reading->reader.header_room, &fields);
    if (result == KIFU_NO_MEMORY)
        return kifu__error(&reading->timeline->error, result, "out of memory for a game's news");
    const kifu__save_news *first = (const kifu__save_news *)fields;
    if (result || !is_whole(reading, first))
        return damaged(reading, result ? "the first frame breaks its schema" : "they are not whole, or were changed");
    reading->news.first = first;
    reading->news.whole = !first->since;
    return require_same_game(reading, first);
}

// --- Whether they fit ------------------------------------------------------------------------------------------------

static kifu_result part(const reading *reading, uint32_t event, uint32_t end, const char *how)
{
    char events[100];
    snprintf(events, sizeof events, end - event == 1 ? "event %" PRIu32 : "one of the events %" PRIu32 " to %" PRIu32,
             event, end - 1);
    return kifu__error_of_event(&reading->timeline->error, KIFU_DIVERGED, event,
                                "the news do not fit, because the two games part at %s%s; nothing was changed. News "
                                "since 0 are the whole game, and would replace this one",
                                events, how);
}

// The events before those of the news.
static kifu_result require_base(const reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    const kifu__save_news *first = reading->news.first;
    const uint64_t *digests = (const uint64_t *)kifu__elements(&first->digests);
    const uint32_t events = timeline->log.branch->end;
    uint32_t count = 0, agreed = 0;
    while (kifu__digest_place(first->base, count))
        count++;
    if (kifu__length(&first->digests) != count || (reading->news.whole && first->base))
        return damaged(reading, "the first frame contradicts itself");
    while (count-- > 0) {
        uint64_t digest;
        const uint32_t place = kifu__digest_place(first->base, count);
        if (place > events)
            return kifu__error_of_event(&timeline->error, KIFU_DIVERGED, events,
                                        "the news do not fit, because they begin behind %" PRIu32
                                        " events, and here are only %" PRIu32
                                        "; nothing was changed. Ask for the news since an earlier change, or since 0",
                                        first->base, events);
        const kifu_result result = kifu__digest_log(timeline, place, &digest);
        if (result)
            return result;
        if (digest != digests[count])
            return part(reading, agreed, place, "");
        agreed = place;
    }
    return KIFU_OK;
}

// How many events of the log are also those of the news.
static kifu_result count_same(reading *reading)
{
    kifu_timeline *timeline = reading->timeline, *stage = reading->news.stage;
    uint32_t *same = &reading->news.same;
    kifu__blob blob = {.memory = &reading->news.memory};
    kifu_result result = KIFU_OK;
    for (*same = reading->news.first->base; *same < timeline->log.branch->end && *same < stage->log.branch->end;
         ++*same) {
        uint64_t here = 0, there = 0;
        result = kifu__digest_event(timeline, *same, &blob, &here);
        if (!result)
            result = kifu__digest_event(stage, *same, &blob, &there);
        if (result || here != there)
            break;
    }
    kifu__free(blob.memory, blob.bytes);
    return result ? kifu__error(&timeline->error, result, "%s for a game's news", kifu_result_text(result)) : KIFU_OK;
}

// The events that the log has besides are those that were taken back since.
static kifu_result require_same(const reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    const kifu__news *news = &reading->news;
    const uint32_t same = news->same, events = timeline->log.branch->end;
    char how[300] = "";
    uint64_t digest = 0;
    if (news->whole || same == events)
        return KIFU_OK;
    if (news->first->length == events) {
        const kifu_result result = kifu__digest_log(timeline, events, &digest);
        if (result || digest == news->first->digest)
            return result;
    }
    if (same < news->stage->log.branch->end)
        snprintf(how, sizeof how, " (%.100s here, %.100s there)", kifu__name_of(timeline, same),
                 kifu__name_of(news->stage, same));
    else
        snprintf(how, sizeof how, " (%.100s), which the news do not have", kifu__name_of(timeline, same));
    return part(reading, same, same + 1, how);
}

// --- The other frames ------------------------------------------------------------------------------------------------

static kifu_result make_stage(reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    const uint32_t base = reading->news.first->base;
    const kifu_options options = {
        .allocate = timeline->options.allocate,
        .allocate_context = timeline->options.allocate_context,
        .keep_variations = timeline->options.keep_variations,
        .keep_notes = timeline->options.keep_notes,
        .note_limit = SIZE_MAX, // They are within the budget.
        .quiet = true,
    };
    kifu_result result = kifu_create(timeline->rules, &options, &reading->news.stage, &timeline->error);
    if (result)
        return result;
    kifu_timeline *stage = reading->news.stage;
    stage->log.begin = stage->executed = base;
    stage->log.first.from = stage->log.first.end = base;
    stage->last_ticket = timeline->last_ticket; // Its proposals will wait in the timeline.
    reading->reader.timeline = stage;
    return KIFU_OK;
}

// News tell what is there now. So there are no events behind an undo, and no redo.
static bool may_follow(const kifu_timeline *stage, uint32_t kind)
{
    switch (kind) {
    case KIFU__FRAME_SEGMENT:
    case KIFU__FRAME_CHECKPOINTS:
        return !kifu__has_redo(stage);
    case KIFU__FRAME_HEADER:
    case KIFU__FRAME_END:
    case KIFU__FRAME_PACKED:
    case KIFU__FRAME_OLD_GO:
    case KIFU__FRAME_OLD_APPEND:
    case KIFU__FRAME_COMMIT:
    case KIFU__FRAME_NEWS:
        return false;
    default:
        return true;
    }
}

static kifu_result read_frame(reading *reading)
{
    kifu_error *error = &reading->timeline->error;
    const kifu__file *file = &reading->loaded.file;
    uint64_t behind = reading->offset;
    kifu__frame frame;
    if (kifu__read_frame(file->bytes, file->size, &behind, &frame, NULL))
        return damaged(reading, "a frame is not whole");
    if (!may_follow(reading->news.stage, frame.kind))
        return damaged(reading, "a frame is in a wrong place");
    const kifu_result result = kifu__take_frame(&reading->reader, &frame);
    if (result != KIFU_DAMAGED) {
        reading->offset = behind;
        return result;
    }
    kifu_error why = *error;
    char *advice = strstr(why.message, "; get "); // which is about a file
    if (advice)
        *advice = '\0';
    return damaged(reading, why.message);
}

// The snapshot is the last.
static kifu_result read_rest(reading *reading)
{
    const kifu__reader *reader = &reading->reader;
    kifu_timeline *stage = reading->news.stage;
    kifu_result result = KIFU_OK;
    stage->memory = stage->log.memory = reading->news.memory;
    while (!result && !reader->snapshot_count && reading->offset < reading->loaded.file.size)
        result = read_frame(reading);
    if (!result)
        result = kifu__give_frame(&reading->reader, NULL);
    stage->memory = stage->log.memory = reading->timeline->memory;
    if (result)
        return result;
    if (!reader->snapshot_count || reading->offset != reading->loaded.file.size)
        return damaged(reading, "they do not end with a snapshot");
    if (stage->log.branch->checkpoint_count &&
        stage->log.branch->checkpoints[0].event_count <= reading->news.first->base)
        return damaged(reading, "they have a hash of a state before they begin");
    reading->news.hash = reader->snapshots[0].hash;
    return KIFU_OK;
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result require_applicable(kifu_timeline *timeline)
{
    const char *call = "kifu_apply_news";
    kifu_result result = kifu__require_calm(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (!result && timeline->transactions.open)
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s was called inside a transaction: commit or roll back first", call);
    if (!result && timeline->log.begin)
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s: what was before event %" PRIu32 " is forgotten, so news do not fit: ask for a save",
                             call, timeline->log.begin);
    return result;
}

// What parts have in saves: lines, notes.
static kifu_result require_parts(reading *reading)
{
    kifu_result result = KIFU_OK;
    for (kifu__part *part = reading->timeline->parts; part && !result; part = part->next) {
        if (part->table->saved && part->table->saved->fits)
            result = part->table->saved->fits(reading->timeline, part, &reading->news);
    }
    return result;
}

static kifu_result apply(reading *reading)
{
    uint64_t count;
    kifu_result result = read_first(reading);
    if (!result)
        result = kifu__count_changes(reading->timeline, &count); // for the digests
    if (!result)
        result = require_base(reading);
    if (!result)
        result = make_stage(reading);
    const kifu__save_header header = {.rules_version = reading->timeline->rules->rules_version,
                                      .fingerprint = reading->timeline->rules->fingerprint};
    reading->reader.header = &header;
    if (!result)
        result = read_rest(reading);
    if (!result)
        result = count_same(reading);
    if (!result)
        result = require_same(reading);
    if (!result)
        result = require_parts(reading);
    return result ? result : kifu__take_news(reading->timeline, &reading->news);
}

static void let_go(reading *reading)
{
    kifu_timeline *timeline = reading->timeline;
    kifu__reader *reader = &reading->reader;
    kifu_destroy(reading->news.stage);
    kifu__free(&timeline->memory, reading->news.lines);
    if (timeline->rules->upcasting)
        timeline->rules->upcasting->end(&reader->upcaster);
    kifu__free(&timeline->memory, reader->header_room.bytes);
    kifu__free(&timeline->memory, reader->room.bytes);
    kifu__free(&timeline->memory, reader->snapshots);
    kifu__free(&timeline->memory, reading->loaded.file.bytes);
}

// What was refused, because the budget does not allow it.
static kifu_result too_large(const reading *reading)
{
    return kifu__error(&reading->timeline->error, KIFU_TOO_LARGE,
                       "the news need %" PRIu64 " bytes of memory or more, and kifu_options.news_memory allows %" PRIu64
                       "; nothing was changed: raise it if you trust the sender",
                       reading->budget.needed, reading->budget.most);
}

kifu_result kifu_apply_news(kifu_timeline *timeline, const void *bytes, size_t size)
{
    kifu_result result = require_applicable(timeline);
    if (result)
        return result;
    const kifu__memory *memory = &timeline->memory;
    reading reading = {.timeline = timeline};
    const uint64_t most = timeline->options.news_memory;
    reading.news.memory = kifu__budget_begin(&reading.budget, memory,
                                             most ? most : KIFU__BUDGET_LEAST + KIFU__BUDGET_TIMES * (uint64_t)size);
    reading.reader = (kifu__reader){.timeline = timeline,
                                    .error = &timeline->error,
                                    .loaded = &reading.loaded,
                                    .news = true,
                                    .header_room = {.memory = &reading.news.memory},
                                    .room = {.memory = &reading.news.memory}};
    reading.loaded.file = (kifu__file){.bytes = (unsigned char *)kifu__new(memory, size ? size : 1), .size = size};
    if (!reading.loaded.file.bytes)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for news of %zu bytes", size);
    if (size)
        memcpy(reading.loaded.file.bytes, bytes, size);
    result = apply(&reading);
    if (result == KIFU_NO_MEMORY && reading.budget.needed)
        result = too_large(&reading);
    const kifu_error error = timeline->error;
    let_go(&reading);
    timeline->error = error;
    return result;
}
