// go_gtp: Go for other programs. To try it, type "genmove black", then "showboard".

#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "gtp.h"
#ifdef WITH_TOOL
#include "go_web.h"
#endif

#ifdef WITH_TOOL
#include <kifu/main.h>
#endif

static const char usage[] = "usage: go_gtp [--tries N]\n"
                            "       go_gtp tool COMMAND…   (looks at saves: go_gtp tool help)\n"
                            "Speaks the Go Text Protocol. N: how long it thinks for a move, 1000 if not given.\n";

int main(int argc, char **argv)
{
#ifdef WITH_TOOL
    if (argc > 1 && !strcmp(argv[1], "tool"))
        return kifu_main(&go_rules, &(kifu_options){.draw = go_draw, .web = &go_web}, argc - 1, argv + 1);
#endif
    gtp gtp = {.tries = 0};
    const bool tries = argc == 3 && !strcmp(argv[1], "--tries");
    if (argc > 1 && !tries) {
        const bool help = argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));
        fputs(usage, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    gtp.tries = tries ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    char line[8192];
    bool more = !gtp_begin(&gtp);
    if (!more)
        fputs("go_gtp: out of memory\n", stderr);
    while (more && fgets(line, sizeof line, stdin))
        more = gtp_obey(&gtp, line, stdout);
    gtp_end(&gtp);
    return 0;
}
