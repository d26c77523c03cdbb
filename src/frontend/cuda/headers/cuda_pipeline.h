// Copies into shared memory in stages. They are done at once, so there is nothing to wait for but the other threads.
#pragma once

#include <stddef.h>

extern "C++" {
/// The bytes after the first `size - zeros` become 0.
__LANEWISE_DEVICE void __pipeline_memcpy_async(void* to, const void* from, size_t size, size_t zeros = 0) {
    __builtin_memcpy(to, from, size - zeros);
    __builtin_memset(static_cast<char*>(to) + (size - zeros), 0, zeros);
}
__LANEWISE_DEVICE void __pipeline_commit() {}
__LANEWISE_DEVICE void __pipeline_wait_prior(size_t) {}
}
