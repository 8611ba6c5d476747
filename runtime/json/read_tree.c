// The lines and notes of a game out of JSON, in which the events of the current line come first, from the first one on.

#include <inttypes.h>

#include "history/lines.h"
#include "json/read_game.h"

typedef struct numbers {
    int64_t line, parent, from, next, at, left, instead;
} numbers;

// `needed`: it must be there.
static bool read_number(kifu__reading *reading, const cJSON *object, const char *name, bool needed, int64_t *number)
{
    const cJSON *said = kifu__json_member(object, name);
    if (!said)
        return !needed || kifu__json_fail(&reading->reader, object, "there is no \"%s\"", name);
    return kifu__json_number(&reading->reader, said, 0, (int64_t)UINT32_MAX - 1, number);
}

// `most`: the highest number that a line can have.
static bool read_numbers(kifu__reading *reading, const cJSON *object, bool current, int64_t most, numbers *numbers)
{
    static const char *const names[] = {"line",   "parent", "from",   "main",     "begun_instead_of",
                                        "next",   "at",     "left",   "tip_hash", "fingerprint",
                                        "events", "kept",   "undone", "hashes",   "rules_version"};
    *numbers = (struct numbers){.instead = -1};
    if (!kifu__json_members(&reading->reader, object, "a line", names, sizeof names / sizeof *names) ||
        !read_number(reading, object, "line", true, &numbers->line) ||
        !read_number(reading, object, "parent", true, &numbers->parent) ||
        !read_number(reading, object, "from", true, &numbers->from) ||
        !read_number(reading, object, "next", current, &numbers->next) ||
        !read_number(reading, object, "at", !current, &numbers->at) ||
        !read_number(reading, object, "left", !current, &numbers->left) ||
        !read_number(reading, object, "begun_instead_of", false, &numbers->instead))
        return false;
    if (numbers->parent > numbers->line || numbers->line > most)
        return kifu__json_fail(&reading->reader, object, "line %" PRId64 " cannot branch off from line %" PRId64,
                               numbers->line, numbers->parent);
    return true;
}

static bool read_tip(kifu__reading *reading, const cJSON *object, kifu__line *line)
{
    const cJSON *hash = kifu__json_member(object, "tip_hash"), *fingerprint = kifu__json_member(object, "fingerprint");
    int64_t version = 0;
    if ((hash && !kifu__json_u64(&reading->reader, hash, &line->tip_hash)) ||
        (fingerprint && !kifu__json_u64(&reading->reader, fingerprint, &line->fingerprint)) ||
        !read_number(reading, object, "rules_version", hash || fingerprint, &version))
        return false;
    line->rules_version = (uint32_t)version;
    return true;
}

// A line of the file.
typedef struct entry {
    const cJSON *object; // NULL: there is none of this number.
    numbers numbers;
    bool on_way;    // The current line branches off from it, or from one that does,
    uint32_t below; // which is this.
} entry;

typedef struct tree {
    kifu__reading *reading;
    kifu__lines *lines;
    const cJSON *all;
    int64_t most;   // The highest number that a line can have.
    entry *entries; // By number.
    uint32_t current;
} tree;

static bool read_entry(tree *tree, const cJSON *object, bool current)
{
    kifu__reading *reading = tree->reading;
    kifu_timeline *timeline = reading->timeline;
    kifu__lines *lines = tree->lines;
    numbers numbers;
    if (!read_numbers(reading, object, current, tree->most, &numbers))
        return false;
    const uint32_t id = (uint32_t)numbers.line, had = lines->count;
    const uint32_t last =
        numbers.next > numbers.line && numbers.next - numbers.line < 1000000 ? (uint32_t)numbers.next - 1 : id;
    if (!kifu__lines_reach(timeline, lines, last))
        return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
    if (current || lines->count > had) {
        const kifu__memory *memory = reading->reader.memory;
        entry *entries =
            (entry *)memory->allocate(memory->context, tree->entries, lines->count * sizeof *tree->entries);
        if (!entries)
            return kifu__json_made(&reading->reader, KIFU_NO_MEMORY);
        tree->entries = entries;
        memset(tree->entries + (current ? 0 : had), 0, (lines->count - (current ? 0 : had)) * sizeof *tree->entries);
    }
    if (tree->entries[id].object)
        return kifu__json_fail(&reading->reader, object, "line %" PRIu32 " is there twice", id);
    tree->entries[id] = (entry){.object = object, .numbers = numbers};
    if (current)
        tree->current = id;
    if (cJSON_IsTrue(kifu__json_member(object, "main")))
        lines->main = id;
    if (numbers.instead >= 0) {
        kifu__line_begun(timeline, lines, true);
        lines->before_last = (uint32_t)numbers.instead;
    }
    return true;
}

static bool fail_line(const tree *tree, uint32_t id, const char *fault)
{
    return kifu__json_fail(&tree->reading->reader, tree->all, "line %" PRIu32 " %s", id, fault);
}

// The way from the current line up to the first. The numbers descend.
static bool mark_way(tree *tree)
{
    for (uint32_t id = tree->current, parent; (parent = (uint32_t)tree->entries[id].numbers.parent) != id;
         id = parent) {
        entry *above = &tree->entries[parent];
        if (!above->object || above->numbers.at != tree->entries[id].numbers.from)
            return kifu__json_fail(&tree->reading->reader, tree->all,
                                   "a line from which the current one branches off is not there, or its "
                                   "\"at\" is not where the next one begins");
        above->on_way = true;
        above->below = id;
    }
    return true;
}

// Begins a line, whose parent is there.
static bool begin_line(tree *tree, uint32_t id)
{
    kifu_timeline *timeline = tree->reading->timeline;
    const numbers *numbers = &tree->entries[id].numbers;
    const uint32_t parent = (uint32_t)numbers->parent, from = (uint32_t)numbers->from;
    const kifu__line *above = parent < id ? &tree->lines->items[parent] : NULL;
    kifu__branch *branch = &timeline->log.first;
    if (above && !above->branch)
        return fail_line(tree, id, "branches off from a line that is not there");
    if (!above && from != timeline->log.begin)
        return fail_line(tree, id, "does not begin where the game begins");
    if (above && (above->parent == parent ? from < above->from : from <= above->from))
        return fail_line(tree, id, "begins where its parent has no event");
    if (above && from > above->branch->end)
        return fail_line(tree, id, "begins behind the end of its parent");
    if (above && !(branch = kifu__branch_new(timeline, id, above->branch, from)))
        return kifu__json_made(&tree->reading->reader, KIFU_NO_MEMORY);
    branch->number = id;
    tree->lines->items[id] = (kifu__line){.branch = branch, .parent = parent, .from = from};
    return true;
}

// The game's own events are those of the lines on the way, one behind the other.
static bool read_way(tree *tree)
{
    kifu__reading *reading = tree->reading;
    kifu__log *log = &reading->timeline->log;
    const cJSON *events = kifu__events_in(reading, reading->reader.root), *next = events ? events->child : NULL;
    uint32_t id = tree->current;
    if (!events)
        return false;
    while (tree->entries[id].numbers.parent != id)
        id = (uint32_t)tree->entries[id].numbers.parent;
    if (id)
        tree->lines->items[0] = (kifu__line){.branch = NULL};
    for (;; id = tree->entries[id].below) {
        const uint32_t end = tree->entries[id].on_way ? (uint32_t)tree->entries[id].numbers.at : KIFU_NONE;
        if (!begin_line(tree, id))
            return false;
        kifu__log_enter(log, tree->lines->items[id].branch);
        if (!kifu__read_some_events(reading, &next, end))
            return false;
        kifu__log_show(log);
        if (id == tree->current)
            return true;
    }
}

// What is not on the way of a line.
static bool read_rest(tree *tree, uint32_t id)
{
    kifu__reading *reading = tree->reading;
    kifu_timeline *timeline = reading->timeline;
    const entry *entry = &tree->entries[id];
    const cJSON *object = entry->object, *events = kifu__json_member(object, "events"),
                *next = events ? events->child : NULL;
    if (events && !kifu__events_in(reading, object)) // There may be none.
        return false;
    if (!entry->on_way && entry->numbers.parent == id)
        return fail_line(tree, id, "branches off from no line, as only the first one does");
    if (!entry->on_way && entry->numbers.at != entry->numbers.from)
        return fail_line(tree, id,
                         "has an \"at\" that is not its \"from\", and the current line does not branch off from it");
    if (!entry->on_way && !begin_line(tree, id))
        return false;
    kifu__line *line = &tree->lines->items[id];
    kifu__log_enter(&timeline->log, line->branch);
    if (!kifu__read_some_events(reading, &next, KIFU_NONE) || !kifu__read_kept(reading, object) ||
        !kifu__read_hashes(reading, object) || !read_tip(reading, object, line))
        return false;
    kifu__log_show(&timeline->log);
    if (entry->numbers.left > line->branch->end)
        return fail_line(tree, id, "has a \"left\" behind its end");
    line->left = (uint32_t)entry->numbers.left;
    line->unchecked = line->comparable = true;
    return true;
}

static bool read_tree(tree *tree)
{
    kifu__lines *lines = tree->lines;
    bool well = true;
    for (const cJSON *each = tree->all->child; each && well; each = each->next)
        well = read_entry(tree, each, each == tree->all->child);
    well = well && mark_way(tree) && read_way(tree);
    for (uint32_t id = 0; id < lines->count && well; id++) {
        if (tree->entries[id].object && id != tree->current)
            well = read_rest(tree, id);
    }
    if (well && !tree->entries[lines->main].object)
        well = kifu__json_fail(&tree->reading->reader, tree->all,
                               "the main line is not there: give one of them \"main\": true");
    if (!well)
        return false;
    lines->current = tree->current;
    kifu__lines_list(lines);
    kifu__log_enter(&tree->reading->timeline->log, lines->items[lines->current].branch);
    return true;
}

bool kifu__read_lines(kifu__reading *reading)
{
    tree tree = {.reading = reading,
                 .lines = kifu__lines_of(reading->timeline),
                 .all = kifu__json_member(reading->reader.root, "lines")};
    if (!tree.all)
        return kifu__read_events(reading, reading->reader.root);
    if (!cJSON_IsArray(tree.all) || !tree.all->child)
        return kifu__json_fail(&reading->reader, tree.all, "\"lines\" is an array, and the current line comes first");
    tree.most = cJSON_GetArraySize(tree.all) + INT64_C(1000000);
    const bool well = read_tree(&tree);
    kifu__free(reading->reader.memory, tree.entries);
    return well;
}

// --- Notes -----------------------------------------------------------------------------------------------------------

static bool read_note(kifu__reading *reading, const cJSON *object)
{
    static const char *const names[] = {"line", "event", "key", "text", "bytes"};
    kifu__json_reader *reader = &reading->reader;
    kifu_timeline *timeline = reading->timeline;
    const cJSON *text = kifu__json_member(object, "text"), *bytes = kifu__json_member(object, "bytes"),
                *key = kifu__json_member(object, "key");
    int64_t line = 0, event = KIFU_BEFORE_FIRST;
    unsigned char *value = NULL, *name = NULL;
    size_t size = 0, name_size;
    if (!kifu__json_members(reader, object, "a note", names, sizeof names / sizeof *names) ||
        !read_number(reading, object, "line", false, &line) || !read_number(reading, object, "event", false, &event))
        return false;
    if (!key || !text == !bytes)
        return kifu__json_fail(reader, object, "a note has a \"key\", and either a \"text\" or \"bytes\"");
    bool well =
        kifu__json_string(reader, key, &name, &name_size) &&
        (text ? kifu__json_string(reader, text, &value, &size) : kifu__json_base64(reader, bytes, &value, &size));
    kifu_result result = KIFU_OK;
    if (well)
        result = text ? kifu_set_line_note(timeline, (uint32_t)line, (uint32_t)event, (const char *)name,
                                           (const char *)value)
                      : kifu_set_note_bytes(timeline, (uint32_t)line, (uint32_t)event, (const char *)name, value,
                                            (uint32_t)size);
    kifu__free(reader->memory, name);
    kifu__free(reader->memory, value);
    const char *why = kifu_last_error(timeline)->message, *call = "kifu_set_note: ";
    why += strncmp(why, call, strlen(call)) ? 0 : strlen(call);
    if (result == KIFU_NO_MEMORY)
        return kifu__json_made(reader, result);
    return well && (!result || kifu__json_fail(reader, object, "%.300s", why));
}

bool kifu__read_notes(kifu__reading *reading)
{
    const cJSON *all = kifu__json_member(reading->reader.root, "notes");
    bool well = !all || cJSON_IsArray(all) || kifu__json_fail(&reading->reader, all, "\"notes\" is an array");
    for (const cJSON *each = all && well ? all->child : NULL; each && well; each = each->next)
        well = read_note(reading, each);
    return well;
}
