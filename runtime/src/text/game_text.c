// Whole games, events and states.

#include <inttypes.h>

#include "base/os.h"
#include "core/timeline.h"
#include "history/root.h"
#include "history/seek.h"
#include "text/print.h"
#include "wire/table.h"

// --- Events ----------------------------------------------------------------------------------------------------------

static void print_fields(kifu__printer *printer, const kifu__table *table, const unsigned char *bytes)
{
    bool none = true;
    for (uint32_t id = 0; id < table->field_count; id++)
        none = none && !kifu__is_there(&table->fields[id], bytes);
    if (none)
        return;
    kifu__print(printer, ", \"fields\": ");
    kifu__print_table(printer, table, bytes);
}

static void print_event_flags(kifu__printer *printer, uint8_t flags)
{
    kifu__print(printer, ", \"flags\": ");
    kifu__print_flags(printer, flags);
}

static void print_who(kifu__printer *printer, int player, uint32_t cause)
{
    if (player != -1)
        kifu__print_format(printer, ", \"player\": %d", player);
    if (cause != KIFU_NONE)
        kifu__print_format(printer, ", \"cause\": %" PRIu32, cause);
}

// Of any event in the log: what redo can bring back counts, too.
static kifu_event event_of(const kifu_timeline *timeline, uint32_t index)
{
    const kifu__mark mark = *kifu__log_mark(&timeline->log, index);
    return (kifu_event){
        .index = index,
        .type = kifu__log_type(&timeline->log, index),
        .name = kifu__name_of(timeline, index),
        .table = kifu__log_table(&timeline->log, index),
        .cause = mark.cause && index >= timeline->log.begin ? index - mark.cause : KIFU_NONE,
        .player = mark.player,
        .flags = mark.flags,
        .rules_version = kifu__log_segment_of(&timeline->log, index)->rules_version,
    };
}

void kifu__print_event_begin(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event)
{
    kifu__print_format(printer, "{\"number\": %" PRIu32 ", \"type\": ", event->index);
    kifu__print_name(printer, event->name);
    print_who(printer, event->player, event->cause);
    print_event_flags(printer, event->flags);
    if (event->rules_version != timeline->rules->rules_version)
        kifu__print_format(printer, ", \"rules_version\": %" PRIu32, event->rules_version);
    print_fields(printer, timeline->rules->types[event->type].table, (const unsigned char *)event->table);
}

static void print_plain_event(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event)
{
    const kifu_rules *rules = timeline->rules->game ? timeline->rules->game : timeline->rules; // Of a watcher.
    const kifu__table *table = rules->types[event->type].table;
    const unsigned char *bytes = (const unsigned char *)event->table;
    bool first = true;
    if (event->index != KIFU_NONE)
        kifu__print_format(printer, "%" PRIu32 " ", event->index);
    kifu__print_name(printer, event->name);
    if (event->player != -1)
        kifu__print_format(printer, ", player %d", event->player);
    if (event->cause != KIFU_NONE)
        kifu__print_format(printer, ", by event %" PRIu32, event->cause);
    for (uint32_t id = 0; id < table->field_count && !printer->result; id++) {
        if (!kifu__is_there(&table->fields[id], bytes))
            continue;
        if (first)
            kifu__print(printer, ": ");
        kifu__print_key(printer, table->fields[id].name, &first);
        kifu__print_field(printer, &table->fields[id], bytes);
    }
}

void kifu__print_event(kifu__printer *printer, const kifu_timeline *timeline, uint32_t index)
{
    const kifu_event event = event_of(timeline, index);
    (printer->plain ? print_plain_event : kifu__print_event_begin)(printer, timeline, &event);
    kifu__print(printer, printer->plain ? "" : "}");
}

// --- What waits ------------------------------------------------------------------------------------------------------

// `actions`: the causes are the handles of actors.
static void print_queue(kifu__printer *printer, const kifu_timeline *timeline, const kifu__queue *queue, bool actions)
{
    const char *between = "\n    ";
    kifu__print(printer, "[");
    for (kifu__proposal *at = kifu__queue_first(queue); at && !printer->result; at = kifu__queue_next(queue, at)) {
        const kifu__table *table = timeline->rules->types[at->type].table;
        if (kifu__check_proposal(table, kifu__proposal_blob(at), NULL)) // A save does not have it either.
            continue;
        kifu__print_format(printer, "%s{\"type\": ", between);
        between = ",\n    ";
        kifu__print_name(printer, table->name);
        print_who(printer, at->player, actions ? KIFU_NONE : at->cause);
        if (actions)
            kifu__print_format(printer, ", \"actor\": %" PRIu32 "%s", at->cause,
                               at->flags & KIFU__GOES_ON ? ", \"goes_on\": true" : "");
        print_event_flags(printer, at->flags & (uint8_t)~KIFU__GOES_ON);
        print_fields(printer, table, (const unsigned char *)kifu__proposal_blob(at));
        kifu__print(printer, "}");
    }
    kifu__print(printer, "]");
}

// As members of an object; `kept` NULL: of now.
void kifu__print_waiting(kifu__printer *printer, const kifu_timeline *timeline, const kifu__kept *kept)
{
    static const kifu__queue none = {.count = 0};
    const kifu__turn_rules *turns = timeline->rules->turns;
    const kifu__queue actions = turns && turns->actors ? turns->timed->actions(timeline, kept) : none;
    const kifu__queue *consequences = kept ? &kept->consequences : &timeline->consequences;
    const kifu__queue *inputs = kept ? &kept->inputs : &timeline->inputs;
    const struct {
        const char *name;
        const kifu__queue *queue;
    } all[] = {{"consequences", consequences}, {"inputs", inputs}, {"actions", &actions}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].queue->count)
            continue;
        kifu__print_format(printer, ",\n  \"%s\": ", all[i].name);
        print_queue(printer, timeline, all[i].queue, all[i].queue == &actions);
    }
}

// --- Games -----------------------------------------------------------------------------------------------------------

static void print_text(kifu__printer *printer, const char *name, const char *text)
{
    if (!text)
        return;
    kifu__print_format(printer, ",\n  \"%s\": ", name);
    kifu__print_string(printer, text, strlen(text));
}

static void print_head(kifu__printer *printer, const kifu_timeline *timeline, const kifu__facts *facts)
{
    const kifu_rules *rules = timeline->rules;
    const kifu_save_options *options = facts->options;
    kifu__print(printer, "{\n  \"kifu\": 1");
    print_text(printer, "game", rules->name);
    print_text(printer, "union", rules->union_name);
    kifu__print_format(printer,
                       ",\n  \"rules_version\": %" PRIu32 ",\n  \"fingerprint\": \"%" PRIu64
                       "\",\n  \"saved_at\": \"%" PRId64 "\"",
                       rules->rules_version, rules->fingerprint, facts->saved_at);
    print_text(printer, "title", options->title);
    for (uint32_t i = 0; i < options->player_count; i++) {
        const char *name = options->players[i] ? options->players[i] : "";
        kifu__print(printer, i ? ", " : ",\n  \"players\": [");
        kifu__print_string(printer, name, strlen(name));
    }
    kifu__print(printer, options->player_count ? "]" : "");
    if (options->thumbnail) {
        kifu__print(printer, ",\n  \"thumbnail\": ");
        kifu__print_base64(printer, options->thumbnail, options->thumbnail_size);
    }
}

// The state with which the game begins, if its past is forgotten, and the events before it that timers need.
static void print_root(kifu__printer *printer, kifu_timeline *timeline)
{
    const uint32_t begin = timeline->log.begin;
    kifu__timed_events timed = {.count = 0};
    if (!begin)
        return;
    const kifu_result result = kifu__take_timed(timeline, timeline->origin, begin, &timed);
    printer->result = printer->result ? printer->result : result;
    kifu__print_format(printer, ",\n  \"root\": {\"events\": %" PRIu32 ", \"state\": ", begin);
    kifu__print_state(printer, timeline->rules->state, timeline->origin);
    for (uint32_t i = 0; i < timed.count; i++) {
        kifu__print(printer, i ? ",\n    " : ", \"timed\": [\n    ");
        kifu__print_event(printer, timeline, timed.segments[i].first);
    }
    kifu__print(printer, timed.count ? "]}" : "}");
    kifu__free_timed(timeline, &timed);
}

static void print_path_events(kifu__printer *printer, const kifu_timeline *timeline)
{
    const uint32_t begin = timeline->log.begin;
    kifu__print(printer, ",\n  \"events\": [");
    for (uint32_t i = begin; i < timeline->log.branch->end && !printer->result; i++) {
        kifu__print(printer, i > begin ? ",\n    " : "\n    ");
        kifu__print_event(printer, timeline, i);
    }
    kifu__print(printer, "\n  ]");
}

// From the last place to the first: how many events are executed there, and what waits.
void kifu__print_kept(kifu__printer *printer, const kifu_timeline *timeline, kifu__branch *path, uint32_t least)
{
    bool first = true;
    kifu__kept_at at = kifu__kept_along(path, KIFU_NONE, least);
    for (; at.kept && at.kept->executed >= least; kifu__kept_before(&at)) {
        kifu__print_format(printer, "%s{\"executed\": %" PRIu32, first ? ",\n  \"kept\": [" : ", ", at.kept->executed);
        kifu__print_waiting(printer, timeline, at.kept);
        kifu__print(printer, "}");
        first = false;
    }
    kifu__print(printer, first ? "" : "]");
}

void kifu__print_hashes(kifu__printer *printer, kifu__branch *path, uint32_t count)
{
    const kifu__checkpoint *first = kifu__next_checkpoint(path, count), *next = first;
    for (; next && !printer->result; next = kifu__next_checkpoint(path, next->event_count)) {
        kifu__print(printer, next == first ? ",\n  \"hashes\": [\n    " : ",\n    ");
        kifu__print_format(printer, "{\"events\": %" PRIu32 ", \"hash\": \"%" PRIu64 "\"}", next->event_count,
                           next->hash);
    }
    kifu__print(printer, first ? "\n  ]" : "");
}

static void print_snapshots(kifu__printer *printer, const kifu_timeline *timeline, const kifu__facts *facts)
{
    for (uint32_t i = 0; i < facts->snapshot_count && !printer->result; i++) {
        const kifu__state_there *at = &facts->snapshots[i];
        kifu__print(printer, i ? ",\n    " : ",\n  \"snapshots\": [\n    ");
        kifu__print_format(printer, "{\"events\": %" PRIu32 ", \"hash\": \"%" PRIu64 "\"", at->events, at->hash);
        if (at->state && !facts->options->without_snapshot) {
            kifu__print(printer, ", \"state\": ");
            kifu__print_struct(printer, timeline->rules->state, at->state);
        }
        kifu__print(printer, "}");
    }
    kifu__print(printer, facts->snapshot_count ? "\n  ]" : "");
}

void kifu__print_game(kifu__printer *printer, kifu_timeline *timeline, const kifu__facts *facts)
{
    const kifu_rules *rules = timeline->rules;
    print_head(printer, timeline, facts);
    print_root(printer, timeline);
    print_path_events(printer, timeline);
    if (kifu_event_count(timeline) != timeline->log.branch->end)
        kifu__print_format(printer, ",\n  \"executed\": %" PRIu32, kifu_event_count(timeline));
    kifu__print_kept(printer, timeline, timeline->log.branch, 0);
    kifu__print_waiting(printer, timeline, NULL);
    kifu__print_hashes(printer, timeline->log.branch, 0);
    kifu__print_tree(printer, timeline);
    print_snapshots(printer, timeline, facts);
    if (facts->has_hash)
        kifu__print_format(printer, ",\n  \"hash\": \"%" PRIu64 "\"", facts->hash);
    if (facts->state) {
        kifu__print(printer, ",\n  \"state\": ");
        kifu__print_state(printer, rules->state, facts->state);
    }
    if (!facts->options->without_schema && rules->bfbs_size) {
        kifu__print(printer, ",\n  \"schema\": ");
        kifu__print_base64(printer, rules->bfbs, rules->bfbs_size);
    }
    kifu__print(printer, "\n}\n");
}

// --- For a game ------------------------------------------------------------------------------------------------------

static kifu_result print_end(kifu__printer *printer, kifu_timeline *timeline)
{
    const kifu_result result = kifu__print_end(printer);
    if (result == KIFU_NO_MEMORY)
        return kifu__error(&timeline->error, result, "out of memory for the text, of which a part may be written");
    return result ? kifu__error(&timeline->error, result, "the text was refused by the function that takes it: %s",
                                kifu_result_text(result))
                  : KIFU_OK;
}

kifu_result kifu_json_game(kifu_timeline *timeline, const kifu_save_options *options, kifu_text_writer *write,
                           void *context)
{
    static const kifu_save_options defaults = {0};
    options = options ? options : &defaults;
    kifu_result result = kifu__require_idle(timeline, "kifu_json_game");
    if (!result)
        result = kifu__require_no_transaction(timeline, "kifu_json_game");
    const bool sought = timeline->past.shown;
    const uint32_t shown = timeline->executed;
    if (!result && sought)
        result = kifu__seek_quietly(timeline, KIFU_PRESENT);
    if (result)
        return result;
    kifu__printer printer = {.write = write, .context = context};
    const bool with_state = !options->without_snapshot && !timeline->options.reset;
    const kifu__facts facts = {
        .options = options,
        .saved_at = kifu__os_now(),
        .state = with_state ? timeline->core.state : NULL,
        .has_hash = true,
        .hash = kifu_state_hash(timeline),
    };
    kifu__print_game(&printer, timeline, &facts);
    result = print_end(&printer, timeline);
    const kifu_error error = timeline->error;
    const kifu_result back = sought ? kifu__seek_quietly(timeline, shown) : KIFU_OK;
    if (result)
        timeline->error = error;
    return result ? result : back;
}

static kifu_result require_event(kifu_timeline *timeline, uint32_t event, const char *call)
{
    const uint32_t begin = timeline->log.begin, count = kifu_event_count(timeline);
    if (event >= begin && event < count)
        return KIFU_OK;
    return kifu__error(&timeline->error, KIFU_MISUSE,
                       event < begin ? "%s was called for event %" PRIu32 ", which is forgotten: the first is %" PRIu32
                                     : "%s was called for event %" PRIu32 ", but only %" PRIu32
                                       " have happened, numbered from 0",
                       call, event, event < begin ? begin : count);
}

static kifu_result print_event(kifu_timeline *timeline, uint32_t event, bool plain, kifu_text_writer *write,
                               void *context)
{
    kifu__printer printer = {.write = write, .context = context, .plain = plain};
    kifu__print_event(&printer, timeline, event);
    return print_end(&printer, timeline);
}

kifu_result kifu_json_event(kifu_timeline *timeline, uint32_t event, kifu_text_writer *write, void *context)
{
    const kifu_result result = require_event(timeline, event, "kifu_json_event");
    return result ? result : print_event(timeline, event, false, write, context);
}

kifu_result kifu_text_event(kifu_timeline *timeline, uint32_t event, kifu_text_writer *write, void *context)
{
    const kifu_result result = require_event(timeline, event, "kifu_text_event");
    return result ? result : print_event(timeline, event, true, write, context);
}

// What did not fit is counted. A character that does not fit whole is left out.
typedef struct line_of_text {
    char *text;
    size_t room, size;
} line_of_text;

static kifu_result add_to_line(void *context, const char *text, size_t size)
{
    line_of_text *line = context;
    const size_t left = line->size < line->room ? line->room - line->size : 0;
    if (left)
        memcpy(line->text + line->size, text, size < left ? size : left);
    line->size += size;
    return KIFU_OK;
}

size_t kifu_event_text(const kifu_timeline *timeline, const kifu_event *event, char *text, size_t room)
{
    line_of_text line = {.text = text, .room = room};
    kifu__printer printer = {.write = add_to_line, .context = &line, .plain = true};
    kifu_event alone = *event;
    alone.index = alone.cause = KIFU_NONE;
    print_plain_event(&printer, timeline, &alone);
    (void)!kifu__print_end(&printer);
    size_t end = line.size;
    if (room && line.size >= room) {
        end = room - 1;
        while (end && ((unsigned char)text[end] & 0xC0) == 0x80)
            end--;
    }
    if (room)
        text[end] = '\0';
    return line.size;
}

size_t kifu_move_text(const kifu_timeline *timeline, const kifu_move *move, char *text, size_t room)
{
    const kifu_event event = {
        .index = KIFU_NONE,
        .type = move->type,
        .name = timeline->rules->types[move->type].table->name,
        .table = move->table,
        .cause = KIFU_NONE,
        .player = move->player,
    };
    return kifu_event_text(timeline, &event, text, room);
}

static kifu_result print_state(kifu_timeline *timeline, bool plain, kifu_text_writer *write, void *context)
{
    kifu__printer printer = {.write = write, .context = context, .plain = plain};
    kifu__print_state(&printer, timeline->rules->state, timeline->core.state);
    if (!plain)
        kifu__print(&printer, "\n");
    return print_end(&printer, timeline);
}

kifu_result kifu_json_state(kifu_timeline *timeline, kifu_text_writer *write, void *context)
{
    return print_state(timeline, false, write, context);
}

kifu_result kifu_text_state(kifu_timeline *timeline, kifu_text_writer *write, void *context)
{
    return print_state(timeline, true, write, context);
}

kifu_result kifu_text_game(kifu_timeline *timeline, kifu_text_writer *write, void *context)
{
    kifu__printer printer = {.write = write, .context = context, .plain = true};
    for (uint32_t i = timeline->log.begin; i < kifu_event_count(timeline) && !printer.result; i++) {
        kifu__print_event(&printer, timeline, i);
        kifu__print(&printer, "\n");
    }
    return print_end(&printer, timeline);
}
