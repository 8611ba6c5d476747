#ifndef STACK_MODEL_H
#define STACK_MODEL_H

#include "stack.h"

typedef struct stack_node {
    struct stack_node *next;
    int number;
} stack_node;

typedef struct stack_model {
    stack_node *top;
    unsigned pushes; ///< That this process has seen: no business of the rules.
} stack_model;

/// A kifu_options.reset: empties the model that `context` points to.
void stack_reset(void *context);

/// Takes the first number off; there is one.
int stack_take(stack_model *model);

#endif
