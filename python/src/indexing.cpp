// Reading Python's basic indices.
#include "indexing.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

/// Out-of-range integers are clipped, as Python does with slice bounds.
std::optional<std::int64_t> slice_part(PyObject* part) {
    if (part == Py_None) return std::nullopt;
    Py_ssize_t value = PyNumber_AsSsize_t(part, nullptr);
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return value;
}

}  // namespace

Index slice_index(PyObject* object) {
    const auto* slice = reinterpret_cast<PySliceObject*>(object);
    Index index;
    index.kind = Index::Kind::Slice;
    index.start = slice_part(slice->start);
    index.stop = slice_part(slice->stop);
    index.step = slice_part(slice->step);
    return index;
}

ParsedIndex::ParsedIndex(nb::handle index) {
    if (PyTuple_Check(index.ptr())) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index.ptr()); ++i) add(PyTuple_GET_ITEM(index.ptr(), i));
    } else {
        add(index);
    }
}

void ParsedIndex::add(nb::handle object) {
    PyObject* raw = object.ptr();
    Index item;
    if (raw == Py_None) {
        item.kind = Index::Kind::NewAxis;
    } else if (raw == Py_Ellipsis) {
        item.kind = Index::Kind::Ellipsis;
    } else if (PySlice_Check(raw)) {
        item = slice_index(raw);
    } else if (PyIndex_Check(raw) && !PyBool_Check(raw)) {
        item.value = PyNumber_AsSsize_t(raw, PyExc_IndexError);
        if (item.value == -1 && PyErr_Occurred()) throw nb::python_error();
    } else {
        throw Error(ErrorKind::Type, fmt::format("an index must be made of integers, slices, '...' and None, not {}",
                                                 nb::cast<std::string>(nb::repr(object))));
    }
    items_.push_back(item);
}

bool ParsedIndex::is_full_integer(int ndim) const {
    return static_cast<int>(items_.size()) == ndim && std::all_of(items_.begin(), items_.end(), [](const Index& item) {
               return item.kind == Index::Kind::Integer;
           });
}

}  // namespace lanewise::bindings
