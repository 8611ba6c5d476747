/// What waits, for the writer of saves.
#ifndef KIFU_SRC_WAITING_H
#define KIFU_SRC_WAITING_H

#include "save/writer.h"

/// The proposals of a queue, from one on.
typedef struct kifu__row {
    const kifu__queue *queue;
    kifu__proposal *first; ///< NULL: there are none.
} kifu__row;

/// Seals what waits after `executed` events: first consequences, then inputs. What breaks its schema is left out. False
/// where it could not be made.
bool kifu__seal_waiting(kifu__plan *plan, kifu__row consequences, kifu__row inputs, uint32_t executed,
                        kifu__segment *segment);

/// How many of these can be in a save. What breaks its schema cannot; it would be refused when its turn came.
uint32_t kifu__count_sound(const kifu_rules *rules, kifu__row row);

/// Whether the file has what waits in a queue.
bool kifu__is_said(const kifu__queue *queue, const kifu__queued *said);

#endif
