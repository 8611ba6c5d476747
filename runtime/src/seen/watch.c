// A watcher takes messages.
//
// All of a message is read and verified first: its events into a queue (read_message.c), what they change on a copy of
// the state. Then the game goes there, and nothing but memory is wanting any more.

#include <inttypes.h>

#include <kifu/watch.h>

#include "base/crc32c.h"
#include "core/go.h"
#include "history/exchange.h"
#include "history/root.h"
#include "seen/watch.h"
#include "wire/buffer.h"

// --- Verifying it ----------------------------------------------------------------------------------------------------

static kifu_result gap(const kifu__message *message, const char *what)
{
    return kifu__error(&message->timeline->error, KIFU_GAP,
                       "the message goes on after %" PRIu32 " events, and this watcher has %" PRIu32
                       " of which it knows that they are the game's%s: ask for KIFU_SEEN_WHOLE",
                       message->from, message->own->confirmed, what);
}

static bool has_checksum(const kifu__message *message, const unsigned char *masked)
{
    const kifu__watch_rules *rules = message->rules;
    const uint32_t begin = kifu__seen_checksum(rules->rules.game, rules->viewer, masked);
    return kifu__crc32c(begin, message->first, (size_t)(message->bytes.end - message->first)) ==
           kifu__load32(message->bytes.end);
}

// The state after so many events.
static kifu_result find_state(const kifu__message *message, uint32_t count, unsigned char *state)
{
    kifu_timeline *timeline = message->timeline;
    if (count <= timeline->executed && kifu__journal_state_at(timeline, count, state))
        return KIFU_OK;
    const uint32_t from = kifu__known_state(timeline, timeline->log.branch, count, state);
    return kifu__replay_into(timeline, timeline->log.branch, state, from, count);
}

static kifu__bytes delta_of(const kifu__message *message, kifu__proposal *proposal)
{
    const kifu_ref *seen = kifu__seen_of(&message->rules->rules, proposal->type, kifu__proposal_blob(proposal));
    const unsigned char *bytes = (const unsigned char *)kifu__elements(seen);
    return (kifu__bytes){bytes, bytes + kifu__length(seen), true};
}

// Makes the changes on a copy of the state, from place `keep` on. `message->right`: up to there, the events here are
// those of the message, and lead to its state.
static kifu_result verify_message(kifu__message *message, uint32_t keep)
{
    const size_t room = kifu__state_room(&message->rules->rules);
    unsigned char *state = message->own->state, *local = state + room;
    kifu_result result = find_state(message, keep, state);
    kifu__proposal *at = kifu__queue_first(&message->own->incoming);
    for (uint32_t number = message->from; at && !result; number++, at = kifu__queue_next(&message->own->incoming, at)) {
        if (number < keep)
            continue;
        kifu__bytes delta = delta_of(message, at);
        if (!kifu__apply_delta(&delta, &message->rules->rules, state))
            return gap(message, ", for its events do not fit");
        if (number + 1 != message->right || message->right <= message->own->confirmed)
            continue;
        result = find_state(message, message->right, local);
        if (!result && memcmp(state, local, message->rules->rules.state_size) != 0)
            message->right = keep;
    }
    if (!result && !has_checksum(message, state))
        result = gap(message, ", for its events lead to another state");
    return result;
}

// --- Going there -----------------------------------------------------------------------------------------------------

static kifu_result drop_predictions(kifu_timeline *timeline)
{
    if (kifu__has_redo(timeline) && kifu__has_handler(timeline, branches))
        return timeline->dispatch->branch(timeline) ? KIFU_OK : KIFU_NO_MEMORY;
    if (kifu__has_redo(timeline))
        kifu__redo_drop(timeline);
    return KIFU_OK;
}

// One event, behind the last one. A fault is the view's.
static kifu_result add_event(kifu__message *message, kifu__proposal *proposal, kifu_error *fault)
{
    kifu_timeline *timeline = message->timeline;
    const uint32_t event = timeline->executed;
    const kifu__mark mark = {.cause = (uint16_t)proposal->cause, .player = proposal->player, .flags = proposal->flags};
    const void *table_of;
    kifu_result result = drop_predictions(timeline);
    if (!result)
        result = kifu__log_append(&timeline->log, proposal->type, kifu__proposal_blob(proposal), proposal->size, mark,
                                  &table_of);
    if (result)
        return result == KIFU_NO_MEMORY ? kifu__message_no_memory(message) : kifu__message_too_large(message);
    timeline->core.player = proposal->player;
    result = kifu__go(timeline, event + 1, KIFU__NOTIFY);
    if (result || message->how != KIFU_SEEN_PLAYED)
        return result;
    kifu__show(timeline, proposal->type, table_of);
    if (kifu__has_handler(timeline, ran))
        timeline->dispatch->ran(timeline, event, "Act", "");
    if (kifu__report_fault(timeline) && !fault->result)
        *fault = timeline->error;
    return KIFU_OK;
}

// The flags of the log are those of the messages.
static void confirm(const kifu__message *message, const kifu__proposal *proposal, uint32_t number)
{
    if (number >= message->own->confirmed)
        kifu__log_mark(&message->timeline->log, number)->flags = proposal->flags;
}

static kifu_result go_to_stand(kifu__message *message, kifu_error *fault)
{
    kifu_timeline *timeline = message->timeline;
    const bool stays = message->how == KIFU_SEEN_PLAYED && message->count && message->same == message->count &&
                       message->right == message->from + message->same;
    const uint32_t before = timeline->executed;
    kifu_result result = KIFU_OK;
    if (timeline->executed < message->right || (timeline->executed > message->right && !stays))
        result = kifu__go(timeline, message->right, KIFU__NOTIFY);
    if (!result && before != timeline->executed && message->how == KIFU_SEEN_PLAYED &&
        kifu__show_anew(timeline, KIFU_OK))
        *fault = timeline->error;
    kifu__proposal *at = kifu__queue_first(&message->own->incoming);
    for (uint32_t number = message->from; at && !result; number++, at = kifu__queue_next(&message->own->incoming, at)) {
        if (number < message->right)
            confirm(message, at, number);
        else
            result = add_event(message, at, fault);
    }
    if (!result && message->how != KIFU_SEEN_PLAYED && kifu__show_anew(timeline, KIFU_OK))
        *fault = timeline->error;
    return result;
}

// A part of the way was gone.
static void return_from_message(kifu__message *message, uint32_t keep)
{
    kifu_timeline *timeline = message->timeline;
    const kifu_error error = timeline->error;
    if (timeline->executed > keep)
        (void)kifu__go(timeline, keep, KIFU__NOTIFY);
    kifu__redo_drop(timeline);
    (void)kifu__show_anew(timeline, KIFU_OK);
    timeline->error = error;
}

static kifu_result take_message(kifu__message *message, kifu_error *fault)
{
    kifu_timeline *timeline = message->timeline;
    kifu__watching *own = message->own;
    const uint32_t end = message->from + message->count, right = message->from + message->same;
    const uint32_t keep = right < own->confirmed ? right : own->confirmed;
    message->right = right;
    if (message->from > own->confirmed)
        return gap(message, "");
    if (message->from < timeline->log.begin)
        return gap(message, ", but not their beginning");
    if (message->how == KIFU_SEEN_PLAYED && keep < own->confirmed)
        return message->count && message->same == message->count ? KIFU_OK : gap(message, ", and more");
    kifu_result result = verify_message(message, keep);
    if (result)
        return result;
    kifu__queue_cut(&timeline->consequences, 0, 0);
    timeline->delay = 0;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    result = go_to_stand(message, fault);
    if (result)
        return_from_message(message, keep);
    kifu__settle_line(timeline); // It may turn out to be one that was left: no event is another one then.
    own->confirmed = result ? (keep < timeline->executed ? keep : timeline->executed) : end;
    own->awaits = own->awaits && timeline->executed > own->confirmed;
    (void)kifu__ask_watcher(timeline, &own->dropped);
    timeline->delay = 0;
    kifu__changed(timeline);
    return result;
}

// --- The whole game --------------------------------------------------------------------------------------------------

// The masked state with which the events begin.
static kifu_result begin_watch(kifu__message *message, kifu_timeline *stage)
{
    const size_t room = kifu__state_room(stage->rules);
    unsigned char *state = (unsigned char *)kifu__new(&stage->memory, room);
    if (!state)
        return kifu__message_no_memory(message);
    memset(state, 0, room);
    const unsigned char *first = message->bytes.at;
    bool good = kifu__apply_delta(&message->bytes, stage->rules, state);
    good = good && (message->from || message->bytes.at == first + 1);
    if (good)
        memcpy(stage->core.state, state, room);
    if (good && message->from) {
        kifu__begin_at_root(stage, message->from, state);
        kifu__journal_clear(&stage->journal, &stage->core, message->from);
        kifu__find_due(stage);
    } else
        kifu__free(&stage->memory, state);
    return good ? KIFU_OK : kifu__message_damaged(message, "the state with which it begins cannot be");
}

static kifu_result fill(kifu__message *message, kifu_timeline *stage)
{
    kifu_result result = begin_watch(message, stage);
    const void *table_of;
    if (!result)
        result = kifu__read_message_events(message);
    for (kifu__proposal *at = kifu__queue_first(&message->own->incoming); at && !result;
         at = kifu__queue_next(&message->own->incoming, at)) {
        const kifu__mark mark = {.cause = (uint16_t)at->cause, .player = at->player, .flags = at->flags};
        if (kifu__log_append(&stage->log, at->type, kifu__proposal_blob(at), at->size, mark, &table_of))
            result = kifu__message_no_memory(message);
    }
    if (result)
        return result;
    result = kifu__go(stage, message->from + message->count, KIFU__SILENT);
    if (result == KIFU_NO_MEMORY)
        return kifu__message_no_memory(message);
    return result || !has_checksum(message, stage->core.state)
               ? kifu__message_damaged(message, "it leads to another state")
               : KIFU_OK;
}

static kifu_result take_whole(kifu__message *message, kifu_error *fault)
{
    kifu_timeline *timeline = message->timeline, *stage;
    kifu_options options = timeline->options;
    options.quiet = true;
    kifu_result result = kifu_create(timeline->rules, &options, &stage, &timeline->error);
    if (result)
        return result;
    result = fill(message, stage);
    if (result) {
        kifu_destroy(stage);
        return result;
    }
    result = kifu__become(timeline, stage, fault);
    if (result)
        return result;
    (void)kifu__ask_watcher(timeline, &message->own->dropped);
    message->own->confirmed = timeline->executed;
    message->own->awaits = false;
    return KIFU_OK;
}

// --- All of it -------------------------------------------------------------------------------------------------------

static kifu_result require_watching(kifu_timeline *timeline)
{
    const char *call = "kifu_watch";
    kifu_result result = kifu__require_calm(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (!result)
        result = kifu__require_no_transaction(timeline, call);
    if (!result && !kifu__watching_of(timeline))
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s: this timeline is no watcher: make it with the rules of kifu_watch_rules", call);
    return result;
}

static bool make_watched_state(kifu_timeline *timeline, kifu__watching *own)
{
    if (!own->state)
        own->state = (unsigned char *)kifu__new(&timeline->memory, 2 * kifu__state_room(timeline->rules));
    return own->state != NULL;
}

kifu_result kifu_watch(kifu_timeline *timeline, const void *bytes, size_t size)
{
    const unsigned char *first = (const unsigned char *)bytes;
    const uint64_t most = timeline->options.changes_memory ? timeline->options.changes_memory
                                                           : (UINT64_C(64) << 20) + 64 * (uint64_t)size;
    kifu_result result = require_watching(timeline);
    if (result)
        return result;
    kifu__watching *own = kifu__watching_of(timeline);
    kifu__message message = {.timeline = timeline,
                             .own = own,
                             .rules = kifu__watch_rules_of(timeline),
                             .bytes = {first, first + size, true},
                             .first = first,
                             .most = most > KIFU__MOST_BUILT ? KIFU__MOST_BUILT : (uint32_t)most};
    kifu_error fault = {.result = KIFU_OK};
    const uint32_t confirmed = kifu__find_confirmed(timeline, own);
    if (!make_watched_state(timeline, own))
        return kifu__message_no_memory(&message);
    kifu__queue_cut(&own->incoming, 0, 0);
    result = kifu__read_head(&message);
    message.compares = timeline->executed > confirmed ? timeline->executed : confirmed;
    if (message.how == KIFU_SEEN_REDONE || message.how == KIFU_SEEN_JUMPED)
        message.compares = timeline->log.branch->end;
    own->follows = true;
    if (!result && message.how == KIFU_SEEN_WHOLE)
        result = take_whole(&message, &fault);
    else if (!result)
        result = kifu__read_message_events(&message);
    if (!result && message.how != KIFU_SEEN_WHOLE)
        result = take_message(&message, &fault);
    if (result || !fault.result)
        return result;
    timeline->error = fault;
    return fault.result;
}
