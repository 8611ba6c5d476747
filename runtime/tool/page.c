// kifu html: a page that shows a game in a browser. It fetches nothing, so the whole game is in it.
//
// Script and style are allowed by their hashes, which CMake computes: what a hostile save might smuggle in would not
// run. Nothing from a save becomes HTML: it goes into `textContent`, and the policy makes browsers refuse `innerHTML`.
// An event is an array, which may get longer; the game is an object, which may get members. A page always comes with
// its own script, so no reader of older data exists.

#include "tool/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include <kifu/web.h>

#include "base/os.h"
#include "core/timeline.h"
#include "text/drawing.h"
#include "tool/command.h"

// --- Where to --------------------------------------------------------------------------------------------------------

typedef struct page {
    const char *path; // NULL: standard output.
    kifu__replacement replacement;
    kifu_error error;
    size_t used;
    char gathered[8192];
} page;

static kifu_result put(page *page, const void *bytes, size_t size)
{
    if (page->path)
        return kifu__os_replace_write(&page->replacement, bytes, size, &page->error);
    return fwrite(bytes, 1, size, stdout) == size ? KIFU_OK : KIFU_IO;
}

static kifu_result flush(page *page)
{
    const kifu_result result = put(page, page->gathered, page->used);
    page->used = 0;
    return result;
}

// What JSON may have in strings only, and what HTML could take for something else, is escaped: it is the same JSON
// then.
static void add_byte(page *page, char byte)
{
    if (byte == '<' || byte == '>' || byte == '&')
        page->used += (size_t)snprintf(page->gathered + page->used, 7, "\\u%04x", (unsigned)byte);
    else
        page->gathered[page->used++] = byte;
}

static kifu_result put_json(void *context, const char *bytes, size_t size)
{
    page *page = (struct page *)context;
    kifu_result result = KIFU_OK;
    for (size_t i = 0; i < size && !result; i++) {
        if (page->used + 7 > sizeof page->gathered)
            result = flush(page);
        if (!result)
            add_byte(page, bytes[i]);
    }
    return result;
}

// --- The game --------------------------------------------------------------------------------------------------------

static void print_text(kifu__printer *printer, const char *name, const char *text)
{
    if (!text)
        return;
    kifu__print_format(printer, ",\n\"%s\": ", name);
    kifu__print_string(printer, text, strlen(text));
}

static void print_head(kifu__printer *printer, const kifu__line *line, const kifu__game_file *file,
                       const kifu_timeline *timeline)
{
    const kifu_rules *rules = timeline->rules;
    kifu__print(printer, "{\"kifu\": 1");
    print_text(printer, "game", file->identity.game);
    print_text(printer, "title", line->title ? line->title : file->title);
    for (uint32_t i = 0; i < file->player_count; i++) {
        kifu__print(printer, i ? ", " : ",\n\"players\": [");
        kifu__print_string(printer, file->players[i], strlen(file->players[i]));
    }
    kifu__print_format(printer,
                       "%s,\n\"saved_at\": \"%" PRId64 "\",\n\"rules_version\": %" PRIu32 ",\n\"executed\": %" PRIu32
                       ",\n\"waiting\": %" PRIu32,
                       file->player_count ? "]" : "", file->saved_at, rules->rules_version, kifu_event_count(timeline),
                       kifu__waiting(timeline));
    for (uint32_t type = 0; type <= rules->type_count; type++) {
        const char *name = type ? rules->types[type].table->name : "";
        kifu__print(printer, type ? ", " : ",\n\"types\": [");
        kifu__print_string(printer, name, strlen(name));
    }
    kifu__print(printer, "]");
}

static bool has_fields(const kifu__table *table, const unsigned char *bytes)
{
    for (uint32_t id = 0; id < table->field_count; id++) {
        if (kifu__is_there(&table->fields[id], bytes))
            return true;
    }
    return false;
}

void kifu__print_page_event(kifu__printer *printer, const kifu_timeline *timeline, const kifu_event *event)
{
    const kifu__table *table = timeline->rules->types[event->type].table;
    const unsigned char *bytes = (const unsigned char *)event->table;
    kifu__print_format(printer, "[%" PRIu32 ",%u,%d,%" PRIu32, event->type, (unsigned)event->flags, event->player,
                       event->cause == KIFU_NONE ? 0 : event->index - event->cause);
    if (has_fields(table, bytes)) {
        kifu__print(printer, ",");
        kifu__print_table(printer, table, bytes);
    }
    kifu__print(printer, "]");
}

static void print_game(kifu__printer *printer, const kifu__line *line, const kifu__game_file *file,
                       const kifu_timeline *timeline, const kifu__page_tree *tree)
{
    kifu_event event;
    uint32_t owner;
    print_head(printer, line, file, timeline);
    kifu__print(printer, ",\n\"events\": [");
    for (uint32_t i = 0; i < timeline->log.branch->end && !printer->result; i++) {
        kifu__print(printer, i ? ",\n" : "\n");
        if (kifu__event_on_way(timeline, kifu_current_line(timeline), i, &event, &owner))
            kifu__print_page_event(printer, timeline, &event);
    }
    kifu__print(printer, "\n]");
    kifu__print_page_tree(printer, timeline, tree);
    kifu__print(printer, "}\n");
}

// --- The page --------------------------------------------------------------------------------------------------------

// As text in HTML.
static kifu_result put_title(page *page, const kifu__line *line, const kifu__game_file *file)
{
    const char *title = line->title ? line->title : file->title && *file->title ? file->title : file->identity.game;
    kifu_result result = KIFU_OK;
    for (; *title && !result; title++) {
        char escape[8];
        const bool special = strchr("<>&\"'", *title) != NULL;
        snprintf(escape, sizeof escape, "&#%d;", *title);
        result = put(page, special ? escape : title, special ? strlen(escape) : 1);
    }
    return result;
}

static void show_progress(const void *context, uint32_t done, uint32_t all)
{
    kifu__show_progress((const kifu__line *)context, done, all, "states");
}

static kifu_result put_piece(page *page, const kifu__page_piece *piece)
{
    return put(page, piece->bytes, piece->size);
}

static kifu_result end_json(page *page, kifu__printer *printer)
{
    const kifu_result result = kifu__print_end(printer);
    return result ? result : flush(page);
}

// What --play adds: the rules, and the save that is played on from.
static kifu_result put_play(page *page, const kifu__line *line, const kifu__file_bytes *save)
{
    const kifu_web_module *module = line->options->web;
    kifu__printer printer = {.write = put_json, .context = page};
    kifu_result result = put_piece(page, &kifu__play_pieces[3]);
    if (result)
        return result;
    kifu__print_base64(&printer, module->bytes, module->size);
    result = end_json(page, &printer);
    if (!result)
        result = put_piece(page, &kifu__play_pieces[4]);
    if (result)
        return result;
    kifu__print_base64(&printer, save->at, save->size);
    result = end_json(page, &printer);
    return result ? result : put_piece(page, &kifu__play_pieces[5]);
}

// Everything of which a page is made.
typedef struct contents {
    const kifu__line *line;
    const kifu__game_file *file;
    const kifu_timeline *timeline;
    const kifu__file_bytes *save; // NULL: the page does not play.
    kifu__page_states *states;
    kifu__page_drawings *drawings;
} contents;

static kifu_result put_place(page *page, kifu__page_place_of place, const contents *of)
{
    kifu__printer printer = {.write = put_json, .context = page};
    switch (place) {
    case KIFU__PLAY_SCRIPT_ALLOWED:
    case KIFU__PLAY_STYLE_ALLOWED:
        return of->save ? put_piece(page, &kifu__play_pieces[place]) : KIFU_OK;
    case KIFU__PLAY_STYLE:
        return of->save ? put_piece(page, &kifu__play_pieces[2]) : KIFU_OK;
    case KIFU__PLAY:
        return of->save ? put_play(page, of->line, of->save) : KIFU_OK;
    case KIFU__PAGE_TITLE:
        return put_title(page, of->line, of->file);
    case KIFU__PAGE_GAME:
        print_game(&printer, of->line, of->file, of->timeline, of->states->walk.tree);
        break;
    case KIFU__PAGE_STATES:
        kifu__print_states(&printer, of->states);
        break;
    case KIFU__PAGE_DRAWINGS:
        kifu__print_drawings(&printer, of->drawings);
        kifu__show_progress(of->line, 1, 1, "");
        break;
    case KIFU__PAGE_PLACES:
        return KIFU_OK;
    }
    return end_json(page, &printer);
}

static kifu_result print_page(page *page, const contents *of)
{
    kifu_result result = KIFU_OK;
    for (int i = 0; i <= KIFU__PAGE_PLACES && !result; i++) {
        result = put_piece(page, &kifu__page_pieces[i]);
        if (!result)
            result = put_place(page, (kifu__page_place_of)i, of);
    }
    return result;
}

// What is in the page, and what is not: a page is given away, and its owner should know.
static void inform(const kifu__line *line, const page *page, const kifu_timeline *timeline,
                   const kifu__page_states *states, const kifu__page_drawings *drawings, const kifu__file_bytes *save)
{
    char text[400], drawn[200] = "";
    if (line->quiet)
        return;
    char lines[40] = "";
    if (kifu_line_count(timeline) > 1)
        snprintf(lines, sizeof lines, " and %" PRIu32 " other line%s", kifu_line_count(timeline) - 1,
                 kifu_line_count(timeline) == 2 ? "" : "s");
    if (states->capped)
        snprintf(text, sizeof text, "the states only of the first %" PRIu32 ", because --states is %" PRIu64 " bytes",
                 states->shown, states->most);
    else if (states->why[0])
        snprintf(text, sizeof text, "no state after event %" PRIu32 ": %.250s", states->shown, states->why);
    else
        snprintf(text, sizeof text, "%s",
                 !states->most           ? "no states"
                 : states->walk.timeline ? "the state after each"
                 : states->saved         ? "the state at the end"
                                         : "no states");
    if (drawings->wrong)
        snprintf(drawn, sizeof drawn, ", drawn no further than event %" PRIu32 ": %s", drawings->shown,
                 kifu__draw_text(drawings->wrong));
    else if (drawings->capped)
        snprintf(drawn, sizeof drawn, ", the first %" PRIu32 " drawn, because --drawings is %" PRIu64 " bytes",
                 drawings->shown, drawings->most);
    else if (drawings->turns)
        snprintf(drawn, sizeof drawn, ", drawn after each turn, because --drawings is %" PRIu64 " bytes",
                 drawings->most);
    else if (drawings->drawn)
        snprintf(drawn, sizeof drawn, ", all drawn");
    kifu__complain_of(line, page->path,
                      "%" PRIu32 " events%s, %s%s; the page shows all that the game knows, hidden hands included%s",
                      states->walk.event_count, lines, text, drawn, save ? ", and has the save and the rules" : "");
}

static int write_page(page *page, const contents *of)
{
    const kifu__line *line = of->line;
    kifu_result result = KIFU_OK;
    if (page->path)
        result = kifu__os_replace_begin(page->path, &of->timeline->memory, &page->replacement, &page->error);
    if (result)
        return kifu__complain(line, page->path, page->error.message);
    result = print_page(page, of);
    if (page->path && result)
        kifu__os_replace_abandon(&page->replacement);
    else if (page->path)
        result = kifu__os_replace_commit(&page->replacement, NULL, &page->error);
    if (page->path && result)
        return kifu__complain(line, page->path, page->error.message);
    const int status = kifu__end_output(line, KIFU__EXIT_WELL);
    if (!status)
        inform(line, page, of->timeline, of->states, of->drawings, of->save);
    return status;
}

// --- The command -----------------------------------------------------------------------------------------------------

// What is played on from: a plain save of the file, whatever that is. False: complained.
static bool make_save(const kifu__line *line, kifu__game_file *file, kifu__file_bytes *save)
{
    const kifu_web_module *module = line->options ? line->options->web : NULL;
    kifu_error error;
    if (!module || !module->bytes)
        kifu__complain_of(line, NULL, "this program has no rules for a page that plays (--play): %s",
                          module
                              ? "it was built without Emscripten (emcc; Debian, Ubuntu: apt install emscripten), with "
                                "KIFU_WEB=OFF, or with a Kifu that was; CMake says which. Configure and build it anew"
                              : "see kifu_add_game(... WEB ...) and kifu/web.h");
    else if (strcmp(file->identity.game, line->rules->name) != 0)
        kifu__complain_of(line, file->path,
                          "it is a game of %.100s, so this program has no rules for a page in which it is played on; "
                          "without --play, the page shows it",
                          file->identity.game);
    else if (kifu__make_save(file, save, &error))
        kifu__complain(line, file->path, error.message);
    else
        return true;
    return false;
}

static int show(const kifu__line *line, const kifu__file_bytes *bytes, kifu__game_file *file,
                const kifu__file_bytes *save)
{
    page page = {.path = line->output && strcmp(line->output, "-") != 0 ? line->output : NULL};
    kifu_timeline *executed = NULL;
    kifu_error error = {.result = KIFU_OK};
    if (kifu__is_ours(line, file))
        (void)kifu__load_as_now(line, bytes, file->recovery.why.result != KIFU_OK, &executed, &error);
    kifu_timeline *timeline = executed ? executed : file->timeline;
    const uint32_t room = 2 * kifu_line_count(timeline);
    kifu_stretch *stretches = (kifu_stretch *)kifu__must_grow(NULL, room * sizeof *stretches);
    kifu__page_tree tree = {.stretches = stretches};
    const kifu__page_walk walk = {
        .timeline = executed,
        .tree = &tree,
        .event_count = kifu_event_count(timeline),
        .progress = show_progress,
        .progress_context = line,
    };
    kifu__page_states states = {
        .structure = timeline->rules->state,
        .walk = walk,
        .saved = file->state,
        .most = line->states,
        .refused = error.result ? error.message : NULL,
    };
    kifu__page_drawings drawings = {
        .walk = walk,
        .players = file->players,
        .player_count = file->player_count,
        .most = line->drawings,
    };
    const contents contents = {
        .line = line, .file = file, .timeline = timeline, .save = save, .states = &states, .drawings = &drawings};
    const kifu_result laid_out = kifu_draw_tree(timeline, stretches, room, &tree.count, &error);
    const int status = laid_out ? kifu__complain(line, line->files[0], error.message) : write_page(&page, &contents);
    free(stretches);
    kifu_destroy(executed);
    return status;
}

int kifu__html(const kifu__line *line)
{
    const char *path = line->files[0];
    kifu__open_options options = kifu__opening(line, path);
    kifu__game_file file = {.path = path};
    kifu__file_bytes bytes = {0}, save = {0};
    kifu_error error;
    if (!line->output && kifu__is_terminal(stdout))
        return kifu__complain(line, NULL, "a page is for a browser: say where to write it with --output FILE");
    options.so_far = true;
    kifu_result result = kifu__read_bytes(path, &bytes, &error);
    if (!result)
        result = kifu__open_bytes(path, &bytes, &options, &file, &error);
    if (!result && file.recovery.why.result)
        kifu__complain(line, path, file.recovery.why.message);
    int status = KIFU__EXIT_TROUBLE;
    if (result)
        kifu__complain(line, path, error.message);
    else if (kifu__has_beginning(line, &file) && (!line->play || make_save(line, &file, &save)))
        status = show(line, &bytes, &file, line->play ? &save : NULL);
    if (save.at)
        kifu_free_bytes(file.timeline, save.at);
    kifu__close_game(&file);
    free(bytes.at);
    return status;
}
