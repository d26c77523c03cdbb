// printf, assertions, the heap and memory functions.
#pragma once

extern "C" {
__LANEWISE_EXTERN_BOTH int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
__LANEWISE_EXTERN __attribute__((noreturn)) void __assertfail(const char* message, const char* file, unsigned line,
                                                              const char* function, size_t character_size)
    __LANEWISE_NOEXCEPT;
__LANEWISE_EXTERN_BOTH void* malloc(size_t size) __LANEWISE_NOEXCEPT;
__LANEWISE_EXTERN_BOTH void free(void* address) __LANEWISE_NOEXCEPT;
// clang makes these instructions.
__LANEWISE_EXTERN_BOTH void* memcpy(void* to, const void* from, size_t size) __LANEWISE_NOEXCEPT;
__LANEWISE_EXTERN_BOTH void* memmove(void* to, const void* from, size_t size) __LANEWISE_NOEXCEPT;
__LANEWISE_EXTERN_BOTH void* memset(void* to, int value, size_t size) __LANEWISE_NOEXCEPT;
}

#ifdef NDEBUG
#define assert(condition) (static_cast<void>(0))
#else
#define assert(condition)  \
    ((condition) ? static_cast<void>(0) : ::__assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
__LANEWISE_DEVICE void* operator new(size_t size) { return malloc(size ? size : 1); }
__LANEWISE_DEVICE void* operator new[](size_t size) { return malloc(size ? size : 1); }
__LANEWISE_DEVICE void operator delete(void* address) noexcept { free(address); }
__LANEWISE_DEVICE void operator delete[](void* address) noexcept { free(address); }
__LANEWISE_DEVICE void operator delete(void* address, size_t) noexcept { free(address); }
__LANEWISE_DEVICE void operator delete[](void* address, size_t) noexcept { free(address); }
#pragma clang diagnostic pop
__LANEWISE_BOTH void* operator new(size_t, void* place) noexcept { return place; }
__LANEWISE_BOTH void* operator new[](size_t, void* place) noexcept { return place; }
__LANEWISE_BOTH void operator delete(void*, void*) noexcept {}
__LANEWISE_BOTH void operator delete[](void*, void*) noexcept {}

// As in the headers of the C library that nvcc includes.
typedef unsigned uint;
typedef unsigned short ushort;
