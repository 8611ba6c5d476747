// Frames are verified, and taken into a new timeline. Nothing of the game is executed here.

#include "save/reader.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "save/budget.h"
#include "save/saved.h"
#include "wire/buffer.h"
#include "wire/number.h"
#include "wire/schema.h"
#include "wire/table.h"

// --- Header ----------------------------------------------------------------------------------------------------------

// Another version of the game may have another state, and rules that lead to another: its states and hashes say nothing
// to this one. Where the save has its schema, only the state counts in it: the fingerprint does not contain the names
// of an enum's values.
static bool is_save_comparable(const kifu__reader *reader)
{
    const kifu_rules *rules = reader->timeline->rules;
    kifu__schema schema;
    if (reader->header->rules_version != rules->rules_version)
        return false;
    if (reader->header->fingerprint == rules->fingerprint &&
        (!reader->schema_size ||
         (reader->schema_size == rules->bfbs_size && memcmp(reader->schema, rules->bfbs, rules->bfbs_size) == 0)))
        return true;
    if (!kifu__schema_open(&schema, reader->schema, reader->schema_size))
        return false;
    const uint32_t state = kifu__schema_struct(&schema, rules->state->name);
    return state && kifu__schema_has_layout(&schema, state, rules->state);
}

static KIFU__APART kifu_result take_header(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu_rules *rules = reader->timeline->rules;
    const kifu_result result = kifu__read_header(frame, &reader->room, &reader->header, reader->error);
    if (result)
        return result;
    reader->schema = (const unsigned char *)kifu__elements(&reader->header->schema);
    reader->schema_size = kifu__length(&reader->header->schema);
    const char *game = (const char *)kifu__elements(&reader->header->game);
    if (strcmp(game, rules->name) != 0)
        return kifu__error_at(reader->error, KIFU_OTHER_GAME, frame->offset,
                              "this is a save of the game '%.100s', not of '%.100s': choose another file", game,
                              rules->name);
    const uint32_t version = reader->header->rules_version;
    if (version > rules->rules_version)
        return kifu__error_at(reader->error, KIFU_NEWER_GAME, frame->offset,
                              "this save is of rules version %" PRIu32 " of %.100s, and this program has rules version "
                              "%" PRIu32 ": update the program",
                              version, game, rules->rules_version);
    reader->comparable = is_save_comparable(reader);
    return KIFU_OK;
}

// --- Frames ----------------------------------------------------------------------------------------------------------

// The first one counts: what is in the header, if anything.
static kifu_result take_schema(kifu__reader *reader, const kifu__frame *frame)
{
    if (!reader->schema) {
        reader->schema = frame->payload;
        reader->schema_size = frame->size;
        reader->comparable = is_save_comparable(reader);
    }
    return KIFU_OK;
}

// --- The packed frame, in a program without a codec ------------------------------------------------------------------

kifu_result kifu__read_packed(const kifu__frame *frame, kifu__packed *packed, kifu_error *error)
{
    kifu__bytes from = {frame->payload, frame->payload + frame->size, true};
    const unsigned char *head = kifu__parse_bytes(&from, KIFU__PACKED_HEAD);
    packed->name_size = kifu__parse_number(&from);
    packed->name = (const char *)kifu__parse_bytes(&from, packed->name_size);
    packed->bytes = from.at;
    packed->packed_size = (uint32_t)(from.end - from.at);
    if (!from.good)
        return kifu__damaged(error, frame->offset, "the packed frame at byte %" PRIu64 " is damaged: it has no end",
                             frame->offset);
    packed->size = kifu__load32(head);
    return KIFU_OK;
}

const char kifu__compact_name[] = "kifu_compact";

kifu_result kifu__refuse_codec(const kifu__reader *reader, const kifu__frame *frame, const kifu__packed *packed,
                               const char *given)
{
    const char *name = packed->name, *known = "";
    uint32_t size = packed->name_size;
    if (!size) {
        name = kifu__compact_name;
        size = (uint32_t)strlen(name);
        known = ", which is in kifu/codec.h";
    } else if (size == 4 && !memcmp(name, "zstd", 4))
        known = ", which is kifu_zstd() of kifu/zstd.h";
    return kifu__error_at(reader->error, KIFU_NO_CODEC, frame->offset,
                          "the save is packed by the codec '%.*s', and kifu_load_options.codec is %s: give kifu_load "
                          "that codec%s",
                          (int)(size < 60 ? size : 60), name, given, known);
}

kifu_result kifu__require_packing(const kifu_codec *codec, kifu_error *error)
{
    if (!codec || codec->packing)
        return KIFU_OK;
    return kifu__error(error, KIFU_MISUSE, "the codec '%.60s' has no packing: set kifu_codec.packing to &kifu_packing",
                       codec->name);
}

// Only a program that has a codec links more of it.
static KIFU__APART kifu_result load_packed(kifu__reader *reader, const kifu__frame *frame)
{
    kifu__packed packed;
    const kifu_codec *codec = reader->options->codec;
    const kifu_result result = kifu__read_packed(frame, &packed, reader->error);
    if (result)
        return result;
    return codec ? codec->packing->take(reader, frame, &packed) : kifu__refuse_codec(reader, frame, &packed, "NULL");
}

// --- The whole file --------------------------------------------------------------------------------------------------

// The next commit says what it is.
static kifu_result take_segment_frame(kifu__reader *reader, const kifu__frame *frame)
{
    kifu__frame *segments =
        (kifu__frame *)kifu__grow(&reader->timeline->memory, reader->segments, &reader->segment_capacity,
                                  (uint64_t)reader->segment_count + 1, sizeof *segments);
    if (!segments)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    reader->segments = segments;
    segments[reader->segment_count++] = *frame;
    return KIFU_OK;
}

static kifu_result take_commit(kifu__reader *reader, const kifu__frame *frame)
{
    kifu_result result = kifu__read_commit(reader, frame);
    if (!result && reader->segment_taken < reader->segment_count)
        result = kifu__bad_commit(reader, frame, "leaves segments in front of it unused");
    reader->segment_count = reader->segment_taken = 0;
    return result;
}

// Without it, the game cannot be followed.
static kifu_result take_root_of_part(kifu__reader *reader, const kifu__frame *frame)
{
    const kifu__part *keeper = kifu__saved_by(reader->timeline, KIFU__ROOT);
    if (keeper)
        return keeper->table->saved->take_root(reader, frame);
    return kifu__error_at(reader->error, KIFU_NEWER_FORMAT, frame->offset,
                          "the save begins from a state, which this program does not read: set "
                          "kifu_options.from_state = kifu_begin_from_state, or update the game");
}

kifu_result kifu__load_frame(kifu__reader *reader, const kifu__frame *frame)
{
    if (!reader->header)
        return take_header(reader, frame);
    switch (frame->kind) {
    case KIFU__FRAME_HEADER:
        return kifu__damaged(reader->error, frame->offset, "the save has a second header at byte %" PRIu64,
                             frame->offset);
    case KIFU__FRAME_SEGMENT:
        return take_segment_frame(reader, frame);
    case KIFU__FRAME_COMMIT:
        return take_commit(reader, frame);
    case KIFU__FRAME_PACKED:
        return load_packed(reader, frame);
    case KIFU__FRAME_SCHEMA:
        return take_schema(reader, frame);
    case KIFU__FRAME_ROOT:
        return take_root_of_part(reader, frame);
    default:
        return frame->kind >= KIFU__SKIPPED_FRAMES ? KIFU_OK
                                                   : kifu__refuse_kind(reader->error, frame, "frame", frame->kind);
    }
}

kifu_result kifu__bytes_behind(uint64_t offset, kifu_error *error)
{
    return kifu__damaged(error, offset, "the save ends at byte %" PRIu64 ", but more bytes follow", offset);
}

kifu_result kifu__read_frames(kifu__reader *reader)
{
    const kifu__file *file = &reader->loaded->file;
    kifu_result result = KIFU_OK;
    kifu__chain chain = {.offset = KIFU__FILE_HEAD};
    while (!result && !reader->ended && chain.offset != reader->end) {
        kifu__frame frame;
        if (chain.offset == file->size)
            return kifu__error_at(reader->error, KIFU_DAMAGED, file->size,
                                  "the save was cut off at byte %" PRIu64 ", where one more frame should be: %s",
                                  chain.offset, kifu__try_what);
        result = kifu__next_frame(&chain, file->bytes, file->size, &frame, reader->error);
        if (!result)
            result = kifu__load_frame(reader, &frame);
        if (!result)
            result = kifu__report_read(reader, chain.offset);
    }
    if (!result && reader->ended && chain.offset != file->size && reader->end == KIFU__NO_END)
        result = kifu__bytes_behind(chain.offset, reader->error);
    return result ? result : kifu__end_commits(reader);
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result end_parts_read(kifu__reader *reader)
{
    kifu_result result = KIFU_OK;
    for (const kifu__part *part = reader->timeline->parts; part && !result; part = part->next) {
        if (part->table->saved && part->table->saved->end)
            result = part->table->saved->end(reader);
    }
    return result;
}

kifu_result kifu__read_all(kifu__reader *reader)
{
    const kifu_load_options *options = reader->options;
    kifu_timeline *timeline = reader->timeline;
    const kifu__file *file = &reader->loaded->file;
    const kifu__memory memory = timeline->memory;
    kifu__budget budget;
    timeline->memory = timeline->log.memory = kifu__budget_begin(
        &budget, &memory,
        options->memory ? options->memory : KIFU__BUDGET_LEAST + KIFU__BUDGET_TIMES * (uint64_t)file->size);
    kifu_result result = kifu__read_file_header(file->bytes, file->size, reader->error);
    if (!result && options->recover)
        result = options->recover(reader, options->recovery);
    else if (!result)
        result = kifu__read_frames(reader);
    if (!result && !reader->commits.is_log && !kifu__log_regroup(&timeline->log, &reader->borrowed))
        result = kifu__not_loaded(reader->error, UINT64_MAX, KIFU_NO_MEMORY);
    if (!result)
        result = end_parts_read(reader);
    const kifu_left_out *left_out = reader->left_out;
    timeline->files.known[KIFU__LOADED].lossy |= (left_out->lines | left_out->notes | left_out->newer) != 0;
    if (timeline->rules->upcasting)
        timeline->rules->upcasting->end(&reader->upcaster);
    timeline->memory = timeline->log.memory = memory;
    return kifu__budget_end(&budget, reader->memory_option, result, reader->error);
}
