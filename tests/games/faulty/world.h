/// What the faults of this game depend on, so that a test can change it.
#ifndef WORLD_H
#define WORLD_H

#include <stddef.h>

#include "faulty.h"

/// What Do functions keep between their calls, and a clock that goes by the day.
typedef struct faulty_world {
    int day;
    int shown; ///< Counted by the Act of EViewTold.
    long counter;
    bool known; ///< EFirstTime ran before.
    bool cached;
    int64_t cache;
    unsigned failures;
    unsigned char left; ///< Of faulty_leave.
    bool large;         ///< EHeapLeft takes a large block.
    const faulty_e_keep_event *event;
    int64_t *edit;
    struct faulty_node *free_nodes;
    bool has_nodes;
} faulty_world;

extern faulty_world faulty_now;

/// As in a new process: nothing is known of earlier runs.
void faulty_forget(void);

/// Takes memory that nobody has set, and lets it be. In a build with a sanitizer, which might find the read that
/// follows by itself, it is filled with what somebody might have left.
void faulty_leave(unsigned char *bytes, size_t size);

/// A node of a pool, as games have them: the one freed last is the next.
typedef struct faulty_node {
    struct faulty_node *next;
    float weight;
    int number;
} faulty_node;

/// Takes `count` nodes with these weights, numbered from 1, sorts them by address, and gives them back, which leaves
/// the numbers and weights readable.
enum { FAULTY_NODES = 8 };
void faulty_by_address(const float *weights, int count, const faulty_node *nodes[FAULTY_NODES]);

/// Adds to the total, by an edit.
void faulty_add(kifu_timeline *timeline, int64_t amount);

#endif
