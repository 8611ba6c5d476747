// state and bisect: what the game's own code makes of the events in a save.

#include "tool/command.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/timeline.h"
#include "save/reader.h"
#include "wire/difference.h"

// --- A load that compares nothing ------------------------------------------------------------------------------------

// `recovery` is what `kifu_load` hands to the function that reads in its place: `take` finds the rest by it.
typedef struct taking {
    kifu_recovery recovery;
    kifu__checkpoint *hashes; // Those in the save, and that of its end.
    uint32_t count;
    unsigned char *states; // Those in the save, one behind the other,
    uint32_t *states_at;   // each after so many events.
    uint32_t state_count;
    bool comparable; // They are of these rules.
    bool recover;    // Take what is whole.
} taking;

// They ascend; that of the end may lie before those of events that were undone.
static void add_hash(taking *taking, uint32_t events, uint64_t hash)
{
    uint32_t at = taking->count;
    while (at && taking->hashes[at - 1].event_count > events)
        at--;
    if (at && taking->hashes[at - 1].event_count == events)
        return;
    taking->hashes = (kifu__checkpoint *)kifu__must_grow(taking->hashes, (taking->count + 1) * sizeof *taking->hashes);
    memmove(&taking->hashes[at + 1], &taking->hashes[at], (taking->count - at) * sizeof *taking->hashes);
    taking->hashes[at] = (kifu__checkpoint){.event_count = events, .hash = hash};
    taking->count++;
}

static void add_state(taking *taking, const kifu__saved_snapshot *snapshot)
{
    const size_t size = snapshot->state_size, count = taking->state_count + (size_t)1;
    taking->states = (unsigned char *)kifu__must_grow(taking->states, count * size);
    taking->states_at = (uint32_t *)kifu__must_grow(taking->states_at, count * sizeof *taking->states_at);
    memcpy(taking->states + taking->state_count * size, snapshot->state, size);
    taking->states_at[taking->state_count++] = snapshot->event_count;
}

static void let_go(taking *taking)
{
    free(taking->hashes);
    free(taking->states);
    free(taking->states_at);
}

static kifu_result take(kifu__reader *reader, kifu_recovery *recovery)
{
    taking *taking = (struct taking *)(void *)recovery;
    kifu_timeline *timeline = reader->timeline;
    const kifu_result result = taking->recover ? kifu_recover(reader, recovery) : kifu__read_frames(reader);
    if (result)
        return result;
    taking->comparable = reader->comparable;
    for (uint32_t i = 0; i < timeline->log.branch->checkpoint_count; i++)
        add_hash(taking, timeline->log.branch->checkpoints[i].event_count, timeline->log.branch->checkpoints[i].hash);
    for (uint32_t i = 0; i < reader->snapshot_count; i++) {
        add_hash(taking, reader->snapshots[i].event_count, reader->snapshots[i].hash);
        if (reader->comparable && reader->snapshots[i].state) // Then it is laid out as today's, and as long.
            add_state(taking, &reader->snapshots[i]);
    }
    reader->comparable = false;
    reader->snapshot_count = 0;
    return KIFU_OK;
}

static kifu_result load_bytes(const kifu__line *line, const kifu__file_bytes *bytes, bool recover,
                              kifu_timeline **timeline, taking *taking, kifu_error *error)
{
    kifu_options options = line->options ? *line->options : (kifu_options){0};
    *taking = (struct taking){.recover = recover};
    const kifu__open_options opening = kifu__opening(line, line->files[0]);
    const kifu_load_options how = {
        .codec = kifu__tool_codec(),
        .recover = take,
        .recovery = &taking->recovery,
        .memory = opening.memory,
        .progress = opening.progress,
        .context = opening.context,
    };
    options.view = NULL;
    options.quiet = true;
    options.keep_variations = kifu_keep_variations;
    options.from_state = kifu_begin_from_state;
    options.keep_notes = kifu_keep_notes;
    const kifu_result result =
        kifu_load_from_memory(line->rules, bytes->at, bytes->size, &options, &how, timeline, error);
    if (result)
        kifu__explain_load(error);
    return result;
}

kifu_result kifu__load_as_now(const kifu__line *line, const kifu__file_bytes *bytes, bool recover,
                              kifu_timeline **timeline, kifu_error *error)
{
    taking taking;
    *timeline = NULL;
    const kifu_result result = load_bytes(line, bytes, recover, timeline, &taking, error);
    let_go(&taking);
    return result;
}

// Of a log file that was not closed, all that was written to it, and says so.
static kifu_result load_so_far(const kifu__line *line, const kifu__file_bytes *bytes, kifu_timeline **timeline,
                               taking *taking, kifu_error *error)
{
    kifu__open_options options = kifu__opening(line, line->files[0]);
    kifu__game_file file;
    kifu_error why;
    options.so_far = true;
    kifu_result result = load_bytes(line, bytes, false, timeline, taking, error);
    if (result != KIFU_DAMAGED)
        return result;
    if (kifu__open_bytes(line->files[0], bytes, &options, &file, &why))
        *error = why;
    else if (!(result = load_bytes(line, bytes, true, timeline, taking, error)))
        kifu__complain(line, line->files[0], file.recovery.why.message);
    kifu__close_game(&file);
    return result;
}

// The game as its code makes it now, whatever the save says of states. False: complained. `taking` is the caller's.
static bool load(const kifu__line *line, kifu_timeline **timeline, taking *taking)
{
    kifu_error error;
    kifu__file_bytes bytes;
    *taking = (struct taking){.count = 0};
    *timeline = NULL;
    kifu_result result = kifu__read_bytes(line->files[0], &bytes, &error);
    if (!result)
        result = load_so_far(line, &bytes, timeline, taking, &error);
    if (result == KIFU_NOT_A_SAVE && kifu__is_json(&bytes))
        kifu__error(&error, result,
                    "this is JSON, and no event of it is executed: first make a save of it with `json`");
    free(bytes.at);
    if (result)
        kifu__complain(line, line->files[0], error.message);
    return !result;
}

// --- The state -------------------------------------------------------------------------------------------------------

static int print_state(const kifu__line *line, const kifu_rules *rules, const unsigned char *state)
{
    kifu__printer printer = kifu__stdout_printer(!line->json);
    kifu__print_state(&printer, rules->state, state);
    if (line->json)
        kifu__print(&printer, "\n");
    (void)kifu__print_end(&printer); // The stream remembers it.
    return kifu__end_output(line, KIFU__EXIT_WELL);
}

static int show_saved(const kifu__line *line)
{
    kifu__game_file file;
    int status = KIFU__EXIT_TROUBLE;
    if (!kifu__open_or_complain(line, line->files[0], &file))
        return status;
    if (file.state)
        status = print_state(line, file.rules, file.state);
    else
        kifu__complain(line, line->files[0],
                       "it does not contain its state; the game's own program can execute its events: see kifu_main in "
                       "the guide on tools");
    kifu__close_game(&file);
    return status;
}

// To the end of the line that is asked for. False: complained.
static bool go_to_line(const kifu__line *line, kifu_timeline *timeline)
{
    kifu_line chosen;
    if (line->of_line == KIFU_NONE)
        return true;
    if (!kifu__choose_line(line, timeline, &chosen))
        return false;
    // Nothing waits at the beginning.
    kifu_result result = kifu_go_to(timeline, kifu_current_line(timeline), 0, true);
    if (!result)
        result = kifu_go_to(timeline, chosen.id, chosen.from + chosen.count, true);
    if (result)
        kifu__complain(line, line->files[0], kifu_last_error(timeline)->message);
    return !result;
}

int kifu__show_state(const kifu__line *line)
{
    kifu_timeline *timeline;
    taking taking;
    int status = KIFU__EXIT_TROUBLE;
    if (!line->rules)
        return show_saved(line);
    if (load(line, &timeline, &taking) && go_to_line(line, timeline)) {
        const uint32_t count = kifu_event_count(timeline);
        if (line->at != KIFU_NONE && line->at > count)
            kifu__complain_of(line, line->files[0], "it has only %" PRIu32 " events", count);
        else if (line->at != KIFU_NONE && kifu_seek(timeline, line->at))
            kifu__complain(line, line->files[0], kifu_last_error(timeline)->message);
        else
            status = print_state(line, line->rules, timeline->core.state);
    }
    kifu_destroy(timeline);
    let_go(&taking);
    return status;
}

// --- The first event that differs ------------------------------------------------------------------------------------

// The hashes of the save become those that the timeline remembers, so that verifying compares with them.
static bool take_over(kifu_timeline *timeline, const taking *taking)
{
    bool well = true;
    kifu__drop_records(timeline, 0);
    for (uint32_t i = 0; i < taking->count && taking->hashes[i].event_count <= timeline->executed && well; i++)
        well = kifu__add_checkpoint(timeline, taking->hashes[i].event_count, taking->hashes[i].hash);
    return well;
}

// Hashes name no field: the first state in the save behind the difference does. Returns after how many events that is;
// 0: there is none.
static uint32_t name_field(kifu_timeline *timeline, const taking *taking, kifu_difference *found)
{
    uint32_t i = 0;
    if (found->line != kifu_current_line(timeline))
        return 0;
    while (i < taking->state_count && taking->states_at[i] <= found->event)
        i++;
    if (i == taking->state_count || kifu_seek(timeline, taking->states_at[i]))
        return 0;
    const kifu_rules *rules = timeline->rules;
    const unsigned char *saved = taking->states + (size_t)i * rules->state_size;
    return kifu__describe_difference(rules, saved, timeline->core.state, found) ? taking->states_at[i] : 0;
}

// `after`: the field is of the state after so many events; 0: none is known.
static void print_difference(const kifu__line *line, const kifu_difference *found, uint32_t after, const char *message)
{
    kifu__printer printer = kifu__stdout_printer(!line->json);
    if (line->json) {
        kifu__print_format(&printer,
                           "{\"event\": %" PRIu32 ", \"first\": %" PRIu32 ", \"type\": \"%.150s\", \"field\": ",
                           found->event, found->first, found->name);
        kifu__print_string(&printer, found->field, strlen(found->field));
        kifu__print(&printer, ", \"expected\": ");
        kifu__print_string(&printer, found->expected, strlen(found->expected));
        kifu__print(&printer, ", \"actual\": ");
        kifu__print_string(&printer, found->actual, strlen(found->actual));
        if (after)
            kifu__print_format(&printer, ", \"after\": %" PRIu32, after - 1);
        kifu__print(&printer, "}\n");
    } else {
        kifu__print_name(&printer, message);
        kifu__print(&printer, "\n");
        if (after)
            kifu__print_format(&printer, "after event %" PRIu32 ", %s was %s and is now %s\n", after - 1, found->field,
                               found->expected, found->actual);
    }
    (void)kifu__print_end(&printer);
}

static int bisect(const kifu__line *line, kifu_timeline *timeline, const taking *taking)
{
    kifu_difference found;
    if (!taking->comparable)
        return kifu__complain(line, line->files[0],
                              "another version of the game wrote it, so its hashes are not those of these rules; "
                              "`check-saves` compares the states by their fields");
    if (!take_over(timeline, taking))
        return kifu__complain(line, line->files[0], "out of memory");
    kifu_set_progress(timeline, kifu__goes_on, line->work);
    const kifu_result result = kifu_verify_replay(timeline, &found);
    if (result == KIFU_DIVERGED) {
        const kifu_error error = *kifu_last_error(timeline);
        const uint32_t after = found.field[0] ? 0 : name_field(timeline, taking, &found);
        print_difference(line, &found, after, error.message);
        return kifu__end_output(line, KIFU__EXIT_NO);
    }
    if (result)
        return kifu__complain(line, line->files[0], kifu_last_error(timeline)->message);
    fputs(line->json ? "{}\n" : "", stdout);
    if (!line->json)
        printf("all %" PRIu32 " events lead to the states that the save says\n", kifu_event_count(timeline));
    return kifu__end_output(line, KIFU__EXIT_WELL);
}

int kifu__bisect(const kifu__line *line)
{
    kifu_timeline *timeline;
    taking taking;
    const int status = load(line, &timeline, &taking) ? bisect(line, timeline, &taking) : KIFU__EXIT_TROUBLE;
    kifu_destroy(timeline);
    let_go(&taking);
    return status;
}
