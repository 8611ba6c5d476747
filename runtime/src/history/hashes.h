/// A walk along the log that compares the states on its way with the recorded hashes, and with what else its caller has
/// (keyframes, the snapshots of a save).
#ifndef KIFU_SRC_HASHES_H
#define KIFU_SRC_HASHES_H

#include "core/timeline.h"

/// Where something was recorded.
typedef struct kifu__place {
    uint32_t count; ///< After so many events.
    bool has_hash;
    uint64_t hash;
    const unsigned char *state; ///< NULL: none was.
} kifu__place;

/// The caller's own struct begins with one.
typedef struct kifu__walk kifu__walk;
struct kifu__walk {
    kifu_timeline *timeline;
    kifu__branch *path;   ///< Whose events they are.
    unsigned char *state; ///< Where the events are executed.
    uint32_t count;       ///< How many were.
    uint32_t hashed;      ///< Hashes of up to so many events are compared, or need not be.

    uint32_t half; ///< For kifu__tick: what was done before, and as much for all events; 0: it is not called.

    /// `place` is the next hash, or the end of the walk. Moves it to what the caller has before it, or there; each
    /// thing once.
    void (*next)(kifu__walk *walk, kifu__place *place);
    /// Executes events until `count` are.
    kifu_result (*execute)(kifu__walk *walk, uint32_t count);
    /// The state agrees with what was recorded here, where anything was.
    void (*matched)(kifu__walk *walk, const kifu__place *place);
};

/// Walks on until `end` events are executed. KIFU_DIVERGED: at `*place` the state is not as it was; other errors are
/// those of `execute`
/// and of kifu__tick.
kifu_result kifu__walk_to(kifu__walk *walk, uint32_t end, kifu__place *place);

// --- Hashes that were loaded -----------------------------------------------------------------------------------------

/// Those behind the first `count` events of a path, up to `last`, agree.
static inline void kifu__hashes_agree(kifu__branch *path, uint32_t count, uint32_t last)
{
    kifu__checkpoint *next;
    for (; (next = kifu__next_checkpoint(path, count)) != NULL && next->event_count <= last; count = next->event_count)
        next->loaded = false;
}

/// Forgets those of more than `count` events, from a branch up its path to the branch that has event `count`: what
/// lines without that say of their states is not wrong.
static inline void kifu__forget_hashes(kifu__branch *branch, uint32_t count)
{
    for (; branch->from > count; branch = branch->parent)
        branch->checkpoint_count = 0;
    branch->checkpoint_count = kifu__checkpoints_up_to(branch, count);
}

/// Compares the state with the hash that was loaded of it, if there is one: if they differ, the hashes from here on are
/// forgotten, and a fault says so. Returns the next place up to `to` with such a hash; KIFU_NONE: there is none.
uint32_t kifu__compare_loaded(kifu_timeline *timeline, uint32_t to);

#endif
