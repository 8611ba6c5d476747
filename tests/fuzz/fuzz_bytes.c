// The bytes of events, tried by clang's libFuzzer: `fuzz_bytes -runs=1000000 FOLDER`. `write_bytes FOLDER` writes what
// it begins with.

#include "bytes_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static trial trial;
    try_bytes(&trial, data, size);
    return 0;
}
