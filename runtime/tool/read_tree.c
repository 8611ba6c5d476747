// The lines and notes of a game out of JSON.

#include <inttypes.h>
#include <stdlib.h>

#include "history/lines.h"
#include "save/assemble.h"
#include "save/line_frames.h"
#include "tool/read_game.h"

typedef struct numbers {
    int64_t line, parent, from, next, at, left, instead;
} numbers;

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static bool fail_for_memory(kifu__reading *reading)
{
    return kifu__json_fail(&reading->reader, NULL, "%s while it was read", kifu_result_text(KIFU_NO_MEMORY));
}

// `needed`: it must be there.
static bool read_number(kifu__reading *reading, const cJSON *object, const char *name, bool needed, int64_t *number)
{
    const cJSON *said = member(object, name);
    if (!said)
        return !needed || kifu__json_fail(&reading->reader, object, "there is no \"%s\"", name);
    return kifu__json_number(&reading->reader, said, 0, (int64_t)UINT32_MAX - 1, number);
}

static bool read_numbers(kifu__reading *reading, const cJSON *object, bool current, numbers *numbers)
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
    if (numbers->parent > numbers->line ||
        numbers->line > cJSON_GetArraySize(member(reading->reader.root, "lines")) + INT64_C(1000000))
        return kifu__json_fail(&reading->reader, object, "line %" PRId64 " cannot branch off from line %" PRId64,
                               numbers->line, numbers->parent);
    return true;
}

static bool read_tip(kifu__reading *reading, const cJSON *object, kifu__line *line)
{
    const cJSON *hash = member(object, "tip_hash"), *fingerprint = member(object, "fingerprint");
    int64_t version = 0;
    if ((hash && !kifu__json_u64(&reading->reader, hash, &line->tip_hash)) ||
        (fingerprint && !kifu__json_u64(&reading->reader, fingerprint, &line->fingerprint)) ||
        !read_number(reading, object, "rules_version", hash || fingerprint, &version))
        return false;
    line->rules_version = (uint32_t)version;
    return true;
}

// While a line is read, the timeline has what the line will have.
static bool read_side(kifu__reading *reading, const cJSON *object, kifu__line *line)
{
    kifu_timeline *timeline = reading->timeline;
    kifu__side side = {.branch = line->branch, .begin = timeline->log.begin, .executed = line->at};
    kifu__swap_side(timeline, &side);
    const bool well = (!member(object, "events") || kifu__read_events(reading, object)) &&
                      kifu__read_kept(reading, object) && kifu__read_hashes(reading, object);
    kifu__log_show(&timeline->log);
    kifu__drop_kept_up_to(timeline, line->branch, line->at);
    kifu__swap_side(timeline, &side);
    side.branch = NULL; // It is the line's.
    kifu__side_free(timeline, &side);
    return well;
}

static bool read_line(kifu__reading *reading, const cJSON *object, kifu__lines *lines, bool current)
{
    kifu_timeline *timeline = reading->timeline;
    numbers numbers;
    if (!read_numbers(reading, object, current, &numbers))
        return false;
    const uint32_t id = (uint32_t)numbers.line;
    const uint32_t last =
        numbers.next > numbers.line && numbers.next - numbers.line < 1000000 ? (uint32_t)numbers.next - 1 : id;
    if (!kifu__lines_reach(timeline, lines, last))
        return fail_for_memory(reading);
    kifu__line *line = &lines->items[id];
    if (line->known)
        return kifu__json_fail(&reading->reader, object, "line %" PRIu32 " is there twice", id);
    *line = (kifu__line){.parent = (uint32_t)numbers.parent, .from = (uint32_t)numbers.from, .known = true};
    if (cJSON_IsTrue(member(object, "main")))
        lines->main = id;
    if (numbers.instead >= 0) {
        kifu__line_begun(timeline);
        lines->before_last = (uint32_t)numbers.instead;
    }
    if (current) {
        lines->current = id;
        line->branch = &timeline->log.first;
        return true;
    }
    line->unchecked = line->comparable = true;
    line->at = (uint32_t)numbers.at;
    line->left = (uint32_t)numbers.left;
    line->branch = kifu__branch_new(timeline, id, line->at);
    if (!line->branch)
        return fail_for_memory(reading);
    return read_tip(reading, object, line) && read_side(reading, object, line);
}

// What is wrong with a line, now that all are there; NULL: nothing.
static const char *find_fault(const kifu_timeline *timeline, const kifu__lines *lines, uint32_t id)
{
    const kifu__line *line = &lines->items[id], *parent = &lines->items[line->parent];
    const uint32_t end = kifu__line_end(line), begin = timeline->log.begin;
    if (!parent->known)
        return "branches off from a line that is not there";
    const bool first =
        line->parent == parent->parent; // It is, or its parent is: only the first one has no event before it.
    if (line->parent == id ? line->from != begin : first ? line->from < parent->from : line->from <= parent->from)
        return "begins where its parent has no event";
    if (line->parent != id && line->from > kifu__line_end(parent))
        return "begins behind the end of its parent";
    const bool current = id == lines->current;
    if (!current && (line->at < line->from || line->left > end))
        return "has an \"at\" below its \"from\", or a \"left\" behind its end";
    if (!current && line->at != line->from && !line->on_way)
        return "has an \"at\" that is not its \"from\", and the current line does not branch off from it";
    return end < line->from ? "ends before it begins" : NULL;
}

// A line on the way from the current one to the first has the events that are not in the game's own.
static bool mark_way(kifu__lines *lines)
{
    bool well = true;
    for (uint32_t id = lines->current, parent; well && (parent = lines->items[id].parent) != id; id = parent) {
        lines->items[parent].on_way = true;
        well = lines->items[parent].known && lines->items[parent].at == lines->items[id].from;
    }
    return well;
}

static bool check(kifu__reading *reading, const cJSON *all, kifu__lines *lines)
{
    bool well =
        mark_way(lines) || kifu__json_fail(&reading->reader, all,
                                           "a line from which the current one branches off is not there, or its "
                                           "\"at\" is not where the next one begins");
    for (uint32_t id = 0; id < lines->count && well; id++) {
        const char *fault = lines->items[id].known ? find_fault(reading->timeline, lines, id) : NULL;
        well = !fault || kifu__json_fail(&reading->reader, all, "line %" PRIu32 " %s", id, fault);
    }
    well =
        well && (lines->items[lines->main].known ||
                 kifu__json_fail(&reading->reader, all, "the main line is not there: give one of them \"main\": true"));
    return well && (!kifu__assemble(reading->timeline, lines, lines->current) || fail_for_memory(reading));
}

bool kifu__read_lines(kifu__reading *reading)
{
    kifu__lines *lines = kifu__lines_of(reading->timeline);
    const cJSON *all = member(reading->reader.root, "lines");
    if (!all)
        return true;
    if (!cJSON_IsArray(all) || !all->child)
        return kifu__json_fail(&reading->reader, all, "\"lines\" is an array, and the current line comes first");
    bool well = true;
    for (const cJSON *each = all->child; each && well; each = each->next)
        well = read_line(reading, each, lines, each == all->child);
    return well && check(reading, all, lines);
}

// --- Notes -----------------------------------------------------------------------------------------------------------

static bool read_note(kifu__reading *reading, const cJSON *object)
{
    static const char *const names[] = {"line", "event", "key", "text", "bytes"};
    kifu__json_reader *reader = &reading->reader;
    kifu_timeline *timeline = reading->timeline;
    const cJSON *text = member(object, "text"), *bytes = member(object, "bytes"), *key = member(object, "key");
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
    free(name);
    free(value);
    const char *why = kifu_last_error(timeline)->message, *call = "kifu_set_note: ";
    why += strncmp(why, call, strlen(call)) ? 0 : strlen(call);
    return well && (!result || kifu__json_fail(reader, object, "%.300s", why));
}

bool kifu__read_notes(kifu__reading *reading)
{
    const cJSON *all = member(reading->reader.root, "notes");
    bool well = !all || cJSON_IsArray(all) || kifu__json_fail(&reading->reader, all, "\"notes\" is an array");
    for (const cJSON *each = all && well ? all->child : NULL; each && well; each = each->next)
        well = read_note(reading, each);
    return well;
}
