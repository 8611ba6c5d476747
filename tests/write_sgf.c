// write_sgf SEED SIZE NODES [plain]: prints a random game of Go with variations (random_sgf.h).

#include <stdio.h>
#include <stdlib.h>

#include "random_sgf.h"

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const random_sgf_kind kind = {.size = (uint32_t)strtoul(argv[2], NULL, 10),
                                  .nodes = (uint32_t)strtoul(argv[3], NULL, 10),
                                  .depth = 4,
                                  .plain = argc > 4};
    random_sgf_tree tree = random_sgf(strtoull(argv[1], NULL, 10), &kind);
    fputs(tree.text, stdout);
    free(tree.text);
    return 0;
}
