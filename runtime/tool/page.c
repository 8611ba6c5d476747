// kifu html: a page that shows a game in a browser. It fetches nothing, so the whole game is in it.
//
// Script and style are allowed by their hashes, which CMake computes: what a hostile save might smuggle in would not
// run. Nothing from a save becomes HTML: it goes into `textContent`, and the policy makes browsers refuse `innerHTML`.
// An event is an array, which may get longer; the game is an object, which may get members. A page always comes with
// its own script, so no reader of older data exists.

#include "tool/page.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/os.h"
#include "core/timeline.h"
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

static kifu_result print_page(page *page, const kifu__line *line, const kifu__game_file *file,
                              const kifu_timeline *timeline, kifu__page_states *states, kifu__page_drawings *drawings)
{
    kifu__printer printer = {.write = put_json, .context = page};
    kifu_result result = put(page, kifu__page_1, kifu__page_1_size);
    if (!result)
        result = put_title(page, line, file);
    if (!result)
        result = put(page, kifu__page_2, kifu__page_2_size);
    if (result)
        return result;
    print_game(&printer, line, file, timeline, states->walk.tree);
    result = kifu__print_end(&printer);
    if (!result)
        result = flush(page);
    if (!result)
        result = put(page, kifu__page_3, kifu__page_3_size);
    if (result)
        return result;
    kifu__print_states(&printer, states);
    result = kifu__print_end(&printer);
    if (!result)
        result = flush(page);
    if (!result)
        result = put(page, kifu__page_4, kifu__page_4_size);
    if (result)
        return result;
    kifu__print_drawings(&printer, drawings);
    kifu__show_progress(line, 1, 1, "");
    result = kifu__print_end(&printer);
    if (!result)
        result = flush(page);
    return result ? result : put(page, kifu__page_5, kifu__page_5_size);
}

// What is in the page, and what is not: nobody should give away a page and not know it.
static void inform(const kifu__line *line, const page *page, const kifu_timeline *timeline,
                   const kifu__page_states *states, const kifu__page_drawings *drawings)
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
                 kifu_result_text(drawings->wrong));
    else if (drawings->capped)
        snprintf(drawn, sizeof drawn, ", the first %" PRIu32 " drawn, because --drawings is %" PRIu64 " bytes",
                 drawings->shown, drawings->most);
    else if (drawings->turns)
        snprintf(drawn, sizeof drawn, ", drawn after each turn, because --drawings is %" PRIu64 " bytes",
                 drawings->most);
    else if (drawings->drawn)
        snprintf(drawn, sizeof drawn, ", all drawn");
    kifu__complain_of(line, page->path,
                      "%" PRIu32 " events%s, %s%s; the page shows all that the game knows, hidden hands included",
                      states->walk.event_count, lines, text, drawn);
}

static int write_page(const kifu__line *line, page *page, const kifu__game_file *file, const kifu_timeline *timeline,
                      kifu__page_states *states, kifu__page_drawings *drawings)
{
    kifu_result result = KIFU_OK;
    if (page->path)
        result = kifu__os_replace_begin(page->path, &timeline->memory, &page->replacement, &page->error);
    if (result)
        return kifu__complain(line, page->path, page->error.message);
    result = print_page(page, line, file, timeline, states, drawings);
    if (page->path && result)
        kifu__os_replace_abandon(&page->replacement);
    else if (page->path)
        result = kifu__os_replace_commit(&page->replacement, NULL, &page->error);
    if (page->path && result)
        return kifu__complain(line, page->path, page->error.message);
    const int status = kifu__end_output(line, KIFU__EXIT_WELL);
    if (!status)
        inform(line, page, timeline, states, drawings);
    return status;
}

// --- The command -----------------------------------------------------------------------------------------------------

static int show(const kifu__line *line, const kifu__file_bytes *bytes, const kifu__game_file *file)
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
    const kifu_result laid_out = kifu_draw_tree(timeline, stretches, room, &tree.count, &error);
    const int status = laid_out ? kifu__complain(line, line->files[0], error.message)
                                : write_page(line, &page, file, timeline, &states, &drawings);
    free(stretches);
    kifu_destroy(executed);
    return status;
}

int kifu__html(const kifu__line *line)
{
    const char *path = line->files[0];
    const kifu__open_options options = kifu__opening(line, path);
    kifu__game_file file = {.path = path};
    kifu__file_bytes bytes = {0};
    kifu_error error;
    if (!line->output && kifu__is_terminal(stdout))
        return kifu__complain(line, NULL, "a page is for a browser: say where to write it with --output FILE");
    kifu_result result = kifu__read_bytes(path, &bytes, &error);
    if (!result)
        result = kifu__open_so_far(path, &bytes, &options, &file, &error);
    if (!result && file.recovery.why.result)
        kifu__complain(line, path, error.message);
    int status = KIFU__EXIT_TROUBLE;
    if (result)
        kifu__complain(line, path, error.message);
    else if (kifu__has_beginning(line, &file))
        status = show(line, &bytes, &file);
    kifu__close_game(&file);
    free(bytes.at);
    return status;
}
