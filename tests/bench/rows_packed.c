/// Bytes of plain, compact and packed saves of the examples, played at random, and of games that people played.
#include "contest.h"

#include <stdio.h>

#include "measure.h"
#include "random_games.h"

#if defined(BENCH_GAMES) && defined(BENCH_ZSTD)

#include <kifu/zstd.h>

enum { PLAIN, COMPACT, PACKED, LEVELS };
static const int levels[] = {3, 12, 19};
enum { KINDS = LEVELS + sizeof levels / sizeof *levels };

static void add_sizes(kifu_timeline *timeline, size_t sizes[KINDS])
{
    for (int i = 0; i < KINDS; i++) {
        kifu_codec codec = i == COMPACT ? kifu_compact : *kifu_zstd();
        int level = i < LEVELS ? 0 : levels[i - LEVELS];
        if (level)
            codec.context = &level;
        const kifu_save_options options = {.without_schema = true, .codec = i == PLAIN ? NULL : &codec};
        unsigned char *bytes;
        size_t size;
        must(!kifu_save_to_memory(timeline, &options, &bytes, &size), "not saved");
        kifu_free_bytes(timeline, bytes);
        sizes[i] += size;
    }
}

static void print_sizes(const char *text, const size_t sizes[KINDS], uint32_t games)
{
    row(text, "%9zu B (level 3: %zu, 12: %zu, 19: %zu), compact %9zu B, plain %9zu B", sizes[PACKED] / games,
        sizes[LEVELS] / games, sizes[LEVELS + 1] / games, sizes[LEVELS + 2] / games, sizes[COMPACT] / games,
        sizes[PLAIN] / games);
}

static void famous_games(void)
{
    static char text[1 << 16];
    FILE *file = fopen(BENCH_PGN, "rb");
    must(file && fread(text, 1, sizeof text - 1, file), BENCH_PGN " cannot be read");
    fclose(file);
    size_t sizes[KINDS] = {0};
    uint32_t games = 0, events = 0;
    const char *at = text;
    for (kifu_timeline *timeline; (timeline = read_chess(&at)) != NULL; games++) {
        events += kifu_event_count(timeline);
        add_sizes(timeline, sizes);
        kifu_destroy(timeline);
    }
    must(games > 0, "no game was read");
    char name[100];
    snprintf(name, sizeof name, "chess, %u famous games, %u events each", (unsigned)games, (unsigned)(events / games));
    print_sizes(name, sizes, games);
}

void packed_rows(const scale *scale)
{
    static const struct {
        const char *name;
        kifu_timeline *(*play)(uint32_t events);
    } games[] = {{"reversi", random_reversi}, {"chess", random_chess}, {"dungeon", random_dungeon}};
    static const uint32_t counts[] = {50, 500, 5000, 200000};
    heading("Packed saves of the examples, played at random, without their schema; and of games that people played");
    for (int i = 0; i < 4 && counts[i] <= scale->events; i++) {
        for (int game = 0; game < 3; game++) {
            kifu_timeline *timeline = games[game].play(counts[i]);
            size_t sizes[KINDS] = {0};
            char text[100];
            snprintf(text, sizeof text, "%s, %u events", games[game].name, (unsigned)counts[i]);
            add_sizes(timeline, sizes);
            print_sizes(text, sizes, 1);
            kifu_destroy(timeline);
        }
    }
    famous_games();
}

#else

void packed_rows(const scale *scale)
{
    (void)scale;
}

#endif
