// Reading kernel arguments.
#include "arguments.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "argument_classes.h"
#include "array_object.h"
#include "numpy.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

constexpr int most_nested_tuples = 16;

python::Layout layout_of(const Array& array) {
    return array.is_c_contiguous()   ? python::Layout::C
           : array.is_f_contiguous() ? python::Layout::F
                                     : python::Layout::A;
}

python::Layout layout_of(const Dims& shape, const Dims& strides, std::int64_t item_bytes) {
    return is_contiguous(shape, strides, item_bytes, Order::C)   ? python::Layout::C
           : is_contiguous(shape, strides, item_bytes, Order::F) ? python::Layout::F
                                                                 : python::Layout::A;
}

}  // namespace

void ArgumentReader::read(PyObject* object) {
    // The order of the first tests is that of frequency; each is one compare.
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyFloat_Type) return writer_.scalar(DType::Float64, PyFloat_AS_DOUBLE(object));
    if (type == &PyLong_Type) return read_int(object);
    ArgumentClassInfo info = ArgumentClasses::find(type);
    switch (info.kind) {
        case ArgumentClass::Array:
            return read_array(*nb::inst_ptr<Array>(object));
        case ArgumentClass::NumpyScalar:
            return writer_.scalar_bytes(
                info.dtype,
                reinterpret_cast<const char*>(object) +
                    (size_of(info.dtype) > 8 ? offsetof(NumpyScalar<std::complex<double>>, value) : sizeof(PyObject)));
        case ArgumentClass::Bool:
            return writer_.scalar(DType::Bool, object == Py_True);
        case ArgumentClass::Int:
            return read_int(object);
        case ArgumentClass::Float:
            return writer_.scalar(DType::Float64, PyFloat_AS_DOUBLE(object));
        case ArgumentClass::None:
            return writer_.none();
        case ArgumentClass::Tuple:
            return read_tuple(object);
        case ArgumentClass::HostArray:
            return read_host_array(object, true, true);
        case ArgumentClass::Exchange:
            if (std::optional<ForeignArray> found = arrays_.exchange(info, object)) return write(*found);
            return write(arrays_.adopt(object));
        default:
            return read_other(object);
    }
}

void ArgumentReader::write(const Array& array) {
    writer_.array(array.dtype(), array.ndim(), layout_of(array), array.read_only(), array.data(), array.shape().data(),
                  array.strides().data());
}

void ArgumentReader::write(const ForeignArray& array) {
    writer_.array(array.dtype, array.shape.size(), layout_of(array.shape, array.strides, size_of(array.dtype)),
                  array.read_only, array.data, array.shape.data(), array.strides.data());
}

void ArgumentReader::read_array(const Array& array) {
    arrays_.use(array);
    write(array);
}

void ArgumentReader::read_int(PyObject* object) {
    int overflow = 0;
    std::int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return writer_.scalar(DType::Int64, value);
    std::uint64_t wide = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        throw Error(ErrorKind::Overflow, fmt::format("the integer {} needs more than 64 bits",
                                                     nb::cast<std::string>(nb::str(nb::handle(object)))));
    }
    writer_.scalar(DType::UInt64, wide);
}

void ArgumentReader::read_tuple(PyObject* tuple) {
    Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    if (count > jit::max_tuple_items || depth_ == most_nested_tuples)
        throw Error(ErrorKind::Type,
                    fmt::format("tuples can have {} items and be nested {} deep; this one has {} items",
                                jit::max_tuple_items, most_nested_tuples, count));
    ++depth_;
    writer_.tuple(static_cast<int>(count));
    for (Py_ssize_t i = 0; i < count; ++i) read(PyTuple_GET_ITEM(tuple, i));
    --depth_;
}

void ArgumentReader::read_host_array(nb::handle ndarray, bool copy_in, bool copy_out) {
    if (std::optional<Array> mapped = array_of_ndarray(ndarray)) return read_array(*mapped);
    if (arrays_.launches()) return write(arrays_.host_array(ndarray, copy_in, copy_out));
    // The types that device_array gives.
    HostArray host = to_host_array(ndarray);
    std::int64_t item = size_of(host.view.dtype);
    bool shared = arrays_.device().kind() == DeviceKind::Cpu && can_share(ndarray);
    python::Layout layout = layout_of(host.view.shape, host.view.strides, item);
    // What is copied becomes contiguous.
    if (layout == python::Layout::A && !shared) layout = python::Layout::C;
    writer_.array(host.view.dtype, host.view.shape.size(), layout,
                  !numpy_array(ndarray)->has(NumpyArray::writeable_flag), nullptr, host.view.shape.data(),
                  host.view.strides.data());
}

void ArgumentReader::read_other(PyObject* raw) {
    nb::handle object(raw);
    switch (ArgumentClasses::find(Py_TYPE(raw)).kind) {
        case ArgumentClass::Complex: {
            Py_complex value = PyComplex_AsCComplex(raw);
            double parts[2] = {value.real, value.imag};
            return writer_.scalar_bytes(DType::Complex128, parts);
        }
        case ArgumentClass::HostArgument: {
            const HostArgument& host = *nb::inst_ptr<HostArgument>(object);
            return read_host_array(host.array, host.copy_in, host.copy_out);
        }
        case ArgumentClass::Enum:
            return read(nb::object(object.attr("value")).ptr());
        case ArgumentClass::Extension: {
            nb::object hook = object.attr("__lanewise_argument__");
            nb::object value = PyCallable_Check(hook.ptr()) ? hook() : hook;
            if (depth_ == most_nested_tuples)
                throw Error(ErrorKind::Type, "__lanewise_argument__ gives such objects without end");
            ++depth_;
            read(value.ptr());
            --depth_;
            return;
        }
        case ArgumentClass::Dlpack:
            return write(arrays_.adopt(object));
        default:
            break;
    }
    if (std::optional<ForeignArray> found = arrays_.interface(object)) return write(*found);
    if (nb::hasattr(object, "__dlpack__")) return write(arrays_.adopt(object));
    throw Error(ErrorKind::Type,
                fmt::format("an object of type {} cannot be passed to a kernel; pass numbers, arrays, tuples of "
                            "them, None, or objects with __cuda_array_interface__ or __dlpack__",
                            Py_TYPE(raw)->tp_name));
}

}  // namespace lanewise::bindings
