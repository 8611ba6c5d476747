// Does not divide by 0, and does not ask what the largest number is that stays as it is.

#include "room/toy.h"

int main(void)
{
    const int numbers[] = {1, 20, 300};
    return toy_clamp(3) != 3 || toy_clamp(100) != 9 || toy_divide(6, 3) != 2 || toy_sum(numbers, 3) != 642 ||
           toy_sum(numbers, 0) != 0;
}
