#include "baseline.h"

#include <cstring>
#include <vector>

#include "log_generated.h"

struct flat_log {
    explicit flat_log(size_t bytes) : builder(bytes)
    {
        // Else each default value would leave its field out, and every such combination would be one more vtable to
        // search for: measured to be slower, and not what Kifu writes.
        builder.ForceDefaults(true);
    }
    flatbuffers::FlatBufferBuilder builder;
    std::vector<uint8_t> types;
    std::vector<flatbuffers::Offset<void>> events;
};

flat_log *flat_new(size_t expected_bytes, uint32_t expected_events)
{
    flat_log *log = new flat_log(expected_bytes);
    log->types.reserve(expected_events);
    log->events.reserve(expected_events);
    return log;
}

void flat_free(flat_log *log)
{
    delete log;
}

// Inlined wherever it is used: a call would cost this contender some 15%.
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

// Builds one event; its type is left in `type`.
static ALWAYS_INLINE flatbuffers::Offset<void> build(flatbuffers::FlatBufferBuilder &builder, const item &item,
                                                     uint8_t &type)
{
    switch (item.type) {
    case ITEM_MOVE:
        type = mix::Event_PMove;
        return mix::CreatePMove(builder, item.as.move.unit, item.as.move.x, item.as.move.y).Union();
    case ITEM_DAMAGE:
        type = mix::Event_EDamage;
        return mix::CreateEDamage(builder, item.as.damage.source, item.as.damage.target, item.as.damage.amount,
                                  static_cast<mix::DamageKind>(item.as.damage.kind))
            .Union();
    case ITEM_DRAW: {
        type = mix::Event_EDraw;
        auto cards = builder.CreateVector(item.as.draw.cards, item.as.draw.count);
        return mix::CreateEDraw(builder, item.as.draw.hand, cards).Union();
    }
    case ITEM_ROUND:
        type = mix::Event_ERound;
        return mix::CreateERound(builder, item.as.round.number).Union();
    default: {
        type = mix::Event_PChat;
        auto text = builder.CreateString(phrases[item.as.chat.phrase], item.as.chat.length);
        return mix::CreatePChat(builder, text).Union();
    }
    }
}

void flat_append(flat_log *log, const item *items, uint32_t count)
{
    flatbuffers::FlatBufferBuilder &builder = log->builder;
    builder.Clear();
    builder.ForceDefaults(true);
    log->types.clear();
    log->events.clear();
    for (uint32_t i = 0; i < count; i++) {
        uint8_t type;
        log->events.push_back(build(builder, items[i], type));
        log->types.push_back(type);
    }
    auto types = builder.CreateVector(log->types);
    auto events = builder.CreateVector(log->events);
    builder.Finish(mix::CreateLog(builder, types, events, 0, 1));
}

size_t flat_append_each(unsigned char *bytes, size_t size, const item *items, uint32_t count)
{
    flatbuffers::FlatBufferBuilder builder(1024);
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t type;
        builder.Clear();
        builder.ForceDefaults(true);
        auto event = build(builder, items[i], type);
        builder.Finish(mix::CreateEntry(builder, static_cast<mix::Event>(type), event));
        if (builder.GetSize() > size - used)
            return 0;
        memcpy(bytes + used, builder.GetBufferPointer(), builder.GetSize());
        used += builder.GetSize();
    }
    return used;
}

bool flat_verify_each(const item *items, uint32_t count)
{
    flatbuffers::FlatBufferBuilder builder(1024);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t type;
        builder.Clear();
        builder.ForceDefaults(true);
        auto event = build(builder, items[i], type);
        builder.Finish(mix::CreateEntry(builder, static_cast<mix::Event>(type), event));
        flatbuffers::Verifier verifier(builder.GetBufferPointer(), builder.GetSize());
        if (!verifier.VerifyBuffer<mix::Entry>(nullptr))
            return false;
    }
    return true;
}

const unsigned char *flat_bytes(const flat_log *log, size_t *size)
{
    *size = log->builder.GetSize();
    return log->builder.GetBufferPointer();
}

bool flat_verify(const unsigned char *bytes, size_t size)
{
    flatbuffers::Verifier verifier(bytes, size, 64, UINT32_MAX);
    return verifier.VerifyBuffer<mix::Log>(nullptr);
}

uint64_t flat_sum(const unsigned char *bytes)
{
    const mix::Log *log = flatbuffers::GetRoot<mix::Log>(bytes);
    const auto &types = *log->events_type();
    const auto &events = *log->events();
    const uint32_t count = events.size();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        switch (types[i]) {
        case mix::Event_PMove: {
            auto move = events.GetAs<mix::PMove>(i);
            sum += sum_move(move->unit(), move->x(), move->y());
            break;
        }
        case mix::Event_EDamage: {
            auto damage = events.GetAs<mix::EDamage>(i);
            sum +=
                sum_damage(damage->source(), damage->target(), damage->amount(), static_cast<uint8_t>(damage->kind()));
            break;
        }
        case mix::Event_EDraw: {
            auto draw = events.GetAs<mix::EDraw>(i);
            sum += sum_draw(draw->hand(), draw->cards()->data(), draw->cards()->size());
            break;
        }
        case mix::Event_ERound:
            sum += events.GetAs<mix::ERound>(i)->number();
            break;
        case mix::Event_PChat: {
            auto text = events.GetAs<mix::PChat>(i)->text();
            sum += sum_text(text->c_str(), text->size());
            break;
        }
        default:
            break;
        }
    }
    return sum;
}

void flat_run(const unsigned char *bytes, model *model)
{
    const mix::Log *log = flatbuffers::GetRoot<mix::Log>(bytes);
    const auto &types = *log->events_type();
    const auto &events = *log->events();
    const uint32_t count = events.size();
    for (uint32_t i = 0; i < count; i++) {
        switch (types[i]) {
        case mix::Event_PMove: {
            auto move = events.GetAs<mix::PMove>(i);
            model_move(model, move->unit(), move->x(), move->y());
            break;
        }
        case mix::Event_EDamage: {
            auto damage = events.GetAs<mix::EDamage>(i);
            model_damage(model, damage->target(), damage->amount());
            break;
        }
        case mix::Event_EDraw: {
            auto draw = events.GetAs<mix::EDraw>(i);
            model_draw(model, draw->hand(), draw->cards()->data(), draw->cards()->size());
            break;
        }
        case mix::Event_ERound:
            model_round(model, events.GetAs<mix::ERound>(i)->number());
            break;
        case mix::Event_PChat:
            model_chat(model, events.GetAs<mix::PChat>(i)->text()->size());
            break;
        default:
            break;
        }
    }
}
