// Opening a save without the code of its game: it is read, and not played, by rules that are made from the schema in
// the save. What it says of the state is taken as it is.

#include "tool/game_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/os.h"
#include "save/budget.h"
#include "save/packing.h"
#include "save/unplayed.h"

#ifdef KIFU_WITH_ZSTD
#include <kifu/zstd.h>
#endif

const kifu_codec *kifu__tool_codec(void)
{
#ifdef KIFU_WITH_ZSTD
    return kifu_zstd();
#else
    return &kifu_compact;
#endif
}

// --- Bytes -----------------------------------------------------------------------------------------------------------

static kifu_result read_stdin(kifu__file_bytes *bytes, kifu_error *error)
{
    size_t room = 1 << 16;
    bytes->at = (unsigned char *)kifu__must_grow(NULL, room);
    bytes->size = 0;
    for (size_t now; (now = fread(bytes->at + bytes->size, 1, room - bytes->size, stdin)) != 0;) {
        bytes->size += now;
        if (bytes->size == room)
            bytes->at = (unsigned char *)kifu__must_grow(bytes->at, room *= 2);
    }
    return ferror(stdin) ? kifu__error(error, KIFU_IO, "standard input could not be read") : KIFU_OK;
}

kifu_result kifu__read_bytes(const char *path, kifu__file_bytes *bytes, kifu_error *error)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__file file;
    uint64_t whole;
    *bytes = (kifu__file_bytes){NULL, 0};
    if (!strcmp(path, "-"))
        return read_stdin(bytes, error);
    kifu_result result = kifu__os_read(path, UINT64_MAX, &memory, &file, &whole, error);
    if (result)
        return result;
    bytes->size = file.size;
    bytes->at = (unsigned char *)kifu__must_grow(NULL, file.size);
    if (file.size)
        memcpy(bytes->at, file.bytes, file.size);
    kifu__os_release(&file, &memory);
    return KIFU_OK;
}

// --- The head of a save ----------------------------------------------------------------------------------------------

static const char *text_in(kifu__game_file *file, const kifu_ref *ref)
{
    const char *text = (const char *)kifu__elements(ref);
    return text ? (char *)kifu__must(kifu__arena_text(&file->arena, text)) : NULL;
}

static const void *copy_in(kifu__game_file *file, const kifu_ref *ref)
{
    const void *bytes = kifu__elements(ref);
    const uint32_t size = kifu__length(ref);
    return bytes ? memcpy(kifu__must(kifu__arena_new(&file->arena, size ? size : 1, 1)), bytes, size) : NULL;
}

static void take_header(kifu__game_file *file, const kifu__save_header *header)
{
    file->identity = (kifu__identity){
        .game = text_in(file, &header->game),
        .union_name = text_in(file, &header->union_name),
        .rules_version = header->rules_version,
        .fingerprint = header->fingerprint,
    };
    file->title = text_in(file, &header->title);
    file->thumbnail = copy_in(file, &header->thumbnail);
    file->thumbnail_size = kifu__length(&header->thumbnail);
    file->saved_at = header->saved_at;
    file->listed_events = header->event_count;
    file->player_count = kifu__length(&header->players);
    file->players = (const char **)kifu__must(kifu__arena_new(&file->arena, file->player_count, sizeof *file->players));
    const kifu_ref *names = (const kifu_ref *)kifu__elements(&header->players);
    for (uint32_t i = 0; i < file->player_count; i++)
        file->players[i] = text_in(file, &names[i]);
}

// A schema in the file.
typedef struct found_schema {
    const unsigned char *bytes; // NULL: none was found.
    uint32_t size;
    kifu_error why; // It is there, and could not be unpacked.
} found_schema;

static void take_schema(kifu__game_file *file, found_schema *schema, const void *bytes, uint32_t size)
{
    if (!bytes || schema->bytes)
        return;
    schema->bytes =
        (const unsigned char *)memcpy(kifu__must(kifu__arena_new(&file->arena, size ? size : 1, 1)), bytes, size);
    schema->size = size;
    file->has_schema = true;
}

// What a packed frame is looked through for.
typedef struct looking {
    kifu__game_file *file;
    found_schema *schema;
} looking;

static kifu_result look_inside(void *context, const kifu__frame *inner)
{
    const looking *looking = (const struct looking *)context;
    if (inner->kind == KIFU__FRAME_SCHEMA)
        take_schema(looking->file, looking->schema, inner->payload, inner->size);
    return KIFU_OK;
}

static void look_at_packed(kifu__game_file *file, const kifu__frame *frame, found_schema *schema)
{
    const kifu_codec *codec = file->unpacks;
    const kifu__memory heap = kifu__memory_of(NULL, NULL);
    kifu__budget budget;
    kifu__packed packed;
    const kifu__memory memory = kifu__budget_begin(&budget, &heap, file->memory);
    looking looking = {file, schema};
    unsigned char *block = NULL;
    schema->why.result = kifu__read_packed(frame, &packed, &schema->why);
    if (schema->why.result)
        return;
    const uint32_t most = sizeof file->codec - 1;
    snprintf(file->codec, sizeof file->codec, "%.*s", (int)(packed.name_size < most ? packed.name_size : most),
             packed.name);
    if (!kifu__is_codec_of(codec, &packed)) {
        schema->why.result = KIFU_NO_CODEC;
        return;
    }
    schema->why.result = kifu__unpack(codec, &memory, frame, &packed, &block, look_inside, &looking, &schema->why);
    kifu__free(&memory, block);
    schema->why.result = kifu__budget_end(&budget, "--memory", schema->why.result, &schema->why);
}

static void look_at(kifu__game_file *file, const kifu__frame *frame, found_schema *schema)
{
    if (frame->kind == KIFU__FRAME_PACKED)
        look_at_packed(file, frame, schema);
    else if (frame->kind == KIFU__FRAME_SCHEMA)
        take_schema(file, schema, frame->payload, frame->size);
}

static kifu_result read_header(kifu__game_file *file, const kifu__frame *frame, found_schema *schema, kifu_error *error)
{
    const kifu__memory memory = kifu__memory_of(NULL, NULL);
    kifu__blob room = {.memory = &memory};
    const kifu__save_header *header;
    const kifu_result result = kifu__read_header(frame, &room, &header, error);
    if (!result) {
        take_header(file, header);
        take_schema(file, schema, kifu__elements(&header->schema), kifu__length(&header->schema));
    }
    kifu__free(&memory, room.bytes);
    return result;
}

// The header, and whatever frames are good: what is wrong behind them, the load says.
static kifu_result read_head(kifu__game_file *file, const kifu__file_bytes *bytes, found_schema *schema,
                             kifu_error *error)
{
    kifu__frame frame;
    file->frames = (kifu__scan){.chain = {.offset = KIFU__FILE_HEAD}};
    *schema = (found_schema){NULL, 0, {.result = KIFU_OK}};
    kifu_result result = kifu__read_file_header(bytes->at, bytes->size, error);
    if (result)
        return result;
    if (!kifu__scan_frame(&file->frames, bytes->at, bytes->size, &frame)) {
        *error = file->frames.why;
        return error->result;
    }
    result = read_header(file, &frame, schema, error);
    if (result)
        return result;
    while (kifu__scan_frame(&file->frames, bytes->at, bytes->size, &frame))
        look_at(file, &frame, schema);
    return KIFU_OK;
}

// --- Rules -----------------------------------------------------------------------------------------------------------

static bool is_of_game(const kifu__game_file *file, const kifu_rules *game)
{
    return game && !strcmp(game->name, file->identity.game) && game->fingerprint == file->identity.fingerprint &&
           game->rules_version == file->identity.rules_version;
}

static kifu_result find_rules(kifu__game_file *file, const void *bfbs, uint32_t size, const void *context,
                              kifu_error *error)
{
    const kifu__open_options *options = (const kifu__open_options *)context;
    kifu__file_bytes other = {NULL, 0};
    kifu_result result = KIFU_OK;
    if (is_of_game(file, options->game)) {
        file->rules = options->game;
        return KIFU_OK;
    }
    if (!bfbs && !options->schema)
        return kifu__error(error, KIFU_UNKNOWN_EVENT,
                           "it was saved without its schema, so its events cannot be read: give the schema of %.100s "
                           "with --schema FILE.bfbs (kifu_add_game makes that file: see its KIFU_SCHEMA)",
                           file->identity.game);
    if (!bfbs) {
        result = kifu__read_bytes(options->schema, &other, error);
        bfbs = other.at;
        size = (uint32_t)other.size;
        if (!result && other.size > INT32_MAX)
            result = kifu__error(error, KIFU_TOO_LARGE, "the schema '%.300s' is too large", options->schema);
    }
    if (!result)
        result = kifu__make_rules(&file->arena, bfbs, size, &file->identity, file->memory, &file->rules, error);
    free(other.at);
    return result;
}

// --- The rest of a save ----------------------------------------------------------------------------------------------

static const unsigned char *copy_state(kifu__game_file *file, const kifu__saved_snapshot *snapshot)
{
    const uint32_t size = file->rules->state_size;
    return snapshot->state && snapshot->state_size == size
               ? (const unsigned char *)memcpy(kifu__must(kifu__arena_new(&file->arena, size, 1)), snapshot->state,
                                               size)
               : NULL;
}

// What the snapshots say of the end, and of the way there. A log file may have several of a place.
static void take_states(kifu__unplayed *unplayed, const kifu__reader *reader)
{
    kifu__game_file *file = (kifu__game_file *)unplayed->context;
    file->snapshots =
        (kifu__state_there *)kifu__must(kifu__arena_new(&file->arena, reader->snapshot_count, sizeof *file->snapshots));
    for (uint32_t i = 0; i < reader->snapshot_count; i++) {
        const kifu__saved_snapshot *from = &reader->snapshots[i];
        const unsigned char *state = copy_state(file, from);
        if (from->event_count == unplayed->executed) {
            file->has_hash = true;
            file->hash = from->hash;
            file->state = state ? state : file->state;
        } else if (from->event_count > reader->timeline->log.begin) {
            const uint32_t before = file->snapshot_count ? file->snapshots[file->snapshot_count - 1].events : 0;
            kifu__state_there *to = &file->snapshots[file->snapshot_count - (before == from->event_count)];
            file->snapshot_count += before != from->event_count;
            *to = (kifu__state_there){from->event_count, from->hash, state ? state : to->state};
        }
    }
}

void kifu__explain_load(kifu_error *error)
{
    static const char option[] = "kifu_load_options.memory", name[] = "--memory";
    char *found = strstr(error->message, option);
    if (found) {
        memcpy(found, name, sizeof name - 1);
        memmove(found + sizeof name - 1, found + sizeof option - 1, strlen(found + sizeof option - 1) + 1);
    }
    if (error->result == KIFU_CANCELLED)
        kifu__error(error, KIFU_CANCELLED, "interrupted; nothing was written");
}

// A command that recovers is not told to. `recoverable`: whether that gives anything.
static void explain(const kifu__game_file *file, bool recovers, bool recoverable, kifu_error *error)
{
    kifu__explain_load(error);
    char *found = strstr(error->message, KIFU__TRY_RECOVERY);
    if (found)
        *found = '\0';
    const size_t used = strlen(error->message);
    if (!recovers && error->result == KIFU_DAMAGED)
        snprintf(error->message + used, sizeof error->message - used,
                 recoverable ? "; `kifu recover` saves what is whole"
                 : strstr(error->message, " copy of ")
                     ? "; nothing of this one can be recovered"
                     : "; nothing of this save can be recovered: get another copy of it");
    if (error->result == KIFU_NO_CODEC)
        kifu__error_at(error, KIFU_NO_CODEC, error->offset,
                       "it is packed by the codec '%s', which this program does not have; use the program of the game "
                       "%.100s, or a kifu that was built with it",
                       file->codec, file->identity.game);
}

static kifu_result load_by(kifu__game_file *file, const kifu__file_bytes *bytes, const kifu__open_options *options,
                           bool recover, kifu_left_out *left_out, kifu__unplayed *unplayed, kifu_timeline **timeline,
                           kifu_error *error)
{
    const kifu_load_options how = {
        .codec = file->unpacks,
        .recover = recover ? kifu_recover : NULL,
        .left_out = left_out,
        .memory = file->memory,
        .progress = options->progress,
        .context = options->context,
    };
    return kifu__load_unplayed(file->rules, NULL, bytes->at, bytes->size, NULL, &how, unplayed, timeline, error);
}

static bool is_recoverable(kifu__game_file *file, const kifu__file_bytes *bytes, const kifu__open_options *options)
{
    kifu__unplayed unplayed = {.see = NULL};
    kifu_timeline *timeline;
    kifu_error error;
    const bool recovered = !load_by(file, bytes, options, true, NULL, &unplayed, &timeline, &error);
    kifu_destroy(timeline);
    return recovered;
}

// Nothing is missing; or only the append in which it was cut off, behind others that are whole.
static bool is_good_log(const kifu__game_file *file)
{
    return file->frames.is_log && (file->frames.whole || file->frames.cut);
}

// What is wrong with a log file, of which everything was loaded that is good: that it was not closed, if nothing else
// is.
static void refuse_log(const kifu__game_file *file, kifu_error *error)
{
    if (is_good_log(file))
        kifu__error_at(error, KIFU_DAMAGED, file->size, "it is a log file that was not closed%s",
                       file->frames.cut ? ", and it ends inside of what was appended last" : "");
    else
        *error = file->frames.why;
    explain(file, false, true, error);
}

// A log file is read as recovery reads it, because it has no end.
static kifu_result load(kifu__game_file *file, const kifu__file_bytes *bytes, const kifu__open_options *options,
                        kifu_error *error)
{
    kifu__unplayed unplayed = {.see = take_states, .context = file};
    kifu_left_out left_out = {0};
    const bool is_log = file->frames.is_log && !options->recover, recovers = is_log || options->recover;
    kifu_result result = load_by(file, bytes, options, recovers, &left_out, &unplayed, &file->timeline, error);
    if (!result && left_out.why.result && !recovers) // What is made of the game would not have them.
        result = kifu__error_at(error, left_out.why.result, left_out.why.offset,
                                "%" PRIu32 " lines of the save cannot be read: %.600s", left_out.lines,
                                left_out.why.message);
    if (result) {
        explain(file, options->recover, result == KIFU_DAMAGED && !recovers && is_recoverable(file, bytes, options),
                error);
        return result;
    }
    if (is_log)
        refuse_log(file, error);
    if (is_log && (!options->so_far || !is_good_log(file))) {
        kifu_destroy(file->timeline);
        file->timeline = NULL;
        return KIFU_DAMAGED;
    }
    file->recovery = unplayed.recovery;
    if (file->state)
        memcpy(file->timeline->core.state, file->state, file->rules->state_size);
    return KIFU_OK;
}

// --- Opening ---------------------------------------------------------------------------------------------------------

// A byte order mark may stand in front.
bool kifu__is_json(const kifu__file_bytes *bytes)
{
    size_t at = bytes->size >= 3 && !memcmp(bytes->at, "\xef\xbb\xbf", 3) ? 3 : 0;
    while (at < bytes->size && strchr(" \t\r\n", bytes->at[at]) && bytes->at[at])
        at++;
    return at < bytes->size && bytes->at[at] == '{';
}

static void begin(kifu__game_file *file, const kifu__file_bytes *bytes, const kifu_codec *codec, uint64_t memory)
{
    file->unpacks = codec ? codec : kifu__tool_codec();
    file->size = bytes->size;
    file->memory = memory ? memory : KIFU__BUDGET_LEAST + KIFU__BUDGET_TIMES * file->size;
}

kifu_result kifu__open_bytes(const char *path, const kifu__file_bytes *bytes, const kifu__open_options *options,
                             kifu__game_file *file, kifu_error *error)
{
    found_schema schema;
    *file = (kifu__game_file){.path = path};
    kifu_result result;
    begin(file, bytes, options->codec, options->memory);
    file->is_json = kifu__is_json(bytes);
    if (file->is_json) {
        result = kifu__read_json(bytes, find_rules, options, file, error);
        if (result)
            kifu__explain_load(error);
        return result;
    }
    result = read_head(file, bytes, &schema, error);
    if (!result && !schema.bytes && schema.why.result) { // The schema is packed, too.
        *error = schema.why;
        result = error->result;
    }
    if (result) {
        explain(file, options->recover, false, error);
        return result;
    }
    result = find_rules(file, schema.bytes, schema.size, options, error);
    if (result)
        kifu__explain_load(error);
    else
        result = load(file, bytes, options, error);
    return result;
}

kifu_result kifu__open_game(const char *path, const kifu__open_options *options, kifu__game_file *file,
                            kifu_error *error)
{
    kifu__file_bytes bytes;
    *file = (kifu__game_file){.path = path};
    kifu_result result = kifu__read_bytes(path, &bytes, error);
    if (!result)
        result = kifu__open_bytes(path, &bytes, options, file, error);
    free(bytes.at);
    return result;
}

kifu_result kifu__open_head(const char *path, kifu__game_file *file, kifu_error *error)
{
    kifu__file_bytes bytes;
    found_schema schema;
    *file = (kifu__game_file){.path = path};
    kifu_result result = kifu__read_bytes(path, &bytes, error);
    begin(file, &bytes, NULL, 0);
    if (!result)
        result = read_head(file, &bytes, &schema, error);
    free(bytes.at);
    return result;
}

void kifu__drop_states(kifu__game_file *file)
{
    file->state = NULL;
    for (uint32_t i = 0; i < file->snapshot_count; i++)
        file->snapshots[i].state = NULL;
}

kifu__facts kifu__facts_of(const kifu__game_file *file, const kifu_save_options *options)
{
    return (kifu__facts){
        .options = options,
        .saved_at = file->saved_at,
        .state = options->without_snapshot ? NULL : file->state,
        .has_hash = file->has_hash,
        .hash = file->hash,
        .snapshots = file->snapshots,
        .snapshot_count = file->snapshot_count,
    };
}

kifu__compared_game kifu__compared_of(const kifu__game_file *file)
{
    return (kifu__compared_game){
        .timeline = file->timeline, .state = file->state, .has_hash = file->has_hash, .hash = file->hash};
}
