// The exception classes of the module, and how errors of the core become them.
#include "errors.h"

#include <array>
#include <new>

#include "bindings.h"

namespace lanewise::bindings {
namespace {

/// Strong references for the life of the process.
struct Classes {
    PyObject *base, *internal, *out_of_memory, *driver, *unavailable, *typing, *lowering, *unsupported, *compile,
        *kernel;
    PyObject* warning_hook;
};
Classes classes{};

PyObject* make_class(nb::module_& m, const char* name, std::initializer_list<PyObject*> bases, const char* doc) {
    nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(bases.size())));
    Py_ssize_t i = 0;
    for (PyObject* base : bases) PyTuple_SET_ITEM(tuple.ptr(), i++, Py_NewRef(base));
    PyObject* made = PyErr_NewExceptionWithDoc((std::string("lanewise.") + name).c_str(), doc, tuple.ptr(), nullptr);
    if (!made) throw nb::python_error();
    m.attr(name) = nb::handle(made);
    return made;
}

/// The builtin exception class of this name, or null.
PyObject* builtin_exception(const std::string& name) {
    PyObject* found = PyDict_GetItemString(PyEval_GetBuiltins(), name.c_str());
    bool is_exception =
        found && PyType_Check(found) &&
        PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(found), reinterpret_cast<PyTypeObject*>(PyExc_Exception));
    return is_exception ? found : nullptr;
}

PyObject* axis_error() {
    static PyObject* const found = nb::getattr(nb::module_::import_("numpy.exceptions"), "AxisError").release().ptr();
    return found;
}

PyObject* class_of(const Error& error) {
    if (error.kind() == ErrorKind::Value && error.python_class == "AxisError") return axis_error();
    switch (error.kind()) {
        case ErrorKind::Internal:
            return classes.internal;
        case ErrorKind::Value:
            return PyExc_ValueError;
        case ErrorKind::Type:
            return PyExc_TypeError;
        case ErrorKind::Index:
            return PyExc_IndexError;
        case ErrorKind::Overflow:
            return PyExc_OverflowError;
        case ErrorKind::ZeroDivision:
            return PyExc_ZeroDivisionError;
        case ErrorKind::Assertion:
            return PyExc_AssertionError;
        case ErrorKind::NotImplemented:
            return PyExc_NotImplementedError;
        case ErrorKind::OutOfMemory:
            return classes.out_of_memory;
        case ErrorKind::Driver:
            return classes.driver;
        case ErrorKind::DeviceUnavailable:
            return classes.unavailable;
        case ErrorKind::Typing:
            return classes.typing;
        case ErrorKind::Lowering:
            return classes.lowering;
        case ErrorKind::UnsupportedSyntax:
            return classes.unsupported;
        case ErrorKind::Compile:
            return classes.compile;
        case ErrorKind::KernelRaised:
            if (PyObject* builtin = builtin_exception(error.python_class)) return builtin;
            return classes.kernel;
    }
    return classes.internal;
}

}  // namespace

void set_python_error(const Error& error) {
    PyObject* type = class_of(error);
    nb::object instance = nb::steal(PyObject_CallFunction(type, "s", error.what()));
    if (!instance.is_valid()) return;
    if (type == classes.driver || error.code) instance.attr("code") = error.code;
    if (type == classes.compile) instance.attr("log") = error.log;
    if (type == classes.kernel) instance.attr("python_class") = error.python_class;
    PyErr_SetObject(type, instance.ptr());
}

void set_python_error() noexcept {
    try {
        throw;
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const Error& error) {
        try {
            set_python_error(error);
        } catch (nb::python_error& inner) {
            inner.restore();
        }
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(classes.internal, error.what());
    } catch (...) {
        PyErr_SetString(classes.internal, "an unknown C++ exception");
    }
}

void warn(const char* category, const std::string& text) {
    nb::object hook = nb::borrow(classes.warning_hook);
    if (hook.is_none()) {
        if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1)) throw nb::python_error();
        return;
    }
    hook(category, text);
}

void bind_errors(nb::module_& m) {
    PyObject* base = classes.base =
        make_class(m, "LanewiseError", {PyExc_Exception}, "Base of the exceptions that are lanewise's own.");
    classes.internal = make_class(m, "InternalError", {base, PyExc_RuntimeError}, "A fault of lanewise itself.");
    classes.out_of_memory =
        make_class(m, "OutOfMemoryError", {base, PyExc_MemoryError}, "A device has too little memory.");
    classes.driver = make_class(m, "DriverError", {base, PyExc_RuntimeError},
                                "A call of the CUDA driver failed; `code` is its CUresult.");
    classes.unavailable =
        make_class(m, "DeviceUnavailable", {base, PyExc_ImportError}, "There is no such device, or no driver.");
    classes.typing = make_class(m, "TypingError", {base, PyExc_TypeError}, "The types in a kernel do not work out.");
    classes.lowering =
        make_class(m, "LoweringError", {base}, "A kernel is well typed, but the target cannot express it.");
    classes.unsupported = make_class(m, "UnsupportedError", {base}, "Python that kernels do not have.");
    classes.compile = make_class(m, "CompileError", {base, PyExc_RuntimeError},
                                 "A compiler or linker refused; `log` has its output.");
    classes.kernel = make_class(m, "KernelRuntimeError", {base, PyExc_RuntimeError},
                                "A kernel raised an exception of a class that is no builtin.");
    nb::handle(classes.driver).attr("code") = 0;
    nb::handle(classes.compile).attr("log") = "";
    nb::handle(classes.kernel).attr("python_class") = "";
    classes.warning_hook = Py_NewRef(Py_None);

    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const Error& error) {
            set_python_error(error);
        }
    });
    m.def(
        "set_warning_hook",
        [](nb::object hook) {
            PyObject* old = classes.warning_hook;
            classes.warning_hook = hook.release().ptr();
            Py_DECREF(old);
        },
        nb::arg("hook").none());
}

}  // namespace lanewise::bindings
