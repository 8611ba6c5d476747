#include "core/timeline.h"
kifu_result kifu_record_inputs(kifu_timeline *timeline) { (void)timeline; return KIFU_OK; }
kifu_result kifu_verify_rules(kifu_timeline *timeline, kifu_result (*prepare)(void *context, kifu_timeline *timeline),
                              void *context, kifu_difference *difference)
{ (void)timeline; (void)prepare; (void)context; (void)difference; return KIFU_OK; }
