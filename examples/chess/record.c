#include "record.h"

#include "fen.h"
#include "moves.h"

record record_begin(const kifu_timeline *timeline)
{
    record record = {.timeline = timeline, .next = kifu_event_count(timeline)};
    fault fault;
    kifu_event event;
    for (uint32_t i = record.next; i > 0 && kifu_event_at(timeline, i - 1, &event); i--) {
        if (event.type != CHESS_E_SET_UP)
            continue;
        record.fen = chess_e_set_up_fen(event.table);
        if (fen_read(record.fen ? record.fen : fen_start, &record.position, &fault))
            record.next = i;
        break;
    }
    return record;
}

bool record_next(record *record)
{
    kifu_event event;
    if (record->move.from != record->move.to) {
        const change change = move_changes(&record->position, record->move);
        move_apply(&record->position, &change);
        record->move = (chess_move){0};
    }
    while (kifu_event_at(record->timeline, record->next, &event)) {
        record->next++;
        if (event.type == CHESS_P_MOVE) {
            const chess_p_move *made = event.table;
            record->move = (chess_move){made->from, made->to, made->promotion};
            return true;
        }
    }
    return false;
}
