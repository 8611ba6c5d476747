/// HAS_SHADOW is defined where a sanitizer keeps a shadow of all memory: everything takes its time, and the addresses
/// of a process must not be limited.
#ifndef TESTS_SANITIZERS_H
#define TESTS_SANITIZERS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SHADOW 1
#endif
#endif

#endif
