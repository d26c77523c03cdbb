// Elementwise functions that are no ufuncs, joins, products, and the types of results.
#include <fmt/format.h>

#include "bindings.h"
#include "lanewise/error.h"
#include "lanewise/views.h"
#include "nd_arguments.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

template <class... Handles>
ResultClass class_of(Handles... arguments) {
    ResultClass cls;
    (cls.see(arguments.ptr()), ...);
    return cls;
}

std::optional<HeldOperand> bound(const char* call, nb::handle value) {
    if (value.is_none()) return std::nullopt;
    return require_operand(call, value);
}

nb::object finish(const char* call, const ResultClass& cls, Array result, nb::handle out) {
    if (const Array* target = find_out(call, out)) assign_out(call, *target, result);
    return result_or_out(cls, std::move(result), out);
}

/// Arrays of a sequence argument, whose items keep them alive.
struct Sequence {
    std::vector<Array> arrays;
    ResultClass cls;

    Sequence(const char* call, nb::handle items) {
        if (find_array(items)) {
            // The rows of an array are one.
            const Array& x = *find_array(items);
            if (x.ndim() == 0) throw Error(ErrorKind::Type, fmt::format("{}: expected a sequence of arrays", call));
            cls.see(items.ptr());
            for (std::int64_t i = 0; i < x.shape()[0]; ++i) {
                Index row;
                row.value = i;
                arrays.push_back(x.index(std::span(&row, 1)));
            }
            return;
        }
        nb::object tuple = nb::steal(PySequence_Tuple(items.ptr()));
        if (!tuple.is_valid()) throw nb::python_error();
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.ptr()); ++i) {
            nb::handle item = PyTuple_GET_ITEM(tuple.ptr(), i);
            arrays.push_back(require_array(call, item));
            cls.see(item.ptr());
        }
        if (arrays.empty())
            throw Error(ErrorKind::Value, fmt::format("{}: there is no array among the arguments", call));
    }
};

/// The joined array, in `out` or cast to `dtype` where these are given.
nb::object join(const char* call, const Sequence& given, const std::function<Array(std::optional<DType>)>& make,
                nb::handle dtype_object, nb::handle out, nb::handle casting_object) {
    const Casting casting = to_casting(casting_object);
    std::optional<DType> dtype = find_dtype_argument(dtype_object);
    const Array* target = find_out(call, out);
    if (target && dtype) throw Error(ErrorKind::Type, fmt::format("{}: out and dtype exclude each other", call));
    if (target) dtype = target->dtype();
    if (dtype)
        for (const Array& array : given.arrays)
            if (!can_cast(array.dtype(), *dtype, casting))
                throw Error(ErrorKind::Type, fmt::format("{}: cannot cast from {} to {} with casting rule '{}'", call,
                                                         name(array.dtype()), name(*dtype), casting_name(casting)));
    return finish(call, given.cls, make(dtype), out);
}

/// A dtype from a dtype-like, an array or a number, added to what result_type looks at.
void add_type(nb::handle object, std::vector<DType>& strong, std::vector<WeakKind>& weak) {
    if (const Array* array = find_array(object)) return strong.push_back(array->dtype());
    if (is_ndarray(object)) {
        if (std::optional<DType> dtype = find_dtype(numpy_array(object)->dtype)) return strong.push_back(*dtype);
    } else if (!PyUnicode_Check(object.ptr()) && !PyType_Check(object.ptr()) && !is_numpy_dtype(object)) {
        if (std::optional<Scalar> scalar = find_scalar(object.ptr())) {
            if (scalar->dtype())
                strong.push_back(*scalar->dtype());
            else
                weak.push_back(scalar->kind());
            return;
        }
    }
    strong.push_back(require_dtype(object));
}

}  // namespace

void bind_nd_elementwise(nb::module_& m) {
    m.def(
        "where",
        [](nb::handle condition, nb::handle x, nb::handle y) {
            return class_of(condition, x, y)
                .make(where(require_operand("where", condition), require_operand("where", x),
                            require_operand("where", y)));
        },
        "condition"_a, "x"_a, "y"_a);
    m.def(
        "clip",
        [](nb::handle x, nb::handle low, nb::handle high, nb::handle out) {
            return finish("clip", class_of(x, low, high),
                          clip(require_operand("clip", x), bound("clip", low), bound("clip", high)), out);
        },
        "x"_a, "low"_a.none() = nb::none(), "high"_a.none() = nb::none(), nb::kw_only(), "out"_a.none() = nb::none());
    m.def(
        "round",
        [](nb::handle x, int decimals, nb::handle out) {
            return finish("round", class_of(x), round(require_operand("round", x), decimals), out);
        },
        "x"_a, "decimals"_a = 0, nb::kw_only(), "out"_a.none() = nb::none());
    m.def("sinc", [](nb::handle x) { return class_of(x).make(sinc(require_operand("sinc", x))); }, "x"_a);
    m.def("real", [](nb::handle x) { return class_of(x).make(real(require_array("real", x))); }, "x"_a);
    m.def("imag", [](nb::handle x) { return class_of(x).make(imag(require_array("imag", x))); }, "x"_a);
    m.def("angle", [](nb::handle x) { return class_of(x).make(angle(require_operand("angle", x))); }, "x"_a);
    m.def(
        "make_complex",
        [](nb::handle re, nb::handle im) {
            return class_of(re, im).make(
                make_complex(require_operand("make_complex", re), require_operand("make_complex", im)));
        },
        "real"_a, "imag"_a);
    m.def(
        "isclose",
        [](nb::handle a, nb::handle b, double rtol, double atol, bool equal_nan) {
            return class_of(a, b).make(
                isclose(require_operand("isclose", a), require_operand("isclose", b), rtol, atol, equal_nan));
        },
        "a"_a, "b"_a, "rtol"_a = 1e-5, "atol"_a = 1e-8, "equal_nan"_a = false);
    m.def(
        "astype",
        [](nb::handle x, nb::handle dtype, nb::handle casting, bool copy) {
            return class_of(x).make(
                astype(require_array("astype", x), require_dtype(dtype), to_casting(casting), copy));
        },
        "x"_a, "dtype"_a, "casting"_a = "unsafe", "copy"_a = true);
    m.def(
        "assign",
        [](nb::handle target, nb::handle value, nb::handle casting) {
            const Array* x = find_array(target);
            if (!x) throw Error(ErrorKind::Type, "assign: the target must be a device array");
            assign(*x, require_operand("assign", value), to_casting(casting));
        },
        "target"_a, "value"_a, "casting"_a = "same_kind");
    m.def(
        "concatenate",
        [](nb::handle arrays, nb::handle axis, nb::handle dtype, nb::handle out, nb::handle casting) {
            Sequence given("concatenate", arrays);
            const std::optional<int> at = find_axis("concatenate", axis);
            if (!at)
                for (Array& array : given.arrays) array = lanewise::reshape(array, {-1});
            return join(
                "concatenate", given,
                [&](std::optional<DType> type) { return concatenate(given.arrays, at.value_or(0), type); }, dtype, out,
                casting);
        },
        "arrays"_a, "axis"_a.none() = 0, "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none(),
        "casting"_a = "same_kind");
    m.def(
        "stack",
        [](nb::handle arrays, int axis, nb::handle dtype, nb::handle out, nb::handle casting) {
            Sequence given("stack", arrays);
            return join(
                "stack", given,
                [&](std::optional<DType> type) {
                    const Array result = stack(given.arrays, axis);
                    return type ? astype(result, *type, Casting::Unsafe, false) : result;
                },
                dtype, out, casting);
        },
        "arrays"_a, "axis"_a = 0, "dtype"_a.none() = nb::none(), "out"_a.none() = nb::none(),
        "casting"_a = "same_kind");
    m.def(
        "matmul",
        [](nb::handle a, nb::handle b, nb::handle out) {
            const Array first = require_array("matmul", a), second = require_array("matmul", b);
            return finish("matmul", class_of(a, b), matmul(first, second), out);
        },
        "a"_a, "b"_a, nb::kw_only(), "out"_a.none() = nb::none());
    m.def(
        "dot",
        [](nb::handle a, nb::handle b, nb::handle out) {
            return finish("dot", class_of(a, b), nd_dot(require_array("dot", a), require_operand("dot", b)), out);
        },
        "a"_a, "b"_a, nb::kw_only(), "out"_a.none() = nb::none());
}

void bind_nd_types(nb::module_& m) {
    m.def("result_type", [](const nb::args& given) {
        std::vector<DType> strong;
        std::vector<WeakKind> weak;
        for (nb::handle object : given) add_type(object, strong, weak);
        if (strong.empty() && weak.empty())
            throw Error(ErrorKind::Value, "result_type: at least one array or dtype is needed");
        return numpy_dtype(result_type(strong, weak));
    });
    m.def(
        "promote_types",
        [](nb::handle a, nb::handle b) { return numpy_dtype(promote(require_dtype(a), require_dtype(b))); }, "a"_a,
        "b"_a);
    m.def(
        "can_cast",
        [](nb::handle from, nb::handle to, nb::handle casting) {
            if (PyLong_Check(from.ptr()) || PyFloat_CheckExact(from.ptr()) || PyComplex_CheckExact(from.ptr()))
                throw Error(ErrorKind::Type, "can_cast: Python numbers have no dtype; give a dtype or an array");
            std::vector<DType> strong;
            std::vector<WeakKind> weak;
            add_type(from, strong, weak);
            return can_cast(strong.at(0), require_dtype(to), to_casting(casting));
        },
        "from_"_a, "to"_a, "casting"_a = "safe");
    m.def(
        "may_share_memory",
        [](nb::handle a, nb::handle b) {
            return may_share_memory(require_array("may_share_memory", a), require_array("may_share_memory", b));
        },
        "a"_a, "b"_a);
}

}  // namespace lanewise::bindings
