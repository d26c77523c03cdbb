// Packing arguments where only the sizes of parameters are known, or not even those; and objects as bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "array_object.h"
#include "raw_arguments.h"
#include "raw_objects.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

constexpr std::size_t pointer_bytes = sizeof(void*);

/// The alignment of a value of which only the size is known: as large as it can have.
std::size_t natural_alignment(std::size_t size) {
    std::size_t lowest = size & (~size + 1);
    return std::clamp<std::size_t>(lowest, 1, 16);
}

}  // namespace

ObjectBytes::ObjectBytes(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) == 0) return;
    nb::python_error error;
    throw Error(ErrorKind::Type,
                fmt::format("the bytes of the {} cannot be read: {}", class_name(object), error.what()));
}
void store_bytes(const RawParameter& parameter, nb::handle object, std::byte* at) {
    ObjectBytes bytes(object);
    if (bytes.size() != parameter.size)
        throw Error(ErrorKind::Type,
                    fmt::format("the {} has {} bytes, {} has {}", class_name(object), bytes.size(),
                                parameter.type.empty() ? "the parameter" : parameter.type, parameter.size));
    std::memcpy(at, bytes.data(), bytes.size());
}

void RawArguments::store_opaque(const RawParameter& parameter, PyObject* raw, std::byte* at) {
    nb::handle object(raw);
    ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(raw));
    std::size_t size = parameter.size;
    if (info.kind == ArgumentClass::NumpyScalar && size_of(info.dtype) == static_cast<int>(size)) {
        std::memcpy(at, numpy_scalar_bytes(raw, info.dtype), size);
        return;
    }
    if (std::optional<Number> number = number_of(raw, info)) {
        if (is_integral(*number) && (size == 1 || size == 2 || size == 4 || size == 8))
            return store_integer_of_size(*number, size, at);
        if (number->kind == Number::Kind::Real && (size == 4 || size == 8))
            return store_number(*number, size == 4 ? DType::Float32 : DType::Float64, lenient_, at);
        if (number->kind == Number::Kind::Complex && (size == 8 || size == 16))
            return store_number(*number, size == 8 ? DType::Complex64 : DType::Complex128, lenient_, at);
        throw Error(ErrorKind::Type, fmt::format("its type is not known, and a {} does not go into {} bytes; pass a "
                                                 "NumPy scalar of that size",
                                                 class_name(object), size));
    }
    if (store_replaced(parameter, raw, info.kind, at)) return;
    bool is_memory = is_array_class(info.kind) || info.kind == ArgumentClass::None || find_buffer(object);
    if (is_memory && size == pointer_bytes) return store_pointer(parameter, raw, at);
    if (PyObject_CheckBuffer(raw) && info.kind != ArgumentClass::Array && !find_buffer(object))
        return store_bytes(parameter, object, at);
    if (size == pointer_bytes) return store_pointer(parameter, raw, at);
    throw Error(ErrorKind::Type,
                fmt::format("its type is not known, and a {} does not go into {} bytes", class_name(object), size));
}

void RawArguments::append_bytes(const void* bytes, std::size_t size, std::size_t align) {
    std::size_t start = (size_ + align - 1) / align * align;
    if (start + size > inline_bytes)
        throw Error(ErrorKind::Value, fmt::format("more than {} bytes of arguments for a kernel whose parameters are "
                                                  "not known",
                                                  inline_bytes));
    std::memset(data_ + size_, 0, start - size_);
    std::memcpy(data_ + start, bytes, size);
    size_ = start + size;
}

void RawArguments::append(PyObject* object) {
    ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(object));
    if (info.kind == ArgumentClass::NumpyScalar) {
        std::size_t size = static_cast<std::size_t>(size_of(info.dtype));
        return append_bytes(numpy_scalar_bytes(object, info.dtype), size, is_complex(info.dtype) ? size / 2 : size);
    }
    RawParameter parameter;
    alignas(16) std::byte value[16];
    if (std::optional<Number> number = number_of(object, info)) {
        DType dtype = number->kind == Number::Kind::Complex    ? DType::Complex128
                      : number->kind == Number::Kind::Real     ? DType::Float64
                      : info.kind == ArgumentClass::Bool       ? DType::Bool
                      : number->kind == Number::Kind::Unsigned ? DType::UInt64
                                                               : DType::Int64;
        store_number(*number, dtype, false, value);
        std::size_t size = static_cast<std::size_t>(size_of(dtype));
        return append_bytes(value, size, std::min<std::size_t>(size, 8));
    }
    bool is_memory = is_array_class(info.kind) || info.kind == ArgumentClass::None || find_buffer(object);
    if (!is_memory && PyObject_CheckBuffer(object)) {
        ObjectBytes bytes(object);
        return append_bytes(bytes.data(), bytes.size(), natural_alignment(bytes.size()));
    }
    parameter.size = pointer_bytes;
    store_opaque(parameter, object, value);
    append_bytes(value, pointer_bytes, pointer_bytes);
}

}  // namespace lanewise::bindings
