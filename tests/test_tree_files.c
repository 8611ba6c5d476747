// The command `kifu` rewrites files with variations: what it writes has all lines.

#include <stdio.h>

#include "suite.h"
#include "tool/game_file.h"
#include "tree_help.h"

static void rewrite(const char *from, const char *to, const kifu_codec *codec)
{
    kifu__game_file file;
    kifu_error error;
    const kifu__open_options options = {.game = NULL};
    ck_assert_msg(!kifu__open_game(from, &options, &file, &error), "%s", error.message);
    ck_assert_msg(!kifu__write_game(&file, to, codec, true, &error), "%s", error.message);
    kifu__close_game(&file);
}

START_TEST(V06_the_command_keeps_the_tree_of_what_it_rewrites)
{
    char *folder = new_folder();
    for (uint32_t current = 0; current < 4; current++) {
        const char *plain = in_folder(folder, "plain.kifu"), *packed = in_folder(folder, "packed.kifu"),
                   *again = in_folder(folder, "again.kifu");
        kifu_timeline *lab = small_tree(current), *loaded;
        lab_must(lab, kifu_save(lab, plain, NULL));
        rewrite(plain, packed, kifu__tool_codec());
        rewrite(packed, again, NULL);
        kifu_error error;
        ck_assert_msg(!kifu_load(&lab_rules, again, &keeping, NULL, &loaded, &error), "%s", error.message);
        expect_same_tree(lab, loaded);
        for (uint32_t id = 0; id < 4; id++) { // The hashes at the ends are those of before.
            lab_must(lab, kifu_go_to(lab, id, KIFU_WHERE_LEFT, true));
            lab_must(loaded, kifu_go_to(loaded, id, KIFU_WHERE_LEFT, true));
            expect_same_tree(lab, loaded);
        }
        kifu_destroy(lab);
        kifu_destroy(loaded);
    }
    remove_folder(folder);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {V06_the_command_keeps_the_tree_of_what_it_rewrites};
    return run_suite("tree_files", tests, sizeof tests / sizeof *tests);
}
