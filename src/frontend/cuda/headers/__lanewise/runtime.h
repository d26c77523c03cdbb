// printf, assertions, the heap and memory functions.
#pragma once

extern "C" {
__LANEWISE_EXTERN_BOTH int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
__LANEWISE_EXTERN __attribute__((noreturn)) void __assertfail(const char* message, const char* file, unsigned line,
                                                              const char* function,
                                                              size_t character_size) __LANEWISE_NOEXCEPT;
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
#define assert(condition) \
    ((condition) ? static_cast<void>(0) : ::__assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, 1))
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
__LANEWISE_DEVICE void* operator new(size_t size) {
    return malloc(size ? size : 1);
}
__LANEWISE_DEVICE void* operator new[](size_t size) {
    return malloc(size ? size : 1);
}
__LANEWISE_DEVICE void operator delete(void* address) noexcept {
    free(address);
}
__LANEWISE_DEVICE void operator delete[](void* address) noexcept {
    free(address);
}
__LANEWISE_DEVICE void operator delete(void* address, size_t) noexcept {
    free(address);
}
__LANEWISE_DEVICE void operator delete[](void* address, size_t) noexcept {
    free(address);
}
#ifdef __cpp_aligned_new
namespace std {
enum class align_val_t : size_t {};
}
/// The heap aligns to 16; for more, the block's own address stands before the object.
__LANEWISE_DEVICE void* __lanewise_aligned_new(size_t size, size_t alignment) {
    if (alignment <= 16) return malloc(size ? size : 1);
    char* block = static_cast<char*>(malloc(size + alignment));
    if (!block) return nullptr;
    void** place = reinterpret_cast<void**>(block + (alignment - reinterpret_cast<size_t>(block) % alignment));
    place[-1] = block;
    return place;
}
__LANEWISE_DEVICE void __lanewise_aligned_delete(void* address, size_t alignment) {
    free(alignment <= 16 || !address ? address : static_cast<void**>(address)[-1]);
}
__LANEWISE_DEVICE void* operator new(size_t size, std::align_val_t alignment) {
    return __lanewise_aligned_new(size, static_cast<size_t>(alignment));
}
__LANEWISE_DEVICE void* operator new[](size_t size, std::align_val_t alignment) {
    return __lanewise_aligned_new(size, static_cast<size_t>(alignment));
}
__LANEWISE_DEVICE void operator delete(void* address, std::align_val_t alignment) noexcept {
    __lanewise_aligned_delete(address, static_cast<size_t>(alignment));
}
__LANEWISE_DEVICE void operator delete[](void* address, std::align_val_t alignment) noexcept {
    __lanewise_aligned_delete(address, static_cast<size_t>(alignment));
}
__LANEWISE_DEVICE void operator delete(void* address, size_t, std::align_val_t alignment) noexcept {
    __lanewise_aligned_delete(address, static_cast<size_t>(alignment));
}
__LANEWISE_DEVICE void operator delete[](void* address, size_t, std::align_val_t alignment) noexcept {
    __lanewise_aligned_delete(address, static_cast<size_t>(alignment));
}
#endif
#pragma clang diagnostic pop
__LANEWISE_BOTH void* operator new(size_t, void* place) noexcept {
    return place;
}
__LANEWISE_BOTH void* operator new[](size_t, void* place) noexcept {
    return place;
}
__LANEWISE_BOTH void operator delete(void*, void*) noexcept {}
__LANEWISE_BOTH void operator delete[](void*, void*) noexcept {}

// As in the headers of the C library that nvcc includes.
typedef unsigned uint;
typedef unsigned short ushort;
