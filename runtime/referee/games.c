// The games that are in memory, and how they come there and go.

#include <stdio.h>

#include <kifu/log_file.h>

#include "referee/referee.h"

static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261U;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619U;
    return hash ^ hash >> 15;
}

kifu__game *kifu__find_game(const kifu_referee *referee, const char *name)
{
    const uint32_t hash = hash_name(name);
    kifu__game *game = referee->bucket_count ? referee->buckets[hash % referee->bucket_count] : NULL;
    while (game && (game->hash != hash || strcmp(game->name, name) != 0))
        game = game->next;
    return game;
}

// Without memory for more buckets, the chains get longer.
static bool grow(kifu_referee *referee)
{
    const kifu_options *memory = &referee->options.timeline;
    const uint32_t count = referee->bucket_count ? 2 * referee->bucket_count : 16;
    if (referee->game_count < referee->bucket_count)
        return true;
    kifu__game **buckets = (kifu__game **)kifu__referee_new(memory, count * sizeof *buckets);
    if (!buckets)
        return referee->bucket_count != 0;
    for (uint32_t i = 0; i < referee->bucket_count; i++) {
        for (kifu__game *game = referee->buckets[i], *next; game; game = next) {
            next = game->next;
            game->next = buckets[game->hash % count];
            buckets[game->hash % count] = game;
        }
    }
    kifu__referee_memory(memory, referee->buckets, 0);
    referee->buckets = buckets;
    referee->bucket_count = count;
    return true;
}

kifu__game *kifu__new_game(kifu_referee *referee, const char *name, uint32_t seats)
{
    if (!grow(referee))
        return NULL;
    const size_t size = sizeof(kifu__game) + seats * sizeof(kifu__seat);
    kifu__game *game = (kifu__game *)kifu__referee_new(&referee->options.timeline, size);
    if (!game)
        return NULL;
    game->seats = (kifu__seat *)(game + 1);
    game->seat_count = seats;
    snprintf(game->name, sizeof game->name, "%s", name);
    game->hash = hash_name(name);
    game->running = -1;
    game->used = referee->now;
    // Which process, which take-up, which observation.
    game->sequence = referee->run << 40 | (uint64_t)(++referee->taken_up & 0xFFFFF) << 20;
    kifu__game **bucket = &referee->buckets[game->hash % referee->bucket_count];
    game->next = *bucket;
    *bucket = game;
    referee->game_count++;
    if (referee->now + referee->options.idle_ms < referee->due)
        referee->due = referee->now + referee->options.idle_ms;
    return game;
}

void kifu__put_away(kifu_referee *referee, kifu__game *game)
{
    const kifu_options *memory = &referee->options.timeline;
    kifu__game **at = &referee->buckets[game->hash % referee->bucket_count];
    while (*at != game)
        at = &(*at)->next;
    *at = game->next;
    referee->game_count--;
    kifu_destroy(game->timeline);
    if (game->stored)
        referee->store.forget(referee->store.context, game->stored);
    for (kifu__waiting *waiting; (waiting = game->waiting) != NULL;) { // it comes again
        game->waiting = waiting->next;
        kifu__referee_memory(memory, waiting, 0);
    }
    kifu__referee_memory(memory, game->spectators, 0);
    kifu__referee_memory(memory, game, 0);
}

kifu_options kifu__timeline_options(const kifu_referee *referee)
{
    kifu_options options = referee->options.timeline;
    options.quiet = true;
    options.keep_notes = kifu_keep_notes;
    return options;
}

// From its log file, which is locked from then on. Another process may have played on between the two: then this one
// must load again.
static kifu_result load(kifu_referee *referee, const char *path, kifu_timeline **timeline, kifu_error *error)
{
    kifu_recovery recovery;
    const kifu_load_options load_options = {.recover = kifu_recover, .recovery = &recovery};
    const kifu_save_options save_options = {.durable = referee->options.durable};
    const kifu_options options = kifu__timeline_options(referee);
    kifu_result result = kifu_load(referee->rules, path, &options, &load_options, timeline, error);
    if (result)
        return result;
    result = kifu_log_open(*timeline, path, &save_options);
    if (result && error)
        *error = *kifu_last_error(*timeline);
    if (result)
        kifu_destroy(*timeline);
    return result;
}

kifu__game *kifu__take_up(kifu_referee *referee, const char *name, kifu_result *result, kifu_error *error)
{
    char path[4200];
    void *stored = NULL;
    kifu_timeline *timeline = NULL;
    kifu__game *game = kifu__find_game(referee, name);
    *result = KIFU_OK;
    if (game)
        return game;
    *result = KIFU_NOT_FOUND;
    if (!referee->folder || snprintf(path, sizeof path, "%s%s.kifu", referee->folder, name) >= (int)sizeof path) {
        kifu__referee_error(error, KIFU_NOT_FOUND, "there is no such game");
        return NULL;
    }
    if (referee->store.fetch)
        *result = referee->store.fetch(referee->store.context, name, path, &stored, error);
    if (!referee->store.fetch || !*result)
        *result = load(referee, path, &timeline, error);
    if (*result) {
        if (stored)
            referee->store.forget(referee->store.context, stored);
        return NULL;
    }
    const bool is_table = kifu__read_table(referee, &game, name, timeline);
    if (!is_table)
        *result =
            kifu__referee_error(error, KIFU_DAMAGED, "this file was not made by a referee: it says nothing of seats");
    else if (!game)
        *result = kifu__referee_error(error, KIFU_NO_MEMORY, "out of memory: the game could not be taken up");
    if (game) {
        game->stored = stored;
        return game;
    }
    kifu_destroy(timeline);
    if (stored)
        referee->store.forget(referee->store.context, stored);
    return NULL;
}
