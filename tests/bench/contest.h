/// What the rows of the benchmark share: the events, and Kifu's side of each contest.
#ifndef BENCH_CONTEST_H
#define BENCH_CONTEST_H

#include "baseline.h"
#include "core/log.h"
#include "mix.h"
#include "core/timeline.h"
#include "workload.h"

/// One workload, and the logs that the contenders have made of it.
typedef struct contest {
    item *items;
    uint32_t count;
    uint64_t sum; ///< Of every field of every event.
    flat_log *flat;
    unsigned char *pb;
    size_t pb_room, pb_size;
    kifu__log log;
    bool log_open;
} contest;

/// How large the whole benchmark is.
typedef struct scale {
    uint32_t events;
    uint32_t rounds;
    uint32_t perft_depth;
} scale;

/// Fills `contest` with a workload made by `make`.
void contest_open(contest *contest, uint32_t count, void (*make)(item *items, uint32_t count, uint64_t seed));
void contest_close(contest *contest);

/// Writes the whole workload into a new `contest->log`, without a timeline: constructs each event and seals it.
void append_to_log(contest *contest);

/// The same; the log is valid after each event.
void append_and_show(contest *contest);

/// The same events, as an allocator-free loop would hand them to a timeline.
void submit_item(kifu_timeline *timeline, const item *item);

/// A timeline with four players, and with the events of `items` after the seven of its beginning; each was submitted
/// and run on its own. Quiet.
kifu_timeline *play(const kifu_options *options, const item *items, uint32_t count);

/// An empty timeline after its first seven events.
kifu_timeline *play_begin(const kifu_options *options);

/// Submits and runs each of `items`.
void play_on(kifu_timeline *timeline, const item *items, uint32_t count);

/// The same, each by one call of the generated play function.
void play_directly(kifu_timeline *timeline, const item *items, uint32_t count);

/// Options of a timeline that records neither keyframes nor hashes.
extern const kifu_options bare_options;

/// Executes the whole log again from an empty state, with all the keyframes and hashes that a first execution records;
/// returns how long that took.
double replay_all(kifu_timeline *timeline);

/// Whether the timeline's state is `model`.
bool is_state(const kifu_timeline *timeline, const model *model);

/// Prints what `run` takes for `count`, twice and four times as many, and for four times as many the goal.
void grows(const char *what, double (*run)(uint32_t count), uint32_t count, const scale *scale);

// The parts of the table.
void append_rows(const scale *scale);
void read_rows(const scale *scale);
void save_rows(const scale *scale);
void replay_rows(const scale *scale);
void record_rows(const scale *scale);
void undo_rows(const scale *scale);
void history_rows(const scale *scale);
void search_rows(const scale *scale);
void listen_rows(const scale *scale);
void hook_rows(const scale *scale);
void pool_rows(const scale *scale);
void turn_rows(const scale *scale);
void growth_rows(const scale *scale);
void tree_rows(const scale *scale);
void forget_rows(const scale *scale);
void size_rows(const scale *scale);
void link_rows(const scale *scale);
void generate_rows(const scale *scale);
void allocation_rows(const scale *scale);
void perft_rows(const scale *scale);
void chess_rows(const scale *scale);
void byte_rows(const scale *scale);
void packed_rows(const scale *scale);
void seen_rows(const scale *scale);
void bot_rows(const scale *scale);

#endif
