/// kifu_bench: how fast and how small Kifu is, against baselines measured in the same run. README.md says how.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "contest.h"
#include "measure.h"

static const char usage[] =
    "usage: kifu_bench [--smoke] [--events N] [PART…]\n"
    "  PART        append, read, save, replay, record, undo, history, search, listen, hooks, pools, turns,\n"
    "              growth, tree, forget, size, link, allocations, perft, chess, generate, bytes, packed, seen,\n"
    "              bots; all where none is given\n"
    "  --events N  instead of 1,000,000; at least 1,000\n"
    "  --smoke     1,000 events, once: shows that the benchmark works, and no speed\n";

typedef struct part {
    const char *name;
    void (*rows)(const scale *scale);
    bool chosen;
} part;

static part parts[] = {{"append", append_rows, false},     {"read", read_rows, false},
                       {"save", save_rows, false},         {"replay", replay_rows, false},
                       {"record", record_rows, false},     {"undo", undo_rows, false},
                       {"history", history_rows, false},   {"search", search_rows, false},
                       {"listen", listen_rows, false},     {"hooks", hook_rows, false},
                       {"pools", pool_rows, false},        {"turns", turn_rows, false},
                       {"growth", growth_rows, false},     {"tree", tree_rows, false},
                       {"forget", forget_rows, false},     {"size", size_rows, false},
                       {"link", link_rows, false},         {"perft", perft_rows, false},
                       {"chess", chess_rows, false},       {"allocations", allocation_rows, false},
                       {"generate", generate_rows, false}, {"bytes", byte_rows, false},
                       {"packed", packed_rows, false},     {"seen", seen_rows, false},
                       {"bots", bot_rows, false}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static bool choose(const char *name)
{
    for (uint32_t i = 0; i < PARTS; i++) {
        if (!strcmp(parts[i].name, name)) {
            parts[i].chosen = true;
            return true;
        }
    }
    return false;
}

/// Freed memory stays with the process, for every contender alike: what is measured is the work, not the system's
/// paging.
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 64 << 20);
#endif
}

int main(int argc, char **argv)
{
    scale scale = {.events = 1000000, .rounds = 9, .perft_depth = 8};
    bool all = true;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--smoke")) {
            scale = (struct scale){.events = 1000, .rounds = 1, .perft_depth = 4};
            forget_goals();
        } else if (!strcmp(argv[i], "--events") && i + 1 < argc && atoi(argv[i + 1]) >= 1000) {
            scale.events = (uint32_t)atoi(argv[++i]);
        } else if (choose(argv[i])) {
            all = false;
        } else {
            fputs(usage, !strcmp(argv[i], "--help") ? stdout : stderr);
            return strcmp(argv[i], "--help") != 0;
        }
    }
    keep_memory();
    printf("Kifu's benchmark: %u events; medians of %u rounds in which the contenders take turns.\n", scale.events,
           scale.rounds);
    for (uint32_t i = 0; i < PARTS; i++) {
        if (all || parts[i].chosen)
            parts[i].rows(&scale);
    }
    printf("\nGoals missed: %u.\n", goals_missed());
    return 0;
}
