// eights: a person against computers in a terminal, line by line. `eights FILE` goes on with a save. A number behind it
// is the seed.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kifu/drawing.h>
#include <kifu/main.h>

#include "draw.h"
#include "game.h"
#include "rules.h"
#ifdef WITH_TOOL
#include "eights_web.h"
#endif

enum { PLAYERS = 3 };

// --- The view --------------------------------------------------------------------------------------------------------

static const char *does(int player, const char *you, const char *other)
{
    return player == PERSON ? you : other;
}

static double act_p_play(void *context, kifu_timeline *timeline, const eights_state *state, const eights_p_play *play)
{
    const int player = kifu_player(timeline);
    const unsigned face = state->cards[play->card].face;
    char name[4];
    (void)context;
    printf("%s %s %s", eights_names[player], does(player, "play", "plays"), eights_card_name(face, name));
    if (rules_rank(face) == EIGHT)
        printf(" and %s %s", does(player, "name", "names"), eights_suit_name(play->suit));
    printf("\n");
    return 0;
}

static double act_p_draw(void *context, kifu_timeline *timeline, const eights_state *state, const eights_p_draw *draw)
{
    const int player = kifu_player(timeline);
    (void)context, (void)state, (void)draw;
    printf("%s %s a card\n", eights_names[player], does(player, "draw", "draws"));
    return 0;
}

static double act_p_pass(void *context, kifu_timeline *timeline, const eights_state *state, const eights_p_pass *pass)
{
    const int player = kifu_player(timeline);
    (void)context, (void)state, (void)pass;
    printf("%s %s\n", eights_names[player], does(player, "pass", "passes"));
    return 0;
}

static double act_e_turn_pile(void *context, kifu_timeline *timeline, const eights_state *state,
                              const eights_e_turn_pile *turn)
{
    (void)context, (void)timeline, (void)state, (void)turn;
    printf("the pile is turned, and is the new stock\n");
    return 0;
}

static kifu_result print(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, (FILE *)context) == size ? KIFU_OK : KIFU_IO;
}

// For the person, who is not to see the others' cards.
static void draw_for_person(kifu_drawing *drawing)
{
    eights_state seen;
    eights_seen(drawing->state, PERSON, &seen);
    eights_draw_seen(drawing, &seen);
}

static void show(kifu_timeline *timeline)
{
    kifu_drawing drawing = {.write = print, .context = stdout, .text = true};
    if (kifu_draw_state(timeline, &drawing))
        printf("the table cannot be drawn\n");
}

// --- Commands --------------------------------------------------------------------------------------------------------

static bool is_over(const kifu_timeline *timeline)
{
    return kifu_get_game(timeline)->phase == KIFU_PHASE_GAME_OVER;
}

// "5h", or "8c h": an eight, and the suit that it names.
static kifu_result play(kifu_timeline *timeline, const char *line)
{
    const eights_state *state = eights_get_state(timeline);
    char card[4] = "", suit = '\0', name[4];
    sscanf(line, "%3s %c", card, &suit);
    const char *named = strchr("cdhs", tolower((unsigned char)suit));
    for (uint8_t i = 0; i < EIGHTS_CARDS_COUNT; i++) {
        const eights_card *each = &state->cards[i];
        if (each->place != EIGHTS_PLACE_HAND || each->owner != PERSON ||
            strcmp(eights_card_name(each->face, name), card))
            continue;
        if (rules_rank(each->face) == EIGHT && (!suit || !named)) {
            printf("no: name a suit, as in `%s h`\n", card);
            return KIFU_OK;
        }
        return eights_play_p_play(timeline, PERSON, i, named && suit ? (eights_suit)(named - "cdhs") : 0);
    }
    printf("a card of your hand (5h, 10s, 8c d), draw, pass, undo, or save (if the program was started with a file)\n");
    return KIFU_OK;
}

static kifu_result obey(kifu_timeline *timeline, const char *line, const char *path)
{
    if (!strcmp(line, "draw"))
        return eights_play_p_draw(timeline, PERSON);
    if (!strcmp(line, "pass"))
        return eights_play_p_pass(timeline, PERSON);
    if (!strcmp(line, "undo"))
        return kifu_undo(timeline);
    if (!strcmp(line, "save") && path)
        return kifu_save(timeline, path, &(kifu_save_options){.players = eights_names, .player_count = PLAYERS});
    return play(timeline, line);
}

static kifu_result let_others_play(kifu_timeline *timeline)
{
    kifu_result result = KIFU_OK;
    while (!result && !is_over(timeline) && kifu_current_player(kifu_get_game(timeline)) != PERSON)
        result = eights_play(timeline);
    return result;
}

int main(int argc, char **argv)
{
#ifdef WITH_TOOL // the commands of kifu, which know the rules here: `eights tool events FILE`
    if (argc > 1 && !strcmp(argv[1], "tool"))
        return kifu_main(&eights_rules, &(kifu_options){.draw = eights_draw, .web = &eights_web}, argc - 1, argv + 1);
#endif
    const eights_view view = {
        .act_p_play = act_p_play,
        .act_p_draw = act_p_draw,
        .act_e_turn_pile = act_e_turn_pile,
        .act_p_pass = act_p_pass,
    };
    const kifu_options options = {.view = &view.base, .draw = draw_for_person};
    const char *path = argc > 1 ? argv[1] : NULL; // of the save
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    kifu_timeline *timeline;
    kifu_error error;
    kifu_result result = KIFU_NOT_FOUND;
    if (path)
        result = kifu_load(&eights_rules, path, &options, NULL, &timeline, &error);
    if (result == KIFU_NOT_FOUND) // a save that is there, and cannot be loaded, must not be overwritten by a new game
        result = kifu_create(&eights_rules, &options, &timeline, &error);
    if (result) {
        printf("%s\n", error.message);
        return 1;
    }
    if (kifu_event_count(timeline) == 0)
        result = eights_begin(timeline, PLAYERS, seed ? &seed : NULL);
    const unsigned players = kifu_get_game(timeline)->player_count; // a save may come from anywhere
    if (!result && (players < 2 || players > sizeof eights_names / sizeof *eights_names))
        result = KIFU_MISUSE;
    if (!result)
        result = let_others_play(timeline);
    if (result)
        printf("this game cannot go on\n");
    else
        show(timeline);
    for (char line[100]; !result && fgets(line, sizeof line, stdin);) {
        line[strcspn(line, "\r\n")] = '\0';
        if (obey(timeline, line, path) || let_others_play(timeline))
            printf("no: %s\n", kifu_error_reason(kifu_last_error(timeline)));
        show(timeline);
    }
    kifu_destroy(timeline);
    return result != KIFU_OK;
}
