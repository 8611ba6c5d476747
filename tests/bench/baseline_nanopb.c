#include "baseline.h"

#include <pb_decode.h>
#include <pb_encode.h>
#include <string.h>

#include "mix.pb.h"

static void to_message(pb_Event *event, const item *item)
{
    switch (item->type) {
    case ITEM_MOVE:
        event->which_event = pb_Event_move_tag;
        event->event.move = (pb_Move){item->as.move.unit, item->as.move.x, item->as.move.y};
        break;
    case ITEM_DAMAGE:
        event->which_event = pb_Event_damage_tag;
        event->event.damage =
            (pb_Damage){item->as.damage.source, item->as.damage.target, item->as.damage.amount, item->as.damage.kind};
        break;
    case ITEM_DRAW:
        event->which_event = pb_Event_draw_tag;
        event->event.draw.hand = item->as.draw.hand;
        event->event.draw.cards_count = item->as.draw.count;
        memcpy(event->event.draw.cards, item->as.draw.cards, sizeof item->as.draw.cards);
        break;
    case ITEM_ROUND:
        event->which_event = pb_Event_round_tag;
        event->event.round.number = item->as.round.number;
        break;
    default:
        event->which_event = pb_Event_chat_tag;
        memcpy(event->event.chat.text, phrases[item->as.chat.phrase], item->as.chat.length + 1U);
        break;
    }
}

size_t pb_append(unsigned char *bytes, size_t size, const item *items, uint32_t count)
{
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, size);
    pb_Event event;
    for (uint32_t i = 0; i < count; i++) {
        to_message(&event, &items[i]);
        if (!pb_encode_ex(&stream, pb_Event_fields, &event, PB_ENCODE_DELIMITED))
            return 0;
    }
    return stream.bytes_written;
}

bool pb_sum(const unsigned char *bytes, size_t size, uint64_t *sum)
{
    pb_istream_t stream = pb_istream_from_buffer(bytes, size);
    pb_Event event;
    *sum = 0;
    while (stream.bytes_left) {
        if (!pb_decode_ex(&stream, pb_Event_fields, &event, PB_DECODE_DELIMITED))
            return false;
        switch (event.which_event) {
        case pb_Event_move_tag:
            *sum += sum_move(event.event.move.unit, event.event.move.x, event.event.move.y);
            break;
        case pb_Event_damage_tag:
            *sum += sum_damage(event.event.damage.source, event.event.damage.target, event.event.damage.amount,
                               event.event.damage.kind);
            break;
        case pb_Event_draw_tag:
            *sum += sum_draw(event.event.draw.hand, event.event.draw.cards, event.event.draw.cards_count);
            break;
        case pb_Event_round_tag:
            *sum += event.event.round.number;
            break;
        case pb_Event_chat_tag:
            *sum += sum_text(event.event.chat.text, (uint32_t)strlen(event.event.chat.text));
            break;
        default:
            return false;
        }
    }
    return true;
}

bool pb_run(const unsigned char *bytes, size_t size, model *model)
{
    pb_istream_t stream = pb_istream_from_buffer(bytes, size);
    pb_Event event;
    while (stream.bytes_left) {
        if (!pb_decode_ex(&stream, pb_Event_fields, &event, PB_DECODE_DELIMITED))
            return false;
        switch (event.which_event) {
        case pb_Event_move_tag:
            model_move(model, event.event.move.unit, event.event.move.x, event.event.move.y);
            break;
        case pb_Event_damage_tag:
            model_damage(model, event.event.damage.target, event.event.damage.amount);
            break;
        case pb_Event_draw_tag:
            model_draw(model, event.event.draw.hand, event.event.draw.cards, event.event.draw.cards_count);
            break;
        case pb_Event_round_tag:
            model_round(model, event.event.round.number);
            break;
        case pb_Event_chat_tag:
            model_chat(model, (uint32_t)strlen(event.event.chat.text));
            break;
        default:
            return false;
        }
    }
    return true;
}
