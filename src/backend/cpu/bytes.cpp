#include "backend/cpu/bytes.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/host_threads.h"

namespace lanewise::cpu {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;
/// One thread saturates no memory bus, but more than a few per bus gain nothing.
constexpr int most_helpers = 15;

int helpers_for(std::size_t bytes) {
    return static_cast<int>(std::min<std::size_t>(most_helpers, bytes / (2 * piece_bytes)));
}

template <class T>
void fill_typed(void* dst, std::uint64_t pattern, std::size_t count) {
    T value = static_cast<T>(pattern);
    char* start = static_cast<char*>(dst);
    host_threads().workers.run(count, piece_bytes / sizeof(T), helpers_for(count * sizeof(T)),
                               [=](std::uint64_t first, std::uint64_t n) noexcept {
                                   char* at = start + first * sizeof(T);
                                   if constexpr (sizeof(T) == 1) {
                                       std::memset(at, value, n);
                                   } else if (reinterpret_cast<std::uintptr_t>(at) % sizeof(T) == 0) {
                                       std::fill_n(reinterpret_cast<T*>(at), n, value);
                                   } else {
                                       for (; n; --n, at += sizeof(T)) std::memcpy(at, &value, sizeof(T));
                                   }
                               });
}

}  // namespace

void copy_bytes(void* dst, const void* src, std::size_t bytes) {
    char* to = static_cast<char*>(dst);
    const char* from = static_cast<const char*>(src);
    auto low = std::min(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from));
    auto high = std::max(reinterpret_cast<std::uintptr_t>(to), reinterpret_cast<std::uintptr_t>(from));
    if (bytes == 0 || low == high) return;
    if (high - low < bytes || bytes < 2 * piece_bytes) {
        std::memmove(to, from, bytes);
        return;
    }
    host_threads().workers.run(
        bytes, piece_bytes, helpers_for(bytes),
        [=](std::uint64_t first, std::uint64_t n) noexcept { std::memcpy(to + first, from + first, n); });
}

void fill_elements(void* dst, std::uint64_t pattern, int width, std::size_t count) {
    switch (width) {
        case 1:
            return fill_typed<std::uint8_t>(dst, pattern, count);
        case 2:
            return fill_typed<std::uint16_t>(dst, pattern, count);
        case 4:
            return fill_typed<std::uint32_t>(dst, pattern, count);
        default:
            return fill_typed<std::uint64_t>(dst, pattern, count);
    }
}

}  // namespace lanewise::cpu
