#include "world.h"

#include <string.h>

#include "../../sanitizers.h"

faulty_world faulty_now;

static faulty_node pool[FAULTY_NODES];

void faulty_forget(void)
{
    faulty_now = (faulty_world){0};
}

void faulty_leave(unsigned char *bytes, size_t size)
{
#ifdef HAS_SHADOW
    memset(bytes, ++faulty_now.left, size);
#else
    (void)bytes;
    (void)size;
#endif
}

static faulty_node *take_node(void)
{
    if (!faulty_now.has_nodes) {
        faulty_now.has_nodes = true;
        for (int i = FAULTY_NODES - 1; i >= 0; i--) {
            pool[i].next = faulty_now.free_nodes;
            faulty_now.free_nodes = &pool[i];
        }
    }
    faulty_node *node = faulty_now.free_nodes;
    faulty_now.free_nodes = node->next;
    return node;
}

static void give_node(faulty_node *node)
{
    node->next = faulty_now.free_nodes;
    faulty_now.free_nodes = node;
}

void faulty_by_address(const float *weights, int count, const faulty_node *nodes[FAULTY_NODES])
{
    faulty_node *taken[FAULTY_NODES];
    for (int i = 0; i < count; i++) {
        taken[i] = take_node();
        taken[i]->weight = weights[i];
        taken[i]->number = i + 1;
        int at = i;
        for (; at > 0 && nodes[at - 1] > taken[i]; at--)
            nodes[at] = nodes[at - 1];
        nodes[at] = taken[i];
    }
    for (int i = 0; i < count; i++)
        give_node(taken[i]);
}

void faulty_add(kifu_timeline *timeline, int64_t amount)
{
    *faulty_edit_total(timeline) += amount;
}
