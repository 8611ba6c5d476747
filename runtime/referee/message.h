/// The messages between referee and client (docs/referee.md): numbers as LEB128, all else as bytes.
#ifndef KIFU_REFEREE_MESSAGE_H
#define KIFU_REFEREE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <kifu/referee.h>

enum { KIFU__MOST_NAME = 40, KIFU__TOKEN = 16 };

// The first byte of a request.
enum { KIFU__JOIN = 1, KIFU__PING, KIFU__LEAVE, KIFU__PLAY, KIFU__UNDO, KIFU__CONSENT };
// What the referee sends: in the byte behind the session, the lower two bits. The others of an observation say:
enum { KIFU__ANSWER = 1, KIFU__OBSERVATION, KIFU__QUESTION, KIFU__KINDS = 3 };
enum { KIFU__WHOLE = 4, KIFU__UNDID = 8, KIFU__CLOCKS = 16 };

/// Of the sequence of an observation that is not the whole game, only so much is sent: the receiver has the one before.
enum { KIFU__SEQUENCE_BITS = 14 };

/// Bytes that are read from the front. Once something is wrong, `good` is false, and all that is read is 0.
typedef struct kifu__parse {
    const unsigned char *at, *end;
    bool good;
} kifu__parse;

static inline kifu__parse kifu__parse_of(const void *bytes, size_t size)
{
    kifu__parse parse = {(const unsigned char *)bytes, (const unsigned char *)bytes, size > 0};
    parse.end += size;
    return parse;
}

/// The next `size` bytes; NULL: they are not there.
static inline const unsigned char *kifu__take_bytes(kifu__parse *parse, size_t size)
{
    if (!parse->good || (size_t)(parse->end - parse->at) < size) {
        parse->good = false;
        return NULL;
    }
    parse->at += size;
    return parse->at - size;
}

static inline uint8_t kifu__take_byte(kifu__parse *parse)
{
    const unsigned char *byte = kifu__take_bytes(parse, 1);
    return byte ? *byte : 0;
}

static inline uint64_t kifu__take_number(kifu__parse *parse)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const uint8_t byte = kifu__take_byte(parse);
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
    parse->good = false;
    return 0;
}

static inline uint64_t kifu__take_number_of(kifu__parse *parse, unsigned size)
{
    uint64_t number = 0;
    const unsigned char *bytes = kifu__take_bytes(parse, size);
    for (unsigned i = 0; bytes && i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static inline uint64_t kifu__take_fixed(kifu__parse *parse)
{
    return kifu__take_number_of(parse, 8);
}

/// Of a session, a user's clients need only these bytes to know which of them a message is for.
enum { KIFU__SESSION_SENT = 4 };

static inline uint32_t kifu__take_session(kifu__parse *parse)
{
    return (uint32_t)kifu__take_number_of(parse, KIFU__SESSION_SENT);
}

/// The caller has room: 10 bytes for a number.
static inline unsigned char *kifu__put(unsigned char *to, uint64_t number)
{
    for (; number > 127; number >>= 7)
        *to++ = (unsigned char)(number | 128);
    *to++ = (unsigned char)number;
    return to;
}

static inline unsigned char *kifu__put_fixed(unsigned char *to, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        *to++ = (unsigned char)(number >> 8 * i);
    return to;
}

static inline unsigned char *kifu__put_bytes(unsigned char *to, const void *bytes, size_t size)
{
    if (size)
        memcpy(to, bytes, size);
    return to + size;
}

/// A request. `token` is NULL for a spectator; all pointers are into the message.
typedef struct kifu__request {
    uint8_t kind;
    char name[KIFU__MOST_NAME + 1];
    uint64_t session;
    uint32_t number;       ///< Of what is done once; 0: of all else.
    uint32_t next;         ///< Of a join or a ping: the lowest number that the session will still use.
    uint32_t place, undos; ///< Where the game stood for the sender.
    uint64_t sequence;     ///< Of the last observation that it has applied; 0: none.
    const unsigned char *token;
    const unsigned char *body;
    size_t size;
} kifu__request;

enum { KIFU__REQUEST_HEAD = 1 + 1 + KIFU__MOST_NAME + 8 + 4 * 10 + 1 + KIFU__TOKEN };

/// False: this is no request; `request->session` is then what it says, or 0.
bool kifu__read_request(const void *bytes, size_t size, kifu__request *request);

/// Writes all but the body; returns where that goes.
unsigned char *kifu__write_request(unsigned char *to, const kifu__request *request);

/// Whether a game can have this name.
bool kifu__is_name(const char *name);

#endif
