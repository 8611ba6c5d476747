// The map is a grid of 3 x 3 fields with a room in each. Between two fields there is always a row or column that no
// room reaches, so a corridor can turn there and meets nothing:
//
//      ########        #######
//      #......#        #.....#
//      #......+.....   #.....#
//      ########    ....'.....#
//                  |   #######
//                  turn

#include "level.h"

#include <string.h>

enum { FIELD_WIDTH = MAP_WIDTH / LEVEL_COLUMNS };
enum { LEAST_WIDTH = 5, LEAST_HEIGHT = 2 };

typedef struct edge {
    uint8_t from, to;
} edge;

// The first row of a row of fields; the last one is a row lower than the others.
static int field_y(uint32_t row)
{
    return (int)row * 7;
}

static int field_height(uint32_t row)
{
    return row + 1 < LEVEL_ROWS ? 7 : MAP_HEIGHT - field_y(row);
}

static void put(level_plan *plan, int x, int y, dungeon_tile tile)
{
    plan->map[map_index(x, y)] = tile;
}

static int between(kifu_timeline *timeline, int low, int high)
{
    return (int)kifu_random_between(timeline, low, high);
}

// --- Rooms -----------------------------------------------------------------------------------------------------------

static void draw_room(kifu_timeline *timeline, level_plan *plan, uint32_t index)
{
    uint32_t row = index / LEVEL_COLUMNS;
    int left = (int)(index % LEVEL_COLUMNS) * FIELD_WIDTH, top = field_y(row);
    int most_width = FIELD_WIDTH - 3, most_height = field_height(row) - (row + 1 < LEVEL_ROWS ? 3 : 2);
    level_room *room = &plan->rooms[index];
    room->width = between(timeline, LEAST_WIDTH, most_width);
    room->height = between(timeline, LEAST_HEIGHT, most_height);
    room->x = left + 1 + between(timeline, 0, most_width - room->width);
    room->y = top + 1 + between(timeline, 0, most_height - room->height);
    for (int y = room->y - 1; y <= room->y + room->height; y++) {
        for (int x = room->x - 1; x <= room->x + room->width; x++) {
            bool inside = x >= room->x && x < room->x + room->width && y >= room->y && y < room->y + room->height;
            put(plan, x, y, inside ? DUNGEON_TILE_FLOOR : DUNGEON_TILE_WALL);
        }
    }
}

// A patch of some ground in a room.
static void draw_patch(kifu_timeline *timeline, level_plan *plan, dungeon_tile tile, int width, int height)
{
    const level_room *room = &plan->rooms[kifu_random_below(timeline, LEVEL_ROOMS)];
    int left = room->x + between(timeline, 0, room->width - width),
        top = room->y + between(timeline, 0, room->height - 1);
    for (int y = top; y < top + height && y < room->y + room->height; y++) {
        for (int x = left; x < left + width && x < room->x + room->width; x++)
            put(plan, x, y, tile);
    }
}

// --- Corridors -------------------------------------------------------------------------------------------------------

// Two of three are closed doors.
static void draw_door(kifu_timeline *timeline, level_plan *plan, int x, int y)
{
    put(plan, x, y, kifu_random_below(timeline, 3) ? DUNGEON_TILE_DOOR : DUNGEON_TILE_OPEN_DOOR);
}

static void dig(level_plan *plan, int x, int y, int to_x, int to_y)
{
    int dx = (to_x > x) - (to_x < x), dy = (to_y > y) - (to_y < y);
    put(plan, x, y, DUNGEON_TILE_FLOOR);
    while (x != to_x || y != to_y) {
        x += dx;
        y += dy;
        put(plan, x, y, DUNGEON_TILE_FLOOR);
    }
}

static void join_right(kifu_timeline *timeline, level_plan *plan, const level_room *left, const level_room *right,
                       int turn)
{
    int x = left->x + left->width, y = left->y + between(timeline, 0, left->height - 1);
    int to_x = right->x - 1, to_y = right->y + between(timeline, 0, right->height - 1);
    dig(plan, x + 1, y, turn, y);
    dig(plan, turn, y, turn, to_y);
    if (to_x - 1 > turn)
        dig(plan, turn, to_y, to_x - 1, to_y);
    draw_door(timeline, plan, x, y);
    draw_door(timeline, plan, to_x, to_y);
}

static void join_down(kifu_timeline *timeline, level_plan *plan, const level_room *upper, const level_room *lower,
                      int turn)
{
    int x = upper->x + between(timeline, 0, upper->width - 1), y = upper->y + upper->height;
    int to_x = lower->x + between(timeline, 0, lower->width - 1), to_y = lower->y - 1;
    dig(plan, x, y + 1, x, turn);
    dig(plan, x, turn, to_x, turn);
    if (to_y - 1 > turn)
        dig(plan, to_x, turn, to_x, to_y - 1);
    draw_door(timeline, plan, x, y);
    draw_door(timeline, plan, to_x, to_y);
}

static void join(kifu_timeline *timeline, level_plan *plan, edge edge)
{
    const level_room *from = &plan->rooms[edge.from], *to = &plan->rooms[edge.to];
    if (edge.to == edge.from + 1)
        join_right(timeline, plan, from, to, edge.to % LEVEL_COLUMNS * FIELD_WIDTH - 1);
    else
        join_down(timeline, plan, from, to, field_y(edge.to / LEVEL_COLUMNS) - 1);
}

// Joins what is not joined yet, in random order, and now and then what is: every room can be reached, and there are
// ways round.
static void draw_corridors(kifu_timeline *timeline, level_plan *plan)
{
    edge edges[2 * LEVEL_ROOMS];
    uint32_t count = 0;
    uint8_t group[LEVEL_ROOMS];
    for (uint8_t i = 0; i < LEVEL_ROOMS; i++) {
        group[i] = i;
        if (i % LEVEL_COLUMNS + 1 < LEVEL_COLUMNS)
            edges[count++] = (edge){i, (uint8_t)(i + 1)};
        if (i + LEVEL_COLUMNS < LEVEL_ROOMS)
            edges[count++] = (edge){i, (uint8_t)(i + LEVEL_COLUMNS)};
    }
    kifu_shuffle(timeline, edges, count, sizeof *edges);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t one = group[edges[i].from], other = group[edges[i].to];
        if (one == other && kifu_random_below(timeline, 4))
            continue;
        join(timeline, plan, edges[i]);
        for (uint32_t room = 0; room < LEVEL_ROOMS; room++)
            group[room] = group[room] == other ? one : group[room];
    }
}

// --- The whole -------------------------------------------------------------------------------------------------------

void level_pick(kifu_timeline *timeline, const level_plan *plan, uint32_t room, int *x, int *y)
{
    const level_room *in = &plan->rooms[room];
    *x = in->x + between(timeline, 0, in->width - 1);
    *y = in->y + between(timeline, 0, in->height - 1);
}

void level_draw(kifu_timeline *timeline, uint8_t level, level_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    for (uint32_t i = 0; i < LEVEL_ROOMS; i++)
        draw_room(timeline, plan, i);
    draw_corridors(timeline, plan);
    for (uint32_t i = 0; i < 2; i++)
        draw_patch(timeline, plan, DUNGEON_TILE_MUD, 4, 2);
    draw_patch(timeline, plan, DUNGEON_TILE_SHRINE, 2, 1);
    plan->start = kifu_random_below(timeline, LEVEL_ROOMS);
    plan->end = (plan->start + 1 + kifu_random_below(timeline, LEVEL_ROOMS - 1)) % LEVEL_ROOMS;
    if (level < LEVEL_COUNT) {
        int x, y;
        level_pick(timeline, plan, plan->end, &x, &y);
        put(plan, x, y, DUNGEON_TILE_STAIRS);
    }
}

dungeon_kind level_pick_kind(kifu_timeline *timeline, uint8_t level)
{
    dungeon_kind kinds[KIND_COUNT];
    uint32_t count = 0;
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
        if (beings[kind].level && beings[kind].level <= level)
            kinds[count++] = (dungeon_kind)kind;
    }
    return count ? kinds[kifu_random_below(timeline, count)] : DUNGEON_KIND_RAT;
}

dungeon_thing level_pick_thing(kifu_timeline *timeline)
{
    uint32_t all = 0;
    for (uint32_t thing = 0; thing < THING_COUNT; thing++)
        all += things[thing].share;
    uint32_t share = kifu_random_below(timeline, all);
    for (uint32_t thing = 0; thing < THING_COUNT; thing++) {
        if (share < things[thing].share)
            return (dungeon_thing)thing;
        share -= things[thing].share;
    }
    return DUNGEON_THING_HEALING;
}
