// The whole game, for a follower: it is loaded into a timeline of its own, which then changes its record with the
// follower's. So it passes through the one loader, and nothing is changed where it is refused.

#include "core/go.h"
#include "history/exchange.h"
#include "save/budget.h"
#include "save/follow.h"
#include "save/saved.h"

static kifu_result load_stage(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                              kifu_timeline **loaded)
{
    kifu_options options = timeline->options;
    const kifu_load_options load_options = {.memory = options.changes_memory};
    options.keep_variations = lines ? kifu_keep_variations : NULL;
    options.quiet = true;
    const kifu__whole_game whole = {timeline->last_ticket, "kifu_options.changes_memory"};
    kifu_result result = kifu__load_whole(timeline->rules, save, (size_t)size, &options, &load_options, &whole, loaded,
                                          &timeline->error);
    if (result && options.reset) { // It has executed events on the model.
        const kifu_error error = timeline->error;
        (void)kifu__go(timeline, timeline->executed, KIFU__ANEW);
        timeline->error = error;
    }
    return result;
}

kifu_result kifu__exchange_game(kifu_timeline *timeline, const unsigned char *save, uint64_t size, bool lines,
                                kifu_error *fault)
{
    kifu_timeline *loaded;
    kifu_result result = load_stage(timeline, save, size, lines, &loaded);
    return result ? result : kifu__become(timeline, loaded, fault);
}
