/// Bytes of plain, compact and packed saves of the examples, played at random.
#include "contest.h"

#include <stdio.h>

#include "measure.h"
#include "random_games.h"

#if defined(BENCH_GAMES) && defined(BENCH_ZSTD)

#include <kifu/zstd.h>

static size_t size_of(kifu_timeline *timeline, const kifu_codec *codec)
{
    const kifu_save_options options = {.without_schema = true, .codec = codec};
    unsigned char *bytes;
    size_t size;
    must(!kifu_save_to_memory(timeline, &options, &bytes, &size), "not saved");
    kifu_free_bytes(timeline, bytes);
    return size;
}

void packed_rows(const scale *scale)
{
    static const struct {
        const char *name;
        kifu_timeline *(*play)(uint32_t events);
    } games[] = {{"reversi", random_reversi}, {"chess", random_chess}, {"dungeon", random_dungeon}};
    static const uint32_t counts[] = {50, 500, 5000, 200000};
    heading("Packed saves of the examples, played at random, without their schema");
    for (int i = 0; i < 4 && counts[i] <= scale->events; i++) {
        for (int game = 0; game < 3; game++) {
            kifu_timeline *timeline = games[game].play(counts[i]);
            char text[100];
            snprintf(text, sizeof text, "%s, %u events", games[game].name, (unsigned)counts[i]);
            row(text, "%9zu B, compact %9zu B, plain %9zu B", size_of(timeline, kifu_zstd()),
                size_of(timeline, &kifu_compact), size_of(timeline, NULL));
            kifu_destroy(timeline);
        }
    }
}

#else

void packed_rows(const scale *scale)
{
    (void)scale;
}

#endif
