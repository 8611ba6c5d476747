#include "meaning.h"

#include <inttypes.h>

#include "run_codec.h"

kifu_options tree_options(bool tree)
{
    return (kifu_options){
        .hash_interval = 2,
        .keep_variations = tree ? kifu_keep_variations : NULL,
        .keep_notes = tree ? kifu_keep_notes : NULL,
        .from_state = kifu_begin_from_state,
    };
}

// An older version refuses saves of these rules. This one loads them as if the rules had another number only.
static const kifu_rules *rules_of_2(void)
{
    static kifu_rules rules;
    rules = camp_rules;
    rules.rules_version = 2;
    return CAMP_VERSION < 3 ? &rules : &camp_rules;
}

static kifu_result load(const void *bytes, size_t size, bool tree, kifu_left_out *left_out, kifu_timeline **timeline,
                        kifu_error *error)
{
    kifu_recovery recovery;
    const kifu_options options = tree_options(tree);
    const kifu_load_options how = {
        .allow_changed = CAMP_VERSION < 3,
        .codec = &run_codec,
        .recover = kifu_recover,
        .recovery = &recovery,
        .left_out = left_out,
    };
    return kifu_load_from_memory(rules_of_2(), bytes, size, &options, &how, timeline, error);
}

// --- A line ----------------------------------------------------------------------------------------------------------

static void write_events(FILE *text, const kifu_timeline *timeline, const kifu_line *line)
{
    kifu_event event;
    for (uint32_t i = line->from; i < line->from + line->count; i++) {
        if (!kifu_line_event(timeline, line->id, i, &event))
            fprintf(text, "  there is no event %" PRIu32 "\n", i);
        fprintf(text, "  event %" PRIu32 " by %d", i, event.player);
        if (event.cause != KIFU_NONE)
            fprintf(text, ", caused by %" PRIu32, event.cause);
        fprintf(text, ", flags %d, rules %" PRIu32 "\n", event.flags, event.rules_version);
    }
}

static void write_place(FILE *text, const kifu_timeline *timeline)
{
    kifu_event event;
    fprintf(text, "  now after %" PRIu32, kifu_event_count(timeline));
    for (uint32_t i = 0; kifu_pending_at(timeline, i, &event); i++)
        fprintf(text, ", waits: one of %d's", event.player);
    fprintf(text, "\n");
}

static void write_state(FILE *text, kifu_timeline *timeline)
{
    const camp_state *state = camp_get_state(timeline);
    fprintf(text, "=   after %" PRIu32 ": food %d, wood %d, spirits %d\n", kifu_event_count(timeline), (int)state->food,
            (int)state->wood, (int)state->spirits);
}

// From where the line was left, along redo, and then from its beginning.
static kifu_result write_ways(FILE *text, kifu_timeline *timeline, const kifu_line *line)
{
    write_place(text, timeline);
    (void)kifu_drop_inputs(timeline);
    for (kifu_result result = KIFU_OK; !result && kifu_can_redo(timeline, NULL); (void)kifu_drop_inputs(timeline)) {
        result = kifu_redo(timeline);
        if (kifu_event_count(timeline) > line->from)
            write_place(text, timeline);
    }
    for (uint32_t count = line->from; count <= line->from + line->count; count++) {
        const kifu_result result = kifu_go_to(timeline, line->id, count, true);
        if (result)
            return result;
        if (kifu_event_count(timeline) == count)
            write_state(text, timeline);
    }
    return KIFU_OK;
}

static void write_notes(FILE *text, const kifu_timeline *timeline, const kifu_line *line)
{
    kifu_note note = {0};
    while (kifu_next_note(timeline, &note)) {
        if (note.line != line->id)
            continue;
        fprintf(text, "  %s of %d: ", note.key, (int)note.event);
        for (uint32_t i = 0; i < note.size; i++)
            fprintf(text, note.text ? "%c" : "%02X", ((const unsigned char *)note.bytes)[i]);
        fprintf(text, "\n");
    }
}

// --- The save --------------------------------------------------------------------------------------------------------

kifu_result write_meaning(FILE *text, const void *bytes, size_t size, bool tree, kifu_left_out *left_out,
                          kifu_error *error)
{
    kifu_timeline *timeline;
    kifu_line line;
    kifu_result result = load(bytes, size, tree, left_out, &timeline, error);
    for (uint32_t i = 0; !result && kifu_line_at(timeline, i, &line); i++) {
        fprintf(text, "line %" PRIu32 " of %" PRIu32 " from %" PRIu32 ", %" PRIu32 " events%s%s\n", line.id,
                line.parent, line.from, line.count, line.main ? ", main" : "", line.current ? ", current" : "");
        write_events(text, timeline, &line);
        write_notes(text, timeline, &line);
        if (!line.current) { // What waits on the current one would stand in the way.
            (void)kifu_drop_inputs(timeline);
            result = kifu_go_to(timeline, line.id, KIFU_WHERE_LEFT, true);
        }
        result = result ? result : write_ways(text, timeline, &line);
        if (result)
            *error = *kifu_last_error(timeline);
        kifu_destroy(timeline);
        timeline = NULL;
        result = result ? result : load(bytes, size, tree, NULL, &timeline, error);
    }
    kifu_destroy(timeline);
    return result;
}
