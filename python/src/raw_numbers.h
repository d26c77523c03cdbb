// Python and NumPy numbers, converted to the arithmetic types of CUDA C++.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "argument_classes.h"
#include "lanewise/dtype.h"

namespace lanewise::bindings {

struct Number {
    enum class Kind : std::uint8_t {
        Integer,   ///< `integer`
        Unsigned,  ///< `integer` as uint64: 2**63 or more
        Huge,      ///< an int beyond 64 bits; `real` is float() of it
        Real,      ///< `real`
        Complex,   ///< `real`, `imaginary`
    };
    Kind kind = Kind::Integer;
    bool from_numpy = false;
    std::int64_t integer = 0;
    double real = 0, imaginary = 0;
};

inline bool is_integral(const Number& number) {
    return number.kind != Number::Kind::Real && number.kind != Number::Kind::Complex;
}

/// None for what is no number. An int that not even a double holds: python_error (OverflowError).
std::optional<Number> number_of(PyObject* object, const ArgumentClassInfo& info);

/// The element of a NumPy scalar.
const std::byte* numpy_scalar_bytes(PyObject* object, DType dtype);

/// Writes the number as an element. Integers are checked for their range, floats convert as in C, and nothing turns a
/// float into an integer. Error(Type, Overflow). `lenient`: integers wrap within their width, NumPy floats become
/// integers as in C.
void store_number(const Number& number, DType dtype, bool lenient, std::byte* at);

/// As an integer of `size` bytes, signed or unsigned.
void store_integer_of_size(const Number& number, std::size_t size, std::byte* at);

}  // namespace lanewise::bindings
