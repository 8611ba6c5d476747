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

static bool current_line(const app *app, kifu_line *line)
{
    return kifu_find_line(app->timeline, kifu_current_line(app->timeline), line);
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
    const uint32_t first = tree->nodes[tree->now].first;
    if (!kifu_redo(app->timeline))
        view_say(&app->view, "%s", "");
    else if (first != KIFU_NONE)
        go(app, tree->nodes[first].line, tree->nodes[first].event + 1);
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
    if (current_line(app, &line))
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

// The line that is current cannot be deleted: so the game goes to where it begins, in the line from which it branches
// off.
static void delete_line(app *app, const tree *tree)
{
    kifu_line line;
    (void)tree;
    if (!current_line(app, &line) || !line.id) {
        view_say(&app->view, "The game began with this line: it stays. Go into a variation to delete it.");
    } else if (app->asked != 'X') {
        app->asked = 'X';
        view_say(&app->view, "Press X again: this variation, and all that branch off from it, will be lost.");
    } else {
        go(app, line.parent, line.from);
        view_say(&app->view, "%s",
                 kifu_delete_line(app->timeline, line.id) ? kifu_last_error(app->timeline)->message : "Deleted.");
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
} commands[] = {{KEY_LEFT, step_back},   {KEY_RIGHT, step_on}, {KEY_UP, go_up},      {KEY_DOWN, go_down},
                {KEY_HOME, go_to_begin}, {KEY_END, go_to_end}, {'M', promote},       {'m', promote},
                {'X', delete_line},      {'x', delete_line},   {';', write_comment}, {'!', write_glyph},
                {'?', write_glyph}};

bool review_press(app *app, int key)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        tree tree;
        if (commands[i].key != key)
            continue;
        if (tree_build(&tree, app->timeline)) {
            commands[i].obey(app, &tree);
            tree_free(&tree);
        }
        return true;
    }
    return false;
}
