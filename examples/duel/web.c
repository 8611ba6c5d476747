// Duel in a page (kifu/web.h).

#include <kifu/web.h>

#include "ai.h"
#include "draw.h"
#include "triggers.h"

static void add_triggers(kifu_options *options)
{
    options->observers = duel_triggers;
}

const kifu_web kifu_web_game = {
    .rules = &duel_rules, .draw = duel_draw, .options = add_triggers, .bot = &duel_bot, .tries = 300};
