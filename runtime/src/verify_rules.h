/// What `kifu_options.record_inputs` keeps for `kifu_verify_rules`.
#ifndef KIFU_SRC_VERIFY_RULES_H
#define KIFU_SRC_VERIFY_RULES_H

#include "timeline_impl.h"

/// Records what is done from outside now: an input that is about to run, which is not changed yet, or a transaction.
/// `proposal`: NULL but for an input.
void kifu__record(kifu_timeline *timeline, kifu__record_kind kind, kifu__proposal *proposal);

#endif
