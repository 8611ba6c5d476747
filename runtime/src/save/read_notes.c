// Notes, in loads. A timeline without variations takes those of the current line of the save.

#include <inttypes.h>

#include "history/lines.h"
#include "save/note_frames.h"
#include "save/reversal.h"
#include "wire/buffer.h"

static kifu_result refuse(const kifu__reader *reader, const kifu__frame *frame, const char *why)
{
    return kifu__damaged(reader->error, frame->offset, "the notes of the save at byte %" PRIu64 " %s", frame->offset,
                         why);
}

// --- The way to the current line -------------------------------------------------------------------------------------

// The current line is named first, and then those on its way up; in a log file, line 0 has no name.
static kifu_result see_line(kifu__reader *reader, kifu__note_frames *frames, const kifu__frame *frame)
{
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *read = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_line_table, &reader->room, &read);
    if (result)
        return result;
    const kifu__save_line *line = (const kifu__save_line *)read;
    if (frames->way_count && (frames->next_up == KIFU_NONE || line->id != frames->next_up))
        return KIFU_OK;
    if (line->parent > line->id)
        return kifu__damaged(reader->error, frame->offset,
                             "line %" PRIu32 " of the save, at byte %" PRIu64
                             ", branches off from a line that was begun after it",
                             line->id, frame->offset);
    kifu__way *way = (kifu__way *)kifu__grow(&reader->timeline->memory, frames->way, &frames->way_capacity,
                                             (uint64_t)frames->way_count + 1, sizeof *way);
    if (!way)
        return kifu__not_loaded(reader->error, frame->offset, KIFU_NO_MEMORY);
    const uint32_t end = frames->way_count ? way[frames->way_count - 1].from : KIFU_NONE;
    frames->way = way;
    way[frames->way_count++] = (kifu__way){line->id, line->from < end ? line->from : end, end};
    frames->next_up = line->parent == line->id ? KIFU_NONE : line->parent;
    return KIFU_OK;
}

// Up to which place the events of a line belong to the current line or one of its ancestors, as far as it goes through
// that. Of line 0, the place before all events does in any case. The numbers on the way descend.
static uint32_t end_on_way(const kifu__note_frames *frames, uint32_t line)
{
    uint32_t low = 0, high = frames->way_count;
    if (!high && line == 0)
        return KIFU_NONE;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (frames->way[middle].line > line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < frames->way_count && frames->way[low].line == line)
        return frames->way[low].end;
    const bool first = line == 0 && frames->next_up == 0; // A log file does not name it.
    return first ? frames->way[frames->way_count - 1].from : 0;
}

// --- Frames ----------------------------------------------------------------------------------------------------------

static const char *key_at(const kifu__save_notes *fields, uint32_t key)
{
    const kifu_ref *keys = (const kifu_ref *)kifu__elements(&fields->keys);
    return key < kifu__length(&fields->keys) ? (const char *)kifu__elements(&keys[key]) : NULL;
}

static bool are_keys(const kifu__save_notes *fields)
{
    const kifu_ref *keys = (const kifu_ref *)kifu__elements(&fields->keys);
    bool good = true;
    for (uint32_t i = 0; i < kifu__length(&fields->keys) && good; i++) {
        const char *key = key_at(fields, i);
        const uint32_t size = key ? kifu__length(&keys[i]) : 0;
        good = size && strlen(key) == size && kifu__text_size((const unsigned char *)key, size) == size;
    }
    return good;
}

// What is wrong with it; NULL: nothing.
static const char *find_fault(const kifu__save_notes *fields, const kifu__save_note *note, const unsigned char *bytes,
                              uint32_t left)
{
    if (!key_at(fields, note->key))
        return "have one whose key is not there";
    if (note->kind > KIFU__BYTES_NOTE || (note->kind == KIFU__NO_NOTE && note->size))
        return "have one of a kind that does not exist";
    if (note->size > left)
        return "have fewer bytes than they say";
    if (note->kind == KIFU__TEXT_NOTE &&
        (memchr(bytes, 0, note->size) || kifu__text_size(bytes, note->size) != note->size))
        return "have a text that is not UTF-8";
    return NULL;
}

static kifu_result put(kifu__reader *reader, const kifu__note_frames *frames, const kifu__save_notes *fields,
                       const kifu__save_note *note, const unsigned char *bytes)
{
    kifu_timeline *timeline = reader->timeline;
    const bool lines = kifu__lines_of(timeline) != NULL;
    const bool others = note->event ? note->event > end_on_way(frames, fields->line) : fields->line != 0;
    if (!lines && others) {
        if (reader->left_out)
            reader->left_out->notes++;
        return KIFU_OK;
    }
    const kifu_note wanted = {
        .line = lines ? fields->line : 0,
        .event = note->event - 1,
        .key = key_at(fields, note->key),
        .text = note->kind == KIFU__TEXT_NOTE ? (const char *)bytes : NULL,
        .bytes = note->kind == KIFU__NO_NOTE ? NULL : bytes,
        .size = note->size,
    };
    return kifu__note_put(timeline, &wanted);
}

static kifu_result take_notes(kifu__reader *reader, const kifu__note_frames *frames, const kifu__frame *frame)
{
    static const unsigned char nothing[1] = {0};
    const kifu__buffer buffer = kifu__buffer_of(reader, frame);
    const void *read = NULL;
    kifu_result result = kifu__payload_read(&buffer, &kifu__save_notes_table, &reader->room, &read);
    if (result)
        return result;
    const kifu__save_notes *fields = (const kifu__save_notes *)read;
    const kifu__save_note *notes = (const kifu__save_note *)kifu__elements(&fields->notes);
    uint32_t left = kifu__length(&fields->bytes);
    const unsigned char *bytes = left ? (const unsigned char *)kifu__elements(&fields->bytes) : nothing;
    if (fields->line >= KIFU__HIDDEN)
        return refuse(reader, frame, "are of a line that cannot be");
    if (!are_keys(fields))
        return refuse(reader, frame, "have a key that is empty, or not UTF-8");
    for (uint32_t i = 0; i < kifu__length(&fields->notes) && !result; i++) {
        const char *fault = find_fault(fields, &notes[i], bytes, left);
        if (fault)
            return refuse(reader, frame, fault);
        result = put(reader, frames, fields, &notes[i], bytes);
        bytes += notes[i].size;
        left -= notes[i].size;
    }
    if (!result && left)
        return refuse(reader, frame, "have more bytes than they say");
    if (result && reader->error) {
        *reader->error = reader->timeline->error;
        reader->error->offset = frame->offset;
    }
    return result;
}

// --- Records of a log file -------------------------------------------------------------------------------------------

// Without variations: whether the way to where the game is has the event.
static bool is_on_way(const kifu__commits *commits, uint32_t line, uint32_t place)
{
    if (!commits->way || !place)
        return line == 0;
    return line < commits->way_count && commits->way[line].there && place <= commits->way[line].until;
}

static const char *find_fault_in(const kifu__bytes *key, const kifu__bytes *text, uint32_t line, uint32_t kind)
{
    const uint32_t key_size = (uint32_t)(key->end - key->at), size = (uint32_t)(text->end - text->at);
    if (line >= KIFU__HIDDEN)
        return "is of a line that cannot be";
    if (!key_size || memchr(key->at, 0, key_size) || kifu__text_size(key->at, key_size) != key_size)
        return "has a key that is empty, or not UTF-8";
    if (kind > KIFU__BYTES_NOTE || (kind == KIFU__NO_NOTE && size))
        return "is of a kind that does not exist";
    if (kind == KIFU__TEXT_NOTE && (memchr(text->at, 0, size) || kifu__text_size(text->at, size) != size))
        return "is a text that is not UTF-8";
    return NULL;
}

typedef struct note_before {
    kifu__before before;
    kifu__note *note; // NULL: there was none.
    uint32_t line, place;
    char key[];
} note_before;

static void bring_note_back(kifu_timeline *timeline, kifu__before *before)
{
    const note_before *was = (const note_before *)(void *)before;
    kifu__notes *notes = kifu__notes_of(timeline);
    kifu__note *now = kifu__note_at(notes->top, was->line, was->place, was->key);
    if (now)
        kifu__note_drop(timeline, notes, now);
    if (was->note)
        kifu__note_add(timeline, notes, was->note);
}

static void drop_note(kifu_timeline *timeline, kifu__before *before)
{
    kifu__free(&timeline->memory, ((note_before *)(void *)before)->note);
}

// For a follower, before a note is put.
static kifu_result put_aside(kifu__commits *commits, const kifu_note *wanted)
{
    kifu_timeline *timeline = commits->reader->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    const kifu__branch *branch = kifu__branch_numbered(timeline, wanted->line);
    if (wanted->event != KIFU_BEFORE_FIRST && (!branch || wanted->event < branch->from || wanted->event >= branch->end))
        return kifu__bad_record(commits, "is of an event that is not there");
    const size_t key_size = strlen(wanted->key) + 1;
    note_before *was = (note_before *)(void *)commits->back->calls->remember(commits->back, sizeof *was + key_size);
    if (!was)
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    was->line = wanted->line;
    was->place = wanted->event + 1;
    memcpy(was->key, wanted->key, key_size);
    was->note = kifu__note_at(notes->top, was->line, was->place, was->key);
    was->before.bring_back = bring_note_back;
    was->before.drop = drop_note;
    if (was->note)
        kifu__note_take(notes, was->note);
    return KIFU_OK;
}

static kifu_result require_limit(const kifu__commits *commits)
{
    const kifu_timeline *timeline = commits->reader->timeline;
    const kifu__notes *notes = kifu__notes_of(timeline);
    if (!commits->back || notes->used <= kifu__note_limit(timeline))
        return KIFU_OK;
    return kifu__error(commits->reader->error, KIFU_TOO_LARGE,
                       "the notes would take %zu bytes, but may take %zu (kifu_options.note_limit)", notes->used,
                       kifu__note_limit(timeline));
}

static kifu_result put_record(kifu__commits *commits, const kifu_note *wanted, uint32_t place, uint32_t key_size,
                              const unsigned char *key)
{
    kifu__reader *reader = commits->reader;
    kifu_timeline *timeline = reader->timeline;
    const bool lines = kifu__lines_of(timeline) != NULL;
    if (!lines && !is_on_way(commits, wanted->line, place)) {
        if (reader->left_out && wanted->bytes)
            reader->left_out->notes++;
        return KIFU_OK;
    }
    char *text = (char *)kifu__new(&timeline->memory, key_size + (size_t)1);
    if (!text)
        return kifu__not_loaded(reader->error, commits->frame->offset, KIFU_NO_MEMORY);
    memcpy(text, key, key_size);
    text[key_size] = 0;
    kifu_note note = *wanted;
    note.line = lines ? wanted->line : 0;
    note.key = text;
    kifu_result result = commits->back ? put_aside(commits, &note) : KIFU_OK;
    if (!result) {
        result = kifu__note_put(timeline, &note);
        if (result && reader->error) {
            *reader->error = timeline->error;
            reader->error->offset = commits->frame->offset;
        }
    }
    kifu__free(&timeline->memory, text);
    return result ? result : require_limit(commits);
}

static kifu_result take_record(kifu__commits *commits, kifu__part *part, kifu__bytes *body, bool *taken)
{
    (void)part;
    if (commits->kind != KIFU__NOTE)
        return KIFU_OK;
    *taken = true;
    const uint32_t line = kifu__take_number(body), place = kifu__take_number(body), kind = kifu__take_number(body);
    const uint32_t key_size = kifu__take_number(body);
    const unsigned char *key = kifu__take_bytes(body, key_size);
    if (!key)
        return KIFU_OK;
    const uint32_t size = (uint32_t)(body->end - body->at);
    const unsigned char *text = kifu__take_bytes(body, size);
    const kifu__bytes key_bytes = {key, key + key_size, true}, text_bytes = {text, text + size, true};
    const char *fault = find_fault_in(&key_bytes, &text_bytes, line, kind);
    if (fault)
        return kifu__bad_record(commits, fault);
    const kifu_note wanted = {.line = line,
                              .event = place - 1,
                              .text = kind == KIFU__TEXT_NOTE ? (const char *)text : NULL,
                              .bytes = kind == KIFU__NO_NOTE ? NULL : text,
                              .size = size};
    return put_record(commits, &wanted, place, key_size, key);
}

// --- The end ---------------------------------------------------------------------------------------------------------

// Whether the save may have the event, where the timeline has not.
static bool may_be_lost(const kifu__reader *reader, uint32_t line)
{
    const kifu__lines *lines = kifu__lines_of(reader->timeline);
    return !reader->ended || (lines && line < lines->count && (lines->items[line].deleted || lines->items[line].cut));
}

// Whether the line itself has the event. Who has an event of an ancestor is not sought: there may be many, far up.
static bool has_event(const kifu_timeline *timeline, uint32_t line, uint32_t event)
{
    const kifu__lines *lines = kifu__lines_of(timeline);
    const bool before = lines && line < lines->count && event < lines->items[line].from;
    return !before && kifu__note_owner(timeline, line, event) == line;
}

// Each note must hang at an event.
static kifu_result find_events(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    kifu__note *next;
    for (kifu__note *note = kifu__note_from(notes->top, 0, 0, ""); note; note = next) {
        const uint32_t line = note->line, event = note->place - 1;
        next = kifu__note_after(notes->top, line, note->place, note->key);
        if (has_event(timeline, line, event))
            continue;
        if (!may_be_lost(reader, line))
            return kifu__damaged(reader->error, UINT64_MAX,
                                 "the save has a note '%.60s' at event %" PRIu32 " of line %" PRIu32
                                 ", which has no such event",
                                 note->key, event, line);
        if (reader->left_out)
            reader->left_out->notes++;
        kifu__note_drop(timeline, notes, note);
    }
    // On the way they may have been more: one that takes the place of others may be read before those go.
    if (notes->used <= kifu__note_limit(timeline))
        return KIFU_OK;
    return kifu__error_at(reader->error, KIFU_TOO_LARGE, UINT64_MAX,
                          "the notes of the save take %zu bytes, but may take %zu (kifu_options.note_limit)",
                          notes->used, kifu__note_limit(timeline));
}

static kifu_result take(kifu__reader *reader, kifu__part *part, const kifu__frame *frame, bool *taken)
{
    kifu__note_frames *frames = (kifu__note_frames *)(void *)part;
    const bool lines = kifu__lines_of(reader->timeline) != NULL;
    if (frame && frame->kind == KIFU__FRAME_NOTES) {
        *taken = true;
        return take_notes(reader, frames, frame);
    }
    if (frame)
        return frame->kind == KIFU__FRAME_LINE && !lines ? see_line(reader, frames, frame) : KIFU_OK;
    kifu__free(&reader->timeline->memory, frames->way);
    frames->way = NULL;
    return find_events(reader);
}

// --- The part --------------------------------------------------------------------------------------------------------

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__free(&timeline->memory, ((kifu__note_frames *)(void *)part)->way);
}

kifu_result kifu_keep_notes(kifu_timeline *timeline)
{
    static const kifu__saved saved = {.plan = kifu__plan_notes, .take = take, .record = take_record};
    static const kifu__part_table table = {
        .size = sizeof(kifu__note_frames), .order = KIFU__NOTES, .freed = freed, .saved = &saved};
    if (!kifu__attach(timeline, &table))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for notes");
    return kifu__notes_begin(timeline);
}
