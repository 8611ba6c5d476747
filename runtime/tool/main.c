// The command `kifu`, which knows no game.

#include <kifu/main.h>

int main(int argc, char **argv)
{
    return kifu_main(NULL, NULL, argc, argv);
}
