// kifu/zstd.h is for C++ programs, too: this one has only to compile.

#include <kifu/zstd.h>

extern "C" const kifu_codec *zstd_of_cpp(void);

extern "C" const kifu_codec *zstd_of_cpp(void)
{
    return kifu_zstd();
}
