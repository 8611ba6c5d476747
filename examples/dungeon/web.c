// Dungeon in a page (kifu/web.h). It lists no moves: the hero does what a command says.

#include <kifu/web.h>

#include "bot.h"
#include "draw.h"
#include "game.h"
#include "hooks.h"

static void add_hooks(kifu_options *options)
{
    options->observers = dungeon_hooks;
}

static const kifu_web_command commands[] = {
    {"explore", 'x'},    {"fetch", 'g'},      {"rest", '.'},       {"recover", 'R'},    {"to the stairs", 'w'},
    {"down", '>'},       {"west", 'h'},       {"south", 'j'},      {"north", 'k'},      {"east", 'l'},
    {"north-west", 'y'}, {"north-east", 'u'}, {"south-west", 'b'}, {"south-east", 'n'}, {"use item 1", '1'},
    {"item 2", '2'},     {"item 3", '3'},     {"item 4", '4'},     {"item 5", '5'},     {"item 6", '6'},
    {"item 7", '7'},     {"item 8", '8'},     {NULL, 0},
};

static kifu_result command(kifu_timeline *timeline, uint32_t number)
{
    return dungeon_play(timeline, commands[number].key);
}

static kifu_result computer(kifu_timeline *timeline)
{
    return dungeon_play(timeline, bot_command(dungeon_get_state(timeline)));
}

const kifu_web kifu_web_game = {
    .rules = &dungeon_rules,
    .draw = dungeon_draw,
    .options = add_hooks,
    .computer = computer,
    .commands = commands,
    .command = command,
};
