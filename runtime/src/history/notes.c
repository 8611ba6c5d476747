// Notes: texts and bytes at events.
//
// A note belongs to the branch of its event, so going from line to line moves none, and it goes with its branch or with
// the events that are cut from it.

#include "history/notes.h"

#include "history/lines.h"
#include "wire/buffer.h"

// What each note counts besides its key and its text, and the most bytes of one.
enum { EACH = 64, MOST_BYTES = 1 << 30 };

static const kifu__part_table notes_table;

kifu__notes *kifu__notes_of(const kifu_timeline *timeline)
{
    return (kifu__notes *)(void *)kifu__part_of(timeline, &notes_table);
}

// What a note counts for `note_limit`; nothing if it is NULL, or was removed.
static size_t size_counted(const kifu__note *note)
{
    return note && !note->removed ? (size_t)EACH + note->key_size + note->size : 0;
}

size_t kifu__note_limit(const kifu_timeline *timeline)
{
    return timeline->options.note_limit ? timeline->options.note_limit : (size_t)16 << 20;
}

// --- Where they hang -------------------------------------------------------------------------------------------------

uint32_t kifu__note_owner(const kifu_timeline *timeline, uint32_t line, uint32_t event)
{
    kifu_line at;
    if (event == KIFU_BEFORE_FIRST) // Line 0 may be forgotten, and what is said about the whole game is not.
        return !line || kifu_find_line(timeline, line, &at) ? 0 : KIFU_NONE;
    uint32_t slot;
    const uint32_t owner = kifu_line_of_event(timeline, line, event);
    const bool is_shown = !timeline->transactions.searching || kifu__line_segment(timeline, owner, event, &slot);
    return is_shown ? owner : KIFU_NONE;
}

// The number of the branch that a line's own place belongs to, and in `*end` its last one there: in a transaction, the
// current line may go on in hidden branches.
static uint32_t branch_of(const kifu_timeline *timeline, uint32_t line, uint32_t place, uint32_t *end)
{
    kifu__branch *path = timeline->log.branch;
    const kifu__branch *owner =
        path->number >= KIFU__HIDDEN && line == kifu_current_line(timeline) ? kifu__owner(path, place, end) : NULL;
    return owner && owner->number >= KIFU__HIDDEN ? owner->number : line;
}

// It becomes the newest one.
static void enlist(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note)
{
    note->change = notes->changes = ++timeline->tree.changes;
    note->older = notes->newest;
    note->newer = NULL;
    if (note->older)
        note->older->newer = note;
    notes->newest = note;
}

static void delist(kifu__notes *notes, kifu__note *note)
{
    if (note->older)
        note->older->newer = note->newer;
    if (note->newer)
        note->newer->older = note->older;
    else
        notes->newest = note->older;
}

void kifu__note_take(kifu__notes *notes, kifu__note *note)
{
    delist(notes, note);
    kifu__note_remove(&notes->top, note);
    notes->used -= size_counted(note);
}

void kifu__note_drop(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note)
{
    kifu__note_take(notes, note);
    kifu__free(&timeline->memory, note);
}

void kifu__note_add(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note)
{
    enlist(timeline, notes, note);
    note->weight = kifu_rng_next(&notes->weights);
    kifu__note_insert(&notes->top, note);
    notes->used += size_counted(note);
}

// The first note of a branch from this place on; NULL: there is none.
static kifu__note *note_in(const kifu__notes *notes, uint32_t number, uint32_t place)
{
    kifu__note *note = kifu__note_after(notes->top, number, place, "");
    return note && note->line == number ? note : NULL;
}

// To another line, where a note of the same key goes.
static void move_note(kifu_timeline *timeline, kifu__notes *notes, kifu__note *note, uint32_t line)
{
    kifu__note_remove(&notes->top, note);
    kifu__note *old = kifu__note_at(notes->top, line, note->place, note->key);
    if (old)
        kifu__note_drop(timeline, notes, old);
    note->line = line;
    kifu__note_insert(&notes->top, note);
}

// --- What becomes of the events --------------------------------------------------------------------------------------

static void drop_from(kifu_timeline *timeline, kifu__notes *notes, uint32_t number, uint32_t count)
{
    for (kifu__note *note; (note = note_in(notes, number, count + 1)) != NULL;)
        kifu__note_drop(timeline, notes, note);
}

static void lose_notes(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, uint32_t count)
{
    drop_from(timeline, (kifu__notes *)(void *)part, branch->number, count);
}

static void rename_notes(kifu_timeline *timeline, kifu__part *part, uint32_t number, uint32_t behind, uint32_t to)
{
    kifu__notes *notes = (kifu__notes *)(void *)part;
    for (kifu__note *note; (note = note_in(notes, number, behind + 1)) != NULL;)
        move_note(timeline, notes, note, to);
}

static void join_notes(kifu_timeline *timeline, kifu__part *part, const kifu__branch *branch, const kifu__branch *more)
{
    drop_from(timeline, (kifu__notes *)(void *)part, branch->number, more->from);
    rename_notes(timeline, part, more->number, more->from, branch->number);
}

static void merge(kifu_timeline *timeline, kifu__part *part, uint32_t line, uint32_t to)
{
    kifu__notes *notes = (kifu__notes *)(void *)part;
    for (kifu__note *note; (note = note_in(notes, line, 0)) != NULL;) {
        if (note->removed || note->place > timeline->executed) { // The stream says no more of its line.
            kifu__note_drop(timeline, notes, note);
            continue;
        }
        delist(notes, note);
        enlist(timeline, notes, note);
        move_note(timeline, notes, note, kifu__note_owner(timeline, to, note->place - 1));
    }
}

// Those before the first one stay.
static void forget_notes(kifu_timeline *timeline, kifu__part *part, uint32_t root)
{
    kifu__notes *notes = (kifu__notes *)(void *)part;
    const kifu__lines *lines = kifu__lines_of(timeline);
    kifu__note *note = kifu__note_after(notes->top, 0, 1, "");
    while (note) {
        kifu__note *next = kifu__note_after(notes->top, note->line, note->place, note->key);
        if (note->place <= root || (lines && note->line < lines->count && !lines->items[note->line].branch))
            kifu__note_drop(timeline, notes, note);
        note = next;
    }
}

// --- Setting ---------------------------------------------------------------------------------------------------------

// `bytes` NULL: that it was removed. NULL without memory.
static kifu__note *new_note(const kifu_timeline *timeline, const kifu_note *wanted)
{
    const size_t key_size = strlen(wanted->key);
    const uint32_t size = wanted->bytes ? wanted->size : 0;
    kifu__note *note = (kifu__note *)kifu__new(&timeline->memory, sizeof *note + key_size + size + 2);
    if (!note)
        return NULL;
    *note = (kifu__note){.line = wanted->line,
                         .place = wanted->event + 1,
                         .key_size = (uint32_t)key_size,
                         .size = size,
                         .is_text = wanted->text != NULL,
                         .removed = !wanted->bytes};
    memcpy(note->key, wanted->key, key_size + 1);
    if (size)
        memcpy(note->key + key_size + 1, wanted->bytes, size);
    note->key[key_size + 1 + size] = 0;
    return note;
}

// Puts it into the place of `old`, which may be NULL. `bytes` NULL: nothing comes there, but what the stream is told.
static kifu_result put_note(kifu_timeline *timeline, const kifu_note *wanted, kifu__note *old, size_t limit)
{
    kifu__notes *notes = kifu__notes_of(timeline);
    const uint64_t used = (uint64_t)notes->used - size_counted(old) + EACH + strlen(wanted->key) + wanted->size;
    if (wanted->bytes && (used > limit || wanted->size > MOST_BYTES))
        return kifu__error(&timeline->error, KIFU_TOO_LARGE,
                           "the notes would take %llu bytes, but may take %llu (kifu_options.note_limit)",
                           (unsigned long long)used, (unsigned long long)limit);
    const bool adds = wanted->bytes || notes->followed;
    kifu__note *note = adds ? new_note(timeline, wanted) : NULL;
    if (adds && !note)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory %s a note",
                           wanted->bytes ? "for" : "to remove");
    if (old)
        kifu__note_drop(timeline, notes, old);
    if (note)
        kifu__note_add(timeline, notes, note);
    return KIFU_OK;
}

static kifu__note *find_note(const kifu__notes *notes, const kifu_note *wanted)
{
    return kifu__note_at(notes->top, wanted->line, wanted->event + 1, wanted->key);
}

kifu_result kifu__note_put(kifu_timeline *timeline, const kifu_note *wanted)
{
    return put_note(timeline, wanted, find_note(kifu__notes_of(timeline), wanted), SIZE_MAX);
}

static kifu_result require_text(kifu_timeline *timeline, const char *what, const void *text, uint32_t size)
{
    const uint32_t good = kifu__text_size((const unsigned char *)text, size);
    if (good == size)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE, "byte %u of a note's %s, 0x%02X, is not UTF-8: convert the %s%s",
                       (unsigned)good, what, ((const unsigned char *)text)[good], what,
                       what[0] == 't' ? ", or use kifu_set_note_bytes" : "");
}

// Whether notes may be set now, and there is such an event, whose line is stored.
static kifu_result require_note(kifu_timeline *timeline, const char *call, kifu_note *wanted)
{
    kifu_result result = kifu__require_idle(timeline, call);
    if (result)
        return result;
    if (!kifu__notes_of(timeline))
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s: this timeline keeps no notes: give it kifu_options.keep_notes", call);
    if (timeline->transactions.searching)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s while a search is open: roll it back first", call);
    const uint32_t line = kifu__note_owner(timeline, wanted->line, wanted->event);
    if (line == KIFU_NONE)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: there is no line %u with an event %u", call,
                           (unsigned)wanted->line, (unsigned)wanted->event);
    wanted->line = branch_of(timeline, line, wanted->event + 1, NULL);
    return KIFU_OK;
}

static kifu_result set(kifu_timeline *timeline, const char *call, kifu_note wanted)
{
    kifu_result result = require_note(timeline, call, &wanted);
    if (result)
        return result;
    const size_t key_size = wanted.key ? strlen(wanted.key) : 0;
    if (!key_size || key_size > MOST_BYTES)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s: the key of a note must not be empty", call);
    result = require_text(timeline, "key", wanted.key, (uint32_t)key_size);
    if (!result && wanted.text)
        result = require_text(timeline, "text", wanted.text, wanted.size);
    if (result)
        return result;
    kifu__note *old = find_note(kifu__notes_of(timeline), &wanted);
    const bool none = !old || old->removed;
    const bool same = !none && wanted.bytes && old->is_text == (wanted.text != NULL) && old->size == wanted.size &&
                      !memcmp(kifu__note_value(old), wanted.bytes, wanted.size);
    return same || (none && !wanted.bytes) ? KIFU_OK : put_note(timeline, &wanted, old, kifu__note_limit(timeline));
}

kifu_result kifu_set_note_bytes(kifu_timeline *timeline, uint32_t line, uint32_t event, const char *key,
                                const void *bytes, uint32_t size)
{
    return set(timeline, "kifu_set_note_bytes",
               (kifu_note){.line = line, .event = event, .key = key, .bytes = bytes, .size = size});
}

static kifu_note text_note(uint32_t line, uint32_t event, const char *key, const char *text)
{
    const size_t size = text ? strlen(text) : 0;
    return (kifu_note){line, event, key, text, text, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX};
}

kifu_result kifu_set_line_note(kifu_timeline *timeline, uint32_t line, uint32_t event, const char *key,
                               const char *text)
{
    return set(timeline, "kifu_set_line_note", text_note(line, event, key, text));
}

kifu_result kifu_set_note(kifu_timeline *timeline, uint32_t event, const char *key, const char *text)
{
    return set(timeline, "kifu_set_note", text_note(kifu_current_line(timeline), event, key, text));
}

// --- Finding ---------------------------------------------------------------------------------------------------------

static void show_note(const kifu__note *note, uint32_t line, kifu_note *shown)
{
    const char *value = kifu__note_value(note);
    *shown = (kifu_note){line, note->place - 1, note->key, note->is_text ? value : NULL, value, note->size};
}

bool kifu_find_note(const kifu_timeline *timeline, uint32_t line, uint32_t event, const char *key, kifu_note *note)
{
    const kifu__notes *notes = kifu__notes_of(timeline);
    const uint32_t owner = notes ? kifu__note_owner(timeline, line, event) : KIFU_NONE;
    if (owner == KIFU_NONE || !key)
        return false;
    const uint32_t number = branch_of(timeline, owner, event + 1, NULL);
    const kifu__note *found = kifu__note_at(notes->top, number, event + 1, key);
    if (!found || found->removed)
        return false;
    show_note(found, owner, note);
    return true;
}

const char *kifu_note_at(const kifu_timeline *timeline, uint32_t event, const char *key)
{
    kifu_note note = {.text = NULL};
    (void)kifu_find_note(timeline, kifu_current_line(timeline), event, key, &note);
    return note.text;
}

// Not if its event lies behind the place where a search began.
static bool is_note_shown(const kifu_timeline *timeline, uint32_t line, const kifu__note *note)
{
    return !note->removed &&
           (!timeline->transactions.searching || kifu__note_owner(timeline, line, note->place - 1) == line);
}

// The first note of a line that is behind `after`, or with an empty key, there; NULL: there is none.
static const kifu__note *next_in(const kifu_timeline *timeline, uint32_t line, kifu_note after)
{
    const kifu__notes *notes = kifu__notes_of(timeline);
    uint32_t place = after.event + 1, end = KIFU_NONE;
    const kifu__note *note;
    do {
        const uint32_t number = branch_of(timeline, line, place, &end);
        note = kifu__note_after(notes->top, number, place, after.key);
        while (note && note->line == number && !is_note_shown(timeline, line, note))
            note = kifu__note_after(notes->top, note->line, note->place, note->key);
        if (note && note->line == number && note->place <= end)
            return note;
        place = end + 1;
        after.key = "";
    } while (end < timeline->log.branch->end);
    return NULL;
}

bool kifu_next_note(const kifu_timeline *timeline, kifu_note *note)
{
    static const kifu_note before_all = {.event = KIFU_BEFORE_FIRST, .key = ""};
    const kifu__notes *notes = kifu__notes_of(timeline);
    const uint32_t current = timeline->log.branch->number >= KIFU__HIDDEN ? kifu_current_line(timeline) : KIFU_NONE;
    kifu_note after = note->key ? *note : before_all;
    uint32_t line = after.line;
    while (notes && line != KIFU_NONE) {
        const kifu__note *next = next_in(timeline, line, after);
        if (next) {
            show_note(next, line, note);
            return true;
        }
        next = kifu__note_after(notes->top, line + 1, 0, "");
        const uint32_t found = next && next->line < KIFU__HIDDEN ? next->line : KIFU_NONE;
        line = line < current && current < found ? current : found; // Hidden branches may have some of the current one.
        after = before_all;
    }
    return false;
}

// --- The part --------------------------------------------------------------------------------------------------------

// Those at places `place` to `end` of a branch.
static bool copy_notes_of(const kifu__notes *notes, uint32_t number, uint32_t place, uint32_t end, kifu_timeline *fork)
{
    const kifu__note *note = kifu__note_after(notes->top, number, place, "");
    for (; note && note->line == number && note->place <= end;
         note = kifu__note_after(notes->top, number, note->place, note->key)) {
        kifu_note copied;
        show_note(note, 0, &copied);
        if (!note->removed && put_note(fork, &copied, NULL, kifu__note_limit(fork)))
            return false;
    }
    return true;
}

static bool copy_notes(const kifu_timeline *timeline, kifu__branch *path, uint32_t count, kifu_timeline *fork)
{
    const kifu__notes *notes = kifu__notes_of(timeline);
    if (!kifu__notes_of(fork))
        return true;
    bool copied = copy_notes_of(notes, 0, 0, 0, fork);
    for (uint32_t at = timeline->log.begin, end; at < count && copied; at = end) {
        const kifu__branch *owner = kifu__owner(path, at + 1, &end);
        copied = copy_notes_of(notes, owner->number, at + 1, end < count ? end : count, fork);
    }
    return copied;
}

// They name branches by numbers.
static void notes_exchanged(kifu_timeline *timeline, kifu__part *part, const kifu__branch *was)
{
    (void)timeline;
    (void)part;
    (void)was;
}

static void free_notes(kifu_timeline *timeline, kifu__part *part)
{
    kifu__notes *notes = (kifu__notes *)(void *)part;
    while (notes->top)
        kifu__note_drop(timeline, notes, notes->top);
}

static const kifu__part_table notes_table = {
    .size = sizeof(kifu__notes),
    .order = KIFU__NOTES,
    .forgets = forget_notes,
    .loses = lose_notes,
    .joins = join_notes,
    .merges = merge,
    .renames = rename_notes,
    .exchanged = notes_exchanged,
    .forks = copy_notes,
    .next_note = kifu_next_note,
    .freed = free_notes,
};

kifu_result kifu__notes_begin(kifu_timeline *timeline)
{
    kifu__notes *notes = (kifu__notes *)(void *)kifu__attach(timeline, &notes_table);
    if (!notes)
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for notes");
    uint64_t seed = 0;
    (void)kifu__os_entropy(&seed, sizeof seed); // Who sends notes must not know the weights that they get.
    kifu_rng_seed(&notes->weights, seed, 1);
    return KIFU_OK;
}
