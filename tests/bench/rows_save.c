/// Saving and loading whole games.
#include <string.h>

#include "contest.h"
#include "measure.h"

typedef struct saves {
    contest contest;
    kifu_timeline *timeline;
    unsigned char *bytes;
    size_t size;
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
    must(!kifu_load_from_memory(&mix_rules, saves->bytes, saves->size, &options, &timeline, NULL), "not loaded");
    double time = now() - start;
    must(kifu_state_hash(timeline) == kifu_state_hash(saves->timeline), "another state was loaded");
    kifu_destroy(timeline);
    return time;
}

static double run_fast_load(void *context)
{
    saves *saves = context;
    kifu_timeline *timeline;
    const kifu_options options = {.quiet = true, .fast_load = true};
    double start = now();
    must(!kifu_load_from_memory(&mix_rules, saves->bytes, saves->size, &options, &timeline, NULL), "not loaded");
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
    kifu_free_bytes(saves.timeline, saves.bytes);
    kifu_destroy(saves.timeline);
    contest_close(&saves.contest);
}
