#include "review.h"

#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "ask.h"
#include "remarks.h"
#include "tree.h"

enum { COMMENT_LENGTH = 2000 };

// The save remembers it: else the computer would play on in a game that somebody looks at.
void review_toggle(app *app)
{
    app->view.reviewing = !app->view.reviewing;
    app->view.chosen = NO_SQUARE;
    (void)kifu_set_note(app->timeline, KIFU_BEFORE_FIRST, REMARK_REVIEW, app->view.reviewing ? "yes" : NULL);
    view_say(&app->view, "%s",
             app->view.reviewing ? "Walk the moves. A move in another one's place begins a variation."
                                 : "The game goes on from here.");
}

// --- Walking ---------------------------------------------------------------------------------------------------------

static void go(app *app, uint32_t line, uint32_t place)
{
    if (kifu_go_to(app->timeline, line, place, true))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
}

// The line that goes on from here: the main line, if it leads through here. KIFU_NONE: there is none.
static uint32_t line_on(const kifu_timeline *timeline)
{
    const uint32_t current = kifu_current_line(timeline), main = kifu_main_line(timeline);
    const uint32_t count = kifu_event_count(timeline);
    uint32_t next;
    if (kifu_line_of_event(timeline, main, count) != KIFU_NONE &&
        kifu_line_of_event(timeline, main, count - 1) == kifu_line_of_event(timeline, current, count - 1))
        return main;
    return kifu_lines_after(timeline, current, count, &next, 1) ? next : KIFU_NONE;
}

// In the same line: so the way forward is the one that was come.
static void step_back(app *app, const tree *tree)
{
    if (tree->now)
        go(app, kifu_current_line(app->timeline), tree->nodes[tree->nodes[tree->now].before].event + 1);
    else
        view_say(&app->view, "The game begins here.");
}

static void step_on(app *app, const tree *tree)
{
    const uint32_t line = line_on(app->timeline);
    (void)tree;
    if (!kifu_redo(app->timeline))
        view_say(&app->view, "%s", "");
    else if (line != KIFU_NONE)
        go(app, line, kifu_event_count(app->timeline) + 1);
    else
        view_say(&app->view, "This line ends here.");
}

static void go_to_begin(app *app, const tree *tree)
{
    go(app, kifu_current_line(app->timeline), tree->nodes->event + 1);
}

static void go_to_end(app *app, const tree *tree)
{
    kifu_line line;
    (void)tree;
    if (kifu_find_line(app->timeline, kifu_current_line(app->timeline), &line))
        go(app, line.id, line.from + line.count);
}

// To the variation before this one, or to the next one.
static void go_aside(app *app, const tree *tree, bool on)
{
    const tree_node *nodes = tree->nodes;
    uint32_t to = tree->now ? nodes[nodes[tree->now].before].first : KIFU_NONE;
    if (on && tree->now)
        to = nodes[tree->now].next;
    else if (to == tree->now)
        to = KIFU_NONE;
    while (!on && to != KIFU_NONE && nodes[to].next != tree->now)
        to = nodes[to].next;
    if (to != KIFU_NONE)
        go(app, nodes[to].line, nodes[to].event + 1);
    else
        view_say(&app->view, "There is no other variation %s this move.", on ? "behind" : "before");
}

static void go_up(app *app, const tree *tree)
{
    go_aside(app, tree, false);
}

static void go_down(app *app, const tree *tree)
{
    go_aside(app, tree, true);
}

// --- Changing the tree -----------------------------------------------------------------------------------------------

static void promote(app *app, const tree *tree)
{
    (void)tree;
    if (kifu_promote_line(app->timeline, kifu_current_line(app->timeline)))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
    else
        view_say(&app->view, "This is the main line now.");
}

// The line of the move that is shown. A line that is current cannot be deleted: so the game goes to where it begins,
// and then into the line that goes on from there.
static void delete_line(app *app, const tree *tree)
{
    kifu_line line;
    if (!kifu_find_line(app->timeline, tree->nodes[tree->now].line, &line) || !line.id) {
        view_say(&app->view, "The game began with this line: it stays. Go into a variation to delete it.");
    } else if (app->asked != 'X') {
        app->asked = 'X';
        view_say(&app->view, "Delete this variation, and all that branch off from it? Press X again.");
    } else if (kifu_go_to(app->timeline, line.parent, line.from, true) || kifu_delete_line(app->timeline, line.id)) {
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
    } else {
        const uint32_t on = line_on(app->timeline);
        if (on != KIFU_NONE)
            go(app, on, line.from);
        view_say(&app->view, "The variation is deleted.");
    }
}

// --- Writing ---------------------------------------------------------------------------------------------------------

static void write_note(app *app, const tree *tree, const char *key, const char *text)
{
    const tree_node *node = &tree->nodes[tree->now];
    if (kifu_set_line_note(app->timeline, node->line, node->event, key, *text ? text : NULL))
        view_say(&app->view, "%s", kifu_last_error(app->timeline)->message);
}

static void write_comment(app *app, const tree *tree)
{
    char text[COMMENT_LENGTH];
    const char *comment = tree_note(tree, tree->now, REMARK_COMMENT);
    snprintf(text, sizeof text, "%s", comment ? comment : "");
    for (char *c = text; (c = strchr(c, '\n')) != NULL;)
        *c = ' '; // several comments become one
    if (ask_text(tree->now ? "Comment on this move" : "Comment on the game", text, sizeof text))
        write_note(app, tree, REMARK_COMMENT, text);
}

static bool are_glyphs(const char *text)
{
    for (; *text; text += strspn(text, " ")) {
        const size_t length = strcspn(text, " ");
        if (glyph_read(text, length) < 0)
            return false;
        text += length;
    }
    return true;
}

static void write_glyph(app *app, const tree *tree)
{
    char text[80];
    const char *glyph = tree_note(tree, tree->now, REMARK_GLYPH);
    snprintf(text, sizeof text, "%s", glyph ? glyph : "");
    if (!tree->now)
        view_say(&app->view, "A glyph belongs to a move.");
    else if (!ask_text("Glyph: ! ? !! ?? !? ?! or $0 to $255", text, sizeof text))
        return;
    else if (are_glyphs(text))
        write_note(app, tree, REMARK_GLYPH, text);
    else
        view_say(&app->view, "This is no glyph: %s", text);
}

// --- Keys ------------------------------------------------------------------------------------------------------------

static const struct {
    int key;
    void (*obey)(app *app, const tree *tree);
    bool arrow; // it has another task when there is no review
} commands[] = {{KEY_LEFT, step_back, true}, {KEY_RIGHT, step_on, true},     {KEY_UP, go_up, true},
                {KEY_DOWN, go_down, true},   {KEY_HOME, go_to_begin, false}, {'<', go_to_begin, false},
                {KEY_END, go_to_end, false}, {'>', go_to_end, false},        {'M', promote, false},
                {'X', delete_line, false},   {'C', write_comment, false},    {'!', write_glyph, false}};

bool review_press(app *app, int key)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        tree tree;
        if (commands[i].key != key || (commands[i].arrow && !app->view.reviewing))
            continue;
        if (!app->view.reviewing) {
            view_say(&app->view, "This key is for a review. Tab begins one.");
        } else if (tree_build(&tree, app->timeline)) {
            commands[i].obey(app, &tree);
            tree_free(&tree);
        }
        return true;
    }
    return false;
}
