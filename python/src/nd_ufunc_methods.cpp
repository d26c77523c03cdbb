// reduce, accumulate, reduceat, outer and at of ufuncs.
#include <fmt/format.h>

#include "bindings.h"
#include "errors.h"
#include "lanewise/error.h"
#include "lanewise/ufunc_methods.h"
#include "nd_arguments.h"
#include "nd_bindings.h"
#include "nd_ufunc.h"

namespace lanewise::bindings {
namespace {

/// Arguments by position and name, as CPython's own parser reads them.
template <class... Targets>
void parse(PyObject* args, PyObject* kwargs, const char* format, std::initializer_list<const char*> names,
           Targets*... targets) {
    std::vector<char*> list;
    for (const char* name : names) list.push_back(const_cast<char*>(name));
    list.push_back(nullptr);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, format, list.data(), targets...)) throw nb::python_error();
}

template <class F>
PyObject* guarded(F&& f) noexcept {
    try {
        return f().release().ptr();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

}  // namespace

PyObject* ufunc_reduce(PyObject* self, PyObject* args, PyObject* kwargs) {
    return guarded([&] {
        const UfuncRow& row = row_of(self);
        PyObject *array, *axis = nullptr, *dtype = Py_None, *out = Py_None, *initial = Py_None, *where = Py_True;
        int keepdims = 0;
        parse(args, kwargs, "O|OOOpOO:reduce", {"array", "axis", "dtype", "out", "keepdims", "initial", "where"},
              &array, &axis, &dtype, &out, &keepdims, &initial, &where);
        const Ufunc ufunc = row.only("reduce");
        const Array x = require_array(row.name.c_str(), array);
        ResultClass cls;
        cls.see(array);
        const ReduceArguments given(row.name.c_str(), axis ? nb::handle(axis) : nb::handle(Py_None), dtype, out,
                                    keepdims != 0, initial, where);
        MaskedReduceOptions options = given.options();
        if (!axis && x.ndim() > 0) options.axes = Dims{0};
        return result_or_out(cls, reduce(ufunc, x, options), out);
    });
}

PyObject* ufunc_accumulate(PyObject* self, PyObject* args, PyObject* kwargs) {
    return guarded([&] {
        const UfuncRow& row = row_of(self);
        PyObject *array, *dtype = Py_None, *out = Py_None;
        int axis = 0;
        parse(args, kwargs, "O|iOO:accumulate", {"array", "axis", "dtype", "out"}, &array, &axis, &dtype, &out);
        const Array x = require_array(row.name.c_str(), array);
        ResultClass cls;
        cls.see(array);
        Array result = accumulate(row.only("accumulate"), x, axis, find_dtype_argument(dtype));
        if (const Array* target = find_out(row.name.c_str(), out)) assign_out(row.name.c_str(), *target, result);
        return result_or_out(cls, std::move(result), out);
    });
}

PyObject* ufunc_reduceat(PyObject* self, PyObject* args, PyObject* kwargs) {
    return guarded([&] {
        const UfuncRow& row = row_of(self);
        PyObject *array, *indices, *dtype = Py_None, *out = Py_None;
        int axis = 0;
        parse(args, kwargs, "OO|iOO:reduceat", {"array", "indices", "axis", "dtype", "out"}, &array, &indices, &axis,
              &dtype, &out);
        const Array x = require_array(row.name.c_str(), array);
        ResultClass cls;
        cls.see(array);
        Array result = reduceat(row.only("reduceat"), x, require_indices(row.name.c_str(), indices, x), axis,
                                find_dtype_argument(dtype));
        if (const Array* target = find_out(row.name.c_str(), out)) assign_out(row.name.c_str(), *target, result);
        return result_or_out(cls, std::move(result), out);
    });
}

PyObject* ufunc_outer(PyObject* self, PyObject* args, PyObject* kwargs) {
    return guarded([&] {
        const UfuncRow& row = row_of(self);
        if (row.inputs != 2)
            throw Error(ErrorKind::Value, fmt::format("{}.outer: only functions of two operands have it", row.name));
        if (PyTuple_GET_SIZE(args) != 2)
            throw Error(ErrorKind::Type,
                        fmt::format("{}.outer: takes two operands, got {}", row.name, PyTuple_GET_SIZE(args)));
        nb::handle a = PyTuple_GET_ITEM(args, 0), b = PyTuple_GET_ITEM(args, 1);
        const HeldOperand first = require_operand(row.name.c_str(), a), second = require_operand(row.name.c_str(), b);
        nb::object wide = nb::borrow(a);
        if (first.array() && second.array() && second.array()->ndim() > 0) {
            Dims axes;
            for (int i = 0; i < second.array()->ndim(); ++i) axes.push_back(first.array()->ndim() + i);
            ResultClass cls;
            cls.see(a.ptr());
            cls.see(b.ptr());
            wide = cls.make(expand_dims(*first.array(), axes));
        }
        nb::object pair = nb::make_tuple(wide, b);
        return nb::steal(PyObject_Call(self, pair.ptr(), kwargs));
    });
}

PyObject* ufunc_at(PyObject* self, PyObject* args, PyObject*) {
    return guarded([&] {
        const UfuncRow& row = row_of(self);
        PyObject *target, *indices, *value = nullptr;
        if (!PyArg_ParseTuple(args, "OO|O:at", &target, &indices, &value)) throw nb::python_error();
        const Ufunc ufunc = row.only("at");
        const Array* x = find_array(target);
        if (!x) throw Error(ErrorKind::Type, fmt::format("{}.at: the first argument must be a device array", row.name));
        Array indexed = *x;
        const std::vector<AdvancedIndex> items = nd_index_items(indices, indexed);
        std::optional<Array> beside;
        std::optional<HeldOperand> operand;
        if (value) {
            beside = value_beside(value, indexed);
            operand = beside ? HeldOperand(*beside) : require_operand(row.name.c_str(), value);
        }
        without_gil([&] { apply_at(ufunc, indexed, items, operand); });
        return nb::none();
    });
}

}  // namespace lanewise::bindings
