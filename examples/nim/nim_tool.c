#include <kifu/main.h>

#include "nim.h"

void nim_draw(kifu_drawing *drawing); // draw.c

int main(int argc, char **argv)
{
    return kifu_main(&nim_rules, &(kifu_options){.draw = nim_draw}, argc, argv);
}
