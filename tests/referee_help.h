/// What the suites of referees share: a referee and its clients in one process, with messages that go wrong between
/// them.
#ifndef REFEREE_HELP_H
#define REFEREE_HELP_H

#include <check.h>
#include <stdio.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <kifu/client.h>
#include <kifu/kifu.h>
#include <kifu/loopback.h>
#include <kifu/referee.h>
#include <kifu/seen.h>
#include <kifu/watch.h>

#include "nim.h"

enum { REFEREE = 0, MOST_CLIENTS = 40 };

/// A client, and what it was told last.
typedef struct guest {
    struct world *world;
    kifu_client *client;
    char game[41];
    uint64_t address;
    uint32_t done, refused, stale; ///< So many requests were.
    kifu_answer answer;
    char words[200];
    bool deaf;      ///< It takes nothing out of its queue.
    uint32_t asked; ///< Whether the game may go to this place; 0: nothing was.
} guest;

typedef struct world {
    kifu_referee *referee;
    kifu_loopback *loopback;
    uint64_t now;
    kifu_rng rng;
    guest guests[MOST_CLIENTS];
    uint32_t guest_count;
    kifu_referee_options options;
    const kifu_rules *rules;
    bool predict; ///< What the guests that come do,
    uint32_t repeat_ms, poll_ms;
    uint64_t messages, bytes; ///< From the referee.
    uint32_t fallen;          ///< So many clocks have.
} world;

#define must_be(condition) ck_assert_msg(condition, "%s:%d: %s", __FILE__, __LINE__, #condition)

// --- Folders ---------------------------------------------------------------------------------------------------------

static inline void make_folder(char folder[200])
{
    const char *set = getenv("TMPDIR");
    snprintf(folder, 200, "%s/kifu-referee-XXXXXX", set && *set ? set : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void remove_folder(const char *folder)
{
    DIR *stream = opendir(folder);
    char path[600];
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(stream);
    ck_assert_int_eq(rmdir(folder), 0);
}

// --- The game --------------------------------------------------------------------------------------------------------

static inline kifu_result begin_nim(void *context, kifu_timeline *timeline, uint32_t seats)
{
    const uint16_t stones[] = {3, 5, 7, 9};
    const kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    (void)context;
    nim_submit_e_reset_game(timeline);
    for (uint32_t i = 0; i < seats; i++)
        nim_submit_e_add_player(timeline, (uint8_t)i, KIFU_RED);
    nim_submit_e_initialize(timeline, &initialize);
    nim_submit_e_deal(timeline, stones, 4);
    nim_submit_e_start_round(timeline);
    return kifu_run(timeline);
}

// --- Between them ----------------------------------------------------------------------------------------------------

static inline bool send_to_peer(void *context, uint64_t peer, const void *bytes, size_t size)
{
    world *world = context;
    world->messages++;
    world->bytes += size;
    return kifu_loopback_send(world->loopback, REFEREE, peer, bytes, size, world->now);
}

static inline bool send_to_referee(void *context, const void *bytes, size_t size)
{
    guest *guest = context;
    return kifu_loopback_send(guest->world->loopback, guest->address, REFEREE, bytes, size, guest->world->now);
}

static inline void hear(void *context, uint32_t request, kifu_answer answer, const char *words)
{
    guest *guest = context;
    guest->done += request && answer == KIFU_ANSWER_DONE;
    guest->refused += answer == KIFU_ANSWER_REFUSED;
    guest->stale += answer == KIFU_ANSWER_STALE;
    guest->answer = answer;
    snprintf(guest->words, sizeof guest->words, "%s", words);
}

static inline void hear_question(void *context, uint32_t seat, uint32_t place)
{
    guest *guest = context;
    (void)seat;
    guest->asked = place;
}

// --- Memory ----------------------------------------------------------------------------------------------------------

typedef struct counted {
    size_t blocks, bytes, allowed; ///< `allowed`: so many more allocations succeed; then one does not.
} counted;

static inline void *count_memory(void *context, void *block, size_t size)
{
    counted *memory = context;
    size_t *head = block ? (size_t *)block - 2 : NULL;
    if (size && !memory->allowed--)
        return NULL;
    memory->allowed += !size;
    const size_t before = head ? *head : 0;
    memory->blocks -= head && !size;
    memory->blocks += !head && size;
    memory->bytes += size - before;
    if (!size) {
        free(head);
        return NULL;
    }
    head = realloc(head, size + 2 * sizeof *head);
    *head = size;
    return head + 2;
}

// --- A world ---------------------------------------------------------------------------------------------------------

static inline void start_referee(world *world)
{
    kifu_error error;
    world->options.send = send_to_peer;
    world->options.context = world;
    ck_assert_msg(!kifu_referee_create(world->rules, &world->options, &world->referee, &error), "%s", error.message);
}

static inline void create_world(world *world, const kifu_loopback_faults *faults)
{
    if (!world->rules)
        world->rules = &nim_rules;
    if (!world->options.begin)
        world->options.begin = begin_nim;
    world->loopback = kifu_loopback_create(faults);
    kifu_rng_seed(&world->rng, faults->seed, 7);
    world->now = 1000;
    start_referee(world);
}

static inline void destroy_world(world *world)
{
    for (uint32_t i = 0; i < world->guest_count; i++)
        kifu_client_destroy(world->guests[i].client);
    kifu_referee_destroy(world->referee);
    kifu_loopback_destroy(world->loopback);
}

static inline guest *add_guest_by(world *world, const char *game, const char *token,
                                  bool (*send)(void *context, const void *bytes, size_t size))
{
    guest *guest = &world->guests[world->guest_count++];
    kifu_error error;
    *guest = (struct guest){.world = world, .address = world->guest_count};
    snprintf(guest->game, sizeof guest->game, "%s", game);
    const kifu_client_options options = {.game = game,
                                         .token = token,
                                         .send = send,
                                         .answered = hear,
                                         .asked = hear_question,
                                         .context = guest,
                                         .predict = world->predict,
                                         .repeat_ms = world->repeat_ms,
                                         .poll_ms = world->poll_ms ? world->poll_ms : 500,
                                         .timeline.quiet = true};
    ck_assert_msg(!kifu_client_create(world->rules, &options, &guest->client, &error), "%s", error.message);
    return guest;
}

static inline guest *add_guest(world *world, const char *game, const char *token)
{
    return add_guest_by(world, game, token, send_to_referee);
}

static inline void open_game(world *world, const char *name, uint32_t seats, kifu_token *tokens)
{
    kifu_error error;
    ck_assert_msg(!kifu_referee_open(world->referee, name, &(kifu_table){.seats = seats}, tokens, world->now, &error),
                  "%s", error.message);
}

/// Delivers what has arrived, and does what is due; then the time goes to what comes next, at most to `end`.
static inline void pass_time(world *world, uint64_t end)
{
    kifu_arrival arrival;
    bool arrived = true;
    while (arrived) {
        arrived = kifu_loopback_receive(world->loopback, REFEREE, world->now, &arrival);
        if (arrived)
            kifu_referee_receive(world->referee, arrival.from, arrival.bytes, arrival.size, world->now);
        for (uint32_t i = 0; i < world->guest_count; i++) {
            guest *guest = &world->guests[i];
            if (!guest->deaf && kifu_loopback_receive(world->loopback, guest->address, world->now, &arrival)) {
                kifu_client_receive(guest->client, arrival.bytes, arrival.size, world->now);
                arrived = true;
            }
        }
    }
    uint64_t next = kifu_referee_tick(world->referee, world->now);
    for (uint32_t i = 0; i < world->guest_count; i++) {
        const uint64_t due = kifu_client_tick(world->guests[i].client, world->now);
        next = due < next ? due : next;
    }
    const uint64_t arrives = kifu_loopback_next(world->loopback);
    next = arrives < next ? arrives : next;
    next = next > world->now ? next : world->now + 1;
    world->now = next < end ? next : end;
}

/// As a kill does it: what is not in the files is lost.
static inline void restart_referee(world *world)
{
    kifu_referee_destroy(world->referee);
    start_referee(world);
}

static inline void pass_all_until(world *world, uint64_t end)
{
    while (world->now < end)
        pass_time(world, end);
}

// --- Nim -------------------------------------------------------------------------------------------------------------

static inline const nim_state *nim_of(guest *guest)
{
    return (const nim_state *)kifu_state(kifu_client_timeline(guest->client));
}

static inline void take_stones(guest *guest, uint8_t heap, uint16_t count)
{
    kifu_buffer buffer = {0};
    must_be(!nim_build_p_take(kifu_client_timeline(guest->client), &buffer, heap, count, 0));
    must_be(!kifu_client_request(guest->client, buffer.data, buffer.size, guest->world->now));
    kifu_free_buffer(&buffer);
}

/// If nothing waits, asks for one of the moves that its game lists.
static inline void play_at_random(guest *guest)
{
    kifu_timeline *timeline = kifu_client_timeline(guest->client);
    const int seat = kifu_client_seat(guest->client);
    kifu_moves moves = {0};
    kifu_buffer buffer = {0};
    if (seat < 0 || kifu_client_waits(guest->client) || kifu_list_moves(timeline, seat, &moves))
        return;
    if (moves.count) {
        must_be(!kifu_move_bytes(timeline, &moves.items[kifu_rng_below(&guest->world->rng, moves.count)], &buffer));
        must_be(!kifu_client_request(guest->client, buffer.data, buffer.size, guest->world->now));
    }
    kifu_free_buffer(&buffer);
    kifu_free_moves(&moves);
}

static inline bool is_over(const kifu_timeline *timeline)
{
    return kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER;
}

/// How many moves of this seat are in the log.
static inline uint32_t count_moves(const kifu_timeline *timeline, int seat)
{
    kifu_event event;
    uint32_t count = 0;
    for (uint32_t i = 0; kifu_event_at(timeline, i, &event); i++)
        count += event.cause == KIFU_NONE && event.player == seat;
    return count;
}

static inline const kifu_timeline *game_of(world *world, const char *name)
{
    kifu_error error;
    const kifu_timeline *timeline = kifu_referee_game(world->referee, name, world->now, &error);
    ck_assert_msg(timeline != NULL, "%s", error.message);
    return timeline;
}

/// A guest has what its seat sees of the game.
static inline void expect_same_state(world *world, const char *game, guest *guest)
{
    kifu_timeline *timeline = (kifu_timeline *)(uintptr_t)game_of(world, game), *fresh;
    kifu_timeline *own = kifu_client_timeline(guest->client);
    const int seat = kifu_client_seat(guest->client);
    const kifu_rules *rules = kifu_watch_rules(world->rules, seat);
    kifu_buffer whole = {0};
    must_be(!kifu_create(rules, NULL, &fresh, NULL));
    must_be(!kifu_seen_since(timeline, seat, 0, KIFU_SEEN_WHOLE, &whole));
    must_be(!kifu_watch(fresh, whole.data, whole.size));
    ck_assert_uint_eq(kifu_event_count(own), kifu_event_count(fresh));
    ck_assert_mem_eq(kifu_state(own), kifu_state(fresh), rules->state_size);
    kifu_free_buffer(&whole);
    kifu_destroy(fresh);
    kifu_free_watch_rules(rules);
}

#endif
