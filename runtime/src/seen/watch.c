// A watcher takes messages.
//
// All of a message is read and verified first: its events into a queue, what they change on a copy of the state. Then
// the game goes there, and nothing but memory is wanting any more.

#include <inttypes.h>

#include "seen/watch.h"

#include <kifu/watch.h>

#include "base/crc32c.h"
#include "core/go.h"
#include "history/exchange.h"
#include "history/root.h"
#include "wire/buffer.h"

// --- The part --------------------------------------------------------------------------------------------------------

static void freed(kifu_timeline *timeline, kifu__part *part)
{
    kifu__watching *own = (kifu__watching *)(void *)part;
    kifu__queue_free(&own->incoming, &timeline->memory);
    kifu__free(&timeline->memory, own->event.bytes);
    kifu__free(&timeline->memory, own->local.bytes);
    kifu__free(&timeline->memory, own->state);
    kifu__free(&timeline->memory, own->visible);
}

// It was loaded, or is a fork: then all of it was seen.
static void called(kifu_timeline *timeline, kifu__part *part, kifu__call call, const kifu__proposal *proposal,
                   unsigned flags)
{
    kifu__watching *own = (kifu__watching *)(void *)part;
    (void)proposal;
    (void)flags;
    if (call == KIFU__CALL_OTHER && !own->follows)
        own->confirmed = timeline->executed;
}

// With this, no event of a watcher takes a short way, which would not ask for these rules.
static void ran(kifu_timeline *timeline, kifu__part *part, uint32_t event, const char *who, const char *whose)
{
    (void)timeline;
    (void)part;
    (void)event;
    (void)who;
    (void)whose;
}

// What was left for the answer is no failure, but in a try.
static void fails(kifu_timeline *timeline, kifu__part *part, bool done)
{
    kifu__watching *own = (kifu__watching *)(void *)part;
    if (!done || !own->leaves)
        return;
    own->leaves = false;
    if (kifu__has_handler(timeline, seals) || timeline->transactions.searching)
        return;
    own->awaits = true;
    kifu__queue_cut(&timeline->consequences, 0, 0);
    kifu__queue_cut(&timeline->inputs, 0, 0);
    timeline->error.result = KIFU_OK;
}

static const kifu__part_table table = {.size = sizeof(kifu__watching),
                                       .order = KIFU__SEEN,
                                       .called = called,
                                       .ran = ran,
                                       .fails = fails,
                                       .freed = freed};

static kifu__watching *watching_of(const kifu_timeline *timeline)
{
    return (kifu__watching *)(void *)kifu__part_of(timeline, &table);
}

// Of a bit for each hidden value.
static uint32_t visible_words(const kifu_timeline *timeline)
{
    const kifu__hiding *hiding = timeline->rules->game->hiding;
    return hiding ? (hiding->value_count + 63) / 64 : 0;
}

kifu_result kifu__attach_watching(kifu_timeline *timeline)
{
    kifu__watching *own = (kifu__watching *)(void *)kifu__attach(timeline, &table);
    const uint32_t words = visible_words(timeline);
    if (own && words)
        own->visible = (uint64_t *)kifu__new(&timeline->memory, 2 * (size_t)words * sizeof *own->visible);
    if (!own || (words && !own->visible))
        return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for a watcher");
    kifu__watch(timeline, &own->dropped);
    return KIFU_OK;
}

static void look(const kifu_timeline *timeline, uint64_t *visible, uint32_t words)
{
    const kifu__watch_rules *rules = kifu__watch_rules_of(timeline);
    memset(visible, 0, words * sizeof *visible);
    timeline->rules->game->hiding->visible(timeline->core.state, rules->viewer, visible);
}

void kifu__before_prediction(kifu_timeline *timeline)
{
    const uint32_t words = visible_words(timeline);
    if (words)
        look(timeline, watching_of(timeline)->visible, words);
}

bool kifu__prediction_reveals(kifu_timeline *timeline)
{
    const uint32_t words = visible_words(timeline);
    const uint64_t *before = watching_of(timeline)->visible;
    if (words)
        look(timeline, watching_of(timeline)->visible + words, words);
    for (uint32_t i = 0; i < words; i++) {
        if (before[words + i] & ~before[i])
            return true;
    }
    return false;
}

const char *kifu__may_predict(const kifu_timeline *timeline, uint32_t type)
{
    const kifu__watching *own = watching_of(timeline);
    if (!timeline->rules->types[type].is_player)
        return NULL;
    if (own->awaits)
        return "the answer to the move before has not come yet";
    return timeline->executed < own->confirmed ? "the game has gone on: redo first" : NULL;
}

kifu_result kifu__leave_for_answer(kifu_timeline *timeline)
{
    watching_of(timeline)->leaves = true;
    return kifu_fail(timeline, "what happens now is known only where the whole game is");
}

// Up to where messages have confirmed what is here.
static uint32_t find_confirmed(kifu_timeline *timeline, kifu__watching *own)
{
    const uint32_t cut = kifu__ask_watcher(timeline, &own->dropped);
    own->confirmed = cut < own->confirmed ? cut : own->confirmed;
    return own->confirmed;
}

uint32_t kifu_watched(const kifu_timeline *timeline)
{
    kifu_timeline *own = (kifu_timeline *)(uintptr_t)timeline; // It only asks what was dropped.
    kifu__watching *watching = watching_of(timeline);
    return watching ? find_confirmed(own, watching) : 0;
}

// --- Reading a message -----------------------------------------------------------------------------------------------

static kifu_result damaged(const kifu__message *message, const char *what)
{
    const uint64_t offset = (uint64_t)(message->bytes.at - message->first);
    return kifu__error_at(&message->timeline->error, KIFU_DAMAGED, offset,
                          "the message is damaged at byte %" PRIu64 ": %s; nothing was changed: get it again", offset,
                          what);
}

static kifu_result no_memory(const kifu__message *message)
{
    return kifu__error(&message->timeline->error, KIFU_NO_MEMORY, "out of memory for a message");
}

static kifu_result too_large(const kifu__message *message)
{
    return kifu__error(&message->timeline->error, KIFU_TOO_LARGE,
                       "the message needs more than %" PRIu32
                       " bytes of memory, which is all that kifu_options.changes_memory allows; nothing was changed",
                       message->most);
}

static kifu_result gap(const kifu__message *message, const char *what)
{
    return kifu__error(&message->timeline->error, KIFU_GAP,
                       "the message goes on after %" PRIu32 " events, and this watcher has %" PRIu32
                       " of which it knows that they are the game's%s: ask for KIFU_SEEN_WHOLE",
                       message->from, message->own->confirmed, what);
}

// Whose it is.
static kifu_result read_owner(kifu__message *message)
{
    const kifu__watch_rules *rules = message->rules;
    const unsigned char *fingerprint = kifu__parse_bytes(&message->bytes, 8);
    const uint32_t version = kifu__parse_number(&message->bytes);
    const int viewer = (int)kifu__parse_number(&message->bytes) - 1;
    if (!message->bytes.good)
        return damaged(message, "it ends there");
    if (kifu__load64(fingerprint) != rules->rules.game->fingerprint || version != rules->rules.game->rules_version)
        return kifu__error(&message->timeline->error, KIFU_OTHER_GAME,
                           "the message is not of this version of %.100s: it says rules version %" PRIu32
                           ", and this is %" PRIu32,
                           rules->rules.game->name, version, rules->rules.game->rules_version);
    if (viewer != rules->viewer)
        return kifu__error(&message->timeline->error, KIFU_OTHER_GAME,
                           "the message is for viewer %d, and this watcher is of viewer %d", viewer, rules->viewer);
    return KIFU_OK;
}

static kifu_result read_head(kifu__message *message)
{
    kifu__bytes *bytes = &message->bytes;
    if (bytes->end - bytes->at < 7)
        return damaged(message, "it ends there");
    bytes->end -= 4;
    const unsigned first = *kifu__parse_bytes(bytes, 1);
    if (first >> 4 > KIFU__SEEN_VERSION)
        return kifu__error(&message->timeline->error, KIFU_NEWER_FORMAT,
                           "the message is of a newer version of Kifu: update this program");
    if (first >> 4 != KIFU__SEEN_VERSION || (first & 15) >= KIFU__SEEN_HOWS)
        return damaged(message, "this is no message of what was seen");
    message->how = (kifu_seen_how)(first & 15);
    const kifu_result result = message->how == KIFU_SEEN_WHOLE ? read_owner(message) : KIFU_OK;
    if (result)
        return result;
    message->from = kifu__parse_number(bytes);
    message->count = kifu__parse_number(bytes);
    // An event takes at least 3 bytes.
    if (!bytes->good || message->count > (uint64_t)(bytes->end - bytes->at) / 3 ||
        (uint64_t)message->from + message->count >= KIFU_NONE - 2 * KIFU__MOST_SLOTS ||
        (message->how == KIFU_SEEN_UNDONE && message->count))
        return damaged(message, "it cannot have so many events");
    return KIFU_OK;
}

// How the state changes with an event becomes its last field.
static bool take_delta(kifu__message *message, const kifu__table *of)
{
    kifu__bytes *bytes = &message->bytes;
    const unsigned char *begin = bytes->at;
    kifu__stretch stretch = {0};
    while (kifu__next_stretch(bytes, &stretch, message->rules->rules.state_size))
        continue;
    const uint32_t size = (uint32_t)(bytes->at - begin);
    kifu__build_vector(&message->own->event, of->size - (uint32_t)sizeof(kifu_ref), begin, size, size, 1);
    kifu__build(&message->own->event, 0, NULL, 0, 4);
    return bytes->good;
}

// Whether the log has the same event here, but for its flags.
static bool is_here(const kifu__message *message, uint32_t number, const unsigned char *begin, unsigned flags)
{
    const kifu_timeline *timeline = message->timeline;
    kifu__blob *local = &message->own->local;
    if (number >= message->compares || number < timeline->log.begin)
        return false;
    const kifu__segment *segment = kifu__log_segment_of(&timeline->log, number);
    const kifu_event event = kifu__event_in(timeline, segment, number - segment->first);
    kifu__build_anew(local, &timeline->memory);
    kifu__add_event(local, timeline->rules, &event, flags & KIFU__SEES_HIDDEN);
    const uint32_t size = (uint32_t)(message->bytes.at - begin), at = event.type > 127 ? 2 : 1;
    if (local->result || local->size != size)
        return false;
    local->bytes[at] = (unsigned char)((local->bytes[at] & ~(unsigned)KIFU__SEEN_FLAGS) | (flags & (unsigned)KIFU__SEEN_FLAGS));
    return !memcmp(local->bytes, begin, size);
}

static kifu_result read_event(kifu__message *message, uint32_t number)
{
    kifu__bytes *bytes = &message->bytes;
    kifu__blob *blob = &message->own->event;
    const unsigned char *begin = bytes->at;
    const uint32_t type = kifu__parse_number(bytes);
    const unsigned char *at = kifu__parse_bytes(bytes, 1);
    const unsigned flags = at ? *at : 0;
    const uint32_t distance = flags & KIFU__HAS_CAUSE ? kifu__parse_number(bytes) : 0;
    const uint32_t player = flags & KIFU__HAS_PLAYER ? kifu__parse_number(bytes) : UINT32_MAX;
    if (!bytes->good || !type || type > message->rules->rules.type_count)
        return damaged(message, "there is no such event");
    if (distance > UINT16_MAX || distance > number || (flags & KIFU__HAS_CAUSE && !distance) ||
        (flags & KIFU__HAS_PLAYER && player > INT8_MAX))
        return damaged(message, "its event has a wrong cause or player");
    const kifu__table *of = message->rules->rules.types[type].table;
    kifu__build_anew(blob, &message->timeline->memory);
    kifu__build(blob, 0, NULL, of->size, 8);
    const bool taken = !blob->result && kifu__take_fields(bytes, of, blob, 0, flags & KIFU__SEES_HIDDEN, message->most,
                                                          KIFU__EVENT_DEPTH);
    if (taken && message->same == number - message->from)
        message->same += is_here(message, number, begin, flags);
    if (!taken || !take_delta(message, of) || blob->result)
        return blob->result == KIFU_NO_MEMORY   ? no_memory(message)
               : blob->result == KIFU_TOO_LARGE ? too_large(message)
                                                : damaged(message, "its event has a wrong field");
    kifu_error error;
    if (kifu__check_proposal(of, blob->bytes, &error))
        return damaged(message, error.message);
    const kifu__proposal head = {.size = blob->size,
                                 .cause = distance,
                                 .type = (uint8_t)type,
                                 .player = (int8_t)player,
                                 .flags = (uint8_t)(flags & KIFU__SEEN_FLAGS)};
    if ((uint64_t)message->own->incoming.tail + head.size > message->most)
        return too_large(message);
    return kifu__queue_push(&message->own->incoming, &message->timeline->memory, &head, blob->bytes)
               ? KIFU_OK
               : no_memory(message);
}

static kifu_result read_events(kifu__message *message)
{
    kifu_result result = KIFU_OK;
    for (uint32_t i = 0; i < message->count && !result; i++)
        result = read_event(message, message->from + i);
    if (!result && message->bytes.at != message->bytes.end)
        result = damaged(message, "something is behind its end");
    return result;
}

// --- Verifying it ----------------------------------------------------------------------------------------------------

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
static kifu_result verify(kifu__message *message, uint32_t keep)
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

static kifu_result drop_tail(kifu_timeline *timeline)
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
    const kifu__mark mark = {
        .cause = (uint16_t)proposal->cause, .player = proposal->player, .flags = proposal->flags};
    const void *table_of;
    kifu_result result = drop_tail(timeline);
    if (!result)
        result = kifu__log_append(&timeline->log, proposal->type, kifu__proposal_blob(proposal), proposal->size, mark,
                                  &table_of);
    if (result)
        return result == KIFU_NO_MEMORY ? no_memory(message) : too_large(message);
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

static kifu_result go(kifu__message *message, kifu_error *fault)
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
static void return_back(kifu__message *message, uint32_t keep)
{
    kifu_timeline *timeline = message->timeline;
    const kifu_error error = timeline->error;
    if (timeline->executed > keep)
        (void)kifu__go(timeline, keep, KIFU__NOTIFY);
    kifu__redo_drop(timeline);
    (void)kifu__show_anew(timeline, KIFU_OK);
    timeline->error = error;
}

static kifu_result take(kifu__message *message, kifu_error *fault)
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
    kifu_result result = verify(message, keep);
    if (result)
        return result;
    kifu__queue_cut(&timeline->consequences, 0, 0);
    timeline->delay = 0;
    if (kifu__has_handler(timeline, called))
        timeline->dispatch->called(timeline, KIFU__CALL_OTHER, NULL, 0);
    result = go(message, fault);
    if (result)
        return_back(message, keep);
    own->confirmed = result ? (keep < timeline->executed ? keep : timeline->executed) : end;
    own->awaits = own->awaits && timeline->executed > own->confirmed;
    (void)kifu__ask_watcher(timeline, &own->dropped);
    timeline->delay = 0;
    kifu__settle_line(timeline);
    kifu__changed(timeline);
    return result;
}

// --- The whole game --------------------------------------------------------------------------------------------------

// The masked state with which the events begin.
static kifu_result begin(kifu__message *message, kifu_timeline *stage)
{
    const size_t room = kifu__state_room(stage->rules);
    unsigned char *state = (unsigned char *)kifu__new(&stage->memory, room);
    if (!state)
        return no_memory(message);
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
    return good ? KIFU_OK : damaged(message, "the state with which it begins cannot be");
}

static kifu_result fill(kifu__message *message, kifu_timeline *stage)
{
    kifu_result result = begin(message, stage);
    const void *table_of;
    if (!result)
        result = read_events(message);
    for (kifu__proposal *at = kifu__queue_first(&message->own->incoming); at && !result;
         at = kifu__queue_next(&message->own->incoming, at)) {
        const kifu__mark mark = {.cause = (uint16_t)at->cause, .player = at->player, .flags = at->flags};
        if (kifu__log_append(&stage->log, at->type, kifu__proposal_blob(at), at->size, mark, &table_of))
            result = no_memory(message);
    }
    if (result)
        return result;
    result = kifu__go(stage, message->from + message->count, KIFU__SILENT);
    if (result == KIFU_NO_MEMORY)
        return no_memory(message);
    return result || !has_checksum(message, stage->core.state) ? damaged(message, "it leads to another state") : KIFU_OK;
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

static kifu_result require(kifu_timeline *timeline)
{
    const char *call = "kifu_watch";
    kifu_result result = kifu__require_calm(timeline, call);
    if (!result)
        result = kifu__require_present(timeline, call);
    if (!result && timeline->transactions.open)
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s was called inside a transaction: commit or roll back first", call);
    if (!result && !watching_of(timeline))
        result = kifu__error(&timeline->error, KIFU_MISUSE,
                             "%s: this timeline is no watcher: make it with the rules of kifu_watch_rules", call);
    return result;
}

static bool make_state(kifu_timeline *timeline, kifu__watching *own)
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
    kifu_result result = require(timeline);
    if (result)
        return result;
    kifu__watching *own = watching_of(timeline);
    kifu__message message = {.timeline = timeline,
                             .own = own,
                             .rules = kifu__watch_rules_of(timeline),
                             .bytes = {first, first + size, true},
                             .first = first,
                             .most = most > KIFU__MOST_BUILT ? KIFU__MOST_BUILT : (uint32_t)most};
    kifu_error fault = {.result = KIFU_OK};
    const uint32_t confirmed = find_confirmed(timeline, own);
    if (!make_state(timeline, own))
        return no_memory(&message);
    kifu__queue_cut(&own->incoming, 0, 0);
    result = read_head(&message);
    message.compares = timeline->executed > confirmed ? timeline->executed : confirmed;
    if (message.how == KIFU_SEEN_REDONE || message.how == KIFU_SEEN_JUMPED)
        message.compares = timeline->log.branch->end;
    own->follows = true;
    if (!result && message.how == KIFU_SEEN_WHOLE)
        result = take_whole(&message, &fault);
    else if (!result)
        result = read_events(&message);
    if (!result && message.how != KIFU_SEEN_WHOLE)
        result = take(&message, &fault);
    if (result || !fault.result)
        return result;
    timeline->error = fault;
    return fault.result;
}
