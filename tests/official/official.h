/// The official C++ library, as a witness: its verifier, its JSON both ways.
#ifndef TESTS_OFFICIAL_H
#define TESTS_OFFICIAL_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether the verifier that `flatc --cpp` generates accepts a segment of the game `wire`.
bool official_verifies(const unsigned char *bytes, size_t size);

/// A schema. Its root type is the segment.
typedef struct official official;

/// From a .bfbs, as in a save. NULL where the library refuses it.
official *official_open(const void *bfbs, size_t size);

/// From .fbs text that may include files of these folders; a broken one ends the program.
official *official_open_text(const char *schema, const char *const *folders);

void official_close(official *schema);

/// A verified buffer as JSON, defaults written out. Free it.
char *official_to_json(official *schema, const unsigned char *bytes);

/// JSON as flatc's binary: defaults left out, vtables shared, children first. Free it. Broken JSON ends the program.
unsigned char *official_from_json(official *schema, const char *json, size_t *size);

#ifdef __cplusplus
}
#endif

#endif
