// A game inside of its page: what the page's script calls. It is compiled to WebAssembly with the rules of one game.
//
// Texts and bytes go through memory that both see. The script asks for room, and writes there; what a call says is a
// text of JSON from `kifu_web_text`, `kifu_web_size` bytes of it, until the next call.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include <kifu/web.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <kifu/forget.h>
#include <kifu/kifu.h>
#include <kifu/notes.h>
#include <kifu/text.h>
#include <kifu/variations.h>

#include "core/timeline.h"
#include "text/print.h"

#define EXPORTED(name) __attribute__((export_name(#name))) name

enum { TRIES = 1000 };

// Bytes that grow.
typedef struct text {
    char *bytes;
    size_t used, room;
} text;

static struct {
    kifu_timeline *timeline;
    kifu_moves *lists; // Of each player.
    uint32_t list_count;
    uint64_t seed;
    unsigned char *saved; // From the timeline.
    text said;            // What the last call said.
} page;

// The library calls it, and Emscripten's C does not have it.
int timespec_get(struct timespec *time, int base)
{
    return clock_gettime(CLOCK_REALTIME, time) ? 0 : base;
}

// --- What a call says ------------------------------------------------------------------------------------------------

static kifu_result add(void *context, const char *bytes, size_t size)
{
    text *text = (struct text *)context;
    if (text->used + size > text->room) {
        const size_t room = 2 * (text->used + size);
        char *grown = (char *)realloc(text->bytes, room);
        if (!grown)
            return KIFU_NO_MEMORY;
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->used, bytes, size);
    text->used += size;
    return KIFU_OK;
}

static kifu__printer begin_text(void)
{
    page.said.used = 0;
    return (kifu__printer){.write = add, .context = &page.said};
}

static kifu_result say_words(kifu_result result, const char *words)
{
    kifu__printer printer = begin_text();
    kifu__print_string(&printer, words, strlen(words));
    if (kifu__print_end(&printer))
        page.said.used = 0;
    return result;
}

// What the timeline's call was, in words: nothing where it succeeded.
static kifu_result say(kifu_result result)
{
    const kifu_error *error = kifu_last_error(page.timeline);
    const char *words = result && error->result == result ? error->message : kifu_result_text(result);
    return say_words(result, result ? words : "");
}

const char *EXPORTED(kifu_web_text)(void);
const char *kifu_web_text(void)
{
    return page.said.bytes;
}

size_t EXPORTED(kifu_web_size)(void);
size_t kifu_web_size(void)
{
    return page.said.used;
}

// NULL: there is no memory. The script frees it.
void *EXPORTED(kifu_web_room)(size_t size);
void *kifu_web_room(size_t size)
{
    return malloc(size);
}

void EXPORTED(kifu_web_free)(void *room);
void kifu_web_free(void *room)
{
    free(room);
}

// --- Opening and verifying -------------------------------------------------------------------------------------------

static void drop_moves(void)
{
    for (uint32_t i = 0; i < page.list_count; i++)
        kifu_free_moves(&page.lists[i]);
    free(page.lists);
    page.lists = NULL;
    page.list_count = 0;
}

static void close_game(void)
{
    drop_moves();
    if (page.timeline)
        kifu_free_bytes(page.timeline, page.saved);
    kifu_destroy(page.timeline);
    page.timeline = NULL;
    page.saved = NULL;
}

static kifu_result load(const void *bytes, size_t size, bool allow_changed, kifu_difference *changed, kifu_error *error)
{
    kifu_options options = {.draw = kifu_web_game.draw};
    const kifu_load_options how = {.allow_changed = allow_changed, .changed = changed};
    if (kifu_web_game.options)
        kifu_web_game.options(&options);
    options.quiet = true;
    options.keep_variations = kifu_keep_variations;
    options.keep_notes = kifu_keep_notes;
    options.from_state = kifu_begin_from_state;
    options.seed = page.seed;
    close_game();
    return kifu_load_from_memory(kifu_web_game.rules, bytes, size, &options, &how, &page.timeline, error);
}

// What was executed and compared; `why` is what was found.
static kifu_result say_verified(const kifu_difference *changed, kifu_result found, const char *why)
{
    kifu__printer printer = begin_text();
    kifu__print_format(&printer, "{\"events\": %u, \"lines\": %u, \"hash\": \"%016llx\", \"differs\": %d",
                       (unsigned)kifu_event_count(page.timeline), (unsigned)kifu_line_count(page.timeline),
                       (unsigned long long)kifu_state_hash(page.timeline), changed->event == KIFU_NONE ? 0 : 1);
    kifu__print(&printer, ", \"compared\": ");
    kifu__print(&printer, changed->first == KIFU_NONE && changed->event == KIFU_NONE ? "false" : "true");
    kifu__print(&printer, ", \"why\": ");
    kifu__print_string(&printer, why, found ? strlen(why) : 0);
    kifu__print(&printer, "}");
    return kifu__print_end(&printer);
}

// Loads a save, which executes it and compares the states with its hashes; then the other lines. A game that today's
// rules play otherwise is loaded all the same, as they play it.
kifu_result EXPORTED(kifu_web_open)(const void *bytes, size_t size, uint32_t seed);
kifu_result kifu_web_open(const void *bytes, size_t size, uint32_t seed)
{
    kifu_difference changed = {.event = KIFU_NONE};
    kifu_error why = {.result = KIFU_OK}, error;
    page.seed = seed | UINT64_C(1) << 32;
    kifu_result found = load(bytes, size, false, &changed, &why), result = found;
    if (found == KIFU_DIVERGED)
        result = load(bytes, size, true, &changed, &error);
    if (result)
        return say_words(result, found == KIFU_DIVERGED ? error.message : why.message);
    if (!found && !page.timeline->options.reset && kifu_line_count(page.timeline) > 1) {
        found = kifu_verify_replay(page.timeline, &changed);
        why = *kifu_last_error(page.timeline);
        if (!found)
            changed = (kifu_difference){.event = KIFU_NONE};
    }
    result = say_verified(&changed, found, why.message);
    return result ? say_words(result, kifu_result_text(result)) : KIFU_OK;
}

// --- What is there ---------------------------------------------------------------------------------------------------

static kifu_result print_drawing(kifu__printer *printer, const char *const *players, uint32_t player_count)
{
    text svg = {.bytes = NULL}; // It becomes a string of JSON.
    kifu_drawing drawing = {
        .write = add, .context = &svg, .clicks = true, .players = players, .player_count = player_count};
    kifu_result result = KIFU_OK;
    if (kifu_web_game.draw)
        result = kifu_draw_state(page.timeline, &drawing);
    kifu__print(printer, ", \"drawing\": ");
    kifu__print_string(printer, svg.bytes ? svg.bytes : "", svg.used);
    free(svg.bytes);
    return result;
}

static kifu_result list_moves(void)
{
    const kifu_game *game = kifu_get_game(page.timeline);
    kifu_result result = KIFU_OK;
    drop_moves();
    page.lists = (kifu_moves *)calloc(game->player_count ? game->player_count : 1, sizeof *page.lists);
    if (!page.lists)
        return KIFU_NO_MEMORY;
    for (int player = 0; player < game->player_count && !result; player++, page.list_count++)
        result = kifu_list_moves(page.timeline, player, &page.lists[player]);
    return result == KIFU_MISUSE ? KIFU_OK : result; // The schema has no `(listed)`.
}

static void print_moves(kifu__printer *printer)
{
    bool first = true;
    kifu__print(printer, ", \"moves\": [");
    for (uint32_t player = 0; player < page.list_count; player++) {
        const kifu_moves *moves = &page.lists[player];
        for (uint32_t i = 0; i < moves->count; i++) {
            const kifu__table *table = page.timeline->rules->types[moves->items[i].type].table;
            kifu__print_format(printer, "%s[%u,", first ? "" : ",", (unsigned)player);
            kifu__print_name(printer, table->name);
            kifu__print(printer, ",");
            kifu__print_table(printer, table, (const unsigned char *)moves->items[i].table);
            kifu__print(printer, "]");
            first = false;
        }
    }
    kifu__print(printer, "]");
}

static void print_commands(kifu__printer *printer)
{
    kifu__print(printer, ", \"commands\": [");
    for (const kifu_web_command *at = kifu_web_game.commands; at && at->name; at++) {
        kifu__print(printer, at == kifu_web_game.commands ? "[" : ",[");
        kifu__print_string(printer, &at->key, at->key != 0);
        kifu__print(printer, ",");
        kifu__print_string(printer, at->name, strlen(at->name));
        kifu__print(printer, "]");
    }
    kifu__print(printer, "]");
}

// The events from number `from` on, as lines of text.
static void print_events(kifu__printer *printer, uint32_t from)
{
    char text[400];
    kifu_event event;
    kifu__print(printer, ", \"played\": [");
    for (uint32_t i = from; kifu_event_at(page.timeline, i, &event); i++) {
        const size_t size = kifu_event_text(page.timeline, &event, text, sizeof text);
        kifu__print_format(printer, "%s[%d,%d,", i > from ? "," : "", event.player,
                           i == from || kifu_chain_start(page.timeline, i) == i ? 1 : 0);
        kifu__print_string(printer, text, size < sizeof text ? size : sizeof text - 1);
        kifu__print(printer, "]");
    }
    kifu__print(printer, "]");
}

// `players` are the names, each with its NUL.
static kifu_result show(kifu__printer *printer, uint32_t from, const char *names, uint32_t name_count)
{
    const char *players[128];
    const kifu_game *game = kifu_get_game(page.timeline);
    kifu_result result = list_moves();
    if (result)
        return result;
    for (uint32_t i = 0; i < name_count && i < 128; i++, names += strlen(names) + 1)
        players[i] = names;
    kifu__print_format(printer,
                       "{\"count\": %u, \"line\": %u, \"hash\": \"%016llx\", \"undo\": %u, \"redo\": %u, "
                       "\"player\": %d, \"over\": %s",
                       (unsigned)kifu_event_count(page.timeline), (unsigned)kifu_current_line(page.timeline),
                       (unsigned long long)kifu_state_hash(page.timeline), (unsigned)kifu_can_undo(page.timeline, NULL),
                       (unsigned)kifu_can_redo(page.timeline, NULL), kifu_current_player(game),
                       game->phase == KIFU_PHASE_GAME_OVER ? "true" : "false");
    kifu__print(printer, kifu_web_game.bot || kifu_web_game.computer ? ", \"computer\": true" : "");
    print_moves(printer);
    print_commands(printer);
    print_events(printer, from);
    kifu__print(printer, ", \"state\": ");
    kifu__print_struct(printer, page.timeline->rules->state, page.timeline->core.state);
    result = print_drawing(printer, players, name_count < 128 ? name_count : 128);
    kifu__print(printer, "}");
    return result;
}

kifu_result EXPORTED(kifu_web_show)(uint32_t from, const char *names, uint32_t name_count);
kifu_result kifu_web_show(uint32_t from, const char *names, uint32_t name_count)
{
    kifu__printer printer = begin_text();
    kifu_result result = show(&printer, from, names, name_count);
    if (!result)
        result = kifu__print_end(&printer);
    return result ? say(result) : KIFU_OK;
}

// --- Playing ---------------------------------------------------------------------------------------------------------

// What waits runs first. A move that the rules refuse in the end changes nothing.
static kifu_result settle(kifu_result result)
{
    return say(result ? result : kifu_run(page.timeline));
}

// Where the reader is in the page. What may not be undone stops a player, and no reader.
kifu_result EXPORTED(kifu_web_go)(uint32_t line, uint32_t count);
kifu_result kifu_web_go(uint32_t line, uint32_t count)
{
    kifu_result result = kifu_drop_inputs(page.timeline);
    if (!result)
        result = kifu_go_to(page.timeline, line, count, true);
    return say(result);
}

kifu_result EXPORTED(kifu_web_move)(uint32_t number);
kifu_result kifu_web_move(uint32_t number)
{
    uint32_t player = 0;
    while (player < page.list_count && number >= page.lists[player].count)
        number -= page.lists[player++].count;
    if (player == page.list_count)
        return say_words(KIFU_MISUSE, "there is no such move");
    kifu_submit_move(page.timeline, &page.lists[player].items[number]);
    return settle(KIFU_OK);
}

kifu_result EXPORTED(kifu_web_do)(uint32_t number);
kifu_result kifu_web_do(uint32_t number)
{
    return say(kifu_web_game.command(page.timeline, number));
}

kifu_result EXPORTED(kifu_web_computer)(void);
kifu_result kifu_web_computer(void)
{
    const kifu_thinking thinking = {.tries = kifu_web_game.tries ? kifu_web_game.tries : TRIES, .seed = page.seed++};
    return say(kifu_web_game.computer ? kifu_web_game.computer(page.timeline)
                                      : kifu_play_best(page.timeline, kifu_web_game.bot, &thinking));
}

kifu_result EXPORTED(kifu_web_undo)(void);
kifu_result kifu_web_undo(void)
{
    return say(kifu_undo(page.timeline));
}

kifu_result EXPORTED(kifu_web_redo)(void);
kifu_result kifu_web_redo(void)
{
    return say(kifu_redo(page.timeline));
}

// `words`: the title, then the names, each with its NUL. The bytes are where `kifu_web_saved` says.
kifu_result EXPORTED(kifu_web_save)(const char *words, uint32_t name_count);
kifu_result kifu_web_save(const char *words, uint32_t name_count)
{
    const char *players[128];
    kifu_save_options how = {.title = *words ? words : NULL, .players = players};
    for (; how.player_count < name_count && how.player_count < 128; how.player_count++) {
        words += strlen(words) + 1;
        players[how.player_count] = words;
    }
    kifu_free_bytes(page.timeline, page.saved);
    page.saved = NULL;
    page.said.used = 0;
    size_t size = 0;
    const kifu_result result = kifu_save_to_memory(page.timeline, &how, &page.saved, &size);
    if (result)
        return say(result);
    page.said.used = size;
    return KIFU_OK;
}

const void *EXPORTED(kifu_web_saved)(void);
const void *kifu_web_saved(void)
{
    return page.saved;
}
