// A log file: what it says is compared with what is, and the difference appended. A snapshot ends whatever belongs
// together: what follows the last one is not taken for whole when the file is loaded (load.c).
//
// Any difference can be said by frames that there are. Events that are gone: a rewind to before them, and a segment,
// an empty one perhaps, that takes the place of what was undone. A redo: the same events, appended once more. So
// nothing is ever changed in place.

#include <kifu/log_file.h>

#include <stddef.h>

#include "save/save_impl.h"
#include "save/save_tables.h"

// A file that has become four times as long as it would be if it were written anew, and this longer, is.
#define LONG_FILE (UINT64_C(16) << 20)

// What the frames so far tell.
typedef struct told {
    uint32_t events;        // in the log
    uint32_t executed;      // of them
    uint32_t undone;        // how many undos a redo could take back
    unsigned char *pending; // payload of what waits; NULL: nothing
    uint32_t pending_size;
    uint32_t pending_at; // when so many events were executed, from which the payload counts back to causes
} told;

struct kifu__log_file {
    kifu__memory memory;
    char *path;
    kifu__open_file file;
    uint64_t size; // Of what is whole.
    uint64_t anew; // What it was when it was last written anew.
    bool torn;     // The file may have other bytes behind that, or not have all of it.
    bool durable;
    bool with_state;
    unsigned char *header; // Payload of the file's first frame.
    uint32_t header_size;
    told told;
};

static void free_log(kifu__log_file *log)
{
    const kifu__memory memory = log->memory;
    kifu__os_close(&log->file);
    kifu__free(&memory, log->told.pending);
    kifu__free(&memory, log->header);
    kifu__free(&memory, log->path);
    kifu__free(&memory, log);
}

void kifu__log_file_free(kifu_timeline *timeline)
{
    if (timeline->log_file)
        free_log(timeline->log_file);
    timeline->log_file = NULL;
}

// --- What the file does not say yet ----------------------------------------------------------------------------------

typedef struct news {
    kifu__log_file *log;
    told now; // With the plan's frames behind those of the file. Its `pending` is the plan's or the log file's.
} news;

// What waits, where that is not what the frames so far tell.
static kifu_result plan_pending(kifu__save_plan *plan, told *now, const kifu__queue *consequences,
                                const kifu__queue *inputs, uint32_t executed)
{
    kifu_timeline *timeline = plan->timeline;
    unsigned char *payload;
    uint32_t size;
    if (!consequences->count && !inputs->count && !now->pending)
        return KIFU_OK;
    kifu_result result = kifu__plan_waiting(timeline, consequences, inputs, executed, &payload, &size);
    if (result)
        return result;
    const bool same_causes = !consequences->count || executed == now->pending_at;
    if (payload && now->pending && same_causes && size == now->pending_size && !memcmp(payload, now->pending, size)) {
        kifu__free(&timeline->memory, payload);
        return KIFU_OK;
    }
    kifu__segment none = {.bytes = payload, .size = size};
    if (!payload && !now->pending)
        return KIFU_OK;
    if (!payload && kifu__segment_new(&timeline->memory, timeline->rules, 0, 0, &none))
        return KIFU_NO_MEMORY;
    result = kifu__plan_add(plan, KIFU__FRAME_PENDING, none.bytes, none.size, true);
    now->pending = result ? NULL : payload;
    now->pending_size = size;
    now->pending_at = executed;
    return result;
}

static kifu_result plan_rewind(kifu__save_plan *plan, told *now, uint32_t count)
{
    now->executed = count;
    now->pending = NULL;
    return kifu__plan_rewind(plan, count);
}

// The events of which the log has others than the file, in place of those.
static kifu_result plan_events(kifu__save_plan *plan, told *now)
{
    const kifu__log *log = &plan->timeline->log;
    uint32_t same = log->unchanged < log->event_count ? log->unchanged : log->event_count;
    kifu_result result = KIFU_OK;
    if (same < now->executed)
        result = plan_rewind(plan, now, same);
    if (!result)
        result = kifu__plan_events(plan, now->executed);
    now->events = now->executed = log->event_count;
    now->undone = 0;
    return result;
}

static kifu_result plan_undone(kifu__save_plan *plan, told *now, uint32_t executed)
{
    const kifu_timeline *timeline = plan->timeline;
    kifu_result result = KIFU_OK;
    for (; now->undone < timeline->undone_count && !result; now->undone++) {
        const kifu__undone *undone = &timeline->undone[now->undone];
        bool last = now->undone + 1 == timeline->undone_count;
        result = plan_pending(plan, now, &undone->consequences, &undone->inputs, undone->executed);
        if (!result)
            result = plan_rewind(plan, now, last ? executed : undone[1].executed);
    }
    return result;
}

static kifu_result plan_news(kifu__save_plan *plan, told *now)
{
    const kifu_timeline *timeline = plan->timeline;
    const uint32_t executed = kifu_present(timeline), events = timeline->log.event_count;
    const bool more = now->undone < timeline->undone_count; // undos than the file knows: the first began where?
    const uint32_t then = more ? timeline->undone[now->undone].executed : executed;
    kifu_result result = KIFU_OK;
    // The last: a redo that could not execute the log again may have left less executed than was before.
    if (events != now->events || timeline->log.unchanged < events || then != now->executed)
        result = plan_events(plan, now);
    if (!result)
        result = plan_undone(plan, now, executed);
    return result ? result : plan_pending(plan, now, &timeline->consequences, &timeline->inputs, executed);
}

static kifu_result plan_hash(kifu__save_plan *plan, void *context)
{
    (void)context;
    return kifu__plan_snapshot(plan, false);
}

// The plan is in the file.
static void remember(kifu__save_plan *plan, kifu__log_file *log, const told *now)
{
    for (uint32_t i = 0; i < plan->count; i++)
        plan->pieces[i].owned = plan->pieces[i].owned && plan->pieces[i].payload != now->pending;
    if (log->told.pending != now->pending)
        kifu__free(&log->memory, log->told.pending);
    log->told = *now;
    plan->timeline->log.unchanged = KIFU_NONE;
}

// --- The whole file --------------------------------------------------------------------------------------------------

// The one that the log file was opened with, but for what changes.
static kifu_result plan_header(kifu__save_plan *plan, const kifu__log_file *log)
{
    uint32_t root;
    memcpy(&root, log->header, sizeof root);
    kifu__save_header *header = (kifu__save_header *)(void *)(log->header + root);
    header->event_count = plan->timeline->executed;
    header->saved_at = kifu__os_now();
    return kifu__plan_add(plan, KIFU__FRAME_HEADER, log->header, log->header_size, false);
}

static kifu_result plan_open(kifu__save_plan *plan, void *context)
{
    const kifu_timeline *timeline = plan->timeline;
    news *news = (struct news *)context;
    news->now =
        (told){.events = timeline->log.event_count, .executed = timeline->executed, .undone = timeline->undone_count};
    kifu_result result = plan_header(plan, news->log);
    if (!result)
        result = kifu__plan_past(plan);
    if (!result)
        result = plan_pending(plan, &news->now, &timeline->consequences, &timeline->inputs, timeline->executed);
    return result ? result : kifu__plan_snapshot(plan, news->log->with_state);
}

static kifu_result replace(kifu__save_plan *plan, kifu__log_file *log)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__replacement replacement;
    kifu_result result = kifu__os_replace_begin(log->path, &timeline->memory, &replacement, &timeline->error);
    if (result)
        return result;
    result = kifu__plan_replace(plan, &replacement);
    if (result) {
        kifu__os_replace_abandon(&replacement);
        return result;
    }
    kifu__open_file file;
    log->torn |= !kifu__os_free_name(&log->file);
    result = kifu__os_replace_keep(&replacement, &file, &timeline->error);
    if (result)
        return result;
    kifu__os_close(&log->file);
    log->file = file;
    log->size = log->anew = KIFU__FILE_HEAD + plan->size;
    log->torn = false;
    return KIFU_OK;
}

static kifu_result write_anew(kifu_timeline *timeline, kifu__log_file *log)
{
    news news = {.log = log};
    kifu__save_plan plan = {.timeline = timeline};
    kifu_result result = kifu__plan_in_present(&plan, plan_open, &news);
    if (!result)
        result = replace(&plan, log);
    if (!result)
        remember(&plan, log, &news.now);
    kifu__plan_drop(&plan);
    return result;
}

// --- Open ------------------------------------------------------------------------------------------------------------

// Keeps the header, for when the file has to be written anew.
static kifu_result make_header(kifu_timeline *timeline, kifu__log_file *log, const kifu_save_options *options)
{
    kifu__save_plan plan = {.timeline = timeline};
    kifu_save_options plain = *options; // it is packed when it is closed, if ever
    plain.codec = NULL;
    kifu_result result = kifu__plan_header(&plan, &plain, 0);
    if (result)
        kifu__error(&timeline->error, result, "%s for the header of a log file", kifu_result_text(result));
    else {
        log->header = plan.pieces[0].payload;
        log->header_size = plan.pieces[0].size;
        plan.pieces[0].owned = false;
    }
    kifu__plan_drop(&plan);
    return result;
}

kifu_result kifu_log_open(kifu_timeline *timeline, const char *path, const kifu_save_options *options)
{
    static const kifu_save_options defaults = {0};
    kifu_result result = kifu__require_savable(timeline, "kifu_log_open");
    if (result)
        return result;
    if (timeline->log_file)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "kifu_log_open while '%.300s' is open: a timeline has one log file; kifu_log_close it first",
                           timeline->log_file->path);
    options = options ? options : &defaults;
    kifu__log_file *log = (kifu__log_file *)kifu__new(&timeline->memory, sizeof *log);
    if (!log)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the log file '%.300s'", path);
    *log = (kifu__log_file){
        .memory = timeline->memory,
        .file = {.file = -1},
        .durable = options->durable,
        .with_state = !options->without_snapshot,
    };
    result = kifu__save_path(timeline, path, kifu__os_now(), &log->path);
    if (!result && !kifu__os_anchor(&log->path, &log->memory))
        result =
            kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for the path of the log file '%.300s'", path);
    if (!result)
        result = make_header(timeline, log, options);
    if (!result)
        result = write_anew(timeline, log);
    if (result)
        free_log(log);
    else
        timeline->log_file = log;
    return result;
}

// --- Append ----------------------------------------------------------------------------------------------------------

static kifu_result require_open(kifu_timeline *timeline, const char *call)
{
    kifu_result result = kifu__require_idle(timeline, call);
    if (!result && !timeline->log_file)
        result = kifu__error(&timeline->error, KIFU_MISUSE, "%s, but no log file is open: kifu_log_open first", call);
    return result;
}

typedef struct writer {
    kifu__log_file *log;
    uint64_t offset;
} writer;

static kifu_result write_on(void *context, const void *bytes, size_t size, kifu_error *error)
{
    writer *writer = (struct writer *)context;
    kifu_result result = kifu__os_append(&writer->log->file, writer->log->path, writer->offset, bytes, size, error);
    writer->offset += size;
    return result;
}

// Behind what is whole. What could not be written whole is cut off again; where that fails, or nobody knows what the
// disk has, the file is written anew next time.
static kifu_result append(kifu__save_plan *plan, kifu__log_file *log)
{
    kifu_error *error = &plan->timeline->error;
    writer writer = {.log = log, .offset = log->size};
    kifu__sink sink = {.write = write_on, .context = &writer, .error = error};
    kifu_result result = kifu__plan_write(plan, &sink);
    if (result)
        log->torn = !kifu__os_cut(&log->file, log->size);
    else if (log->durable) {
        result = kifu__os_sync(&log->file, log->path, error);
        log->torn = result != KIFU_OK;
    }
    if (!result)
        log->size = writer.offset;
    return result;
}

// Long, for what was undone and redone many times: then the file is written anew, or grows on where it cannot be.
static kifu_result write_news(kifu__save_plan *plan, kifu__log_file *log, const told *now)
{
    const bool gone = log->torn || !kifu__os_is_at(&log->file, log->path, log->size);
    if (gone || log->size + plan->size > LONG_FILE + 4 * log->anew) {
        kifu_result result = write_anew(plan->timeline, log);
        if (!result || gone || log->torn)
            return result;
    }
    kifu_result result = append(plan, log);
    if (!result)
        remember(plan, log, now);
    return result;
}

kifu_result kifu_log_append(kifu_timeline *timeline)
{
    kifu_result result = require_open(timeline, "kifu_log_append");
    if (result || timeline->transaction_count)
        return result;
    kifu__log_file *log = timeline->log_file;
    told now = log->told;
    kifu__save_plan plan = {.timeline = timeline};
    result = plan_news(&plan, &now);
    if (result)
        kifu__error(&timeline->error, result, "%s for what is to be appended to '%.300s'; nothing was written",
                    kifu_result_text(result), log->path);
    bool news = plan.count > 0;
    if (!result && news)
        result = kifu__plan_in_present(&plan, plan_hash, NULL);
    if (!result && news)
        result = write_news(&plan, log, &now);
    kifu__plan_drop(&plan);
    return result;
}

// --- Close -----------------------------------------------------------------------------------------------------------

typedef struct last_words {
    const kifu__log_file *log;
    const kifu_save_options *options; // NULL: as before
} last_words;

static kifu_result plan_close(kifu__save_plan *plan, void *context)
{
    const last_words *words = (const struct last_words *)context;
    const kifu_save_options *options = words->options;
    kifu_result result = options ? kifu__plan_header(plan, options, kifu__os_now()) : plan_header(plan, words->log);
    const bool with_state = options ? !options->without_snapshot : words->log->with_state;
    return result ? result : kifu__plan_rest(plan, with_state, options ? options->codec : NULL);
}

kifu_result kifu_log_close(kifu_timeline *timeline, const kifu_save_options *options)
{
    kifu_result result = require_open(timeline, "kifu_log_close");
    if (!result)
        result = kifu__require_savable(timeline, "kifu_log_close");
    if (result)
        return result;
    kifu__log_file *log = timeline->log_file;
    last_words words = {.log = log, .options = options};
    kifu__save_plan plan = {.timeline = timeline};
    result = kifu__plan_in_present(&plan, plan_close, &words);
    if (!result) {
        log->torn |= !kifu__os_free_name(&log->file);
        result = kifu__plan_save(&plan, log->path);
    }
    kifu__plan_drop(&plan);
    if (!result)
        kifu__log_file_free(timeline);
    return result;
}
