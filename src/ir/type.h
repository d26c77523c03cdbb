// ir::Type: void, one scalar dtype, or an opaque pointer into an address space. Arrays, tuples and complex numbers do
// not reach the IR: the front ends take them apart.
#pragma once

#include <string>

#include "lanewise/dtype.h"

namespace lanewise::ir {

/// Address spaces, numbered as NVVM numbers them.
enum class Space : std::uint8_t { Generic = 0, Global = 1, Shared = 3, Constant = 4, Local = 5 };

struct Type {
    enum class Kind : std::uint8_t { Void, Scalar, Pointer };
    Kind kind = Kind::Void;
    DType dtype = DType::Bool;     ///< Scalar only; never complex
    Space space = Space::Generic;  ///< Pointer only

    static constexpr Type void_type() { return {}; }
    static constexpr Type scalar(DType t) { return {Kind::Scalar, t, Space::Generic}; }
    static constexpr Type pointer(Space s) { return {Kind::Pointer, DType::Bool, s}; }
    constexpr bool is_void() const { return kind == Kind::Void; }
    constexpr bool is_scalar() const { return kind == Kind::Scalar; }
    constexpr bool is_pointer() const { return kind == Kind::Pointer; }
    constexpr bool is(DType t) const { return is_scalar() && dtype == t; }
    constexpr int bytes() const { return is_pointer() ? 8 : is_scalar() ? size_of(dtype) : 0; }
    friend constexpr bool operator==(Type, Type) = default;
};

/// "i32", "u8", "f64", "bool", "ptr.global".
std::string to_string(Type type);

}  // namespace lanewise::ir
