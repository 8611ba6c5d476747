/// How the table looks: in a terminal, and in the page of `eights tool html`.
#ifndef DRAW_H
#define DRAW_H

#include "eights.h"

/// The players' names; the first is the person.
extern const char *const eights_names[4];
enum { PERSON = 0 };

/// The name of a face: "8h", "10s", "Kd"; "??" is a card that one does not know.
const char *eights_card_name(unsigned face, char name[4]);

/// For `kifu_options.draw`, of a page: all cards. A save has them anyway.
void eights_draw(kifu_drawing *drawing);

/// The same, of what a viewer sees.
void eights_draw_seen(kifu_drawing *drawing, const eights_state *state);

#endif
