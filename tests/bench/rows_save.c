/// Saving and loading whole games.
#include <stdlib.h>
#include <string.h>

#include "contest.h"
#include "measure.h"

#if defined(BENCH_ZSTD)
#include <kifu/zstd.h>
#endif

typedef struct saves {
    contest contest;
    kifu_timeline *timeline;
    unsigned char *bytes;
    size_t size;
    unsigned char *packed;
    size_t packed_size;
    unsigned char *pb_packed; ///< nanopb's bytes, through the same compressor.
    size_t pb_packed_size;
} saves;

static double run_save(void *context)
{
    saves *saves = context;
    kifu_free_bytes(saves->timeline, saves->bytes);
    double start = now();
    must(!kifu_save_to_memory(saves->timeline, NULL, &saves->bytes, &saves->size), "not saved");
    return now() - start;
}

static double run_save_pb(void *context)
{
    contest *contest = &((saves *)context)->contest;
    double start = now();
    must(pb_append(contest->pb, contest->pb_room, contest->items, contest->count) > 0, "nanopb did not encode");
    return now() - start;
}

static double run_save_flat(void *context)
{
    contest *contest = &((saves *)context)->contest;
    double start = now();
    flat_append(contest->flat, contest->items, contest->count);
    return now() - start;
}

static double run_load(void *context)
{
    saves *saves = context;
    kifu_timeline *timeline;
    const kifu_options options = {.quiet = true};
    double start = now();
    must(!kifu_load_from_memory(&mix_rules, saves->bytes, saves->size, &options, NULL, &timeline, NULL), "not loaded");
    double time = now() - start;
    must(kifu_state_hash(timeline) == kifu_state_hash(saves->timeline), "another state was loaded");
    kifu_destroy(timeline);
    return time;
}

static double run_fast_load(void *context)
{
    saves *saves = context;
    kifu_timeline *timeline;
    const kifu_options options = {.quiet = true};
    const kifu_load_options fast = {.fast = true};
    double start = now();
    must(!kifu_load_from_memory(&mix_rules, saves->bytes, saves->size, &options, &fast, &timeline, NULL), "not loaded");
    double time = now() - start;
    must(kifu_state_hash(timeline) == kifu_state_hash(saves->timeline), "another state was loaded");
    kifu_destroy(timeline);
    return time;
}

static double run_load_pb(void *context)
{
    contest *contest = &((saves *)context)->contest;
    model model;
    memset(&model, 0, sizeof model);
    double start = now();
    must(pb_run(contest->pb, contest->pb_size, &model), "nanopb did not decode");
    double time = now() - start;
    must(is_state(((saves *)context)->timeline, &model), "nanopb led to another state");
    return time;
}

static double run_load_flat(void *context)
{
    contest *contest = &((saves *)context)->contest;
    model model;
    size_t size;
    const unsigned char *bytes = flat_bytes(contest->flat, &size);
    memset(&model, 0, sizeof model);
    double start = now();
    must(flat_verify(bytes, size), "libflatbuffers did not verify");
    flat_run(bytes, &model);
    double time = now() - start;
    must(is_state(((saves *)context)->timeline, &model), "libflatbuffers led to another state");
    return time;
}

#if defined(BENCH_ZSTD)
static double run_save_packed(void *context)
{
    saves *saves = context;
    const kifu_save_options options = {.codec = kifu_zstd()};
    kifu_free_bytes(saves->timeline, saves->packed);
    double start = now();
    must(!kifu_save_to_memory(saves->timeline, &options, &saves->packed, &saves->packed_size), "not saved");
    return now() - start;
}

static double run_save_pb_packed(void *context)
{
    saves *saves = context;
    contest *contest = &saves->contest;
    const size_t room = ZSTD_compressBound(contest->pb_room);
    if (!saves->pb_packed)
        saves->pb_packed = malloc(room);
    double start = now();
    size_t size = pb_append(contest->pb, contest->pb_room, contest->items, contest->count);
    saves->pb_packed_size = ZSTD_compress(saves->pb_packed, room, contest->pb, size, 3);
    double time = now() - start;
    must(size > 0 && !ZSTD_isError(saves->pb_packed_size), "nanopb and zstd did not encode");
    return time;
}

static double run_load_packed(void *context)
{
    saves *saves = context;
    kifu_timeline *timeline;
    const kifu_options options = {.quiet = true};
    const kifu_load_options unpacking = {.codec = kifu_zstd()};
    double start = now();
    must(!kifu_load_from_memory(&mix_rules, saves->packed, saves->packed_size, &options, &unpacking, &timeline, NULL),
         "not loaded");
    double time = now() - start;
    must(kifu_state_hash(timeline) == kifu_state_hash(saves->timeline), "another state was loaded");
    kifu_destroy(timeline);
    return time;
}

static double run_load_pb_packed(void *context)
{
    saves *saves = context;
    contest *contest = &saves->contest;
    model model;
    memset(&model, 0, sizeof model);
    double start = now();
    size_t size = ZSTD_decompress(contest->pb, contest->pb_room, saves->pb_packed, saves->pb_packed_size);
    must(size == contest->pb_size && pb_run(contest->pb, size, &model), "nanopb and zstd did not decode");
    double time = now() - start;
    must(is_state(saves->timeline, &model), "nanopb and zstd led to another state");
    return time;
}

static void packed_times(saves *saves, const scale *scale)
{
    contender save[] = {
        {"packed", run_save_packed, 0}, {"plain", run_save, 0}, {"nanopb, zstd", run_save_pb_packed, 0}};
    compare(save, 3, saves, scale->rounds, scale->events);
    row("packed save (kifu_zstd)", "%6.1f ns, plain %15.1f: %6.1f x its time", save[0].ns, save[1].ns,
        last_ratio(0, 1));
    row("packed save (kifu_zstd)", "%6.1f ns, nanopb + zstd -3 %4.1f: %6.2f x its time", save[0].ns, save[2].ns,
        last_ratio(0, 2));
    contender load[] = {
        {"packed", run_load_packed, 0}, {"plain", run_load, 0}, {"nanopb, zstd", run_load_pb_packed, 0}};
    compare(load, 3, saves, scale->rounds, scale->events);
    row("load of a packed save", "%6.1f ns, of a plain one %6.1f: %6.2f x its time", load[0].ns, load[1].ns,
        last_ratio(0, 1));
    row("load of a packed save", "%6.1f ns, nanopb + zstd -3 %4.1f: %6.1f x as fast", load[0].ns, load[2].ns,
        last_ratio(2, 0));
}
#else
static void packed_times(saves *saves, const scale *scale)
{
    (void)saves, (void)scale;
}
#endif

void save_rows(const scale *scale)
{
    saves saves = {0};
    heading("Save and load: the whole game to memory and back (mix, random order); the others' without checksums");
    contest_open(&saves.contest, scale->events, make_mix);
    saves.timeline = play(NULL, saves.contest.items, saves.contest.count);

    contender save[] = {{"kifu", run_save, 0}, {"nanopb", run_save_pb, 0}, {"libflatbuffers", run_save_flat, 0}};
    compare(save, 3, &saves, scale->rounds, scale->events);
    row("save (the bytes are there already)", "%6.1f ns, nanopb %14.1f: %6.1f x as fast", save[0].ns, save[1].ns,
        last_ratio(1, 0));
    row("save (the bytes are there already)", "%6.1f ns, libflatbuffers %6.1f: %6.1f x as fast", save[0].ns, save[2].ns,
        last_ratio(2, 0));

    contender load[] = {{"kifu", run_load, 0},
                        {"nanopb", run_load_pb, 0},
                        {"libflatbuffers", run_load_flat, 0},
                        {"fast", run_fast_load, 0}};
    compare(load, 4, &saves, scale->rounds, scale->events);
    row("load (checksums, verify, Do each event)", "%6.1f ns, nanopb %14.1f: %6.1f x as fast", load[0].ns, load[1].ns,
        last_ratio(1, 0));
    row("load (checksums, verify, Do each event)", "%6.1f ns, libflatbuffers %6.1f: %6.1f x as fast", load[0].ns,
        load[2].ns, last_ratio(2, 0));
    row("fast load (checksums, verify, the state)", "%6.1f ns, load %16.1f: %6.2f x its time", load[3].ns, load[0].ns,
        last_ratio(3, 0));
    packed_times(&saves, scale);
    free(saves.pb_packed);
    kifu_free_bytes(saves.timeline, saves.packed);
    kifu_free_bytes(saves.timeline, saves.bytes);
    kifu_destroy(saves.timeline);
    contest_close(&saves.contest);
}
