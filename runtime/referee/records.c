// What the log file has besides the game: notes before its first event. They are in the same append as the move, so a
// request is done where its number is, and nowhere else.

#include "referee/referee.h"

// "referee": which table this is, for good. "referee.sessions": seldom changes. "referee.done": with each request.
enum { VERSION = 1, MOST_DONE = 10 + KIFU_MAX_PLAYERS * 20, MOST_TABLE = 40 + KIFU_MAX_PLAYERS * KIFU__KEY };

static kifu_result set(kifu__game *game, const char *key, const unsigned char *bytes, const unsigned char *end)
{
    return kifu_set_note_bytes(game->timeline, 0, KIFU_BEFORE_FIRST, key, bytes, (uint32_t)(end - bytes));
}

static bool find(const kifu_timeline *timeline, const char *key, kifu__parse *parse)
{
    kifu_note note;
    const bool found = kifu_find_note(timeline, 0, KIFU_BEFORE_FIRST, key, &note);
    if (found)
        *parse = kifu__parse_of(note.bytes, note.size);
    return found;
}

kifu_result kifu__write_table(kifu__game *game)
{
    unsigned char bytes[MOST_TABLE], *end = bytes;
    *end++ = VERSION;
    *end++ = (unsigned char)game->seat_count;
    end = kifu__put(end, game->main_ms);
    end = kifu__put(end, game->increment_ms);
    for (uint32_t i = 0; i < game->seat_count; i++)
        end = kifu__put_bytes(end, game->seats[i].key, KIFU__KEY);
    return set(game, "referee", bytes, end);
}

static kifu_result write_sessions(kifu__game *game)
{
    unsigned char bytes[KIFU_MAX_PLAYERS * KIFU__SESSIONS * 8], *end = bytes;
    for (uint32_t i = 0; i < game->seat_count; i++) {
        for (uint32_t j = 0; j < KIFU__SESSIONS; j++)
            end = kifu__put_fixed(end, game->seats[i].sessions[j]);
    }
    return set(game, "referee.sessions", bytes, end);
}

static kifu_result write_done(const kifu_referee *referee, kifu__game *game)
{
    unsigned char bytes[MOST_DONE], *end = bytes;
    end = kifu__put(end, game->undos);
    for (uint32_t i = 0; i < game->seat_count; i++) {
        end = kifu__put(end, game->seats[i].done);
        if (game->main_ms)
            end = kifu__put(end, kifu__time_left(referee, game, i));
    }
    return set(game, "referee.done", bytes, end);
}

kifu_result kifu__record(const kifu_referee *referee, kifu__game *game)
{
    if (!referee->folder)
        return KIFU_OK;
    kifu_result result = game->sessions_changed ? write_sessions(game) : KIFU_OK;
    if (!result)
        result = write_done(referee, game);
    if (!result)
        result = kifu_log_append(game->timeline);
    if (!result && referee->store.append) {
        result = referee->store.append(referee->store.context, game->stored);
        game->is_storing = !result;
    }
    game->sessions_changed = game->sessions_changed && result;
    return result;
}

static void read_done(kifu_referee *referee, kifu__game *game)
{
    kifu__parse parse;
    bool began = false;
    if (find(game->timeline, "referee.sessions", &parse)) {
        for (uint32_t i = 0; i < game->seat_count; i++) {
            for (uint32_t j = 0; j < KIFU__SESSIONS; j++)
                game->seats[i].sessions[j] = kifu__take_fixed(&parse);
        }
    }
    if (!find(game->timeline, "referee.done", &parse))
        return;
    game->undos = (uint32_t)kifu__take_number(&parse);
    for (uint32_t i = 0; i < game->seat_count; i++) {
        kifu__seat *seat = &game->seats[i];
        seat->handled = seat->done = (uint32_t)kifu__take_number(&parse);
        seat->left = game->main_ms ? kifu__take_number(&parse) : 0;
        began = began || seat->done;
    }
    if (began)
        kifu__turn_clock(referee, game, -1); // from now on
}

bool kifu__read_table(kifu_referee *referee, kifu__game **game, const char *name, kifu_timeline *timeline)
{
    kifu__parse parse;
    *game = NULL;
    if (!find(timeline, "referee", &parse) || kifu__take_byte(&parse) != VERSION)
        return false;
    const uint8_t seats = kifu__take_byte(&parse);
    const uint64_t main_ms = kifu__take_number(&parse), increment_ms = kifu__take_number(&parse);
    if (!seats || seats > KIFU_MAX_PLAYERS || (size_t)(parse.end - parse.at) != (size_t)seats * KIFU__KEY)
        return false;
    kifu__game *made = kifu__new_game(referee, name, seats);
    if (!made)
        return true;
    made->timeline = timeline;
    made->main_ms = (uint32_t)main_ms;
    made->increment_ms = (uint32_t)increment_ms;
    for (uint32_t i = 0; i < seats; i++) {
        memcpy(made->seats[i].key, kifu__take_bytes(&parse, KIFU__KEY), KIFU__KEY);
        made->seats[i].left = main_ms;
    }
    read_done(referee, made);
    *game = made;
    return true;
}
