// _core.Ufunc: elementwise functions as Python objects.
#pragma once

#include <Python.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lanewise/ops.h"

namespace lanewise::bindings {

/// A row of the table of ufuncs that Python sees.
struct UfuncRow {
    /// The functions that give the results; several for functions of several results.
    std::vector<Ufunc> parts;
    std::string name;
    int inputs = 1;
    /// ldexp is no Ufunc of the core.
    bool is_ldexp = false;

    int outputs() const { return is_ldexp ? 1 : static_cast<int>(parts.size()); }
    /// The function of methods; Error(Value) naming `method` for functions of several results.
    Ufunc only(const char* method) const;
};

/// A result for each part. `options.out` is not looked at.
std::vector<Array> compute(const UfuncRow& row, std::span<const Operand> operands, const UfuncOptions& options);
/// "dd->d": what NumPy's attribute `types` says.
std::vector<std::string> loop_types(const UfuncRow& row);

struct UfuncObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    const UfuncRow* row;
};

const UfuncRow& row_of(PyObject* self);

PyObject* call_ufunc(PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* names);

/// Methods, with nanobind's calling convention left out: (self, args, kwargs).
PyObject* ufunc_reduce(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ufunc_accumulate(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ufunc_reduceat(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ufunc_outer(PyObject* self, PyObject* args, PyObject* kwargs);
PyObject* ufunc_at(PyObject* self, PyObject* args, PyObject* kwargs);

}  // namespace lanewise::bindings
