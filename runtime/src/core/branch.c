#include "core/branch.h"

// Skew-binary jumps: E. Myers, "An applicative random-access stack", Information Processing Letters 17 (1983).
void kifu__branch_link(kifu__branch *branch, kifu__branch *parent)
{
    const kifu__branch *far = parent->far;
    branch->parent = parent;
    branch->depth = parent->depth + 1;
    branch->far = parent->depth - far->depth == far->depth - far->far->depth ? far->far : parent;
}

void kifu__branch_begin(kifu__branch *branch, kifu__branch *path, uint32_t from)
{
    kifu__branch_link(branch, kifu__owner(path, from, NULL));
    branch->from = branch->end = branch->followed = from;
    branch->unchanged = branch->file_end = KIFU_NONE;
}

kifu__branch *kifu__owner_above(kifu__branch *path, uint32_t place, uint32_t *end)
{
    uint32_t until = path->end;
    while (path->parent && place <= path->from) {
        if (path->far->parent && place <= path->far->from)
            path = path->far;
        else {
            until = path->from;
            path = path->parent;
        }
    }
    if (end)
        *end = until;
    return path;
}

// The ancestor with this depth, or the branch itself.
static const kifu__branch *ancestor(const kifu__branch *branch, uint32_t depth)
{
    while (branch->depth > depth)
        branch = branch->far->depth >= depth ? branch->far : branch->parent;
    return branch;
}

bool kifu__leads_through(const kifu__branch *path, const kifu__branch *branch)
{
    return path->depth >= branch->depth && ancestor(path, branch->depth) == branch;
}

uint32_t kifu__leaves(const kifu__branch *path, const kifu__branch *branch)
{
    if (path == branch)
        return KIFU_NONE;
    const kifu__branch *next = path->depth > branch->depth ? ancestor(path, branch->depth + 1) : path;
    return next->parent == branch ? next->from : branch->from;
}

uint32_t kifu__common(const kifu__branch *a, const kifu__branch *b)
{
    const uint32_t depth = a->depth < b->depth ? a->depth : b->depth;
    const kifu__branch *one = ancestor(a, depth), *other = ancestor(b, depth);
    if (a == b)
        return KIFU_NONE;
    if (one == other)
        return ancestor(a->depth > depth ? a : b, depth + 1)->from;
    while (one->parent != other->parent) { // With the same depth, both leap as far.
        const bool leaps = one->far != other->far;
        one = leaps ? one->far : one->parent;
        other = leaps ? other->far : other->parent;
    }
    return one->from < other->from ? one->from : other->from;
}

const kifu__segment *kifu__path_segment(kifu__branch *path, uint32_t index, uint32_t *end)
{
    const kifu__branch *owner = kifu__owner(path, index + 1, end);
    const kifu__segment *segment = kifu__segment_with(owner->segments, owner->segment_count, index);
    if (segment->first + segment->count < *end)
        *end = segment->first + segment->count;
    return segment;
}

// --- Hashes ----------------------------------------------------------------------------------------------------------

uint32_t kifu__count_up_to(const void *entries, size_t size, uint32_t count, uint32_t most)
{
    const unsigned char *bytes = (const unsigned char *)entries;
    uint32_t low = 0, high = count, middle = count - 1; // The last one is asked about most.
    while (low < high) {
        uint32_t event_count;
        memcpy(&event_count, bytes + middle * size, sizeof event_count);
        if (event_count <= most)
            low = middle + 1;
        else
            high = middle;
        middle = (low + high) / 2;
    }
    return low;
}

uint32_t kifu__checkpoints_up_to(const kifu__branch *branch, uint32_t event_count)
{
    return kifu__count_up_to(branch->checkpoints, sizeof *branch->checkpoints, branch->checkpoint_count, event_count);
}

kifu__checkpoint *kifu__next_checkpoint(kifu__branch *path, uint32_t count)
{
    for (;;) {
        uint32_t end;
        const kifu__branch *owner = kifu__owner(path, count + 1, &end);
        const uint32_t next = kifu__checkpoints_up_to(owner, count);
        if (next < owner->checkpoint_count && owner->checkpoints[next].event_count <= end)
            return &owner->checkpoints[next];
        if (owner == path)
            return NULL;
        count = end;
    }
}
