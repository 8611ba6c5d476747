// Writes the saves of a tree, and what they mean: `camp_write_trees tests/compat/trees`, by version 3 of the camp. The
// files are committed; they are written again only when this was wrong, never because Kifu changed.

#include <stdlib.h>

#include "meaning.h"
#include "play.h"
#include "run_codec.h"
#include "save/writer.h"

static kifu_timeline *camp;
static bool logged;

static void must(kifu_result result)
{
    if (!result)
        return;
    fprintf(stderr, "%s\n", camp ? kifu_last_error(camp)->message : kifu_result_text(result));
    exit(EXIT_FAILURE);
}

static void append(void)
{
    if (logged)
        must(kifu_log_append(camp));
}

static void gather(int player, camp_kind kind, uint16_t amount)
{
    camp_submit_p_gather(camp, player, &(camp_p_gather_args){.kind = kind, .amount = amount, .skill = 1});
}

static void gather_now(int player, camp_kind kind, uint16_t amount)
{
    gather(player, kind, amount);
    must(kifu_run(camp));
    append();
}

static void go_to(uint32_t line, uint32_t count)
{
    must(kifu_go_to(camp, line, count, true));
    append();
}

// Line 0: the game as it is in the other folders. Line 1 goes on from it with a storm; line 2 with a proposal that
// waits where it was left; line 3 from line 2, and line 4 from its beginning; on line 4, which is the current one,
// another proposal waits.
static void play_tree(void)
{
    must(play(camp, PLAY_UNDONE));
    append();
    camp_submit_e_storm(camp, &(camp_e_storm_args){.strength = 1});
    must(kifu_run(camp));
    gather_now(1, CAMP_KIND_WOOD, 5);
    go_to(0, 8);
    gather_now(0, CAMP_KIND_FOOD, 2);
    gather_now(1, CAMP_KIND_WOOD, 3);
    gather(1, CAMP_KIND_FOOD, 4);
    append();
    must(kifu_undo(camp));
    append();
    gather_now(0, CAMP_KIND_WOOD, 6);
    must(kifu_promote_line(camp, kifu_current_line(camp)));
    go_to(2, KIFU_WHERE_LEFT);
    go_to(0, 8);
    gather_now(0, CAMP_KIND_FOOD, 9);
    gather_now(0, CAMP_KIND_FOOD, 8);
    must(kifu_undo(camp));
    gather(0, CAMP_KIND_WOOD, 7);
    append();
}

// Line 1 was left while a storm waited there.
static void play_waiting(void)
{
    must(play(camp, PLAY_UNDONE));
    gather_now(1, CAMP_KIND_WOOD, 5);
    camp_submit_e_storm(camp, &(camp_e_storm_args){.strength = 1});
    go_to(0, 9);
}

static void write_notes(void)
{
    must(kifu_set_note(camp, KIFU_BEFORE_FIRST, "place", "In the woods"));
    must(kifu_set_line_note(camp, 0, 9, KIFU_NOTE_COMMENT, "Caf\xC3\xA9"));
    must(kifu_set_line_note(camp, 1, 9, KIFU_NOTE_GLYPH, "?!"));
    must(kifu_set_line_note(camp, 3, 10, KIFU_NOTE_COMMENT, "The main line"));
    must(kifu_set_note_bytes(camp, 2, 9, "mark", "\0\xFF", 2));
    must(kifu_set_line_note(camp, 4, 8, KIFU_NOTE_COMMENT, "gone soon"));
    append();
    must(kifu_set_line_note(camp, 4, 8, KIFU_NOTE_COMMENT, "The current line"));
    append();
}

static const char *path_of(const char *folder, const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_save(const char *folder, const char *name, const kifu_codec *codec)
{
    const kifu_save_options options = {.title = name, .codec = codec};
    must(kifu__save_at(camp, path_of(folder, name), &options, 1700000000));
}

static void write_text(const char *folder, const char *name)
{
    unsigned char *bytes;
    size_t size;
    kifu_error error;
    FILE *text = fopen(path_of(folder, name), "w");
    must(kifu_save_to_memory(camp, NULL, &bytes, &size));
    if (!text || write_meaning(text, bytes, size, true, NULL, &error)) {
        fprintf(stderr, "%s\n", text ? error.message : name);
        exit(EXIT_FAILURE);
    }
    fclose(text);
    kifu_free_bytes(camp, bytes);
}

static void begin(void)
{
    const kifu_options options = tree_options(true);
    kifu_destroy(camp);
    camp = NULL;
    must(kifu_create(&camp_rules, &options, &camp, NULL));
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    const char *folder = arguments[1];
    begin();
    play_tree();
    write_notes();
    write_save(folder, "plain.kifu", NULL);
    write_save(folder, "packed.kifu", &run_codec);
    write_save(folder, "small.kifu", &kifu_compact);
    write_text(folder, "tree.txt");
    begin();
    must(kifu_log_open(camp, path_of(folder, "log.kifu"), &(kifu_save_options){.title = "log.kifu"}));
    logged = true;
    play_tree();
    write_notes();
    logged = false;
    begin(); // It was not closed.
    play_tree();
    write_notes();
    must(kifu_forget(camp, 8));
    write_save(folder, "forgotten.kifu", NULL);
    write_text(folder, "forgotten.txt");
    begin();
    play_waiting();
    write_save(folder, "waiting.kifu", NULL);
    write_text(folder, "waiting.txt");
    kifu_destroy(camp);
    return EXIT_SUCCESS;
}
