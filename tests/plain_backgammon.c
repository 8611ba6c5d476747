#include "plain_backgammon.h"

#include <string.h>

plain plain_begin(void)
{
    plain position = {.count = 0};
    static const int where[] = {24, 13, 8, 6}, many[] = {2, 5, 3, 5};
    for (int i = 0; i < 4; i++) {
        position.points[where[i]] = many[i];
        position.points[25 - where[i]] = -many[i];
    }
    return position;
}

void plain_throw(plain *position, int first, int second)
{
    position->count = first == second ? 4 : 2;
    for (int i = 0; i < position->count; i++)
        position->dice[i] = i % 2 ? second : first;
}

static int sign(const plain *position)
{
    return position->mover ? -1 : 1;
}

// The board's point for a place as the mover counts.
static int point(const plain *position, int place)
{
    return position->mover ? 25 - place : place;
}

// The mover's checkers on a place; below 0: the enemy's.
static int there(const plain *position, int place)
{
    return sign(position) * position->points[point(position, place)];
}

static int furthest(const plain *position)
{
    int place = 25;
    while (place > 0 && (place == 25 ? there(position, 25) : there(position, place)) <= 0)
        place--;
    return place;
}

static bool may_step(const plain *position, int place, int die)
{
    const int last = furthest(position);
    if (there(position, place) <= 0 || (last == 25 && place != 25))
        return false;
    if (place - die >= 1)
        return there(position, place - die) >= -1;
    return last <= 6 && (place == die || place == last);
}

bool plain_play(plain *position, int place, int die)
{
    bool hits = false;
    position->points[point(position, place)] -= sign(position);
    if (place - die < 1) {
        position->off[position->mover]++;
    } else {
        int *to = &position->points[point(position, place - die)];
        if (*to == -sign(position)) {
            hits = true;
            *to = 0;
            position->points[position->mover ? 25 : 0] -= sign(position);
        }
        *to += sign(position);
    }
    for (int i = 0; i < position->count; i++) {
        if (position->dice[i] == die) {
            position->dice[i] = position->dice[--position->count];
            break;
        }
    }
    return hits;
}

// The length of the longest sequence; `begun`: for each first move, that of the longest one that begins with it.
static int longest(const plain *position, int begun[26][7])
{
    int most = 0;
    for (int place = 1; place <= 25; place++) {
        for (int i = 0; i < position->count; i++) {
            const int die = position->dice[i];
            if (!may_step(position, place, die))
                continue;
            plain next = *position;
            plain_play(&next, place, die);
            const int length = 1 + longest(&next, NULL);
            if (begun && length > begun[place][die])
                begun[place][die] = length;
            most = length > most ? length : most;
            if (position->count == 4 && i == 0)
                break; // They are all the same.
        }
        if (!begun && most == position->count)
            break;
    }
    return most;
}

int plain_moves(const plain *position, bool legal[26][7])
{
    int begun[26][7] = {{0}}, highest = 0;
    memset(legal, 0, 26 * sizeof *legal);
    const int most = longest(position, begun);
    for (int place = 1; place <= 25; place++) {
        for (int die = 1; die <= 6; die++) {
            legal[place][die] = most && begun[place][die] == most;
            highest = legal[place][die] && die > highest ? die : highest;
        }
    }
    for (int place = 1; place <= 25 && most == 1; place++) { // One of two dice: the higher one.
        for (int die = 1; die < highest; die++)
            legal[place][die] = false;
    }
    return most;
}

int plain_won(const plain *position)
{
    plain other = *position;
    other.mover = 1 - position->mover;
    if (position->off[position->mover] < 15)
        return 0;
    return position->off[other.mover] ? 1 : furthest(&other) >= 19 ? 3 : 2;
}
