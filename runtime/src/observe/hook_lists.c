#include "observe/hook_lists.h"

enum { LEAST_ROOM = 8 };

typedef struct chain {
    uint32_t first, last; // KIFU_NONE: there is none.
} chain;

_Static_assert(sizeof(chain) == sizeof(kifu__hook_link), "both lie in one block");

static chain *chain_of(const kifu__hook_list *list, uint32_t scope, uint64_t subject)
{
    const uint64_t hash = (subject + ((uint64_t)scope << 56)) * UINT64_C(0x9E3779B97F4A7C15);
    return (chain *)(void *)(list->links + list->room) + ((uint32_t)(hash >> 33) & (list->room - 1));
}

// Looks at all hooks again, with room for `room` of them. False without memory.
static bool begin_anew(kifu__hook_list *list, const kifu__memory *memory, uint32_t room)
{
    if (room > list->room) {
        kifu__hook_link *links = (kifu__hook_link *)kifu__new(memory, (size_t)room * 2 * sizeof *links);
        if (!links)
            return false;
        kifu__free(memory, list->links);
        list->links = links;
        list->room = room;
    }
    list->count = list->looked_at = 0;
    list->wanted = 0;
    if (list->room)
        memset(list->links + list->room, 0xFF, list->room * sizeof(chain)); // KIFU_NONE
    return true;
}

// Which of the type's scopes a hook is for; `scope_count`: none.
static uint32_t place_of_scope(const kifu__type *type, uint32_t scope)
{
    uint32_t place = 0;
    while (place < type->scope_count && type->scopes[place] != scope)
        place++;
    return place;
}

bool kifu__hook_is_for(const kifu_observer *hook, uint32_t number, const kifu__type *type)
{
    return place_of_scope(type, hook->scope) < type->scope_count && kifu__concerns(hook, number, type->tags);
}

static void add_to_list(kifu__hook_list *list, const kifu_observer *hook, uint32_t place)
{
    chain *chain = chain_of(list, hook->scope, hook->subject);
    const uint32_t added = list->count++;
    list->links[added] = (kifu__hook_link){.hook = list->looked_at, .next = KIFU_NONE};
    if (chain->first == KIFU_NONE)
        chain->first = added;
    else
        list->links[chain->last].next = added;
    chain->last = added;
    list->wanted |= (uint8_t)(1u << place);
}

bool kifu__hook_list_update(kifu__hook_list *list, const kifu__observers *hooks, const kifu__memory *memory,
                            uint32_t number, const kifu__type *type)
{
    if (list->moved != hooks->moved)
        (void)begin_anew(list, memory, list->room);
    list->moved = hooks->moved;
    while (list->looked_at < hooks->count) {
        const kifu_observer *hook = &hooks->items[list->looked_at];
        const bool concerns = kifu__hook_is_for(hook, number, type);
        if (concerns && list->count == list->room) {
            if (!begin_anew(list, memory, list->room ? 2 * list->room : LEAST_ROOM))
                return false;
            continue;
        }
        if (concerns)
            add_to_list(list, hook, place_of_scope(type, hook->scope));
        list->looked_at++;
    }
    return true;
}

// The first link from `link` on whose hook is of the scope and has this subject.
static uint32_t skip_others(const kifu__hook_walk *walk, uint32_t link, uint64_t subject)
{
    for (; link != KIFU_NONE; link = walk->list->links[link].next) {
        const kifu_observer *hook = &walk->hooks[walk->list->links[link].hook];
        if (hook->scope == walk->scope && hook->subject == subject)
            break;
    }
    return link;
}

kifu__hook_walk kifu__hook_walk_begin(const kifu__hook_list *list, const kifu__observers *hooks, uint32_t scope,
                                      uint64_t subject)
{
    kifu__hook_walk walk = {.list = list, .hooks = hooks->items, .scope = scope, .subject = subject};
    walk.own = walk.any = KIFU_NONE;
    if (list->room) {
        if (subject != KIFU_ANY_SUBJECT)
            walk.own = skip_others(&walk, chain_of(list, scope, subject)->first, subject);
        walk.any = skip_others(&walk, chain_of(list, scope, KIFU_ANY_SUBJECT)->first, KIFU_ANY_SUBJECT);
    }
    return walk;
}

const kifu_observer *kifu__hook_walk_next(kifu__hook_walk *walk)
{
    const bool of_any = walk->any < walk->own; // Links are numbered in the order of the calls.
    const uint32_t link = of_any ? walk->any : walk->own;
    if (link == KIFU_NONE)
        return NULL;
    const uint32_t next = walk->list->links[link].next;
    if (of_any)
        walk->any = skip_others(walk, next, KIFU_ANY_SUBJECT);
    else
        walk->own = skip_others(walk, next, walk->subject);
    return &walk->hooks[walk->list->links[link].hook];
}
