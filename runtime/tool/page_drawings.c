// How the game looks at each place.
//
// A drawing is cut into its lines, and each line that differs from all others is in the page once: a board changes few
// of them at a time, and has most of them again and again. So a chess game of 200 moves takes a few kilobytes. Each
// drawing is then a list of numbers, of which the page has the differences. All of them are gathered before they are
// printed, because only then one knows whether they are too many.

#include "tool/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/timeline.h"
#include "text/drawing.h"
#include "tool/command.h"

enum { NO_LINE = -1 };

// The lines of text of a drawing, by their numbers.
typedef struct list {
    int32_t *at;
    uint32_t count, capacity;
} list;

typedef struct work {
    kifu__page_drawings *drawings;
    kifu__page_text drawn; // What the game has drawn now.
    kifu__page_text json;  // The lines of JSON.
    kifu__page_text others;
    kifu__page_text texts; // All different lines, one behind the other.
    size_t *ends;          // Of each, where it ends there.
    uint32_t text_count, text_capacity;
    uint32_t *slots; // A table of hashes: numbers of lines, and one more; 0: free.
    uint32_t slot_count;
    uint64_t escaped; // Bytes that they may take as JSON.
    list old, new;
    uint32_t lines, first_line;
    bool in_others;
    bool full; // They are more than they may be.
} work;

// --- Lines of text ---------------------------------------------------------------------------------------------------

static uint32_t hash_of(const char *text, size_t size)
{
    uint32_t hash = 2166136261U;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619U;
    return hash;
}

static size_t begin_of(const work *work, uint32_t number)
{
    return number ? work->ends[number - 1] : 0;
}

static uint32_t *find_slot(const work *work, const char *text, size_t size)
{
    uint32_t at = hash_of(text, size) & (work->slot_count - 1);
    for (;; at = (at + 1) & (work->slot_count - 1)) {
        const uint32_t number = work->slots[at] - 1;
        const size_t begin = work->slots[at] ? begin_of(work, number) : 0;
        if (!work->slots[at] || (work->ends[number] - begin == size && !memcmp(work->texts.at + begin, text, size)))
            return &work->slots[at];
    }
}

static void grow_slots(work *work)
{
    const uint32_t count = work->slot_count ? 2 * work->slot_count : 1024;
    free(work->slots);
    work->slots = (uint32_t *)kifu__must_grow(NULL, count * sizeof *work->slots);
    memset(work->slots, 0, count * sizeof *work->slots);
    work->slot_count = count;
    for (uint32_t i = 0; i < work->text_count; i++)
        *find_slot(work, work->texts.at + begin_of(work, i), work->ends[i] - begin_of(work, i)) = i + 1;
}

// How many bytes it may take as JSON: what HTML could take for something else is escaped.
static uint64_t escaped_size(const char *text, size_t size)
{
    uint64_t found = size + 3;
    for (size_t i = 0; i < size; i++)
        found += text[i] == '<' || text[i] == '>' || text[i] == '&' ? 5 : text[i] == '"' || text[i] == '\\' ? 1 : 0;
    return found;
}

static int32_t number_of(work *work, const char *text, size_t size)
{
    if (2 * (work->text_count + 1) > work->slot_count)
        grow_slots(work);
    uint32_t *slot = find_slot(work, text, size);
    if (*slot)
        return (int32_t)*slot - 1;
    if (work->text_count == work->text_capacity) {
        work->text_capacity = work->text_capacity ? 2 * work->text_capacity : 256;
        work->ends = (size_t *)kifu__must_grow(work->ends, work->text_capacity * sizeof *work->ends);
    }
    if (size)
        (void)kifu__gather(&work->texts, text, size);
    work->ends[work->text_count++] = work->texts.size;
    work->escaped += escaped_size(text, size);
    *slot = work->text_count;
    return (int32_t)work->text_count - 1;
}

static void add_line(work *work, const char *text, size_t size)
{
    list *list = &work->new;
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->at = (int32_t *)kifu__must_grow(list->at, list->capacity * sizeof *list->at);
    }
    list->at[list->count++] = number_of(work, text, size);
}

static bool draw(work *work, const kifu__page_place *place)
{
    kifu__page_drawings *drawings = work->drawings;
    kifu_drawing drawing = {
        .write = kifu__gather,
        .context = &work->drawn,
        .players = drawings->players,
        .player_count = drawings->player_count,
    };
    work->drawn.size = work->new.count = 0;
    drawings->wrong = kifu__draw(drawings->walk.timeline, place->state, &place->move, &drawing);
    for (const char *at = work->drawn.at, *const end = at + work->drawn.size; at < end && !drawings->wrong;) {
        const char *found = (const char *)memchr(at, '\n', (size_t)(end - at)), *stop = found ? found : end;
        add_line(work, at, (size_t)(stop - at));
        at = stop + 1;
    }
    return !drawings->wrong;
}

// --- Lines of JSON ---------------------------------------------------------------------------------------------------

static int32_t in_list(const list *list, uint32_t place)
{
    return place < list->count ? list->at[place] : NO_LINE;
}

static void put_change(kifu__printer *printer, uint32_t place, int32_t old, int32_t new, bool first)
{
    kifu__print_format(printer, "%s%" PRIu32 ",%" PRId32 ",%" PRId32, first ? "" : ",", place, old, new);
}

// False: that is more than there may be.
static bool end_line(work *work, kifu__printer *printer)
{
    kifu__print(printer, "]\n");
    (void)kifu__print_end(printer);
    work->full = work->json.size + work->escaped > work->drawings->most;
    work->lines += !work->full;
    return !work->full;
}

static void remember(work *work)
{
    const list old = work->old;
    work->old = work->new;
    work->new = old;
}

static bool begin_line(void *context, const kifu__page_place *place)
{
    work *work = (struct work *)context;
    kifu__printer printer = {.write = kifu__gather, .context = &work->json};
    if (!draw(work, place))
        return false;
    work->first_line = work->lines;
    if (work->in_others) {
        remember(work);
        return true;
    }
    kifu__print(&printer, "{\"first\": 0}\n[");
    work->lines++;
    for (uint32_t i = 0; i < work->new.count; i++)
        kifu__print_format(&printer, "%s%" PRId32, i ? "," : "", work->new.at[i]);
    remember(work);
    return end_line(work, &printer);
}

static bool put_next(void *context, const kifu__page_place *place)
{
    work *work = (struct work *)context;
    kifu__printer printer = {.write = kifu__gather, .context = &work->json};
    const size_t before = work->json.size;
    bool first = true;
    if (work->drawings->turns && !place->turn_ends) {
        (void)kifu__gather(&work->json, "0\n", 2);
        work->lines++;
        work->drawings->shown += !work->in_others;
        return true;
    }
    if (!draw(work, place))
        return false;
    const uint32_t count = work->old.count > work->new.count ? work->old.count : work->new.count;
    kifu__print(&printer, "[");
    for (uint32_t i = 0; i < count; i++) {
        if (in_list(&work->old, i) == in_list(&work->new, i))
            continue;
        put_change(&printer, i, in_list(&work->old, i), in_list(&work->new, i), first);
        first = false;
    }
    remember(work);
    if (!end_line(work, &printer)) {
        work->json.size = before;
        return false;
    }
    work->drawings->shown += !work->in_others;
    return true;
}

// --- All of them -----------------------------------------------------------------------------------------------------

static bool enter_stretch(void *context)
{
    work *work = (struct work *)context;
    work->first_line = work->lines;
    return !work->full && !work->drawings->wrong;
}

static void leave_stretch(void *context, uint32_t stretch, uint32_t from)
{
    work *work = (struct work *)context;
    kifu__printer others = {.write = kifu__gather, .context = &work->others};
    kifu__print_format(&others, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", work->others.size ? "," : "",
                       stretch, from, work->first_line, work->lines - work->first_line);
    (void)kifu__print_end(&others);
}

// False: there are too many.
static bool draw_all(work *work)
{
    kifu__page_walk walk = work->drawings->walk;
    walk.context = work;
    walk.begin = begin_line;
    walk.next = put_next;
    walk.enter = enter_stretch;
    walk.leave = leave_stretch;
    work->json.size = work->others.size = work->texts.size = 0;
    work->text_count = work->lines = 0;
    work->escaped = 0;
    if (work->slots)
        memset(work->slots, 0, work->slot_count * sizeof *work->slots);
    work->in_others = work->full = false;
    work->drawings->shown = 0;
    const kifu_result result = kifu__walk_current(&walk);
    if (result)
        work->drawings->wrong = result;
    work->in_others = true;
    if (!result && !work->full && !work->drawings->wrong)
        kifu__walk_others(&walk);
    return !work->full;
}

static void print_texts(kifu__printer *printer, const work *work)
{
    kifu__print(printer, ", \"lines\": [");
    for (uint32_t i = 0; i < work->text_count; i++) {
        const size_t begin = begin_of(work, i);
        kifu__print(printer, i ? "," : "");
        kifu__print_string(printer, work->texts.at ? work->texts.at + begin : "", work->ends[i] - begin);
    }
    kifu__print(printer, "]");
}

static void print_about(kifu__printer *printer, const work *work)
{
    const kifu__page_drawings *drawings = work->drawings;
    kifu__print_format(printer, "{\"shown\": %" PRIu32 ", \"turns\": %s, \"capped\": %s, \"most\": \"%" PRIu64 "\"",
                       drawings->shown, drawings->turns ? "true" : "false", drawings->capped ? "true" : "false",
                       drawings->most);
    if (drawings->drawn)
        print_texts(printer, work);
    if (work->others.size) {
        kifu__print(printer, ", \"others\": [");
        kifu__print_bytes(printer, work->others.at, work->others.size);
        kifu__print(printer, "]");
    }
    kifu__print(printer, "}\n");
}

void kifu__print_drawings(kifu__printer *printer, kifu__page_drawings *drawings)
{
    work work = {.drawings = drawings};
    const kifu_timeline *timeline = drawings->walk.timeline;
    if (timeline && timeline->options.draw && drawings->most) {
        drawings->turns = !draw_all(&work);
        drawings->capped = drawings->turns && !draw_all(&work);
        drawings->drawn = work.lines > 1;
        if (drawings->drawn)
            kifu__print_bytes(printer, work.json.at, work.json.size);
    }
    print_about(printer, &work);
    free(work.drawn.at);
    free(work.json.at);
    free(work.others.at);
    free(work.texts.at);
    free(work.ends);
    free(work.slots);
    free(work.old.at);
    free(work.new.at);
}
