// Copies by all threads of a group; they are done when the group has waited.
#pragma once

#include <cooperative_groups.h>

extern "C++" {
namespace cuda {
/// A number of bytes that is a multiple of Align.
template <size_t Align>
struct aligned_size_t {
    static constexpr size_t align = Align;
    size_t value;
    __LANEWISE_BOTH constexpr explicit aligned_size_t(size_t size) : value(size) {}
    __LANEWISE_BOTH constexpr operator size_t() const { return value; }
};
}  // namespace cuda

namespace cooperative_groups {
namespace __lanewise {

template <class Word, class Group>
__LANEWISE_DEVICE void copy_words(const Group& group, void* to, const void* from, size_t bytes) {
    typedef Word __attribute__((may_alias)) word;
    const size_t count = bytes / sizeof(Word);
    for (size_t i = group.thread_rank(); i < count; i += group.size())
        static_cast<word*>(to)[i] = static_cast<const word*>(from)[i];
}

}  // namespace __lanewise

template <class Group, class T, class U, class Size>
__LANEWISE_DEVICE void memcpy_async(const Group& group, T* to, const U* from, const Size& size) {
    const size_t bytes = size;
    const size_t places = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from) | bytes;
    if (places % 16 == 0)
        __lanewise::copy_words<__lanewise_int4>(group, to, from, bytes);
    else if (places % 4 == 0)
        __lanewise::copy_words<int>(group, to, from, bytes);
    else
        __lanewise::copy_words<char>(group, to, from, bytes);
}
/// As many elements as both layouts have.
template <class Group, class T, class U, class ToLayout, class FromLayout>
__LANEWISE_DEVICE void memcpy_async(const Group& group, T* to, const ToLayout& to_count, const U* from,
                                    const FromLayout& from_count) {
    const size_t count =
        static_cast<size_t>(to_count) < static_cast<size_t>(from_count) ? static_cast<size_t>(to_count) : from_count;
    memcpy_async(group, to, from, count * sizeof(T));
}
template <class Group>
__LANEWISE_DEVICE void wait(const Group& group) {
    group.sync();
}
template <unsigned Stages, class Group>
__LANEWISE_DEVICE void wait_prior(const Group& group) {
    group.sync();
}

}  // namespace cooperative_groups
}
