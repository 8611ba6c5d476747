/// A game becomes a save, JSON, a save again and a game again, and each time it is the same.
#ifndef TESTS_THERE_AND_BACK_H
#define TESTS_THERE_AND_BACK_H

#include <kifu/json.h>

#include "save/packing.h"
#include "text_help.h"
#include "tool/game_file.h"

static inline kifu_result put_in_memory(void *context, const void *bytes, size_t size, kifu_error *error)
{
    (void)error;
    return gather(context, (const char *)bytes, size);
}

/// As a save; the caller frees its bytes.
static inline kifu__file_bytes save_of(kifu__game_file *file, const kifu_codec *codec)
{
    gathered bytes = {0};
    kifu__plan plan = kifu__plan_game(file, codec, true);
    kifu__sink sink = {.write = put_in_memory, .context = &bytes};
    ck_assert_int_eq(plan.result, KIFU_OK);
    ck_assert_int_eq(kifu__plan_write(&plan, &sink, true), KIFU_OK);
    kifu__plan_drop(&plan);
    return (kifu__file_bytes){(unsigned char *)bytes.text, bytes.size};
}

static inline kifu__game_file opened(const kifu__file_bytes *bytes)
{
    static const kifu__open_options options = {0};
    kifu__game_file file;
    kifu_error error;
    ck_assert_msg(!kifu__open_bytes("test", bytes, &options, &file, &error), "%.400s\n%.600s", error.message,
                  bytes->at[0] == '{' ? (const char *)bytes->at : "");
    return file;
}

/// As JSON; the caller frees it.
static inline kifu__file_bytes json_of_file(kifu__game_file *file)
{
    gathered json = {0};
    const kifu_save_options options = kifu__options_of(file);
    const kifu__facts facts = kifu__facts_of(file, &options);
    kifu__printer printer = {.write = gather, .context = &json};
    kifu__print_game(&printer, file->timeline, &facts);
    ck_assert_int_eq(kifu__print_end(&printer), KIFU_OK);
    return (kifu__file_bytes){(unsigned char *)json.text, json.size};
}

static inline void same_bytes(const kifu__file_bytes *a, const kifu__file_bytes *b, const char *what)
{
    size_t at = 0;
    while (at < a->size && at < b->size && a->at[at] == b->at[at])
        at++;
    ck_assert_msg(a->size == b->size && at == a->size, "%s differ at byte %zu of %zu and %zu: %.200s | %.200s", what,
                  at, a->size, b->size, a->at[0] == '{' ? (const char *)a->at + at : "",
                  a->at[0] == '{' ? (const char *)b->at + at : "");
}

/// The same events byte by byte, each by itself; and the same marks. They begin from the same state.
static inline void same_logs(const kifu_timeline *a, const kifu_timeline *b)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob one = {.memory = &memory}, other = {.memory = &memory};
    ck_assert_uint_eq(a->log.branch->end, b->log.branch->end);
    ck_assert_uint_eq(a->executed, b->executed);
    ck_assert_uint_eq(a->log.begin, b->log.begin);
    ck_assert(!a->log.begin || !memcmp(a->origin, b->origin, a->rules->state_size));
    for (uint32_t i = a->log.begin; i < a->log.branch->end; i++) {
        const kifu__segment *from = kifu__log_segment_of(&a->log, i), *to = kifu__log_segment_of(&b->log, i);
        ck_assert_int_eq(kifu__blob_of(a->rules, from, i - from->first, &one), KIFU_OK);
        ck_assert_int_eq(kifu__blob_of(b->rules, to, i - to->first, &other), KIFU_OK);
        ck_assert_uint_eq(kifu__log_type(&a->log, i), kifu__log_type(&b->log, i));
        ck_assert_int_eq(memcmp(kifu__log_mark(&a->log, i), kifu__log_mark(&b->log, i), sizeof(kifu__mark)), 0);
        ck_assert_uint_eq(from->rules_version, to->rules_version);
        ck_assert(one.size == other.size && !memcmp(one.bytes, other.bytes, one.size));
    }
    kifu__free(&memory, one.bytes);
    kifu__free(&memory, other.bytes);
}

/// The same lines with the same events, and the same notes.
static inline void same_trees(kifu_timeline *a, kifu_timeline *b)
{
    kifu_line one, other;
    kifu_event from, to;
    kifu_note here = {0}, there = {0};
    ck_assert_uint_eq(kifu_line_count(a), kifu_line_count(b));
    for (uint32_t i = 0; kifu_line_at(a, i, &one); i++) {
        ck_assert(kifu_line_at(b, i, &other));
        ck_assert(one.id == other.id && one.parent == other.parent && one.from == other.from);
        ck_assert(one.count == other.count && one.main == other.main && one.current == other.current);
        for (uint32_t k = one.from; k < one.from + one.count; k++) {
            ck_assert(kifu_line_event(a, one.id, k, &from) && kifu_line_event(b, one.id, k, &to));
            ck_assert(from.type == to.type && from.cause == to.cause && from.player == to.player);
            ck_assert(from.flags == to.flags && from.rules_version == to.rules_version);
        }
    }
    while (kifu_next_note(a, &here)) {
        ck_assert(kifu_next_note(b, &there));
        ck_assert(here.line == there.line && here.event == there.event && !strcmp(here.key, there.key));
        ck_assert(!here.text == !there.text && here.size == there.size && !memcmp(here.bytes, there.bytes, here.size));
    }
    ck_assert(!kifu_next_note(b, &there));
}

/// JSON without the line that says when the game was saved.
static inline void drop_time(kifu__file_bytes *json)
{
    char *line = strstr((char *)json->at, "  \"saved_at\"");
    if (!line)
        return;
    const char *end = strchr(line, '\n') + 1;
    json->size -= (size_t)(end - line);
    memmove(line, end, strlen(end) + 1);
}

/// Each event comes back from its JSON as the bytes that it has.
static inline void events_back(kifu_timeline *timeline)
{
    kifu_buffer bytes = {0}, read = {0};
    kifu_event event, got;
    for (uint32_t i = kifu_first_event(timeline); kifu_event_at(timeline, i, &event); i++) {
        gathered json = {0};
        ck_assert_int_eq(kifu_json_event(timeline, i, gather, &json), KIFU_OK);
        ck_assert_int_eq(kifu_event_bytes(timeline, i, &bytes), KIFU_OK);
        ck_assert_msg(!kifu_event_from_json(timeline, json.text, json.size, &read, &got), "%s: %s",
                      kifu_last_error(timeline)->message, json.text);
        ck_assert_msg(bytes.size == read.size && !memcmp(bytes.data, read.data, read.size), "%s", json.text);
        ck_assert(got.index == i && got.type == event.type && got.player == event.player && got.flags == event.flags);
        ck_assert(got.rules_version == event.rules_version);
        free(json.text);
    }
    kifu_free_buffer(&bytes);
    kifu_free_buffer(&read);
}

/// The game is the same, and goes on with it.
static inline void same_games(kifu_timeline *timeline, kifu_timeline *loaded)
{
    kifu_comparison found;
    same_logs(loaded, timeline);
    same_trees(timeline, loaded);
    ck_assert_int_eq(memcmp(loaded->core.state, timeline->core.state, timeline->rules->state_size), 0);
    ck_assert_int_eq(kifu_compare(timeline, loaded, &found), KIFU_OK);
    ck_assert_msg(found.what == KIFU_GAMES_EQUAL, "%s", found.message);
}

/// All of it. The game ends where it began.
static inline void there_and_back(kifu_timeline *timeline, const kifu_save_options *options)
{
    kifu__file_bytes save, own;
    gathered linked = {0};
    ck_assert_msg(!kifu_save_to_memory(timeline, options, &save.at, &save.size), "%s",
                  kifu_last_error(timeline)->message);
    kifu_save_options plain = options ? *options : (kifu_save_options){0};
    plain.codec = NULL;
    ck_assert_int_eq(kifu_json_game(timeline, &plain, gather, &linked), KIFU_OK);
    kifu__game_file from_save = opened(&save);
    same_logs(from_save.timeline, timeline);
    kifu__file_bytes json = json_of_file(&from_save), again = {(unsigned char *)linked.text, linked.size};
    kifu__game_file from_json = opened(&json);
    same_logs(from_json.timeline, timeline);
    own = save_of(&from_json, NULL);
    kifu__game_file from_own = opened(&own);
    kifu__file_bytes own_json = json_of_file(&from_own);
    same_bytes(&json, &own_json, "JSON and what became of it");
    kifu__game_file once_more = opened(&own_json);
    kifu__file_bytes own_again = save_of(&once_more, NULL);
    same_bytes(&own, &own_again, "the save from JSON and the next one");
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_options game_options = timeline->options;
    ck_assert_msg(
        !kifu_game_from_json(timeline->rules, (const char *)again.at, again.size, &game_options, NULL, &loaded, &error),
        "%s", error.message);
    same_games(timeline, loaded);
    kifu_destroy(loaded);
    events_back(timeline);
    drop_time(&json);
    drop_time(&again);
    same_bytes(&json, &again, "the JSON of the game and that of its save");
    free(json.at), free(again.at), free(own_json.at), free(own_again.at);
    kifu__close_game(&from_save), kifu__close_game(&from_json), kifu__close_game(&from_own);
    kifu__close_game(&once_more);
    ck_assert_msg(!kifu_load_from_memory(timeline->rules, own.at, own.size, &game_options, NULL, &loaded, &error), "%s",
                  error.message);
    same_games(timeline, loaded);
    kifu_destroy(loaded);
    free(own.at);
    kifu_free_bytes(timeline, save.at);
}

#endif
