#include "core/kept.h"

enum { TOP = 31 }; // The highest bit of a place.

static uint32_t kept_side(uint32_t place, int bit)
{
    return place >> bit & 1;
}

kifu__kept *kifu__kept_up_to(const kifu__branch *branch, uint32_t most)
{
    kifu__kept *kept = branch->kept, *best = NULL;
    for (int bit = TOP; kept && kept->executed > most; bit--) {
        if (kept_side(most, bit) && kept->below[0])
            best = kept->below[0];
        kept = kept->below[kept_side(most, bit)];
    }
    return kept ? kept : best;
}

kifu__kept *kifu__kept_from(const kifu__branch *branch, uint32_t least)
{
    kifu__kept *kept = branch->kept, *best = NULL;
    while (kept && kept->executed >= least) {
        best = kept;
        kept = kept->below[0] && kept->below[0]->executed >= least ? kept->below[0] : kept->below[1];
    }
    return best;
}

kifu__kept *kifu__find_kept(const kifu__branch *branch, uint32_t place)
{
    kifu__kept *kept = branch->kept;
    for (int bit = TOP; kept && kept->executed > place; bit--)
        kept = kept->below[kept_side(place, bit)];
    return kept && kept->executed == place ? kept : NULL;
}

// What is there and comes before it goes down.
void kifu__add_kept(kifu__branch *branch, kifu__kept *kept)
{
    kifu__kept **at = &branch->kept;
    for (int bit = TOP; kept; bit--) {
        kifu__kept *there = *at;
        if (!there || there->executed < kept->executed) {
            *at = kept;
            kept->below[0] = there ? there->below[0] : NULL;
            kept->below[1] = there ? there->below[1] : NULL;
            kept = there;
        }
        if (kept)
            at = &(*at)->below[kept_side(kept->executed, bit)];
    }
}

// The last one below it goes up.
kifu__kept *kifu__remove_kept(kifu__branch *branch, uint32_t place)
{
    kifu__kept **at = &branch->kept;
    for (int bit = TOP; *at && (*at)->executed > place; bit--)
        at = &(*at)->below[kept_side(place, bit)];
    kifu__kept *kept = *at;
    if (!kept || kept->executed != place)
        return NULL;
    kifu__kept *below[2] = {kept->below[0], kept->below[1]};
    while (below[0] || below[1]) {
        const int last = below[1] != NULL;
        kifu__kept *up = below[last], *under[2] = {up->below[0], up->below[1]};
        *at = up;
        up->below[!last] = below[!last];
        at = &up->below[last];
        below[0] = under[0];
        below[1] = under[1];
    }
    *at = NULL;
    return kept;
}

void kifu__move_kept(kifu__branch *from, uint32_t place, kifu__branch *to)
{
    while (from->kept && from->kept->executed > place)
        kifu__add_kept(to, kifu__remove_kept(from, from->kept->executed));
}

// --- Along a path ----------------------------------------------------------------------------------------------------

// The last one of at most `most` events, in this branch or an ancestor.
static kifu__kept_at find_along(kifu__branch *branch, uint32_t most, uint32_t least)
{
    for (;;) {
        kifu__kept *kept = kifu__kept_up_to(branch, most);
        if (kept || !branch->parent || branch->from < least) // What is further up lies before that.
            return (kifu__kept_at){kept, branch, least};
        most = branch->from < most ? branch->from : most;
        branch = branch->parent;
    }
}

kifu__kept_at kifu__kept_along(kifu__branch *path, uint32_t most, uint32_t least)
{
    return find_along(path, most, least);
}

// None lies before place 0.
void kifu__kept_before(kifu__kept_at *waiting)
{
    const uint32_t place = waiting->kept->executed;
    waiting->kept = NULL;
    if (place)
        *waiting = find_along(waiting->branch, place - 1, waiting->least);
}
