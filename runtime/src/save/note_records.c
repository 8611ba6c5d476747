// Notes, as records: of a whole save, in the order of line, event and key. A timeline without variations takes those of
// the line in which the game is.

#include <inttypes.h>

#include "history/lines.h"
#include "history/notes.h"
#include "save/reversal.h"
#include "save/saved.h"
#include "save/write_commit.h"
#include "wire/buffer.h"

// --- Writing ---------------------------------------------------------------------------------------------------------

static void add_note(kifu__commit *commit, const kifu__note *note)
{
    kifu__blob *body = &commit->body;
    kifu__begin_record(commit);
    kifu__add_number(body, note->line);
    kifu__add_number(body, note->place);
    kifu__add_number(body, note->removed ? KIFU__NO_NOTE : note->is_text ? KIFU__TEXT_NOTE : KIFU__BYTES_NOTE);
    kifu__add_number(body, note->key_size);
    kifu__build(body, 0, note->key, note->key_size, 1);
    if (note->size)
        kifu__build(body, 0, kifu__note_value(note), note->size, 1);
    kifu__end_record(commit, KIFU__NOTE);
}

// Those that the log file does not have.
static void add_changed(kifu__plan *plan, const kifu__notes *notes)
{
    const bool begun = plan->commit->stream->begun;
    const uint64_t since = begun ? notes->written : 0;
    for (const kifu__note *note = notes->newest; note && note->change > since && !plan->result; note = note->older) {
        if (begun || !note->removed)
            add_note(plan->commit, note);
    }
}

static void add_all_notes(kifu__plan *plan, const kifu__notes *notes)
{
    const kifu__note *note = kifu__note_after(notes->top, 0, 0, "");
    for (; note && note->line < KIFU__HIDDEN && !plan->result;
         note = kifu__note_after(notes->top, note->line, note->place, note->key)) {
        if (!note->removed)
            add_note(plan->commit, note);
        kifu__commit_pause(plan->commit);
    }
}

// Those that are removed are needed no more.
static void remember_notes(kifu_timeline *timeline, kifu__notes *notes, bool followed)
{
    kifu__note *older;
    for (kifu__note *note = notes->newest; note && note->change > notes->written; note = older) {
        older = note->older;
        if (note->removed)
            kifu__note_drop(timeline, notes, note);
    }
    notes->written = followed ? notes->changes : 0;
    notes->followed = followed;
}

static void plan_notes(kifu__plan *plan, kifu__saving what)
{
    kifu_timeline *timeline = plan->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    if (!notes) // They could not be kept without memory.
        return;
    if (what == KIFU__LOG_WRITTEN || what == KIFU__LOG_CLOSED)
        remember_notes(timeline, notes, what == KIFU__LOG_WRITTEN);
    else if (what == KIFU__LOG_APPEND)
        add_changed(plan, notes);
    else if (what == KIFU__WHOLE_SAVE)
        add_all_notes(plan, notes);
}

// --- Reading ---------------------------------------------------------------------------------------------------------

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
        return "has a text that is not UTF-8";
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
        return kifu__commit_failed(commits, KIFU_NO_MEMORY);
    memcpy(text, key, key_size);
    text[key_size] = 0;
    kifu_note note = *wanted;
    note.line = lines ? wanted->line : 0;
    note.key = text;
    kifu_result result = commits->back ? put_aside(commits, &note) : KIFU_OK;
    if (!result) {
        result = kifu__note_put(timeline, &note);
        if (result) // The timeline's error becomes that of the load.
            timeline->error.offset = commits->frame->offset;
    }
    kifu__free(&timeline->memory, text);
    return result ? result : require_limit(commits);
}

static kifu_result take_record(kifu__commits *commits, kifu__bytes *body)
{
    const uint32_t line = commits->numbers[0], place = commits->numbers[1], kind = commits->numbers[2];
    const uint32_t key_size = commits->numbers[3];
    const unsigned char *key = kifu__parse_bytes(body, key_size);
    if (!key)
        return KIFU_OK;
    const uint32_t size = (uint32_t)(body->end - body->at);
    const unsigned char *text = kifu__parse_bytes(body, size);
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
    return !reader->ended ||
           (lines && line < lines->count && (!lines->items[line].branch || kifu__is_lost(&reader->commits, line)));
}

// Each note must hang at an event.
static kifu_result find_events(kifu__reader *reader)
{
    kifu_timeline *timeline = reader->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    kifu__note *next;
    for (kifu__note *note = kifu__note_after(notes->top, 0, 0, ""); note; note = next) {
        const uint32_t line = note->line, event = note->place - 1;
        next = kifu__note_after(notes->top, line, note->place, note->key);
        if (kifu__note_owner(timeline, line, event) == line)
            continue;
        if (!may_be_lost(reader, line))
            return kifu__damaged(reader->error, UINT64_MAX,
                                 "the save has a note '%.60s' at event %" PRIu32 " of line %" PRIu32
                                 ", which has no such event",
                                 note->key, event, line);
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

// --- The part --------------------------------------------------------------------------------------------------------

kifu_result kifu_keep_notes(kifu_timeline *timeline)
{
    static const kifu__saved saved = {
        .kinds = 1 << KIFU__NOTE, .end = find_events, .plan = plan_notes, .record = take_record};
    static const kifu__part_table table = {.size = sizeof(kifu__part), .order = KIFU__NOTES, .saved = &saved};
    if (!kifu__attach(timeline, &table))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for notes");
    return kifu__notes_begin(timeline);
}
