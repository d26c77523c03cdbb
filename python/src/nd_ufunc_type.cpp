// The type Ufunc and the table of ufuncs.
#include <Python.h>
#include <fmt/format.h>
#include <structmember.h>

#include <algorithm>
#include <map>

#include "bindings.h"
#include "errors.h"
#include "lanewise/error.h"
#include "lanewise/ufunc_methods.h"
#include "nd_bindings.h"
#include "nd_ufunc.h"

namespace lanewise::bindings {
namespace {

/// Strong references for the life of the process.
PyTypeObject* ufunc_type = nullptr;
PyObject* all_ufuncs = nullptr;

/// NumPy's character for a dtype; bfloat16 has the one of ml_dtypes.
char type_character(DType t) {
    switch (t) {
        case DType::Bool:
            return '?';
        case DType::Int8:
            return 'b';
        case DType::UInt8:
            return 'B';
        case DType::Int16:
            return 'h';
        case DType::UInt16:
            return 'H';
        case DType::Int32:
            return 'i';
        case DType::UInt32:
            return 'I';
        case DType::Int64:
            return 'l';
        case DType::UInt64:
            return 'L';
        case DType::Float16:
            return 'e';
        case DType::BFloat16:
            return 'E';
        case DType::Float32:
            return 'f';
        case DType::Float64:
            return 'd';
        case DType::Complex64:
            return 'F';
        case DType::Complex128:
            return 'D';
    }
    return '?';
}

std::vector<UfuncRow> make_rows() {
    std::vector<UfuncRow> rows;
    constexpr Ufunc parts[] = {Ufunc::FrexpFraction, Ufunc::FrexpExponent, Ufunc::ModfFraction};
#define LANEWISE_UNARY(Id, name, ...) rows.push_back({{Ufunc::Id}, #name, 1, false});
#define LANEWISE_BINARY(Id, name, ...) rows.push_back({{Ufunc::Id}, #name, 2, false});
#include "lanewise/tables/ufuncs.def"
#undef LANEWISE_BINARY
#undef LANEWISE_UNARY
    std::erase_if(rows, [&](const UfuncRow& row) { return std::ranges::find(parts, row.parts[0]) != std::end(parts); });
    rows.push_back({{Ufunc::FloorDivide, Ufunc::Remainder}, "divmod", 2, false});
    rows.push_back({{Ufunc::FrexpFraction, Ufunc::FrexpExponent}, "frexp", 1, false});
    rows.push_back({{Ufunc::ModfFraction, Ufunc::Trunc}, "modf", 1, false});
    rows.push_back({{}, "ldexp", 2, true});
    return rows;
}

/// Lives as long as the process: objects point into it.
const std::vector<UfuncRow>& rows() {
    static const auto* made = new std::vector<UfuncRow>(make_rows());
    return *made;
}

std::string documentation(const UfuncRow& row) {
    return fmt::format(
        "{}({}, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True)\n\nNumPy's {}, "
        "elementwise on device arrays and numbers.",
        row.name, row.inputs == 1 ? "x" : "x1, x2", row.name);
}

PyObject* get_name(PyObject* self, void*) {
    return PyUnicode_FromString(row_of(self).name.c_str());
}
PyObject* get_doc(PyObject* self, void*) {
    return PyUnicode_FromString(documentation(row_of(self)).c_str());
}
PyObject* get_nin(PyObject* self, void*) {
    return PyLong_FromLong(row_of(self).inputs);
}
PyObject* get_nout(PyObject* self, void*) {
    return PyLong_FromLong(row_of(self).outputs());
}
PyObject* get_nargs(PyObject* self, void*) {
    return PyLong_FromLong(row_of(self).inputs + row_of(self).outputs());
}
PyObject* get_types(PyObject* self, void*) {
    try {
        return nb::cast(loop_types(row_of(self))).release().ptr();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}
PyObject* get_ntypes(PyObject* self, void*) {
    try {
        return PyLong_FromSize_t(loop_types(row_of(self)).size());
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}
PyObject* get_identity(PyObject* self, void*) {
    const UfuncRow& row = row_of(self);
    const std::optional<Scalar> value = row.outputs() == 1 && !row.is_ldexp ? identity(row.parts[0]) : std::nullopt;
    if (!value) return Py_NewRef(Py_None);
    if (value->kind() == WeakKind::Bool) return PyBool_FromLong(value->integer() != 0);
    if (value->kind() == WeakKind::Int) return PyLong_FromLongLong(static_cast<long long>(value->integer()));
    return PyFloat_FromDouble(value->real());
}
PyObject* get_signature(PyObject*, void*) {
    return Py_NewRef(Py_None);
}

PyObject* represent(PyObject* self) {
    return PyUnicode_FromFormat("<ufunc '%s'>", row_of(self).name.c_str());
}

PyObject* ufunc_named(PyObject*, PyObject* name) {
    PyObject* found = PyDict_GetItemWithError(all_ufuncs, name);
    if (found) return Py_NewRef(found);
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "there is no ufunc %R", name);
    return nullptr;
}

/// The maker and its argument, for pickle.
PyObject* reduce_ufunc(PyObject* self, PyObject*) {
    PyObject* named = PyObject_GetAttrString(reinterpret_cast<PyObject*>(ufunc_type), "named");
    return named ? Py_BuildValue("N(s)", named, row_of(self).name.c_str()) : nullptr;
}
PyObject* same_object(PyObject* self, PyObject*) {
    return Py_NewRef(self);
}

PyCFunction method(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(function));
}

PyMethodDef methods[] = {
    {"reduce", method(ufunc_reduce), METH_VARARGS | METH_KEYWORDS,
     "reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)"},
    {"accumulate", method(ufunc_accumulate), METH_VARARGS | METH_KEYWORDS,
     "accumulate(array, axis=0, dtype=None, out=None)"},
    {"reduceat", method(ufunc_reduceat), METH_VARARGS | METH_KEYWORDS,
     "reduceat(array, indices, axis=0, dtype=None, out=None)"},
    {"outer", method(ufunc_outer), METH_VARARGS | METH_KEYWORDS, "outer(a, b, /, **kwargs)"},
    {"at", method(ufunc_at), METH_VARARGS | METH_KEYWORDS, "at(a, indices, b=None, /)"},
    {"named", ufunc_named, METH_O | METH_CLASS, "named(name): the ufunc of this name"},
    {"__reduce__", reduce_ufunc, METH_NOARGS, nullptr},
    {"__copy__", same_object, METH_NOARGS, nullptr},
    {"__deepcopy__", same_object, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyGetSetDef properties[] = {
    {"__name__", get_name, nullptr, nullptr, nullptr},     {"__qualname__", get_name, nullptr, nullptr, nullptr},
    {"__doc__", get_doc, nullptr, nullptr, nullptr},       {"nin", get_nin, nullptr, nullptr, nullptr},
    {"nout", get_nout, nullptr, nullptr, nullptr},         {"nargs", get_nargs, nullptr, nullptr, nullptr},
    {"types", get_types, nullptr, nullptr, nullptr},       {"ntypes", get_ntypes, nullptr, nullptr, nullptr},
    {"identity", get_identity, nullptr, nullptr, nullptr}, {"signature", get_signature, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(UfuncObject, vectorcall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

void release_type(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyType_Slot slots[] = {
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_dealloc, reinterpret_cast<void*>(release_type)},
    {Py_tp_repr, reinterpret_cast<void*>(represent)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_tp_members, members},
    {0, nullptr},
};

PyType_Spec spec = {"lanewise._core.Ufunc", sizeof(UfuncObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

nb::object make_ufunc(const UfuncRow& row) {
    UfuncObject* made = PyObject_New(UfuncObject, ufunc_type);
    if (!made) throw nb::python_error();
    made->vectorcall = call_ufunc;
    made->row = &row;
    return nb::steal(reinterpret_cast<PyObject*>(made));
}

}  // namespace

const UfuncRow& row_of(PyObject* self) {
    return *reinterpret_cast<UfuncObject*>(self)->row;
}

Ufunc UfuncRow::only(const char* method) const {
    if (is_ldexp) throw Error(ErrorKind::NotImplemented, fmt::format("{}.{}", name, method));
    if (parts.size() != 1)
        throw Error(ErrorKind::Value, fmt::format("{}.{}: only functions of one result have it", name, method));
    return parts[0];
}

std::vector<Array> compute(const UfuncRow& row, std::span<const Operand> operands, const UfuncOptions& options) {
    try {
        if (row.is_ldexp) return {ldexp(operands[0], operands[1], options)};
        std::vector<Array> results;
        for (Ufunc part : row.parts) {
            UfuncOptions own = options;
            // The whole part is a float of the type of the fraction.
            if (part == Ufunc::Trunc && row.parts.size() > 1) own.dtype = results[0].dtype();
            results.push_back(apply(part, operands, own));
        }
        return results;
    } catch (const Error& error) {
        // It names a function that the call is made of.
        if (error.kind() != ErrorKind::Type) throw;
        throw Error(ErrorKind::Type, fmt::format("{}: {}", row.name, error.what()));
    }
}

std::vector<std::string> loop_types(const UfuncRow& row) {
    std::vector<std::string> types;
    for (DType t : detail::promotion_order) {
        std::string text(static_cast<std::size_t>(row.inputs), type_character(t));
        if (row.is_ldexp) {
            if (!is_float(t)) continue;
            types.push_back({type_character(t), 'l', '-', '>', type_character(t)});
            continue;
        }
        const std::vector<DType> given(static_cast<std::size_t>(row.inputs), t);
        text += "->";
        try {
            bool is_own_loop = true;
            for (Ufunc part : row.parts) {
                const auto [loop, result] = resolve(part, given);
                is_own_loop = is_own_loop && (loop == t || (part == Ufunc::Trunc && row.parts.size() > 1));
                text += type_character(result);
            }
            if (is_own_loop) types.push_back(text);
        } catch (const Error&) {
            // No loop of this type.
        }
    }
    return types;
}

void bind_ufuncs(nb::module_& m) {
    ufunc_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    if (!ufunc_type) throw nb::python_error();
    m.attr("Ufunc") = nb::handle(reinterpret_cast<PyObject*>(ufunc_type));
    nb::dict all;
    for (const UfuncRow& row : rows()) all[row.name.c_str()] = make_ufunc(row);
    m.attr("ufuncs") = all;
    all_ufuncs = all.inc_ref().ptr();
}

}  // namespace lanewise::bindings
