#ifndef TOY_H
#define TOY_H

/// Twice the number; read by toy.c alone.
static inline int toy_twice(int number)
{
    return number + number;
}

int toy_clamp(int number);
int toy_divide(int a, int b);
int toy_sum(const int *numbers, int count);
void toy_forgotten(int *number);

#endif
