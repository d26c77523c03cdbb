// Argument types in 32 bits each: what a launch compares instead of python::Type objects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/python/types.h"
#include "lanewise/dtype.h"

namespace lanewise::jit {

/// bits 0-3 kind, 4-5 layout, 6 read-only, 8-15 ndim of arrays or item count of tuples, 16-31 element type (dtypes from
/// 0; the rest is room for records). A tuple's code is followed by those of its items.
using Code = std::uint32_t;

enum class CodeKind : std::uint8_t { None, Scalar, Array, Tuple };

inline constexpr int max_tuple_items = 255;

constexpr Code none_code() {
    return static_cast<Code>(CodeKind::None);
}
constexpr Code scalar_code(DType dtype) {
    return static_cast<Code>(CodeKind::Scalar) | Code(dtype) << 16;
}
constexpr Code array_code(DType dtype, int ndim, python::Layout layout, bool read_only) {
    return static_cast<Code>(CodeKind::Array) | Code(layout) << 4 | Code(read_only) << 6 | Code(ndim) << 8 |
           Code(dtype) << 16;
}
constexpr Code tuple_code(int items) {
    return static_cast<Code>(CodeKind::Tuple) | Code(items) << 8;
}

constexpr CodeKind kind(Code code) {
    return static_cast<CodeKind>(code & 0xf);
}
constexpr python::Layout layout(Code code) {
    return static_cast<python::Layout>(code >> 4 & 0x3);
}
constexpr bool read_only(Code code) {
    return (code >> 6 & 1) != 0;
}
/// ndim of an array, number of items of a tuple.
constexpr int count(Code code) {
    return static_cast<int>(code >> 8 & 0xff);
}
constexpr DType dtype(Code code) {
    return static_cast<DType>(code >> 16);
}

/// One step of the hash over a signature's codes; start from the device.
constexpr std::uint64_t hash_step(std::uint64_t hash, Code code) {
    hash = (hash ^ code) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}
inline std::uint64_t hash_seed(const void* device) {
    return reinterpret_cast<std::uintptr_t>(device) * 0xff51afd7ed558ccdu;
}
std::uint64_t hash_of(const void* device, std::span<const Code> codes);

/// One type for each argument; Error(Internal) for codes that are no whole list.
std::vector<python::TypePtr> types_of(std::span<const Code> codes);
/// Error(Type) naming the first type that cannot be passed to a kernel.
std::vector<Code> codes_of(std::span<const python::TypePtr> types);

}  // namespace lanewise::jit
