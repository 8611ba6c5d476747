// Writes random trees into a folder, for test_trees_read.py: `write_trees FOLDER COUNT`. Each as a plain save, as
// packed ones, as a log file, and as a text of what the game says of it. Other texts are what it said before the last
// few appends, and what it says when it loads the log file without variations.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_codec.h"
#include "tally.h"

static const kifu_options keeping = {.keep_variations = kifu_keep_variations,
                                     .keep_notes = kifu_keep_notes,
                                     .from_state = kifu_begin_from_state,
                                     .hash_interval = 3};

static void must(const kifu_timeline *timeline, kifu_result result)
{
    if (!result)
        return;
    fprintf(stderr, "write_trees: %s\n", timeline ? kifu_last_error(timeline)->message : kifu_result_text(result));
    exit(EXIT_FAILURE);
}

// --- What the game says ----------------------------------------------------------------------------------------------

static void say_event(FILE *text, const kifu_event *event)
{
    const tally_p_add *add = event->table; // EBonus begins as it does.
    const char *note = event->type == TALLY_P_ADD ? tally_p_add_note(add) : NULL;
    fprintf(text, "%s %d by %d", event->name, add->amount, event->player);
    if (note)
        fprintf(text, " '%s'", note);
}

static void say_line(FILE *text, const kifu_timeline *timeline, const kifu_line *line)
{
    kifu_event event;
    fprintf(text, "line %" PRIu32 " of %" PRIu32 " from %" PRIu32 ", %" PRIu32 " events%s\n", line->id, line->parent,
            line->from, line->count, line->main ? ", main" : "");
    for (uint32_t i = line->from; i < line->from + line->count; i++) {
        if (!kifu_line_event(timeline, line->id, i, &event))
            must(NULL, KIFU_MISUSE);
        fprintf(text, "  %" PRIu32 ": ", i);
        say_event(text, &event);
        fprintf(text, ", flags %d, cause %d, rules %" PRIu32 "\n", event.flags,
                event.cause == KIFU_NONE ? -1 : (int)event.cause, event.rules_version);
    }
}

static void say_place(FILE *text, const char *what, kifu_timeline *timeline)
{
    kifu_event event;
    fprintf(text, "  %s %" PRIu32, what, kifu_event_count(timeline));
    for (uint32_t i = 0; kifu_pending_at(timeline, i, &event); i++) {
        fprintf(text, ", waits: ");
        say_event(text, &event);
    }
    fprintf(text, "\n");
}

// Where the timeline is, and each place to which redo leads from there; of those up to `shared`, others say it.
static void say_places(FILE *text, kifu_timeline *timeline, const char *what, int64_t shared)
{
    if (kifu_event_count(timeline) > shared)
        say_place(text, what, timeline);
    else
        fprintf(text, "  %s %" PRIu32 "\n", what, kifu_event_count(timeline));
    for (;;) {
        (void)kifu_drop_inputs(timeline); // Redo leads on only where nothing waits.
        if (!kifu_can_redo(timeline, NULL))
            return;
        must(timeline, kifu_redo(timeline));
        if (kifu_event_count(timeline) > shared)
            say_place(text, "redo", timeline);
    }
}

static kifu_timeline *load(const void *bytes, size_t size)
{
    kifu_timeline *timeline;
    must(NULL, kifu_load_from_memory(&tally_rules, bytes, size, &keeping, NULL, &timeline, NULL));
    return timeline;
}

// Another line: as a load of the save has it, which goes there.
static void go_to(kifu_timeline *timeline, uint32_t line, uint32_t count)
{
    (void)kifu_drop_inputs(timeline);
    if (kifu_pending_count(timeline)) // A consequence: the way leads on from there only without it.
        must(timeline, kifu_undo(timeline));
    must(timeline, kifu_go_to(timeline, line, count, true));
}

// How many of its events the current line has, too.
static uint32_t shared_by(const kifu_timeline *timeline, const kifu_line *line)
{
    kifu_line other;
    uint32_t on_way = kifu_current_line(timeline), shared = line->from;
    for (uint32_t i = kifu_line_count(timeline); i-- > 0 && kifu_line_at(timeline, i, &other);) {
        if (other.id == on_way && other.parent == line->id && other.id != line->id)
            shared = other.from;
        on_way = other.id == on_way ? other.parent : on_way;
    }
    return shared;
}

static void say_left(FILE *text, const void *bytes, size_t size, const kifu_line *line)
{
    for (int anew = 0; anew < 1 + !line->current; anew++) {
        kifu_timeline *timeline = load(bytes, size);
        const uint32_t shared = shared_by(timeline, line);
        if (!line->current)
            go_to(timeline, line->id, anew ? shared : KIFU_WHERE_LEFT);
        say_places(text, timeline, anew ? "anew at" : "left at", line->current ? -1 : (int64_t)shared);
        kifu_destroy(timeline);
    }
}

static void say_note(FILE *text, const kifu_note *note)
{
    fprintf(text, "note %s of line %" PRIu32 " at %d: ", note->key, note->line, (int)note->event);
    if (note->text)
        fprintf(text, "'%s'\n", note->text);
    for (uint32_t i = 0; !note->text && i < note->size; i++)
        fprintf(text, "%02X", ((const unsigned char *)note->bytes)[i]);
    fprintf(text, note->text ? "" : "\n");
}

static void say_tree(FILE *text, kifu_timeline *timeline)
{
    unsigned char *bytes;
    size_t size;
    kifu_line line;
    kifu_note note = {0};
    must(timeline, kifu_save_to_memory(timeline, NULL, &bytes, &size));
    fprintf(text, "current %" PRIu32 "\n", kifu_current_line(timeline));
    for (uint32_t i = 0; kifu_line_at(timeline, i, &line); i++) {
        say_line(text, timeline, &line);
        say_left(text, bytes, size, &line);
    }
    while (kifu_next_note(timeline, &note))
        say_note(text, &note);
    kifu_free_bytes(timeline, bytes);
}

// --- Random trees ----------------------------------------------------------------------------------------------------

static uint32_t any_line(const kifu_timeline *timeline, kifu_rng *rng, kifu_line *line)
{
    (void)kifu_line_at(timeline, kifu_rng_below(rng, kifu_line_count(timeline)), line);
    return line->id;
}

static void play(kifu_timeline *timeline, kifu_rng *rng)
{
    tally_submit_p_add(timeline, (int)kifu_rng_below(rng, 2), 1 + (int)kifu_rng_below(rng, 4),
                       kifu_rng_below(rng, 3) ? NULL : "with a bonus");
    if (kifu_rng_below(rng, 5) == 0)
        tally_submit_p_add(timeline, 1, 9, NULL); // It waits, perhaps behind a bonus.
    must(timeline, kifu_rng_below(rng, 4) ? kifu_run(timeline) : kifu_step(timeline));
}

static void write_note(kifu_timeline *timeline, kifu_rng *rng)
{
    static const char *const keys[] = {KIFU_NOTE_COMMENT, KIFU_NOTE_CLOCK, "other"}, *const texts[] = {"good", "",
                                                                                                       "caf\xC3\xA9",
                                                                                                       NULL};
    kifu_line line;
    const uint32_t id = any_line(timeline, rng, &line), choice = kifu_rng_below(rng, 5);
    uint32_t event = line.from + kifu_rng_below(rng, line.count + 1);
    const char *key = keys[kifu_rng_below(rng, 3)];
    if (event == line.from + line.count)
        event = KIFU_BEFORE_FIRST;
    must(timeline, choice == 4 ? kifu_set_note_bytes(timeline, id, event, key, "\0\xFF", 2)
                               : kifu_set_line_note(timeline, id, event, key, texts[choice]));
}

static void step(kifu_timeline *timeline, kifu_rng *rng, bool forgets)
{
    const uint32_t what = kifu_rng_below(rng, 24);
    kifu_line line;
    any_line(timeline, rng, &line);
    if (what < 8)
        play(timeline, rng);
    else if (what < 12)
        (void)kifu_undo(timeline);
    else if (what < 14)
        (void)kifu_redo(timeline);
    else if (what < 17)
        (void)kifu_go_to(timeline, line.id, kifu_rng_below(rng, line.from + line.count + 1), false);
    else if (what == 17)
        (void)kifu_go_to(timeline, line.id, KIFU_WHERE_LEFT, false);
    else if (what == 18)
        (void)kifu_delete_line(timeline, line.id);
    else if (what == 19)
        must(timeline, kifu_promote_line(timeline, line.id));
    else if (what == 20 && forgets)
        (void)!kifu_forget(timeline, kifu_rng_below(rng, 1 + kifu_event_count(timeline)));
    else
        write_note(timeline, rng);
}

// --- Files -----------------------------------------------------------------------------------------------------------

static const char *path_of(const char *folder, unsigned number, const char *kind)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%u.%s", folder, number, kind);
    return path;
}

static void write_text(const char *folder, unsigned number, const char *kind, kifu_timeline *timeline)
{
    FILE *text = fopen(path_of(folder, number, kind), "w");
    if (!text)
        must(NULL, KIFU_IO);
    say_tree(text, timeline);
    fclose(text);
}

// What a load without variations makes of the log file.
static void write_line(const char *folder, unsigned number)
{
    const kifu_options options = {.keep_notes = kifu_keep_notes, .from_state = kifu_begin_from_state};
    const kifu_load_options how = {.recover = kifu_recover};
    kifu_timeline *timeline;
    must(NULL, kifu_load(&tally_rules, path_of(folder, number, "log"), &options, &how, &timeline, NULL));
    write_text(folder, number, "line", timeline);
    kifu_destroy(timeline);
}

// What a follower is told, in the order in which it is: each with its length in front.
static void tell(FILE *told, kifu_timeline *timeline, kifu_stream_position *sent)
{
    kifu_changes changes;
    must(timeline, kifu_changes_since(timeline, sent, &changes));
    const uint32_t size = (uint32_t)changes.size;
    if (size && (!fwrite(&size, sizeof size, 1, told) || !fwrite(changes.bytes, size, 1, told)))
        must(NULL, KIFU_IO);
    *sent = changes.until;
    kifu_free_bytes(timeline, changes.bytes);
}

static void write_tree(const char *folder, unsigned number)
{
    kifu_timeline *timeline;
    kifu_rng rng;
    const kifu_save_options bare = {.without_schema = true};
    must(NULL, kifu_create(&tally_rules, &keeping, &timeline, NULL));
    kifu_rng_seed(&rng, number, 7);
    FILE *told = fopen(path_of(folder, number, "changes"), "wb");
    kifu_stream_position sent = {0};
    if (!told)
        must(NULL, KIFU_IO);
    for (uint32_t i = kifu_rng_below(&rng, 30); i > 0; i--) {
        step(timeline, &rng, number % 4 == 3);
        if (number % 3) // Else they begin with a log file.
            tell(told, timeline, &sent);
    }
    must(timeline, kifu_log_open(timeline, path_of(folder, number, "log"), &bare));
    for (uint32_t i = 0; i < 20; i++) {
        if (i == 15 && number % 4 != 3)
            write_text(folder, number, "earlier", timeline);
        for (uint32_t k = kifu_rng_below(&rng, 4); k > 0; k--)
            step(timeline, &rng, number % 4 == 3);
        must(timeline, kifu_log_append(timeline));
        tell(told, timeline, &sent);
    }
    fclose(told);
    write_text(folder, number, "txt", timeline);
    write_line(folder, number);
    must(timeline, kifu_save(timeline, path_of(folder, number, "plain"), &bare));
    must(timeline, kifu_save(timeline, path_of(folder, number, "packed"),
                             &(kifu_save_options){.without_schema = true, .codec = &run_codec}));
    must(timeline, kifu_save(timeline, path_of(folder, number, "small"),
                             &(kifu_save_options){.without_schema = true, .codec = &kifu_compact}));
    kifu_destroy(timeline);
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: %s FOLDER COUNT\n", arguments[0]);
        return 2;
    }
    for (unsigned number = 0; number < (unsigned)atoi(arguments[2]); number++)
        write_tree(arguments[1], number);
    return EXIT_SUCCESS;
}
