#include "draw.h"

#include <string.h>

#include "kinds.h"
#include "map.h"

typedef struct picture {
    char rows[MAP_HEIGHT][MAP_WIDTH + 1];
} picture;

static void fill(picture *picture, const dungeon_state *state)
{
    for (int y = 0; y < MAP_HEIGHT; y++) {
        for (int x = 0; x < MAP_WIDTH; x++)
            picture->rows[y][x] = map_is_seen(state, x, y) ? tiles[map_tile(state, x, y)].letter : ' ';
        picture->rows[y][MAP_WIDTH] = '\0';
    }
}

static void add_items(picture *picture, const dungeon_state *state)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_items(state, handle))) {
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (!item->owner && map_is_seen(state, item->x, item->y))
            picture->rows[item->y][item->x] = things[item->thing].letter;
    }
}

static void add_beings(picture *picture, const dungeon_state *state)
{
    kifu_handle handle = KIFU_NO_HANDLE;
    while ((handle = dungeon_next_actors(state, handle))) {
        const dungeon_being *being = dungeon_get_actors(state, handle);
        if (map_hero_sees(state, being->x, being->y) && map_inside(being->x, being->y))
            picture->rows[being->y][being->x] = beings[being->kind].letter;
    }
}

static void draw_pack(kifu_drawing *drawing, const dungeon_state *state, const dungeon_being *hero)
{
    kifu_draw(drawing, "Pack:");
    for (uint32_t place = 0; place < PACK_SIZE; place++) {
        const kifu_handle handle = map_item_of(state, state->hero, place);
        const dungeon_item *item = dungeon_get_items(state, handle);
        if (!item)
            break;
        if (place == 4)
            kifu_draw(drawing, ",\n     ");
        kifu_draw(drawing, "%s %s%s", place && place != 4 ? "," : "", things[item->thing].name,
                  handle == hero->weapon || handle == hero->armour ? "*" : "");
    }
    kifu_draw(drawing, "\n");
}

static void draw_hero(kifu_drawing *drawing, const dungeon_state *state, const dungeon_being *hero)
{
    kifu_draw(drawing, "\nLevel %u, turn %u. Life %d of %d%s.%s\n", state->level, state->turns.turn, hero->hp,
              hero->most_hp, hero->fast ? ", fast" : "",
              state->won                                  ? " You have won."
              : state->game.phase == KIFU_PHASE_GAME_OVER ? " You are dead."
                                                          : "");
    draw_pack(drawing, state, hero);
}

void dungeon_draw(kifu_drawing *drawing)
{
    const dungeon_state *state = drawing->state;
    const dungeon_being *hero = map_hero(state);
    picture picture;
    if (!hero) {
        kifu_draw(drawing, "The hero is not there yet.\n");
        return;
    }
    fill(&picture, state);
    add_items(&picture, state);
    add_beings(&picture, state);
    for (int y = 0; y < MAP_HEIGHT; y++)
        kifu_draw(drawing, "%s\n", picture.rows[y]);
    if (!drawing->user)
        draw_hero(drawing, state, hero);
}
