/// The version of Kifu. CMake reads it here, too.
#ifndef KIFU_VERSION_H
#define KIFU_VERSION_H

#define KIFU_VERSION_MAJOR 0 ///< Goes up when games must be changed.
#define KIFU_VERSION_MINOR 9 ///< Before the first major version: the same.
#define KIFU_VERSION_PATCH 0 ///< Goes up when only Kifu itself changed.

/// A number that `#if` can compare: 900 is 0.9.0, 10203 is 1.2.3.
#define KIFU_VERSION (KIFU_VERSION_MAJOR * 10000 + KIFU_VERSION_MINOR * 100 + KIFU_VERSION_PATCH)

#define KIFU__TEXT_OF(x) #x
#define KIFU__DOTTED(major, minor, patch) KIFU__TEXT_OF(major) "." KIFU__TEXT_OF(minor) "." KIFU__TEXT_OF(patch)
/// The same as text: "0.9.0".
#define KIFU_VERSION_STRING KIFU__DOTTED(KIFU_VERSION_MAJOR, KIFU_VERSION_MINOR, KIFU_VERSION_PATCH)

#endif
