#include <kifu/main.h>

#include "nim.h"

int main(int argc, char **argv)
{
    return kifu_main(&nim_rules, NULL, argc, argv);
}
