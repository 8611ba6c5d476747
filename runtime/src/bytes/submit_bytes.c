// Bytes of one event become an input.

#include "bytes/bytes.h"

// Whether anything may be submitted now, by whom it was called.
static kifu_result require_outside(kifu_timeline *timeline, int player, const char *call)
{
    const kifu__phase phase = timeline->core.phase;
    if (phase == KIFU__TRYING)
        return kifu__error(&timeline->error, KIFU_MISUSE, "%s was called while %s", call, kifu__try_is_open);
    if (phase != KIFU__IDLE && phase != KIFU__TELLING)
        return kifu__misuse(timeline,
                            "%s was called while an event runs (from Do, a check, a reaction or a view "
                            "function): call it from outside",
                            call);
    if (player < -1 || player > INT8_MAX)
        return kifu__error(&timeline->error, KIFU_MISUSE,
                           "%s was called for player %d: a player's number is 0 to 127, or -1 for none", call, player);
    const kifu_result result = kifu__require_present(timeline, call);
    return result ? result : kifu__report_fault(timeline);
}

static kifu_result submit_as_bytes(kifu_timeline *timeline, int player, bool trusted, const void *bytes, size_t size,
                                   kifu_ticket *ticket)
{
    kifu_ticket unused;
    ticket = ticket ? ticket : &unused;
    *ticket = 0;
    kifu_result result = require_outside(timeline, player, trusted ? "kifu_submit_trusted_bytes" : "kifu_submit_bytes");
    if (result)
        return result;
    kifu__bytes_part *part = kifu__bytes_attach(timeline);
    if (!part)
        return KIFU_NO_MEMORY;
    kifu__bytes_reading reading;
    result = kifu__bytes_read_head(&reading, timeline, part, bytes, size, 1);
    reading.player = player;
    reading.trusted = trusted;
    if (!result)
        result = kifu__bytes_read_event(&reading, 0);
    if (result)
        return result;
    const kifu__blob *event = &part->event;
    *ticket = kifu__submit(timeline, reading.type, player, event->bytes, event->size);
    return *ticket ? KIFU_OK : kifu__report_fault(timeline);
}

kifu_result kifu_submit_bytes(kifu_timeline *timeline, int player, const void *bytes, size_t size, kifu_ticket *ticket)
{
    return submit_as_bytes(timeline, player, false, bytes, size, ticket);
}

kifu_result kifu_submit_trusted_bytes(kifu_timeline *timeline, int player, const void *bytes, size_t size,
                                      kifu_ticket *ticket)
{
    return submit_as_bytes(timeline, player, true, bytes, size, ticket);
}
