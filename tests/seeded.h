/// What suites submit as an EInitialize.
#ifndef SEEDED_H
#define SEEDED_H

#include <kifu/kifu.h>

/// With this player as the one who starts; `FROM` and `SEEDED` are arguments of `…_submit_e_initialize`.
#define SEEDED_FROM(number, player)                                                                                    \
    (&(kifu_e_initialize_args){.has_seed = true, .seed = (number), .starting_player = (player)})

/// With this seed, and a starting player drawn by lot.
#define SEEDED(number) SEEDED_FROM(number, KIFU_BY_LOT)

#endif
