// Notes, in news: whether they fit to the lines as these will be, and their adoption. A note is moved from the stage,
// so that takes no memory.
//
// Notes at events that the news bring are all sent, and replace those of the follower, so it does not matter what
// became of such an event there. For other notes, a removed one is remembered until 1,024 are; older news are all.

#include <inttypes.h>

#include "save/note_frames.h"

static const kifu__note_frames *frames_in(const kifu_timeline *stage, const kifu__part *part)
{
    return (const kifu__note_frames *)(const void *)kifu__part_of(stage, part->table);
}

// Number `id` of the lines as they will be.
static kifu__news_line line_of(const kifu__news *news, uint32_t id)
{
    const kifu__news_line only = {.there = true, .on_way = true, .end = news->stage->log.branch->end};
    if (!news->lines)
        return id ? (kifu__news_line){.there = false} : only;
    return id < news->line_count ? news->lines[id] : (kifu__news_line){.there = false};
}

static bool has_place(const kifu__news_line *line, uint32_t id, uint32_t place)
{
    return line->there && place <= line->end && (place > line->from || (!place && !id));
}

// Of these lines, the news have all notes from this place on.
static bool is_told(const kifu__news_line *line)
{
    return line->there && (line->sent || line->on_way);
}

static uint32_t first_told(const kifu__news *news)
{
    return news->first->base ? news->first->base + 1 : 0;
}

// --- Whether they fit ------------------------------------------------------------------------------------------------

static kifu_result require_places(kifu_timeline *timeline, const kifu__news *news)
{
    kifu__note *top = kifu__notes_of(news->stage)->top;
    for (const kifu__note *note = kifu__note_from(top, 0, 0, ""); note;
         note = kifu__note_after(top, note->line, note->place, note->key)) {
        const kifu__news_line line = line_of(news, note->line);
        if (!has_place(&line, note->line, note->place))
            return kifu__error(
                &timeline->error, KIFU_DAMAGED,
                "the news are damaged, and nothing was changed: they have a note '%.60s' at event %" PRIu32
                " of line %" PRIu32 ", which has no such event; get them again",
                note->key, note->place - 1, note->line);
    }
    return KIFU_OK;
}

// Of those that a line has from a place on, how much they take.
static uint64_t count_from(const kifu__notes *notes, uint32_t id, uint32_t place)
{
    uint64_t used = 0;
    const kifu__note *note = kifu__note_from(notes->top, id, place, "");
    for (; note && note->line == id; note = kifu__note_after(notes->top, id, note->place, note->key))
        used += kifu__note_counts(note);
    return used;
}

// How much all will take.
static uint64_t count_all(kifu_timeline *timeline, const kifu__news *news)
{
    const kifu__notes *notes = kifu__notes_of(timeline), *sent = kifu__notes_of(news->stage);
    uint64_t used = (news->whole ? 0 : notes->used) + sent->used;
    const uint32_t first = first_told(news);
    for (uint32_t id = 0; id < (news->lines ? news->line_count : 1) && !news->whole; id++) {
        const kifu__news_line line = line_of(news, id);
        if (is_told(&line) || !line.there)
            used -= count_from(notes, id, line.there ? first : 0);
    }
    for (kifu__note *note = kifu__note_from(sent->top, 0, 0, ""); note && !news->whole;
         note = kifu__note_after(sent->top, note->line, note->place, note->key)) {
        const kifu__news_line line = line_of(news, note->line);
        if (!is_told(&line) || note->place < first)
            used -= kifu__note_counts(kifu__note_at(notes->top, note->line, note->place, note->key));
    }
    return used;
}

kifu_result kifu__news_notes_fit(kifu_timeline *timeline, kifu__part *part, kifu__news *news)
{
    if (!frames_in(news->stage, part)->are_kept)
        return KIFU_OK;
    const kifu_result result = require_places(timeline, news);
    const uint64_t limit = kifu__note_limit(timeline), used = result ? 0 : count_all(timeline, news);
    if (used <= limit)
        return result;
    return kifu__error(&timeline->error, KIFU_TOO_LARGE,
                       "the notes of the news would take %" PRIu64 " bytes, but may take %" PRIu64
                       " (kifu_options.note_limit); nothing was changed",
                       used, limit);
}

// --- Adopting them ---------------------------------------------------------------------------------------------------

// Those whose events are gone.
static void drop_lost(kifu_timeline *timeline, kifu__notes *notes, const kifu__news *news)
{
    kifu__note *next;
    for (kifu__note *note = kifu__note_from(notes->top, 0, 0, ""); note; note = next) {
        const kifu__news_line line = line_of(news, note->line);
        next = kifu__note_after(notes->top, note->line, note->place, note->key);
        if (!has_place(&line, note->line, note->place))
            kifu__note_drop(timeline, notes, note);
    }
}

static bool is_followed(const kifu_timeline *timeline, const kifu__notes *notes)
{
    return notes->followed || timeline->tree.followed;
}

// A log file and news hear of it, if its event stays.
static void drop(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note, bool stays)
{
    if (!stays || !is_followed(timeline, notes)) {
        kifu__note_drop(timeline, notes, note);
        return;
    }
    kifu__note_take(notes, note);
    note->removed = true;
    note->is_text = false;
    note->size = 0;
    kifu__note_add(timeline, notes, note);
}

static void drop_from(kifu_timeline *timeline, const kifu__news *news, uint32_t id, uint32_t place)
{
    kifu__notes *notes = kifu__notes_of(timeline);
    const kifu__news_line line = line_of(news, id);
    kifu__note *next = kifu__note_from(notes->top, id, place, "");
    for (kifu__note *note = next; note && note->line == id; note = next) {
        next = kifu__note_after(notes->top, id, note->place, note->key);
        drop(timeline, notes, note, has_place(&line, id, note->place));
    }
}

// Those in whose place the news have others, or none.
static void drop_told(kifu_timeline *timeline, const kifu__news *news)
{
    const uint32_t first = first_told(news), count = news->lines ? news->line_count : 1;
    kifu__notes *notes = kifu__notes_of(timeline);
    for (uint32_t id = 0; id < count; id++) {
        const kifu__news_line line = line_of(news, id);
        if (news->whole || is_told(&line) || !line.there)
            drop_from(timeline, news, id, line.there ? first : 0);
    }
    for (kifu__note *note; (note = kifu__note_from(notes->top, count, 0, "")) != NULL;)
        kifu__note_drop(timeline, notes, note);
}

static void take(kifu_timeline *timeline, kifu__notes *notes, kifu__notes *sent, kifu__note *note)
{
    kifu__note *old = kifu__note_at(notes->top, note->line, note->place, note->key);
    const bool needed = !note->removed || (old && is_followed(timeline, notes));
    kifu__note_take(sent, note);
    if (old)
        kifu__note_drop(timeline, notes, old);
    if (needed)
        kifu__note_add(timeline, notes, note);
    else
        kifu__free(&timeline->memory, note);
}

void kifu__adopt_news_notes(kifu_timeline *timeline, kifu__part *part, const kifu__news *news)
{
    kifu__notes *notes = kifu__notes_of(timeline), *sent = kifu__notes_of(news->stage);
    if (!news->switches)
        kifu__notes_cut(timeline, news->same);
    if (!frames_in(news->stage, part)->are_kept) {
        drop_lost(timeline, notes, news);
        return;
    }
    drop_told(timeline, news);
    while (sent->top)
        take(timeline, notes, sent, sent->top);
}
