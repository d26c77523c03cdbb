// Helpers for tests of lazy arrays.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "lanewise/ops.h"

namespace lanewise::testing {

/// The cpu device, or the one that LANEWISE_TEST_DEVICE names.
inline Device& device() {
    const char* given = std::getenv("LANEWISE_TEST_DEVICE");
    return given ? device_by_name(given) : cpu_device();
}
inline std::shared_ptr<Stream> stream() {
    return device().default_stream();
}

template <class T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, bool>) return DType::Bool;
#define LANEWISE_DTYPE(Id, name, storage, ...) \
    else if constexpr (std::is_same_v<T, storage> && DType::Id != DType::Bool) return DType::Id;
#include "lanewise/tables/dtypes.def"
#undef LANEWISE_DTYPE
}

template <class T>
Array array(const std::vector<T>& given, const Dims& shape) {
    constexpr DType dtype = dtype_of<T>();
    const std::unique_ptr<T[]> values(new T[given.size()]);  // std::vector<bool> has no elements to point to
    std::copy(given.begin(), given.end(), values.get());
    return Array::from_host({values.get(), dtype, shape, contiguous_strides(shape, size_of(dtype), Order::C)},
                            stream());
}
template <class T>
Array array(const std::vector<T>& values) {
    return array(values, Dims{static_cast<std::int64_t>(values.size())});
}

/// The bytes of the elements in C order.
inline std::vector<std::uint8_t> bytes(const Array& a) {
    std::vector<std::uint8_t> out(static_cast<std::size_t>(a.bytes()));
    a.copy_to_host({out.data(), a.dtype(), a.shape(), contiguous_strides(a.shape(), a.item_bytes(), Order::C)},
                   stream());
    return out;
}

/// Elements in C order.
template <class T>
std::vector<T> values(const Array& a) {
    EXPECT_EQ(size_of(a.dtype()), static_cast<int>(sizeof(T))) << name(a.dtype());
    const std::vector<std::uint8_t> raw = bytes(a);
    const T* first = reinterpret_cast<const T*>(raw.data());
    return std::vector<T>(first, first + a.size());
}

ErrorKind kind_of(auto&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Internal;
}

inline std::uint64_t launches() {
    return engine_statistics().launches;
}

}  // namespace lanewise::testing
