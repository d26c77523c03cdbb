// x[...] and x[...] = value for arrays.
#include <fmt/format.h>

#include <array>

#include "bindings.h"
#include "foreign.h"
#include "indexing.h"
#include "lanewise/error.h"
#include "lanewise/views.h"
#include "nd_arguments.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

const Array& array_of(PyObject* self) {
    return *nb::inst_ptr<NdArray>(self);
}

/// False for what is no basic index.
bool read_basic(PyObject* object, Index& item) {
    if (PyLong_CheckExact(object)) {
        item.kind = Index::Kind::Integer;
        item.value = PyLong_AsSsize_t(object);
        if (item.value == -1 && PyErr_Occurred()) {
            PyErr_Clear();
            throw Error(ErrorKind::Index, "an index of more than 64 bits is out of bounds");
        }
        return true;
    }
    if (PySlice_Check(object)) {
        item = slice_index(object);
        return true;
    }
    if (object == Py_None) {
        item.kind = Index::Kind::NewAxis;
        return true;
    }
    if (object == Py_Ellipsis) {
        item.kind = Index::Kind::Ellipsis;
        return true;
    }
    if (!PyIndex_Check(object) || PyBool_Check(object) || find_array(object) || is_ndarray(object) ||
        is_foreign_array(object))
        return false;
    item.kind = Index::Kind::Integer;
    item.value = PyNumber_AsSsize_t(object, PyExc_IndexError);
    if (item.value == -1 && PyErr_Occurred()) throw nb::python_error();
    return true;
}

bool is_boolean_scalar(PyObject* object) {
    if (PyBool_Check(object)) return true;
    std::optional<DType> dtype = scalar_class_dtype(Py_TYPE(object));
    return dtype && is_bool(*dtype);
}

/// An index read into items that need no memory of their own while they are basic.
class NdIndex {
public:
    explicit NdIndex(PyObject* index) {
        if (!PyTuple_Check(index)) {
            items_ = &index_;
            count_ = 1;
            index_ = index;
        } else {
            items_ = &PyTuple_GET_ITEM(index, 0);
            count_ = static_cast<std::size_t>(PyTuple_GET_SIZE(index));
        }
        if (count_ > basic_.size()) {
            is_basic_ = false;
            return;
        }
        for (std::size_t i = 0; i < count_ && is_basic_; ++i) is_basic_ = read_basic(items_[i], basic_[i]);
    }
    NdIndex(const NdIndex&) = delete;
    NdIndex& operator=(const NdIndex&) = delete;

    bool is_basic() const { return is_basic_; }
    std::span<const Index> basic() const { return {basic_.data(), count_}; }

    /// With arrays among them. Booleans that are no arrays index an axis of extent 1 that `array` gets for each.
    std::vector<AdvancedIndex> advanced(Array& array) const {
        std::vector<AdvancedIndex> result;
        std::vector<Index> axes;
        bool has_scalar_boolean = false;
        for (std::size_t i = 0; i < count_; ++i) {
            PyObject* object = items_[i];
            Index item;
            if (read_basic(object, item)) {
                result.emplace_back(item);
                if (item.kind == Index::Kind::NewAxis) continue;
                if (item.kind == Index::Kind::Integer) item.kind = Index::Kind::Slice;
                item.start = item.stop = item.step = std::nullopt;
                axes.push_back(item);
                continue;
            }
            const Array indices = is_boolean_scalar(object)
                                      ? boolean_scalar(object == Py_True || PyObject_IsTrue(object) == 1, array)
                                      : require_indices("indexing", object, array);
            Index axis;
            if (is_bool(indices.dtype()) && indices.ndim() == 0) {
                has_scalar_boolean = true;
                axis.kind = Index::Kind::NewAxis;
                axes.push_back(axis);
                // One element of it, or none.
                const Array places = nonzero(indices.reshape({1}))[0];
                result.emplace_back(places);
                continue;
            }
            axis.kind = Index::Kind::Slice;
            const int taken = is_bool(indices.dtype()) ? indices.ndim() : 1;
            for (int k = 0; k < taken; ++k) axes.push_back(axis);
            result.emplace_back(indices);
        }
        if (has_scalar_boolean) array = array.index(axes);
        return result;
    }

private:
    static Array boolean_scalar(bool value, const Array& array) {
        return full({}, value, DType::Bool, work_stream(array));
    }

    static constexpr std::size_t most_inline = 8;
    PyObject* index_ = nullptr;
    PyObject* const* items_ = nullptr;
    std::size_t count_ = 0;
    bool is_basic_ = true;
    std::array<Index, most_inline> basic_;
};

}  // namespace

std::optional<Array> value_beside(nb::handle value, const Array& like) {
    if (find_array(value)) return std::nullopt;
    if (std::optional<Array> view = find_foreign_array(value)) {
        if (&view->device() == &like.device() || view->device().kind() != DeviceKind::Cpu) return view;
        const std::shared_ptr<Stream> stream = work_stream(like);
        return without_gil(
            [&] { return Array::from_host({view->data(), view->dtype(), view->shape(), view->strides()}, stream); });
    }
    if (!is_ndarray(value) && !PyList_Check(value.ptr()) && !PyTuple_Check(value.ptr())) return std::nullopt;
    HostArray host = to_host_array(value);
    const std::shared_ptr<Stream> stream = work_stream(like);
    note_host_use(host.array, stream);
    return without_gil([&] { return Array::from_host(host.view, stream); });
}

void nd_assign(const Array& target, nb::handle value) {
    if (const std::optional<Array> beside = value_beside(value, target)) return assign(target, *beside);
    const HeldOperand operand = require_operand("assignment", value);
    // x[i] += y assigns the view that it has just written to.
    if (operand.array() && same_elements(*operand.array(), target)) return;
    assign(target, operand);
}

std::vector<AdvancedIndex> nd_index_items(nb::handle index, Array& array) {
    return NdIndex(index.ptr()).advanced(array);
}

PyObject* nd_get_item(PyObject* self, PyObject* index) {
    const Array& array = array_of(self);
    const NdIndex items(index);
    if (items.is_basic()) return make_nd(self, array.index(items.basic())).release().ptr();
    Array indexed = array;
    const std::vector<AdvancedIndex> advanced = items.advanced(indexed);
    return make_nd(self, without_gil([&] { return get_items(indexed, advanced); })).release().ptr();
}

int nd_set_item(PyObject* self, PyObject* index, PyObject* value) {
    const Array& array = array_of(self);
    const NdIndex items(index);
    if (items.is_basic()) {
        nd_assign(array.index(items.basic()), value);
        return 0;
    }
    Array indexed = array;
    const std::vector<AdvancedIndex> advanced = items.advanced(indexed);
    const std::optional<Array> beside = value_beside(value, indexed);
    const HeldOperand operand = beside ? HeldOperand(*beside) : require_operand("assignment", value);
    without_gil([&] { set_items(indexed, advanced, operand); });
    return 0;
}

}  // namespace lanewise::bindings
