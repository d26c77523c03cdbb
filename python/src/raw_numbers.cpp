// Numbers as parameters of CUDA C++ kernels.
#include "raw_numbers.h"

#include <fmt/format.h>
#include <nanobind/nanobind.h>

#include <bit>
#include <complex>
#include <cstring>
#include <limits>

#include "base/half.h"
#include "lanewise/error.h"
#include "numpy.h"

static_assert(std::endian::native == std::endian::little, "the low bytes of an integer are its first");

namespace lanewise::bindings {
namespace {

Number integer(std::int64_t value) {
    Number number;
    number.integer = value;
    return number;
}

Number unsigned_integer(std::uint64_t value) {
    Number number;
    number.kind = value > std::uint64_t(std::numeric_limits<std::int64_t>::max()) ? Number::Kind::Unsigned
                                                                                  : Number::Kind::Integer;
    number.integer = static_cast<std::int64_t>(value);
    return number;
}

Number real(double value) {
    Number number;
    number.kind = Number::Kind::Real;
    number.real = value;
    return number;
}

Number complex(double re, double im) {
    Number number;
    number.kind = Number::Kind::Complex;
    number.real = re;
    number.imaginary = im;
    return number;
}

Number number_of_int(PyObject* object) {
    int overflow = 0;
    std::int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return integer(value);
    if (overflow > 0) {
        std::uint64_t wide = PyLong_AsUnsignedLongLong(object);
        if (!PyErr_Occurred()) return unsigned_integer(wide);
        PyErr_Clear();
    }
    Number number;
    number.kind = Number::Kind::Huge;
    number.real = PyLong_AsDouble(object);
    if (PyErr_Occurred()) throw nanobind::python_error();
    return number;
}

template <class T>
T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

template <DType dtype, class Storage>
Number number_of_element(const std::byte* bytes) {
    Storage value = load<Storage>(bytes);
    if constexpr (dtype == DType::Float16)
        return real(double_from_half(value));
    else if constexpr (dtype == DType::BFloat16)
        return real(double_from_bfloat16(value));
    else if constexpr (is_complex(dtype))
        return complex(value.real(), value.imag());
    else if constexpr (is_float(dtype))
        return real(value);
    else if constexpr (dtype == DType::UInt64)
        return unsigned_integer(value);
    else
        return integer(static_cast<std::int64_t>(value));
}

Number number_of_element(DType dtype, const std::byte* bytes) {
    switch (dtype) {
#define LANEWISE_DTYPE(Id, name, storage, ...) \
    case DType::Id:                            \
        return number_of_element<DType::Id, storage>(bytes);
#include "lanewise/tables/dtypes.def"
#undef LANEWISE_DTYPE
    }
    return {};
}

template <class T>
void put(std::byte* at, T value) {
    std::memcpy(at, &value, sizeof(T));
}

std::string text_of(const Number& number) {
    switch (number.kind) {
        case Number::Kind::Integer:
            return fmt::format("{}", number.integer);
        case Number::Kind::Unsigned:
            return fmt::format("{}", static_cast<std::uint64_t>(number.integer));
        case Number::Kind::Huge:
            return fmt::format("an integer of about {:.4g}", number.real);
        case Number::Kind::Real:
            return fmt::format("{}", number.real);
        case Number::Kind::Complex:
            return fmt::format("({}{:+}j)", number.real, number.imaginary);
    }
    return "";
}

[[noreturn]] void fail_range(const Number& number, std::int64_t least, std::uint64_t greatest) {
    throw Error(ErrorKind::Overflow,
                fmt::format("{} is outside its range, {} to {}", text_of(number), least, greatest));
}

[[noreturn]] void fail_kind(const Number& number, DType dtype) {
    if (number.kind == Number::Kind::Complex)
        throw Error(ErrorKind::Type, fmt::format("the complex number {} does not convert to {}; pass its .real",
                                                 text_of(number), name(dtype)));
    throw Error(ErrorKind::Type, fmt::format("the float {} does not convert to {}; pass an int (int(x) cuts off)",
                                             text_of(number), name(dtype)));
}

/// The low bytes of an integer within [least, greatest].
void store_integer(const Number& number, std::int64_t least, std::uint64_t greatest, std::size_t size, std::byte* at) {
    bool fits = false;
    if (number.kind == Number::Kind::Integer)
        fits = number.integer >= least && (number.integer < 0 || std::uint64_t(number.integer) <= greatest);
    else if (number.kind == Number::Kind::Unsigned)
        fits = static_cast<std::uint64_t>(number.integer) <= greatest;
    if (!fits) [[unlikely]]
        fail_range(number, least, greatest);
    switch (size) {
        case 1:
            return put(at, static_cast<std::int8_t>(number.integer));
        case 2:
            return put(at, static_cast<std::int16_t>(number.integer));
        case 4:
            return put(at, static_cast<std::int32_t>(number.integer));
        default:
            return put(at, number.integer);
    }
}

std::int64_t least_signed(int bits) {
    return std::numeric_limits<std::int64_t>::min() >> (64 - bits);
}
std::uint64_t greatest_unsigned(int bits) {
    return std::numeric_limits<std::uint64_t>::max() >> (64 - bits);
}

/// As C converts it; what does not fit in 64 bits becomes the nearest that does.
Number truncated(const Number& number) {
    if (!(number.real >= -0x1p63)) return integer(number.real < 0 ? std::numeric_limits<std::int64_t>::min() : 0);
    if (number.real < 0x1p63) return integer(static_cast<std::int64_t>(number.real));
    return unsigned_integer(number.real < 0x1p64 ? static_cast<std::uint64_t>(number.real)
                                                 : std::numeric_limits<std::uint64_t>::max());
}

void store_integral(const Number& number, DType dtype, bool lenient, std::byte* at) {
    if (number.kind == Number::Kind::Real || number.kind == Number::Kind::Complex) [[unlikely]] {
        if (number.kind == Number::Kind::Complex || !lenient || !number.from_numpy) fail_kind(number, dtype);
        return store_integral(truncated(number), dtype, lenient, at);
    }
    std::size_t size = static_cast<std::size_t>(size_of(dtype));
    if (is_bool(dtype)) return store_integer(number, 0, 1, size, at);
    int width = bits(dtype);
    if (lenient) return store_integer(number, least_signed(width), greatest_unsigned(width), size, at);
    if (is_unsigned(dtype)) return store_integer(number, 0, greatest_unsigned(width), size, at);
    store_integer(number, least_signed(width), greatest_unsigned(width) >> 1, size, at);
}

void store_real(double value, DType dtype, std::byte* at) {
    switch (dtype) {
        case DType::Float16:
            return put(at, half_from_double(value));
        case DType::BFloat16:
            return put(at, bfloat16_from_double(value));
        case DType::Float32:
            return put(at, static_cast<float>(value));
        default:
            return put(at, value);
    }
}

double real_part(const Number& number) {
    if (number.kind == Number::Kind::Integer) return static_cast<double>(number.integer);
    if (number.kind == Number::Kind::Unsigned) return static_cast<double>(static_cast<std::uint64_t>(number.integer));
    return number.real;
}

}  // namespace

const std::byte* numpy_scalar_bytes(PyObject* object, DType dtype) {
    return reinterpret_cast<const std::byte*>(object) +
           (size_of(dtype) > 8 ? offsetof(NumpyScalar<std::complex<double>>, value) : sizeof(PyObject));
}

std::optional<Number> number_of(PyObject* object, const ArgumentClassInfo& info) {
    switch (info.kind) {
        case ArgumentClass::Int:
            return number_of_int(object);
        case ArgumentClass::Float:
            return real(PyFloat_AS_DOUBLE(object));
        case ArgumentClass::Bool:
            return integer(object == Py_True);
        case ArgumentClass::Complex: {
            Py_complex value = PyComplex_AsCComplex(object);
            return complex(value.real, value.imag);
        }
        case ArgumentClass::NumpyScalar: {
            Number number = number_of_element(info.dtype, numpy_scalar_bytes(object, info.dtype));
            number.from_numpy = true;
            return number;
        }
        default:
            return std::nullopt;
    }
}

void store_number(const Number& number, DType dtype, bool lenient, std::byte* at) {
    if (!is_float(dtype) && !is_complex(dtype)) return store_integral(number, dtype, lenient, at);
    if (is_float(dtype)) {
        if (number.kind == Number::Kind::Complex) [[unlikely]]
            fail_kind(number, dtype);
        return store_real(real_part(number), dtype, at);
    }
    DType part = dtype == DType::Complex64 ? DType::Float32 : DType::Float64;
    store_real(real_part(number), part, at);
    store_real(number.kind == Number::Kind::Complex ? number.imaginary : 0.0, part, at + size_of(part));
}

void store_integer_of_size(const Number& number, std::size_t size, std::byte* at) {
    int width = static_cast<int>(size) * 8;
    store_integer(number, least_signed(width), greatest_unsigned(width), size, at);
}

}  // namespace lanewise::bindings
