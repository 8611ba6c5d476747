#include "referee/secret.h"

#include <stdio.h>
#include <string.h>

static uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

// One block is enough for a token.
void kifu__sha256(const void *bytes, size_t size, unsigned char key[KIFU__KEY])
{
    static const uint32_t constants[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char block[64] = {0};
    KIFU_ASSERT(size <= 55);
    memcpy(block, bytes, size);
    block[size] = 0x80;
    block[62] = (unsigned char)(size >> 5);
    block[63] = (unsigned char)(size << 3);
    uint32_t w[64];
    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++)
        w[i] = w[i - 16] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
               (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    uint32_t v[8];
    memcpy(v, hash, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                             ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[i] + w[i];
        const uint32_t two =
            (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, sizeof v - sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (unsigned i = 0; i < KIFU__KEY; i++)
        key[i] = (unsigned char)((hash[i / 4] + v[i / 4]) >> (24 - i % 4 * 8));
}

bool kifu__same_bytes(const unsigned char *one, const unsigned char *other, size_t size)
{
    unsigned differs = 0;
    for (size_t i = 0; i < size; i++)
        differs |= (unsigned)(one[i] ^ other[i]);
    return !differs;
}

bool kifu__system_entropy(void *context, void *bytes, size_t size)
{
    (void)context;
    FILE *file = fopen("/dev/urandom", "rb");
    if (!file)
        return false;
    setbuf(file, NULL); // otherwise it takes some thousand bytes
    const bool good = fread(bytes, 1, size, file) == size;
    fclose(file);
    return good;
}

static const char digits[] = "0123456789abcdef";

void kifu__token_text(unsigned seat, const unsigned char token[16], kifu_token *text)
{
    text->text[0] = digits[seat];
    for (unsigned i = 0; i < 32; i++)
        text->text[i + 1] = digits[token[i / 2] >> (i % 2 ? 0 : 4) & 15];
    text->text[33] = '\0';
}

int kifu__read_token(const char *text, unsigned char token[16])
{
    if (strlen(text) != 33 || strspn(text, digits) != 33)
        return -1;
    memset(token, 0, 16);
    for (unsigned i = 0; i < 32; i++)
        token[i / 2] = (unsigned char)(token[i / 2] << 4 | (strchr(digits, text[i + 1]) - digits));
    return (int)(strchr(digits, text[0]) - digits);
}
