#ifndef MODEL_H
#define MODEL_H

#include "outside.h"

typedef struct node {
    struct node *next;
    int number;
} node;

typedef struct model {
    node *first;
    int resets; ///< How often it was emptied.
} model;

/// A kifu_options.reset: empties the model that `context` points to.
void model_reset(void *context);

#endif
