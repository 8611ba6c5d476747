#include "coordinates.h"

#include <string.h>

static const char letters[] = "..nbrq"; // by chess_kind

bool coordinates_read(const char *text, size_t length, chess_move *move)
{
    if (length < 4 || length > 5)
        return false;
    const uint32_t from = square_named(text), to = square_named(text + 2);
    const char *promotion = length == 5 ? strchr(letters + 2, text[4]) : letters;
    if (from == NO_SQUARE || to == NO_SQUARE || !promotion)
        return false;
    *move = (chess_move){(uint8_t)from, (uint8_t)to, (chess_kind)(promotion - letters)};
    return true;
}

void coordinates_write(chess_move move, char *text)
{
    square_name(move.from, text);
    square_name(move.to, text + 2);
    text[4] = move.promotion ? letters[move.promotion] : '\0';
    text[5] = '\0';
}
