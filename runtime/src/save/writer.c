// The frames of a save: how they are gathered and written, and the first one.

#include "save/writer.h"

#include <stddef.h>

// --- A plan ----------------------------------------------------------------------------------------------------------

void kifu__plan_fail(kifu__plan *plan, kifu_result result)
{
    if (result && !plan->result)
        plan->result = kifu__error(&plan->timeline->error, result,
                                   "%s while a save was put together; nothing was written", kifu_result_text(result));
}

void kifu__plan_add(kifu__plan *plan, uint32_t kind, unsigned char *payload, uint32_t size, bool owned)
{
    const kifu__memory *memory = &plan->timeline->memory;
    kifu__piece *pieces =
        (kifu__piece *)kifu__grow(memory, plan->pieces, &plan->capacity, (uint64_t)plan->count + 1, sizeof *pieces);
    if (pieces) {
        plan->pieces = pieces;
        pieces[plan->count++] = (kifu__piece){.kind = kind, .size = size, .payload = payload, .owned = owned};
        plan->size += kifu__frame_size(size);
        return;
    }
    if (owned)
        kifu__free(memory, payload);
    kifu__plan_fail(plan, KIFU_NO_MEMORY);
}

kifu_result kifu__plan_write(kifu__plan *plan, kifu__sink *sink, bool new_file)
{
    kifu_result result = new_file ? kifu__write_file_header(sink) : KIFU_OK;
    sink->chain = plan->chain;
    for (uint32_t i = 0; i < plan->count && !result; i++) {
        const kifu__piece *piece = &plan->pieces[i];
        kifu__put_link(sink, piece->kind, piece->payload);
        result = kifu__write_frame(sink, piece->kind, piece->payload, piece->size);
    }
    plan->chain = sink->chain;
    return result ? result : kifu__flush(sink);
}

void kifu__plan_drop(kifu__plan *plan)
{
    const kifu__memory *memory = &plan->timeline->memory;
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->pieces[i].owned)
            kifu__free(memory, plan->pieces[i].payload);
    }
    kifu__free(memory, plan->pieces);
}

// --- Payloads --------------------------------------------------------------------------------------------------------

kifu__blob kifu__payload_begin(const kifu__plan *plan, const kifu__table *table, const void *fields)
{
    kifu__blob payload = {.memory = &plan->timeline->memory, .link = KIFU__LINK_SIZE};
    kifu__build_short(&payload, table, fields);
    return payload;
}

bool kifu__payload_end(kifu__plan *plan, kifu__blob *payload)
{
    if (payload->result)
        kifu__free(payload->memory, payload->bytes);
    kifu__plan_fail(plan, payload->result);
    return !payload->result;
}

// Bytes start 8-aligned: what they hold (the .bfbs is a FlatBuffer) can be used in place. NULL: the field is absent.
static void add_bytes(kifu__blob *payload, size_t ref, const void *bytes, uint32_t size)
{
    if (bytes)
        kifu__build_vector(payload, (uint32_t)ref, bytes, size, size, 8);
}

static void add_strings(kifu__blob *payload, size_t ref, const char *const *texts, uint32_t count)
{
    if (!texts)
        return;
    const uint32_t first = kifu__build_vector(payload, (uint32_t)ref, NULL, count, (uint64_t)count * 4, 4);
    for (uint32_t i = 0; i < count && !payload->result; i++)
        kifu__build_string(payload, first + 4 * i, texts[i] ? texts[i] : "");
}

void kifu__plan_header(kifu__plan *plan, const kifu_save_options *options, int64_t saved_at)
{
    const kifu_rules *rules = plan->timeline->rules;
    const bool with_schema = !options->without_schema && !options->codec;
    const kifu__save_header header = {
        .game = {1},
        .union_name = {1},
        .title = {options->title != NULL},
        .players = {options->players != NULL},
        .thumbnail = {options->thumbnail != NULL},
        .schema = {with_schema},
        .fingerprint = rules->fingerprint,
        .saved_at = saved_at,
        .rules_version = rules->rules_version,
        .event_count = kifu_event_count(plan->timeline),
        .first_event = plan->timeline->log.begin,
    };
    kifu__blob payload = kifu__payload_begin(plan, &kifu__save_header_table, &header);
    kifu__build_string(&payload, offsetof(kifu__save_header, game), rules->name);
    kifu__build_string(&payload, offsetof(kifu__save_header, union_name), rules->union_name);
    kifu__build_string(&payload, offsetof(kifu__save_header, title), options->title);
    add_strings(&payload, offsetof(kifu__save_header, players), options->players, options->player_count);
    add_bytes(&payload, offsetof(kifu__save_header, thumbnail), options->thumbnail, options->thumbnail_size);
    if (with_schema)
        add_bytes(&payload, offsetof(kifu__save_header, schema), rules->bfbs, rules->bfbs_size);
    if (kifu__payload_end(plan, &payload))
        kifu__plan_add(plan, KIFU__FRAME_HEADER, payload.bytes, payload.size, true);
    // Where it can be packed; the header cannot.
    if (!options->without_schema && options->codec)
        kifu__plan_add(plan, KIFU__FRAME_SCHEMA, (unsigned char *)(uintptr_t)rules->bfbs, rules->bfbs_size, false);
}
