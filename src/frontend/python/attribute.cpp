#include "frontend/python/attribute.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "frontend/python/builtins.h"
#include "frontend/python/index.h"

namespace lanewise::python {

using ir::Intrinsic;
using ir::Value;

namespace {

TypePtr dtype_class(DType dtype) {
    Type type;
    type.kind = Type::Kind::DType;
    type.dtype = dtype;
    return intern(std::move(type));
}

Operand int64(Emitter& e, Value* value) {
    if (value) e.note_never_negative(value);
    return e.scalar(DType::Int64, value);
}

Operand int64_tuple(Emitter& e, const Operand& array, std::size_t first, bool never_negative) {
    std::vector<Operand> items;
    for (std::size_t i = 0; i < array.type->ndim; ++i) {
        Value* part = e.dry() ? nullptr : array.parts[first + i];
        if (part && never_negative) e.note_never_negative(part);
        items.push_back(e.scalar(DType::Int64, part));
    }
    return e.tuple(items);
}

Operand array_size(Emitter& e, const Operand& array, std::int64_t scale) {
    if (e.dry()) return int64(e, nullptr);
    ir::Builder& b = e.builder();
    Value* size = nullptr;
    for (std::size_t i = 0; i < array.type->ndim; ++i)
        size = size ? b.mul(size, array.parts[1 + i]) : array.parts[1 + i];
    if (!size) size = b.i64(1);
    return int64(e, scale == 1 ? size : b.mul(size, b.i64(scale)));
}

Operand transposed(Emitter& e, const Operand& array) {
    const Layout layout = array.type->layout == Layout::C   ? Layout::F
                          : array.type->layout == Layout::F ? Layout::C
                                                            : Layout::A;
    Operand view;
    view.type = array_type(array.type->dtype, array.type->ndim, layout, array.type->read_only, array.type->space);
    view.spelling = array.spelling;
    if (e.dry()) return view;
    const auto ndim = static_cast<std::ptrdiff_t>(array.type->ndim);
    view.parts = array.parts;
    std::reverse(view.parts.begin() + 1, view.parts.begin() + 1 + ndim);
    std::reverse(view.parts.begin() + 1 + ndim, view.parts.end());
    return view;
}

/// The real or imaginary parts of a complex array: a strided view of floats.
Operand component_view(Emitter& e, const Operand& array, int which) {
    if (!is_complex(array.type->dtype)) {
        if (which == 0) return array;
        e.fail(ErrorKind::Typing, fmt::format("{} has no imaginary part to view", array_name(array)));
    }
    const DType real = array.type->dtype == DType::Complex64 ? DType::Float32 : DType::Float64;
    Operand view = array;
    view.type = array_type(real, array.type->ndim, Layout::A, array.type->read_only, array.type->space);
    if (!e.dry()) view.parts[0] = e.builder().pointer_add(array.parts[0], e.builder().i64(which), size_of(real));
    return view;
}

Operand flat(Emitter& e, const Operand& array) {
    if (array.type->ndim == 1) return array;
    if (array.type->layout != Layout::C)
        e.fail(ErrorKind::Typing,
               fmt::format("flat of {}: kernels have it for C-ordered arrays; index with {} integers",
                           to_string(array.type), array.type->ndim));
    Operand view;
    view.type = array_type(array.type->dtype, 1, Layout::C, array.type->read_only, array.type->space);
    view.spelling = array.spelling;
    if (!e.dry())
        view.parts = {array.parts[0], array_size(e, array, 1).value(), e.builder().i64(size_of(array.type->dtype))};
    return view;
}

std::optional<Operand> array_property(Emitter& e, const Operand& array, const std::string& name) {
    const Type& type = *array.type;
    if (name == "shape") return int64_tuple(e, array, 1, true);
    if (name == "strides") return int64_tuple(e, array, 1 + type.ndim, false);
    if (name == "size") return array_size(e, array, 1);
    if (name == "nbytes") return array_size(e, array, size_of(type.dtype));
    if (name == "ndim") return e.integer(type.ndim);
    if (name == "itemsize") return e.integer(size_of(type.dtype));
    if (name == "T") return transposed(e, array);
    if (name == "real") return component_view(e, array, 0);
    if (name == "imag") return component_view(e, array, 1);
    if (name == "flat") return flat(e, array);
    if (name == "dtype") {
        Operand dtype;
        dtype.type = dtype_class(type.dtype);
        return dtype;
    }
    return std::nullopt;
}

std::optional<Operand> scalar_property(Emitter& e, const Operand& scalar, const std::string& name) {
    if (name != "real" && name != "imag") return std::nullopt;
    const DType dtype = scalar.type->dtype;
    if (is_complex(dtype)) {
        const DType real = dtype == DType::Complex64 ? DType::Float32 : DType::Float64;
        return e.scalar(real, e.dry() ? nullptr : scalar.parts[name == "imag"]);
    }
    if (name == "real") return scalar;
    return e.scalar(dtype, e.dry() ? nullptr : e.builder().constant_bits(ir::Type::scalar(dtype), 0));
}

std::optional<Operand> dim3_component(Emitter& e, const Operand& dim3, const std::string& name) {
    if (name.size() != 1 || name[0] < 'x' || name[0] > 'z') return std::nullopt;
    static constexpr struct {
        std::string_view name;
        Intrinsic components[3];
    } table[] = {
        {"cuda.threadIdx", {Intrinsic::TidX, Intrinsic::TidY, Intrinsic::TidZ}},
        {"cuda.blockIdx", {Intrinsic::CtaidX, Intrinsic::CtaidY, Intrinsic::CtaidZ}},
        {"cuda.blockDim", {Intrinsic::NtidX, Intrinsic::NtidY, Intrinsic::NtidZ}},
        {"cuda.gridDim", {Intrinsic::NctaidX, Intrinsic::NctaidY, Intrinsic::NctaidZ}},
    };
    for (const auto& row : table)
        if (row.name == dim3.type->builtin)
            return e.scalar(DType::Int32, e.dry() ? nullptr : e.builder().intrinsic(row.components[name[0] - 'x']));
    return std::nullopt;
}

std::optional<Operand> dtype_property(Emitter& e, const Operand& dtype, const std::string& name) {
    if (name == "type") return dtype;
    if (name == "itemsize") return e.integer(size_of(dtype.type->dtype));
    return std::nullopt;
}

/// The prefix of an object's methods among the builtins; empty: it has none.
std::string method_prefix(const Type& type) {
    switch (type.kind) {
        case Type::Kind::Builtin:
            return type.builtin + ".";
        case Type::Kind::Array:
            return "array.";
        case Type::Kind::Scalar:
            return "scalar.";
        case Type::Kind::Tuple:
            return "tuple.";
        default:
            return {};
    }
}

std::string_view property_names(const Type& type) {
    switch (type.kind) {
        case Type::Kind::Array:
            return "shape, size, ndim, strides, dtype, itemsize, nbytes, T, flat, real, imag";
        case Type::Kind::Scalar:
            return "real, imag";
        case Type::Kind::Dim3:
            return "x, y, z";
        case Type::Kind::DType:
            return "type, itemsize";
        default:
            return {};
    }
}

[[noreturn]] void fail_unknown(Emitter& e, const Operand& object, const std::string& name) {
    const std::string prefix = method_prefix(*object.type);
    std::string known(property_names(*object.type));
    if (!prefix.empty())
        for (const std::string& method : builtin_names(prefix))
            known += fmt::format("{}{}()", known.empty() ? "" : ", ", std::string_view(method).substr(prefix.size()));
    const std::string subject = object.spelling.empty()
                                    ? to_string(object.type)
                                    : fmt::format("'{}', which is {},", object.spelling, to_string(object.type));
    e.fail(ErrorKind::Typing, fmt::format("{} has no attribute '{}' in kernels{}", subject, name,
                                          known.empty() ? std::string() : "; it has " + known));
}

}  // namespace

Operand attribute(Emitter& e, const Operand& object, const std::string& name) {
    std::optional<Operand> found;
    switch (object.type->kind) {
        case Type::Kind::Array:
            found = array_property(e, object, name);
            break;
        case Type::Kind::Scalar:
            found = scalar_property(e, object, name);
            break;
        case Type::Kind::Dim3:
            found = dim3_component(e, object, name);
            break;
        case Type::Kind::DType:
            found = dtype_property(e, object, name);
            break;
        default:
            break;
    }
    if (found) return *found;
    const std::string prefix = method_prefix(*object.type);
    const std::string method = prefix + name;
    if (prefix.empty() || !find_builtin(method)) fail_unknown(e, object, name);
    Operand bound = object;
    Type type;
    type.kind = Type::Kind::Method;
    type.builtin = method;
    type.items = {object.type};
    bound.type = intern(std::move(type));
    return bound;
}

}  // namespace lanewise::python
