/// All that generated code calls. `kifu.h` includes it, because the generated header of a game includes `kifu.h` alone.
#ifndef KIFU_DETAIL_GENERATED_H
#define KIFU_DETAIL_GENERATED_H

#include "bytes.h"
#include "event.h"
#include "moves.h"
#include "pool.h"
#include "rules.h"
#include "search.h"
#include "state.h"

#endif
