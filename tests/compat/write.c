// Writes the saves of one version of the camp into a folder: `camp_write_v2 tests/compat/v2`. The files are committed;
// they are written again only when a version's schema or rules were wrong, never because Kifu changed.

#include <stdio.h>

#include "play.h"
#include "run_codec.h"
#include "save/writer.h"

static int write_one(const char *folder, const char *name, play_kind kind)
{
    static const char *const players[] = {"Ann", "Bob"};
    const kifu_save_options options = {.title = name,
                                       .players = players,
                                       .player_count = 2,
                                       .without_schema = kind == PLAY_WAITING,
                                       .codec = kind == PLAY_PACKED  ? &run_codec
                                                : kind == PLAY_SMALL ? &kifu_compact
                                                                     : NULL};
    char path[500];
    kifu_timeline *timeline;
    kifu_error error;
    snprintf(path, sizeof path, "%s/%s.kifu", folder, name);
    const kifu_options recording = {.hash_interval = kind == PLAY_HASHED || kind == PLAY_SMALL ? 2 : 0};
    if (kifu_create(&camp_rules, &recording, &timeline, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    kifu_result result = play(timeline, kind);
    if (!result)
        result = kifu__save_at(timeline, path, &options, 1700000000);
    if (result)
        fprintf(stderr, "%s: %s\n", path, kifu_last_error(timeline)->message);
    kifu_destroy(timeline);
    return result != KIFU_OK;
}

// A log file that was not closed, with all that an append can be.
static int write_log(const char *folder)
{
    char path[500];
    kifu_timeline *timeline;
    snprintf(path, sizeof path, "%s/log.kifu", folder);
    if (kifu_create(&camp_rules, &(kifu_options){.hash_interval = 2}, &timeline, NULL))
        return 1;
    const kifu_save_options options = {.title = "log"};
    kifu_result result = kifu_log_open(timeline, path, &options);
    result = result ? result : play(timeline, PLAY_WAITING);
    result = result ? result : kifu_log_append(timeline);
    result = result ? result : kifu_step(timeline);
    result = result ? result : kifu_log_append(timeline);
    result = result ? result : kifu_run(timeline);
    result = result ? result : kifu_log_append(timeline);
    for (int undone = 0; undone < 2; undone++) {
        result = result ? result : kifu_undo(timeline);
        result = result ? result : kifu_log_append(timeline);
    }
    result = result ? result : kifu_redo(timeline);
    result = result ? result : kifu_log_append(timeline);
    if (result)
        fprintf(stderr, "%s: %s\n", path, kifu_last_error(timeline)->message);
    kifu_destroy(timeline);
    return result != KIFU_OK;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    int failed = write_one(arguments[1], "undone", PLAY_UNDONE) | write_one(arguments[1], "waiting", PLAY_WAITING);
    if (CAMP_VERSION >= 4) // its events are new enough
        return failed;
    failed |= write_one(arguments[1], "packed", PLAY_PACKED);
    if (CAMP_VERSION >= 2)
        failed |= write_one(arguments[1], "storm", PLAY_STORM);
    if (CAMP_VERSION >= 3)
        failed |= write_one(arguments[1], "stone", PLAY_STONE) | write_one(arguments[1], "hashed", PLAY_HASHED) |
                  write_one(arguments[1], "small", PLAY_SMALL) | write_log(arguments[1]);
    return failed;
}
