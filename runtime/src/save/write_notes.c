// Notes, as records: in a whole save all of them, in the order of line, event and key.

#include "save/note_records.h"

static void add_record(kifu__commit *commit, const kifu__note *note)
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
    kifu__stream *stream = plan->commit->stream;
    const uint64_t since = stream->begun ? stream->notes : 0;
    for (const kifu__note *note = notes->newest; note && note->change > since && !plan->result; note = note->older) {
        if (stream->begun || !note->removed)
            add_record(plan->commit, note);
    }
    stream->notes = notes->changes;
}

static void add_all(kifu__plan *plan, const kifu__notes *notes)
{
    const kifu__note *note = kifu__note_from(notes->top, 0, 0, "");
    for (; note && note->line < KIFU__HIDDEN && !plan->result;
         note = kifu__note_after(notes->top, note->line, note->place, note->key)) {
        if (!note->removed)
            add_record(plan->commit, note);
        kifu__commit_pause(plan->commit);
    }
}

// Those that are removed are needed no more.
static void remember(kifu_timeline *timeline, kifu__notes *notes, uint64_t written, bool followed)
{
    kifu__note *older;
    for (kifu__note *note = notes->newest; note && note->change > notes->written; note = older) {
        older = note->older;
        if (note->removed)
            kifu__note_drop(timeline, notes, note);
    }
    notes->written = written;
    notes->followed = followed;
}

void kifu__plan_notes(kifu__plan *plan, kifu__part *part, kifu__saving what)
{
    (void)part;
    kifu_timeline *timeline = plan->timeline;
    kifu__notes *notes = kifu__notes_of(timeline);
    if (!notes) // They could not be kept without memory.
        return;
    if (what == KIFU__LOG_WRITTEN || what == KIFU__LOG_CLOSED)
        remember(timeline, notes, what == KIFU__LOG_CLOSED ? 0 : plan->stream->notes, what == KIFU__LOG_WRITTEN);
    else if (what == KIFU__LOG_APPEND)
        add_changed(plan, notes);
    else if (what == KIFU__WHOLE_SAVE)
        add_all(plan, notes);
}
