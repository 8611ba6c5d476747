// Requests, to bytes and back.

#include "referee/message.h"

const char *kifu_answer_text(kifu_answer answer)
{
#define KIFU__ANSWER(name, text) text,
    static const char *const texts[] = {KIFU_ANSWERS(KIFU__ANSWER)};
#undef KIFU__ANSWER
    return (unsigned)answer < KIFU__ANSWER_COUNT ? texts[answer] : "?";
}

bool kifu__is_name(const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return length && length <= KIFU__MOST_NAME && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == length;
}

static bool has_next(uint8_t kind)
{
    return kind == KIFU__JOIN || kind == KIFU__PING;
}

bool kifu__read_request(const void *bytes, size_t size, kifu__request *request)
{
    kifu__parse parse = kifu__parse_of(bytes, size);
    memset(request, 0, sizeof *request);
    request->session = kifu__take_fixed(&parse);
    request->kind = kifu__take_byte(&parse);
    const uint8_t length = kifu__take_byte(&parse);
    const unsigned char *name = length <= KIFU__MOST_NAME ? kifu__take_bytes(&parse, length) : NULL;
    if (!name)
        return false;
    memcpy(request->name, name, length);
    const uint64_t number = kifu__take_number(&parse), place = kifu__take_number(&parse);
    const uint64_t undos = kifu__take_number(&parse);
    request->sequence = kifu__take_number(&parse);
    const uint8_t token = kifu__take_byte(&parse);
    if (token)
        request->token = kifu__take_bytes(&parse, KIFU__TOKEN);
    *(has_next(request->kind) ? &request->next : &request->number) = (uint32_t)number;
    request->place = (uint32_t)place;
    request->undos = (uint32_t)undos;
    request->body = parse.at;
    request->size = (size_t)(parse.end - parse.at);
    return parse.good && request->kind >= KIFU__JOIN && request->kind <= KIFU__CONSENT &&
           kifu__is_name(request->name) && number <= UINT32_MAX && place <= UINT32_MAX && undos <= UINT32_MAX &&
           token <= 1;
}

unsigned char *kifu__write_request(unsigned char *to, const kifu__request *request)
{
    const size_t length = strlen(request->name);
    to = kifu__put_fixed(to, request->session);
    *to++ = request->kind;
    *to++ = (unsigned char)length;
    to = kifu__put_bytes(to, request->name, length);
    to = kifu__put(to, has_next(request->kind) ? request->next : request->number);
    to = kifu__put(to, request->place);
    to = kifu__put(to, request->undos);
    to = kifu__put(to, request->sequence);
    *to++ = request->token != NULL;
    return kifu__put_bytes(to, request->token, request->token ? KIFU__TOKEN : 0);
}
