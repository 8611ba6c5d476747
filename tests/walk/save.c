// Operations of saves: each is loaded, and compared.

#include "step.h"

#include <kifu/zstd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WALK_TOOL
#include <kifu/json.h>
#include <kifu/main.h>
#endif

kifu_timeline *walk_loaded(walk *walk, const walk_load *load, const char *what)
{
    const kifu_options options = walk_options(walk, load->variations, load->notes);
    kifu_recovery recovery;
    kifu_left_out left_out = {0};
    const kifu_load_options load_options = {
        .codec = kifu_zstd(),
        .fast = load->fast,
        .recover = load->recover ? kifu_recover : NULL,
        .recovery = load->recover ? &recovery : NULL,
        .left_out = &left_out,
    };
    kifu_timeline *loaded;
    kifu_error error;
    const kifu_result result = load->bytes ? kifu_load_from_memory(walk->game->rules, load->bytes, load->size, &options,
                                                                   &load_options, &loaded, &error)
                                           : kifu_load(walk->game->rules, load->path ? load->path : walk->path,
                                                       &options, &load_options, &loaded, &error);
    if (result)
        walk_fail("load", "%s: %s: %s", what, kifu_result_text(result), error.message);
    if (left_out.why.result)
        walk_fail("load", "%s: left out: %s", what, left_out.why.message);
    if (load->recover && !load->torn && recovery.dropped)
        walk_fail("load", "%s: recovery dropped %llu bytes: %s", what, (unsigned long long)recovery.dropped,
                  recovery.why.message);
    return loaded;
}

// In a line of a game that was loaded: where it was left, and what redo brings back there.
static void check_line(walk *walk, kifu_timeline *loaded, walk_tree *tree, uint32_t line, const char *what)
{
    walk_tree got;
    const kifu_result result = kifu_go_to(loaded, line, KIFU_WHERE_LEFT, true);
    if (result == KIFU_MISUSE && tree->waiting.count)
        return; // An input waits.
    if (result)
        walk_fail("deep", "%s: to line %u: %s: %s", what, line, kifu_result_text(result),
                  kifu_last_error(loaded)->message);
    for (uint32_t redo = 0; redo < 4; redo++) {
        walk_see(loaded, &got, what);
        const uint32_t left = tree->lines[line].left;
        const char *why = redo ? walk_redone(tree, &got)
                               : walk_went(tree, &got, line,
                                           line == tree->current ? tree->place
                                           : left == KIFU_NONE   ? got.place
                                                                 : left);
        if (!why) {
            free(tree->waiting.items);
            tree->waiting = got.waiting;
            got.waiting = (walk_queue){.count = 0};
            tree->can_undo = walk_undo_count(tree, walk->game->rules, tree->first);
            why = walk_may_redo(tree, &got);
            tree->can_redo = got.can_redo;
            walk_tree again;
            walk_see(loaded, &again, what);
            why = why ? why : walk_differs(tree, &again);
            walk_drop(&again);
        }
        if (why)
            walk_fail("deep", "%s: %s %u: %s", what, redo ? "redo in line" : "to line", line, why);
        const bool more = got.can_redo && redo < 3;
        walk_drop(&got);
        if (!more)
            break;
        if (kifu_redo(loaded))
            walk_fail("deep", "%s: redo in line %u: %s", what, line, kifu_last_error(loaded)->message);
    }
}

void walk_check_load(walk *walk, kifu_timeline *loaded, const walk_tree *tree, const char *what)
{
    walk_tree got, copy;
    walk_see(loaded, &got, what);
    const char *why = walk_differs(tree, &got);
    if (why)
        walk_fail("loaded", "%s: %s", what, why);
    walk_drop(&got);
    walk_copy(&copy, tree);
    const uint32_t alive = walk_alive(tree);
    for (uint32_t i = 0; i < alive && i < 6; i++)
        check_line(walk, loaded, &copy, walk_nth(tree, i + (alive > 6 ? walk->step : 0)), what);
    if (walk->step % 4 == 0) {
        const kifu_result result = kifu_verify_replay(loaded, NULL);
        if (result)
            walk_fail("deep", "%s: verify: %s", what, kifu_last_error(loaded)->message);
    }
    walk_drop(&copy);
    kifu_destroy(loaded);
}

// The model of what a load with fewer options gives.
walk_tree walk_seen_by(const walk_tree *tree, bool variations, bool notes)
{
    walk_tree seen;
    if (variations)
        walk_copy(&seen, tree);
    else
        walk_project(&seen, tree);
    seen.note_count = notes ? seen.note_count : 0;
    return seen;
}

typedef struct text {
    char *at;
    size_t size, room;
} text;

static kifu_result gather(void *context, const char *bytes, size_t size)
{
    text *text = context;
    if (text->size + size + 1 > text->room) {
        text->room = 2 * (text->size + size) + 1000;
        text->at = (char *)realloc(text->at, text->room);
        if (!text->at)
            abort();
    }
    memcpy(text->at + text->size, bytes, size);
    text->size += size;
    text->at[text->size] = '\0';
    return KIFU_OK;
}

// Each stretch of a text from `begin` to `end` goes.
static void cut_out(char *text, const char *begin, const char *end)
{
    for (char *at = text; (at = strstr(at, begin)) != NULL;) {
        const char *behind = strstr(at + strlen(begin), end);
        if (!behind)
            return;
        behind += strlen(end);
        memmove(at, behind, strlen(behind) + 1);
    }
}

// All of a game as JSON, without the time and the recorded hashes.
static char *json_of(kifu_timeline *timeline)
{
    text json = {0};
    const kifu_save_options options = {.without_schema = true};
    if (kifu_json_game(timeline, &options, gather, &json))
        walk_fail("json", "%s", kifu_last_error(timeline)->message);
    cut_out(json.at, "  \"saved_at\"", "\n");
    cut_out(json.at, ",\n  \"hashes\": [", "]");
    return json.at;
}

static void expect_same_json(kifu_timeline *a, kifu_timeline *b, const char *what)
{
    char *one = json_of(a), *other = json_of(b);
    size_t at = 0;
    while (one[at] && one[at] == other[at])
        at++;
    if (one[at] != other[at])
        walk_fail("json", "%s: at byte %zu: %.120s | %.120s", what, at, one + (at > 40 ? at - 40 : 0),
                  other + (at > 40 ? at - 40 : 0));
    free(one);
    free(other);
}

typedef struct stored {
    unsigned char *bytes;
    size_t size;
} stored;

// Every other save is packed, and every eighth without a compressor.
static bool is_compact(const walk_op *op)
{
    return op->a / 4 % 4 == 3;
}

static bool walk_store(walk *walk, const walk_op *op, stored *stored)
{
    const kifu_codec *const codec = is_compact(op) ? &kifu_compact : kifu_zstd();
    const kifu_save_options options = {.codec = op->a % 2 ? codec : NULL,
                                       .without_schema = op->a / 2 % 4 != 0,
                                       .without_snapshot = op->a / 8 % 8 == 0,
                                       .title = op->a / 64 % 8 ? NULL : "walk"};
    walk_arm(walk, op);
    unsigned char *bytes;
    const kifu_result result = kifu_save_to_memory(walk->timeline, &options, &bytes, &stored->size);
    const bool starved = walk_disarm(walk);
    if (walk_has_no_root(walk, result, "kifu_save_to_memory"))
        return false;
    walk_expect(walk, "save", !result || (starved && result == KIFU_NO_MEMORY), "kifu_save_to_memory", result);
    if (!result) {
        stored->bytes = (unsigned char *)walk_alloc(stored->size);
        memcpy(stored->bytes, bytes, stored->size);
        kifu_free_bytes(walk->timeline, bytes);
    }
    return !result;
}

// How to load, as the operation's numbers say.
static walk_load load_of(const walk *walk, const walk_op *op, const stored *stored)
{
    return (walk_load){
        .bytes = stored->bytes,
        .size = stored->size,
        .fast = op->b % 2,
        .recover = op->b / 2 % 2,
        .variations = op->b / 4 % 4 ? walk->variations : false,
        .notes = op->b / 16 % 4 ? walk->notes : false,
    };
}

static void say_load(walk *walk, const walk_op *op, const walk_load *load, bool check)
{
    walk_say(
        walk,
        "timeline = paste_reload(timeline, &(kifu_save_options){.codec = %s, .without_schema = %d, .without_snapshot "
        "= %d}, &(paste){.variations = %d, .notes = %d, .fast = %d, .recover = %d, .no_root = how.no_root, "
        ".hash_interval = "
        "how.hash_interval, .memory = &memory, .triggers = how.triggers}, %s);",
        op->a % 2 == 0   ? "NULL"
        : is_compact(op) ? "&kifu_compact"
                         : "kifu_zstd()",
        op->a / 2 % 4 != 0, op->a / 8 % 8 == 0, load->variations, load->notes, load->fast, load->recover,
        check ? "true" : "false");
}

// What a save shows without being played: all but the state.
static void check_read(walk *walk, const walk_op *op, const walk_load *load)
{
    const kifu_options options = walk_options(walk, false, false);
    const kifu_load_options how = {.codec = kifu_zstd(), .recover = load->recover ? kifu_recover : NULL};
    const kifu_timeline *save;
    kifu_error error;
    walk_arm(walk, op);
    walk_say(walk, "// kifu_read_save_from_memory");
    const kifu_result result =
        kifu_read_save_from_memory(walk->game->rules, load->bytes, load->size, &options, &how, &save, &error);
    if (walk_disarm(walk) && result == KIFU_NO_MEMORY)
        return;
    if (result)
        walk_fail("read", "a save: %s: %s", kifu_result_text(result), error.message);
    walk_tree got;
    walk_see((kifu_timeline *)(uintptr_t)save, &got, "a save that is read");
    got.can_undo = walk->tree.can_undo;
    got.can_redo = walk->tree.can_redo;
    got.hash = walk->tree.hash;
    const char *why = walk_differs(&walk->tree, &got);
    if (why)
        walk_fail("read", "a save that is read: %s", why);
    walk_drop(&got);
    kifu_close_save(save);
}

void walk_op_save(walk *walk, const walk_op *op)
{
    stored stored;
    if (walk->open || !walk_store(walk, op, &stored))
        return;
    const walk_load load = load_of(walk, op, &stored);
    if (op->b / 64 % 2)
        check_read(walk, op, &load);
    say_load(walk, op, &load, true);
    kifu_timeline *loaded = walk_loaded(walk, &load, "a save");
    if (op->a / 512 % 4 == 0 && load.variations == walk->variations && load.notes == walk->notes)
        expect_same_json(walk->timeline, loaded, "a save as JSON");
    walk_tree seen = walk_seen_by(&walk->tree, load.variations, load.notes);
    walk_check_load(walk, loaded, &seen, "a save");
    walk_drop(&seen);
    free(stored.bytes);
    walk_expect_same(walk, "after a save");
}

// The game goes on with another timeline.
void walk_replace(walk *walk, kifu_timeline *timeline, bool variations, bool notes, const char *what)
{
    kifu_destroy(walk->timeline);
    walk->log_open = walk->visited = walk->played_on = walk->as_loaded = false;
    walk->timeline = timeline;
    for (uint32_t i = 0; i < FOLLOWERS; i++) {
        if (variations != walk->variations || notes != walk->notes) {
            kifu_destroy(walk->followers[i].timeline);
            walk->followers[i].timeline = NULL;
        }
    }
    walk->variations = variations;
    walk->notes = notes;
    walk_expect_same(walk, what);
}

void walk_op_reload(walk *walk, const walk_op *op)
{
    stored stored;
    if (walk->open || !walk_store(walk, op, &stored))
        return;
    const walk_load load = load_of(walk, op, &stored);
    say_load(walk, op, &load, false);
    kifu_timeline *loaded = walk_loaded(walk, &load, "a save");
    free(stored.bytes);
    walk_tree seen = walk_seen_by(&walk->tree, load.variations, load.notes);
    walk_drop(&walk->tree);
    walk->tree = seen;
    walk_replace(walk, loaded, load.variations, load.notes, "after a load");
}

#ifdef WALK_TOOL
// `walk` NULL: without the game's rules.
static void tool(walk *walk, const char *const *words, int count)
{
    char *argv[8];
    for (int i = 0; i < count; i++)
        argv[i] = (char *)(uintptr_t)words[i];
    argv[count] = NULL;
    const int status = kifu_main(walk ? walk->game->rules : NULL, NULL, count, argv);
    if (status)
        walk_fail("tool", "kifu %s %s: status %d", words[1], words[2], status);
}

static stored read_file(const char *path)
{
    stored stored = {0};
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        walk_fail("json", "%s cannot be read", path);
    stored.size = (size_t)ftell(file);
    stored.bytes = (unsigned char *)walk_alloc(stored.size + 1);
    rewind(file);
    if (fread(stored.bytes, 1, stored.size, file) != stored.size)
        walk_fail("json", "%s cannot be read", path);
    fclose(file);
    return stored;
}

// Two saves have the same in all: packed, they have the same bytes, however their segments are laid out.
static void expect_same_packed(const char *a, const char *b)
{
    char packed[2][270];
    stored bytes[2];
    for (int i = 0; i < 2; i++) {
        snprintf(packed[i], sizeof packed[i], "%s.packed", i ? b : a);
        tool(NULL, (const char *const[]){"kifu", "pack", i ? b : a, "-o", packed[i]}, 5);
        bytes[i] = read_file(packed[i]);
        unlink(packed[i]);
    }
    size_t at = 0;
    while (at < bytes[0].size && at < bytes[1].size && bytes[0].bytes[at] == bytes[1].bytes[at])
        at++;
    if (bytes[0].size != bytes[1].size || at < bytes[0].size)
        walk_fail("json", "a save and what became of it by JSON differ at byte %zu of %zu and %zu", at, bytes[0].size,
                  bytes[1].size);
    free(bytes[0].bytes);
    free(bytes[1].bytes);
}

// The game becomes JSON, and JSON a game.
static void json_by_calls(walk *walk, const walk_op *op)
{
    const kifu_save_options how = {.without_schema = op->b / 2 % 2, .without_snapshot = op->b / 4 % 4 == 0};
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    text json = {0};
    kifu_timeline *loaded;
    kifu_error error;
    if (walk->config.no_root && walk->tree.first) // It could not be loaded.
        return;
    walk_say(walk, "// kifu_json_game, kifu_game_from_json");
    if (kifu_json_game(walk->timeline, &how, gather, &json))
        walk_fail("json", "%s", kifu_last_error(walk->timeline)->message);
    walk_arm(walk, op);
    const kifu_result result =
        kifu_game_from_json(walk->game->rules, json.at, json.size, &options, NULL, &loaded, &error);
    const bool starved = walk_disarm(walk);
    if (result && !(starved && result == KIFU_NO_MEMORY))
        walk_fail("json", "a game from JSON: %s: %s", kifu_result_text(result), error.message);
    if (!result)
        walk_check_load(walk, loaded, &walk->tree, "a game from JSON");
    free(json.at);
    walk_expect_same(walk, "after JSON");
}

// A save becomes JSON, and JSON a save, by the game's program or by one that knows only what is in the file.
void walk_op_json(walk *walk, const walk_op *op)
{
    if (walk->open)
        return;
    if (op->b % 2) {
        json_by_calls(walk, op);
        return;
    }
    char save[250], json[250], back[250];
    snprintf(save, sizeof save, "%s.a.kifu", walk->path);
    snprintf(json, sizeof json, "%s.json", walk->path);
    snprintf(back, sizeof back, "%s.b.kifu", walk->path);
    walk_say(walk, "// kifu_save, `kifu json`, and back");
    const kifu_save_options options = {.codec = op->a / 2 % 2 ? kifu_zstd() : NULL,
                                       .without_snapshot = op->a / 4 % 4 == 0,
                                       .title = op->a / 16 % 4 ? NULL : "walk"};
    const kifu_result result = kifu_save(walk->timeline, save, &options);
    if (walk_has_no_root(walk, result, "kifu_save"))
        return;
    walk_expect(walk, "save", !result, "kifu_save", result);
    tool(op->a % 2 ? walk : NULL, (const char *const[]){"kifu", "json", save, "-o", json}, 5);
    tool(op->b / 2 % 2 ? walk : NULL, (const char *const[]){"kifu", "json", json, "-o", back}, 5);
    expect_same_packed(save, back);
    const walk_load load = {.path = back, .variations = walk->variations, .notes = walk->notes};
    kifu_timeline *loaded = walk_loaded(walk, &load, "a save from JSON");
    walk_check_load(walk, loaded, &walk->tree, "a save from JSON");
    unlink(save);
    unlink(json);
    unlink(back);
}
#else
void walk_op_json(walk *walk, const walk_op *op)
{
    (void)walk, (void)op; // It needs cJSON.
}
#endif

// A later version of the game loads the save: it has more fields.
void walk_op_later(walk *walk, const walk_op *op)
{
    if (walk->open || !walk->game->later || walk->tree.first || walk_any_differs())
        return; // A state has to be carried over: test_carry_state. And there nothing differs.
    const walk_op with_schema = {.a = op->a % 2};
    stored stored;
    if (!walk_store(walk, &with_schema, &stored))
        return;
    const kifu_options options = walk_options(walk, walk->variations, walk->notes);
    const kifu_load_options load_options = {.codec = kifu_zstd(), .fast = op->b % 2};
    kifu_timeline *later;
    kifu_error error;
    walk_say(walk, "// a later version of the game loads it");
    const kifu_rules *rules = walk->game->later();
    if (kifu_load_from_memory(rules, stored.bytes, stored.size, &options, &load_options, &later, &error))
        walk_fail("later", "a later version: %s", error.message);
    free(stored.bytes);
    walk_tree got;
    walk_see(later, &got, "a later version");
    const char *why = walk_shape_differs(&walk->tree, &got);
    if (why)
        walk_fail("later", "a later version: %s", why);
    // What it saves, it loads.
    unsigned char *bytes;
    size_t size;
    kifu_timeline *again;
    if (kifu_save_to_memory(later, NULL, &bytes, &size))
        walk_fail("later", "a later version saves: %s", kifu_last_error(later)->message);
    if (kifu_load_from_memory(rules, bytes, size, &options, NULL, &again, &error))
        walk_fail("later", "a later version loads its own save: %s", error.message);
    kifu_free_bytes(later, bytes);
    walk_tree second;
    walk_see(again, &second, "a later version's save");
    why = walk_differs(&got, &second);
    if (why)
        walk_fail("later", "a later version's save: %s", why);
    walk_drop(&got);
    walk_drop(&second);
    kifu_destroy(again);
    kifu_destroy(later);
    walk_expect_same(walk, "after a later version's load");
}
