/// Tokens: made of entropy, and recognised by their SHA-256 (FIPS 180-4), so that a log file does not give a seat away.
#ifndef KIFU_REFEREE_SECRET_H
#define KIFU_REFEREE_SECRET_H

#include <kifu/referee.h>

enum { KIFU__KEY = 32 };

/// The hash of up to 55 bytes.
void kifu__sha256(const void *bytes, size_t size, unsigned char key[KIFU__KEY]);

/// Takes the same time wherever they differ.
bool kifu__same_bytes(const unsigned char *one, const unsigned char *other, size_t size);

/// /dev/urandom, for options without entropy of their own.
bool kifu__system_entropy(void *context, void *bytes, size_t size);

/// The 16 bytes of a token and its seat, as text and back. -1: this is none.
void kifu__token_text(unsigned seat, const unsigned char token[16], kifu_token *text);
int kifu__read_token(const char *text, unsigned char token[16]);

#endif
