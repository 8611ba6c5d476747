#include "room/toy.h"

int toy_clamp(int number)
{
    if (number > 9)
        return 9;
    return number;
}

int toy_divide(int a, int b)
{
    if (!b)
        return 0;
    return a / b;
}

int toy_sum(const int *numbers, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += toy_twice(numbers[i]);
    return sum;
}

void toy_forgotten(int *number)
{
    *number = 1;
}
