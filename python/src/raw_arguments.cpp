// Packing arguments by declared types.
#include "raw_arguments.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "array_object.h"
#include "numpy.h"
#include "raw_objects.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

constexpr int most_replacements = 16;
constexpr std::size_t pointer_bytes = sizeof(void*);

void put_pointer(std::byte* at, const void* pointer) {
    std::memcpy(at, &pointer, pointer_bytes);
}

/// "int", "8 bytes".
std::string declared(const RawParameter& parameter) {
    return parameter.type.empty() ? fmt::format("{} bytes", parameter.size) : parameter.type;
}

/// Signed and unsigned integers of one size are the same to a pointer, and bool is a byte.
bool same_elements(DType declared, DType given) {
    auto is_integral = [](DType dtype) { return is_integer(dtype) || is_bool(dtype); };
    return declared == given || (bits(declared) == bits(given) && is_integral(declared) && is_integral(given));
}

std::uintptr_t address_of(const Number& number) {
    bool fits = number.kind == Number::Kind::Unsigned || (number.kind == Number::Kind::Integer && number.integer >= 0);
    if (!fits) throw Error(ErrorKind::Overflow, "an address is an integer from 0 to 2**64 - 1");
    return static_cast<std::uintptr_t>(number.integer);
}

/// operator.index(object), or nothing.
nb::object index_of(nb::handle object) {
    if (!PyIndex_Check(object.ptr())) return nb::object();
    PyObject* index = PyNumber_Index(object.ptr());
    if (!index) throw nb::python_error();
    return nb::steal(index);
}

/// The commonest pairs of argument and parameter, in a few compares each; false for others.
bool store_common(DType dtype, PyObject* object, std::byte* at) {
    auto put = [&](auto value) {
        std::memcpy(at, &value, sizeof(value));
        return true;
    };
    if (PyFloat_CheckExact(object)) {
        if (dtype == DType::Float32) return put(static_cast<float>(PyFloat_AS_DOUBLE(object)));
        return dtype == DType::Float64 && put(PyFloat_AS_DOUBLE(object));
    }
    if (!PyLong_CheckExact(object) || (dtype != DType::Int32 && dtype != DType::Int64)) return false;
    int overflow = 0;
    std::int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow) return false;
    if (dtype == DType::Int64) return put(value);
    return value == static_cast<std::int32_t>(value) && put(static_cast<std::int32_t>(value));
}

}  // namespace

void RawArguments::start(std::size_t bytes) {
    if (bytes > inline_bytes) {
        heap_.reset(new (std::align_val_t(alignment)) std::byte[bytes]);
        data_ = heap_.get();
    }
    std::memset(data_, 0, bytes);
    size_ = bytes;
}

void RawArguments::require_count(std::size_t count) const {
    std::size_t expected = parameters_.items.size();
    if (count == expected) [[likely]]
        return;
    throw Error(ErrorKind::Type,
                fmt::format("kernel '{}' takes {} argument{} ({}), but {} {} given", kernel_.name(), expected,
                            expected == 1 ? "" : "s", to_string(parameters_), count, count == 1 ? "was" : "were"));
}

void RawArguments::rethrow(const Error& error, std::size_t index) const {
    throw Error(error.kind(),
                fmt::format("kernel '{}', {}: {}", kernel_.name(), describe(parameters_, index), error.what()));
}

void RawArguments::read(PyObject* const* args, std::size_t count) {
    std::size_t i = 0;
    try {
        if (parameters_.layout_known) [[likely]] {
            require_count(count);
            start(parameters_.bytes);
            for (; i < count; ++i) store(parameters_.items[i], args[i], data_ + parameters_.items[i].offset);
        } else {
            for (; i < count; ++i) append(args[i]);
        }
    } catch (const Error& error) {
        if (count != parameters_.items.size() && parameters_.layout_known) throw;
        rethrow(error, i);
    } catch (nb::python_error& error) {
        // float() of an int beyond all doubles.
        if (!error.matches(PyExc_OverflowError)) throw;
        rethrow(Error(ErrorKind::Overflow, nb::cast<std::string>(nb::str(error.value()))), i);
    }
}

void RawArguments::store(const RawParameter& parameter, PyObject* object, std::byte* at) {
    switch (parameter.kind) {
        case ParameterKind::Scalar:
            return store_scalar(parameter, object, at);
        case ParameterKind::Pointer:
            return store_pointer(parameter, object, at);
        case ParameterKind::Struct:
            return store_struct(parameter, object, at);
        case ParameterKind::Opaque:
            return store_opaque(parameter, object, at);
    }
}

bool RawArguments::store_replaced(const RawParameter& parameter, PyObject* raw, ArgumentClass kind, std::byte* at) {
    nb::handle object(raw);
    nb::object value;
    if (kind == ArgumentClass::Enum) {
        value = object.attr("value");
    } else if (kind == ArgumentClass::Extension) {
        value = object.attr("__lanewise_argument__");
        if (PyCallable_Check(value.ptr())) value = value();
    } else {
        return false;
    }
    if (depth_ == most_replacements)
        throw Error(ErrorKind::Type, "__lanewise_argument__ gives such objects without end");
    ++depth_;
    store(parameter, value.ptr(), at);
    --depth_;
    return true;
}

void RawArguments::store_scalar(const RawParameter& parameter, PyObject* object, std::byte* at) {
    if (store_common(parameter.dtype, object, at)) [[likely]]
        return;
    ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(object));
    if (lenient_ && info.kind == ArgumentClass::NumpyScalar &&
        size_of(info.dtype) == static_cast<int>(parameter.size)) {
        std::memcpy(at, numpy_scalar_bytes(object, info.dtype), parameter.size);
        return;
    }
    if (std::optional<Number> number = number_of(object, info)) [[likely]]
        return store_number(*number, parameter.dtype, lenient_, at);
    if (store_replaced(parameter, object, info.kind, at)) return;
    if (is_array_class(info.kind))
        throw Error(ErrorKind::Type,
                    fmt::format("it is passed by value, but a {} was given; pass an element of it, x[0] or x.item()",
                                class_name(object)));
    if (nb::object index = index_of(object); index.is_valid() && !find_buffer(object))
        return store_scalar(parameter, index.ptr(), at);
    throw Error(ErrorKind::Type, fmt::format("expected a number, got an object of type {}", class_name(object)));
}

void RawArguments::check_elements(const RawParameter& parameter, DType dtype) const {
    if (lenient_ || !parameter.pointee_known || same_elements(parameter.dtype, dtype)) [[likely]]
        return;
    std::string remedy = fmt::format("pass x.astype('{}')", name(parameter.dtype));
    if (bits(parameter.dtype) == bits(dtype))
        remedy += fmt::format(", or x.view('{}') for the same bytes", name(parameter.dtype));
    throw Error(ErrorKind::Type, fmt::format("it points to {}, but the array has dtype {}; {}", name(parameter.dtype),
                                             name(dtype), remedy));
}

void RawArguments::check_writable(const RawParameter& parameter, bool read_only) const {
    if (!read_only || parameter.read_only || parameter.kind != ParameterKind::Pointer || lenient_) [[likely]]
        return;
    throw Error(ErrorKind::Value,
                "the array is read-only, and the kernel may write through a pointer that is not to "
                "const; pass a writable array, or declare the parameter const");
}

void RawArguments::store_array(const RawParameter& parameter, DType dtype, bool read_only, const void* data,
                               std::byte* at) {
    check_elements(parameter, dtype);
    check_writable(parameter, read_only);
    put_pointer(at, data);
}

void RawArguments::store_pointer(const RawParameter& parameter, PyObject* object, std::byte* at) {
    ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(object));
    switch (info.kind) {
        case ArgumentClass::Array: {
            const Array& array = *nb::inst_ptr<Array>(object);
            arrays_.use(array);
            return store_array(parameter, array.dtype(), array.read_only(), array.data(), at);
        }
        case ArgumentClass::None:
            return put_pointer(at, nullptr);
        case ArgumentClass::HostArray:
            return store_host_array(parameter, object, at);
        case ArgumentClass::HostArgument: {
            const HostArgument& host = *nb::inst_ptr<HostArgument>(object);
            const Array& array = arrays_.host_array(host.array, host.copy_in, host.copy_out);
            return store_array(parameter, array.dtype(), array.read_only(), array.data(), at);
        }
        case ArgumentClass::Exchange: {
            if (std::optional<ForeignArray> array = arrays_.exchange(info, object))
                return store_array(parameter, array->dtype, array->read_only, array->data, at);
            return store_adopted(parameter, object, at);
        }
        case ArgumentClass::Int:
        case ArgumentClass::NumpyScalar: {
            std::optional<Number> number = number_of(object, info);
            if (number && is_integral(*number))
                return put_pointer(at, reinterpret_cast<const void*>(address_of(*number)));
            break;
        }
        case ArgumentClass::Bool:
        case ArgumentClass::Float:
        case ArgumentClass::Complex:
        case ArgumentClass::Tuple:
            break;
        default:
            if (store_replaced(parameter, object, info.kind, at)) return;
            return store_other_pointer(parameter, object, at);
    }
    throw Error(ErrorKind::Type,
                fmt::format("expected an array, a Buffer, an address or None, got a {}{}", class_name(object),
                            info.kind == ArgumentClass::Tuple ? "" : ", which goes by value"));
}

void RawArguments::store_adopted(const RawParameter& parameter, nb::handle object, std::byte* at) {
    const Array array = arrays_.adopt(object);
    store_array(parameter, array.dtype(), array.read_only(), array.data(), at);
}

void RawArguments::store_other_pointer(const RawParameter& parameter, nb::handle object, std::byte* at) {
    if (Buffer* buffer = find_buffer(object)) {
        arrays_.use(*buffer);
        return put_pointer(at, buffer->data());
    }
    if (std::optional<ForeignArray> array = arrays_.interface(object))
        return store_array(parameter, array->dtype, array->read_only, array->data, at);
    if (nb::hasattr(object, "__dlpack__")) return store_adopted(parameter, object, at);
    if (nb::object index = index_of(object); index.is_valid()) return store_pointer(parameter, index.ptr(), at);
    throw Error(ErrorKind::Type,
                fmt::format("expected an array, a Buffer, an address or None, got an object of type {}; arrays of "
                            "other libraries have __cuda_array_interface__ or __dlpack__",
                            class_name(object)));
}

void RawArguments::store_host_array(const RawParameter& parameter, nb::handle ndarray, std::byte* at) {
    if (std::optional<Array> mapped = array_of_ndarray(ndarray)) {
        arrays_.use(*mapped);
        return store_array(parameter, mapped->dtype(), mapped->read_only(), mapped->data(), at);
    }
    Device& device = arrays_.device();
    if (device.kind() != DeviceKind::Cpu)
        throw Error(ErrorKind::Type,
                    fmt::format("a NumPy array lies in the host's memory, and the kernel is launched on {}; copy it "
                                "there first: lanewise.cuda.to_device(x)",
                                device.name()));
    const NumpyArray* raw = numpy_array(ndarray);
    std::optional<DType> dtype = find_dtype(raw->dtype);
    if (dtype)
        check_elements(parameter, *dtype);
    else if (parameter.pointee_known && !lenient_)
        throw Error(ErrorKind::Type, fmt::format("it points to {}, but the array has dtype {}", name(parameter.dtype),
                                                 nb::cast<std::string>(nb::str(nb::handle(raw->dtype)))));
    check_writable(parameter, !raw->has(NumpyArray::writeable_flag));
    if (!raw->has(NumpyArray::aligned_flag))
        throw Error(ErrorKind::Value, "the array's elements are not aligned; pass x.copy()");
    arrays_.extras_needed().wait_at_end();
    put_pointer(at, raw->data);
}

void RawArguments::store_vector(const RawParameter& parameter, nb::handle items, std::byte* at) {
    std::size_t count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items.ptr()));
    if (count != parameter.lanes)
        throw Error(ErrorKind::Type, fmt::format("{} has {} elements, but {} {} given", parameter.type,
                                                 int(parameter.lanes), count, count == 1 ? "was" : "were"));
    RawParameter element;
    element.kind = ParameterKind::Scalar;
    element.dtype = parameter.dtype;
    element.size = static_cast<std::uint32_t>(size_of(parameter.dtype));
    for (std::size_t i = 0; i < count; ++i)
        store_scalar(element, PySequence_Fast_GET_ITEM(items.ptr(), static_cast<Py_ssize_t>(i)), at + i * element.size);
}

void RawArguments::store_struct(const RawParameter& parameter, PyObject* raw, std::byte* at) {
    nb::handle object(raw);
    ArgumentClassInfo info = ArgumentClasses::find(Py_TYPE(raw));
    std::optional<Number> number = number_of(raw, info);
    if (number && number->kind == Number::Kind::Complex) {
        // Two floats or two doubles, whatever the class calls them.
        bool is_pair = parameter.lanes == 0 || (parameter.lanes == 2 && is_float(parameter.dtype));
        if (is_pair && (parameter.size == 8 || parameter.size == 16))
            return store_number(*number, parameter.size == 8 ? DType::Complex64 : DType::Complex128, lenient_, at);
    }
    if (parameter.lanes && (info.kind == ArgumentClass::Tuple || PyList_Check(raw)))
        return store_vector(parameter, object, at);
    if (parameter.lanes && info.kind == ArgumentClass::HostArray && numpy_array(object)->ndim == 1) {
        std::optional<DType> dtype = find_dtype(numpy_array(object)->dtype);
        if (dtype && *dtype != parameter.dtype && numpy_array(object)->shape[0] == parameter.lanes)
            return store_vector(parameter, object.attr("tolist")(), at);
    }
    if (info.kind != ArgumentClass::Array && !find_buffer(object) && PyObject_CheckBuffer(raw))
        return store_bytes(parameter, object, at);
    if (store_replaced(parameter, raw, info.kind, at)) return;
    throw Error(ErrorKind::Type,
                fmt::format("{} is passed by value, as {} bytes: pass {}a numpy.void, a NumPy array or a ctypes "
                            "structure of that size, not a {}",
                            declared(parameter), parameter.size,
                            parameter.lanes ? fmt::format("{} numbers, ", int(parameter.lanes)) : std::string(),
                            class_name(object)));
}

}  // namespace lanewise::bindings
