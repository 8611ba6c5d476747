// A log file: the commits of the game's stream, as the writer of saves makes them.
//
// A timeline has at most one, without a handle. An append in a transaction does nothing and is no error: programs call
// it once a frame. kifu_destroy leaves the file as a killed process would: closing it means writing a save, which may
// fail.
//
// After kifu_forget the next append writes the file anew: it has what the timeline has.

#include <kifu/log_file.h>

#include <stddef.h>

#include "save/saved.h"
#include "save/stream.h"
#include "wire/buffer.h"

// A file that has become four times as long as it would be if it were written anew, and this longer, is.
#define LONG_FILE (UINT64_C(16) << 20)

// After so many bytes of events, and as many as this many states have, an append adds the state.
enum { STATE_AFTER = 1 << 18, STATES_AFTER = 4 };

// A timeline has one at most.
typedef struct log_file {
    kifu__part part;
    bool open; // Else all the rest is empty.
    char *path;
    kifu__open_file file;
    uint64_t size;  // Of what is whole.
    uint32_t chain; // Checksum of the heads of its frames.
    uint64_t anew;  // What it was when it was last written anew.
    uint64_t since; // So many bytes of events are in it behind the last state.
    bool torn;      // The file may have other bytes behind that, or not have all of it.
    bool durable;
    bool with_state;
    kifu__piece header;   // The file's first frame.
    kifu__source *source; // Whose commits it has;
    bool behind;          // but not all of them.
    kifu__lock lock;
    kifu__known *known; // What the timeline knows of it.
} log_file;

static void let_go(kifu_timeline *timeline, kifu__part *part)
{
    log_file *log = (log_file *)(void *)part;
    if (!log->open)
        return;
    kifu__os_close(&log->file);
    kifu__os_unlock(&log->lock, &timeline->memory);
    timeline->files.known[KIFU__LOGGED].place = 0;
    kifu__free(&timeline->memory, log->header.payload);
    kifu__free(&timeline->memory, log->path);
    *log = (log_file){.part = *part};
}

static const kifu__part_table log_file_table = {.size = sizeof(log_file), .order = KIFU__LOG_FILE, .freed = let_go};

// NULL: none is open.
static log_file *log_of(const kifu_timeline *timeline)
{
    log_file *log = (log_file *)(void *)kifu__part_of(timeline, &log_file_table);
    return log && log->open ? log : NULL;
}

// Nothing is written to it any more. The stream goes on where others follow it.
static void end_stream(kifu_timeline *timeline, log_file *log)
{
    if (!log->source)
        return;
    log->source->append = NULL;
    log->source->find = NULL;
    if (!log->source->followed)
        kifu__end_source(timeline, log->source);
}

// --- The whole file --------------------------------------------------------------------------------------------------

// By the options, or, where they are NULL, the one that the log file was opened with, but for what changes.
static void plan_header(kifu__plan *plan, const log_file *log, const kifu_save_options *options)
{
    if (options) {
        kifu__plan_header(plan, options, kifu__os_now());
        return;
    }
    kifu__save_header *header = (kifu__save_header *)(void *)(log->header.payload + kifu__load32(log->header.payload));
    header->event_count = kifu_event_count(plan->timeline);
    header->first_event = plan->timeline->log.begin;
    header->saved_at = kifu__os_now();
    kifu__plan_add(plan, KIFU__FRAME_HEADER, log->header.payload, log->header.size, false);
}

static kifu_result replace_log_file(kifu__plan *plan, log_file *log)
{
    kifu__replacement replacement;
    kifu_result result = plan->result ? plan->result : kifu__plan_replace(plan, log->path, &replacement);
    if (result)
        return result;
    kifu__open_file file;
    log->torn |= !kifu__os_free_name(&log->file);
    result = kifu__plan_commit(plan, &replacement, &file);
    if (result)
        return result;
    kifu__os_close(&log->file);
    log->file = file;
    log->size = log->anew = KIFU__FILE_HEAD + plan->size;
    log->since = 0;
    kifu__os_note(&log->file, log->size);
    log->chain = plan->chain;
    log->torn = false;
    return KIFU_OK;
}

static kifu_result write_anew(kifu_timeline *timeline, log_file *log, bool overwrite)
{
    kifu__saying saying;
    kifu__plan plan = {.timeline = timeline, .overwrite = overwrite};
    plan_header(&plan, log, NULL);
    kifu__plan_root(&plan);
    kifu__say_all(&plan, log->source, &saying, log->with_state);
    kifu_result result = replace_log_file(&plan, log);
    kifu__end_saying(&plan, &saying, !result);
    log->behind = log->behind && result;
    kifu__plan_drop(&plan);
    return result;
}

// --- Open ------------------------------------------------------------------------------------------------------------

// Another file than the one that was loaded may be replaced, whatever it is.
static void know(kifu_timeline *timeline, log_file *log)
{
    const uint32_t place = kifu__os_place(log->path);
    log->known = kifu__find_known(timeline, place);
    if (log->known)
        return;
    log->known = &timeline->files.known[KIFU__LOGGED];
    *log->known = (kifu__known){.place = place};
}

// For followers, who may be behind what is remembered.
static kifu_result find_in_file(kifu_timeline *timeline, const kifu_stream_position *since, kifu__blob *commits,
                                bool *found)
{
    return kifu__find_commits(timeline, log_of(timeline)->path, since, commits, found);
}

// The very file that was loaded goes on, and the stream in it, where the options are those with which it was begun, and
// nothing has happened meanwhile. `*goes`: it does.
static kifu_result go_on_in_file(kifu_timeline *timeline, log_file *log, bool *goes)
{
    kifu_stream_position position;
    uint64_t size;
    uint32_t heads;
    *goes = false;
    if (log->source->followed || !log->known->contents || log->known->lossy || !kifu__is_as_loaded(timeline))
        return KIFU_OK;
    kifu_result result = kifu__find_stream(timeline, log->path, &log->header, &position, &size, &heads);
    if (result || !position.stream || kifu__contents(size, heads) != log->known->contents ||
        !kifu__os_open(log->path, &log->file))
        return result;
    result = kifu__said_before(timeline, log->source, &position, &log->anew);
    log->size = size;
    log->chain = heads;
    kifu__os_note(&log->file, size);
    *goes = !result;
    return result;
}

// Goes on with the file, or writes it anew. The header is kept for when it has to be written once more. The options
// have no codec, so there is no other frame.
static kifu_result begin_file(kifu_timeline *timeline, log_file *log, const kifu_save_options *options)
{
    bool goes = false;
    kifu__plan plan = {.timeline = timeline};
    kifu__plan_header(&plan, options, 0);
    kifu_result result = plan.result;
    if (!result) {
        log->header = plan.pieces[0];
        plan.pieces[0].owned = false;
        result = go_on_in_file(timeline, log, &goes);
    }
    kifu__plan_drop(&plan);
    return result || goes ? result : write_anew(timeline, log, options->overwrite);
}

// What followers were not told before the file was opened, they are told now: the file begins behind that.
static kifu_result begin_stream(kifu_timeline *timeline, log_file *log)
{
    kifu__source *source = kifu__begin_source(timeline);
    if (!source)
        return KIFU_NO_MEMORY;
    const kifu_result result = source->recorded.begun ? kifu__say_to_followers(timeline, source) : KIFU_OK;
    if (result)
        return result;
    log->source = source;
    source->append = kifu_log_append;
    source->find = find_in_file;
    return KIFU_OK;
}

kifu_result kifu_log_open(kifu_timeline *timeline, const char *path, const kifu_save_options *options)
{
    kifu_save_options plain = options ? *options : (kifu_save_options){.title = NULL};
    plain.codec = NULL; // It is packed when it is closed, if ever.
    kifu_result result = kifu__require_savable(timeline, "kifu_log_open", options);
    if (result)
        return result;
    if (log_of(timeline))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_log_open was called while '%.300s' is open: a timeline has one log file; close that "
                           "with kifu_log_close first",
                           log_of(timeline)->path);
    if (plain.durable && !kifu__os_can_sync())
        return kifu__error(&timeline->error, KIFU_UNSUPPORTED,
                           "kifu_log_open with kifu_save_options.durable, but this build of Kifu cannot wait for the "
                           "disk (plain C): leave it false; then a killed process loses nothing, and a power cut may");
    log_file *log = (log_file *)(void *)kifu__attach(timeline, &log_file_table);
    if (!log)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the log file '%.300s'", path);
    *log = (log_file){
        .part = log->part,
        .open = true,
        .file = {.file = -1},
        .durable = plain.durable,
        .with_state = !plain.without_snapshot,
    };
    result = kifu__save_path(timeline, path, kifu__os_now(), &log->path);
    if (!result && !kifu__os_anchor(&log->path, &timeline->memory))
        result =
            kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the path of the log file '%.300s'", path);
    if (!result)
        result = kifu__os_lock(log->path, &timeline->memory, &log->lock, &timeline->error);
    if (!result) {
        know(timeline, log);
        result = begin_stream(timeline, log);
    }
    if (!result)
        result = begin_file(timeline, log, &plain);
    if (result) {
        end_stream(timeline, log);
        let_go(timeline, &log->part);
    }
    return result;
}

// --- Append ----------------------------------------------------------------------------------------------------------

static kifu_result require_log_file(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    if (!result && !log_of(timeline))
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s was called, but no log file is open: call kifu_log_open first", call);
    return result;
}

typedef struct log_writer {
    log_file *log;
    uint64_t offset;
} log_writer;

static kifu_result write_on(void *context, const void *bytes, size_t size, kifu_error *error)
{
    log_writer *writer = (struct log_writer *)context;
    kifu_result result = kifu__os_append(&writer->log->file, writer->log->path, writer->offset, bytes, size, error);
    writer->offset += size;
    return result;
}

// Behind what is whole. What could not be written whole is cut off again; where that fails, or it is unknown what the
// disk has, the file is written anew next time.
static kifu_result append(kifu__plan *plan, log_file *log, bool with_state)
{
    kifu_error *error = &plan->timeline->error;
    log_writer writer = {.log = log, .offset = log->size};
    kifu__sink sink = {.write = write_on, .context = &writer, .error = error};
    plan->chain = log->chain;
    kifu_result result = kifu__plan_write(plan, &sink, false);
    if (result)
        log->torn = !kifu__os_cut(&log->file, log->size);
    else if (log->durable) {
        result = kifu__os_sync(&log->file, log->path, error);
        log->torn = result != KIFU_OK;
    }
    if (!result) {
        log->size = writer.offset;
        log->chain = plan->chain;
        log->since = with_state ? 0 : log->since + (plan->events ? plan->size : 0);
    }
    log->known->contents = log->torn ? 0 : kifu__contents(log->size, log->chain); // No other program has torn it.
    kifu__os_note(&log->file, log->size);
    return result;
}

static const char log_file_advice[] = "move it away, and the next append or close writes this whole game there again";

// Others may have touched the file without a change. An append would put good frames behind others, which no load could
// use; and writing it anew would lose these.
static kifu_result require_own_frames(kifu_timeline *timeline, log_file *log)
{
    if (kifu__os_is_noted(&log->file, log->size))
        return KIFU_OK;
    kifu_stream_position position;
    uint64_t size;
    uint32_t heads;
    kifu_result result = kifu__find_stream(timeline, log->path, NULL, &position, &size, &heads);
    if (!result && (!position.stream || size != log->size || heads != log->chain))
        result = kifu__error(&timeline->error, KIFU_CHANGED,
                             "another program has overwritten the log file '%.300s' after the last append; nothing "
                             "was written, and the file stays as it is: %s",
                             log->path, log_file_advice);
    if (!result)
        kifu__os_note(&log->file, log->size);
    return result;
}

// Whether the file may be written anew, or go on, where it is not `gone`.
static kifu_result require_own_file(kifu_timeline *timeline, log_file *log, bool gone)
{
    if (!gone)
        return require_own_frames(timeline, log);
    return log->known->contents ? kifu__guard(timeline, log->known, log->path, log_file_advice) : KIFU_OK;
}

// Whether nothing can be appended to the file, because another one is there, or none, or bytes that are unknown.
static bool is_gone(log_file *log)
{
    return log->torn || !kifu__os_is_at(&log->file, log->path, log->size);
}

// What was said is in the file; or, where nothing can be appended to that, or it has become long, for what was undone
// and redone many times, it is written anew. A long file grows on where that cannot be.
static kifu_result write_changes(kifu__plan *plan, log_file *log, kifu__saying *saying, bool with_state)
{
    kifu_timeline *timeline = plan->timeline;
    const bool anew = plan->anew, gone = is_gone(log);
    const bool appends = !gone && !anew && !log->behind;
    kifu_result result = require_own_file(timeline, log, gone);
    if (!result && appends && log->size + plan->size <= LONG_FILE + 4 * log->anew)
        result = append(plan, log, with_state);
    else if (!result && anew)
        kifu__renew_stream(log->source);
    else if (!result)
        log->behind = true;
    kifu__end_saying(plan, saying, !result);
    if (result || (!anew && !log->behind))
        return result;
    result = write_anew(timeline, log, true); // `require_own_file` has looked.
    if (!result || !appends || log->torn)
        return result;
    result = append(plan, log, with_state);
    log->behind = result != KIFU_OK;
    return result;
}

// Another version of the game compares the states in the file with those to which its rules lead.
static bool wants_state(const kifu_timeline *timeline, const log_file *log)
{
    return log->with_state && log->since >= STATE_AFTER &&
           log->since >= STATES_AFTER * (uint64_t)timeline->rules->state_size;
}

kifu_result kifu_log_append(kifu_timeline *timeline)
{
    kifu_result result = require_log_file(timeline, "kifu_log_append");
    if (!result && !timeline->transactions.open)
        result = kifu__require_root(timeline, "kifu_log_append");
    if (result || timeline->transactions.open)
        return result;
    log_file *log = log_of(timeline);
    kifu__saying saying;
    kifu__plan plan = {.timeline = timeline};
    const bool with_state = wants_state(timeline, log);
    kifu__say(&plan, log->source, &saying, with_state);
    result = plan.result;
    if (!result && (plan.count || plan.anew || log->behind))
        result = write_changes(&plan, log, &saying, with_state);
    else
        kifu__end_saying(&plan, &saying, false);
    kifu__plan_drop(&plan);
    return result;
}

// --- Close -----------------------------------------------------------------------------------------------------------

// `options` NULL: as before.
kifu_result kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options)
{
    kifu_result result = require_log_file(timeline, "kifu_log_close");
    if (!result)
        result = kifu__require_savable(timeline, "kifu_log_close", options);
    if (result)
        return result;
    log_file *log = log_of(timeline);
    result = require_own_file(timeline, log, is_gone(log));
    if (result)
        return result;
    kifu__plan plan = {.timeline = timeline, .overwrite = true};
    plan_header(&plan, log, options);
    kifu__plan_rest(&plan, options ? !options->without_snapshot : log->with_state, options ? options->codec : NULL);
    if (!plan.result)
        log->torn |= !kifu__os_free_name(&log->file);
    result = kifu__plan_save(&plan, log->path);
    if (!result) {
        end_stream(timeline, log);
        let_go(timeline, &log->part);
    }
    kifu__plan_drop(&plan);
    return result;
}
