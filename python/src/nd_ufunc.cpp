// Calling ufuncs: operands, out, where, dtype and casting.
#include "nd_ufunc.h"

#include <fmt/format.h>

#include <algorithm>

#include "bindings.h"
#include "errors.h"
#include "lanewise/error.h"
#include "nd_bindings.h"
#include "numpy.h"

namespace lanewise::bindings {
namespace {

constexpr int most_results = 2;

/// The keywords of a call, as given.
struct CallOptions {
    PyObject* out[most_results] = {};
    PyObject* where = nullptr;
    PyObject* casting = nullptr;
    PyObject* order = nullptr;
    PyObject* dtype = nullptr;
    bool subok = true;
};

/// Interned names, compared by identity first.
struct Names {
    PyObject* out = PyUnicode_InternFromString("out");
    PyObject* where = PyUnicode_InternFromString("where");
    PyObject* casting = PyUnicode_InternFromString("casting");
    PyObject* order = PyUnicode_InternFromString("order");
    PyObject* dtype = PyUnicode_InternFromString("dtype");
    PyObject* subok = PyUnicode_InternFromString("subok");
};
const Names& names() {
    static const Names* const made = new Names;
    return *made;
}

bool same_name(PyObject* a, PyObject* b) {
    return a == b || PyUnicode_Compare(a, b) == 0;
}

void take_out(const UfuncRow& row, PyObject* value, CallOptions& options) {
    const int results = row.outputs();
    if (!PyTuple_Check(value)) {
        if (results > 1 && value != Py_None)
            throw Error(ErrorKind::Type, fmt::format("{}: out must be a tuple of {} arrays", row.name, results));
        options.out[0] = value;
        return;
    }
    if (PyTuple_GET_SIZE(value) != results)
        throw Error(ErrorKind::Value, fmt::format("{}: out has {} items for {} result{}", row.name,
                                                  PyTuple_GET_SIZE(value), results, results == 1 ? "" : "s"));
    for (int i = 0; i < results; ++i) options.out[i] = PyTuple_GET_ITEM(value, i);
}

void take_keyword(const UfuncRow& row, PyObject* name, PyObject* value, CallOptions& options) {
    const Names& known = names();
    if (same_name(name, known.out)) {
        if (options.out[0] && options.out[0] != Py_None)
            throw Error(ErrorKind::Type, fmt::format("{}: out is given both by position and by name", row.name));
        take_out(row, value, options);
    } else if (same_name(name, known.where)) {
        options.where = value == Py_True ? nullptr : value;
    } else if (same_name(name, known.casting)) {
        options.casting = value;
    } else if (same_name(name, known.order)) {
        options.order = value;
    } else if (same_name(name, known.dtype)) {
        options.dtype = value == Py_None ? nullptr : value;
    } else if (same_name(name, known.subok)) {
        options.subok = PyObject_IsTrue(value) == 1;
    } else {
        throw Error(ErrorKind::Type, fmt::format("{}: unexpected keyword argument '{}'; there are out, where, casting, "
                                                 "order, dtype and subok",
                                                 row.name, nb::cast<std::string>(nb::str(nb::handle(name)))));
    }
}

/// The mask of `where`, which may have axes that the operands lack: then the first operand is broadcast.
Array read_mask(const UfuncRow& row, PyObject* where, std::span<Operand> operands, std::optional<Array>& widened) {
    const HeldOperand given = require_operand(row.name.c_str(), where);
    const bool is_bool_operand =
        given.array() ? is_bool(given.array()->dtype()) : given.scalar()->kind() == WeakKind::Bool;
    if (!is_bool_operand)
        throw Error(ErrorKind::Type,
                    fmt::format("{}: where must be True, False or a boolean array{}", row.name,
                                given.array() ? fmt::format(", not {}", name(given.array()->dtype())) : ""));
    const Array* first = nullptr;
    for (const Operand& operand : operands)
        if (!first) first = operand.array();
    if (!given.array())
        return full({}, *given.scalar(), DType::Bool, first ? work_stream(*first) : current_stream(current_device()));
    if (first && given.array()->ndim() > 0) {
        // The shape that all have together, by an operation on nothing but shapes.
        std::vector<Operand> all;
        for (const Operand& operand : operands)
            if (operand.array()) all.push_back(operand);
        Dims shape = given.array()->shape();
        for (const Operand& operand : all) shape = broadcast_shapes(row.name.c_str(), shape, operand.array()->shape());
        widened = broadcast_to(*first, shape);
        for (Operand& operand : operands)
            if (operand.array() == first) {
                operand = Operand(*widened);
                break;
            }
    }
    return *given.array();
}

/// The dtype asked for, unless it is the one that the function gives anyway; checks the operands' casts to it.
std::optional<DType> read_dtype(const UfuncRow& row, PyObject* dtype, std::span<const Operand> operands,
                                Casting casting) {
    const DType wanted = require_dtype(dtype);
    if (!row.is_ldexp && info(row.parts[0]).result == 'b' && is_bool(wanted)) return std::nullopt;
    for (const Operand& operand : operands) {
        const std::optional<DType> own =
            operand.array() ? std::optional(operand.array()->dtype()) : operand.scalar()->dtype();
        if (own && !can_cast(*own, wanted, casting))
            throw Error(ErrorKind::Type, fmt::format("{}: cannot cast an operand from {} to {} with casting rule '{}'",
                                                     row.name, name(*own), name(wanted), casting_name(casting)));
    }
    return wanted;
}

Array in_order(const Array& result, PyObject* order) {
    const Order wanted = to_layout(order, result);
    if (wanted == Order::Keep || (wanted == Order::C ? result.is_c_contiguous() : result.is_f_contiguous()))
        return result;
    return result.copy(wanted, work_stream(result));
}

/// With keywords beside a single out.
PyObject* call_with_options(const UfuncRow& row, std::span<Operand> operands, const CallOptions& given,
                            ResultClass cls) {
    UfuncOptions options;
    if (given.casting) options.casting = to_casting(given.casting);
    if (given.dtype) options.dtype = read_dtype(row, given.dtype, operands, options.casting);
    std::optional<Array> widened;
    if (given.where) options.where = read_mask(row, given.where, operands, widened);
    const int count = row.outputs();
    const Array* outs[most_results] = {};
    for (int i = 0; i < count; ++i)
        if (given.out[i]) outs[i] = find_out(row.name.c_str(), given.out[i]);

    std::vector<Array> results;
    if (count == 1 && !row.is_ldexp) {
        if (outs[0]) options.out = *outs[0];
        results.push_back(lanewise::apply(row.parts[0], operands, options));
    } else {
        // All of them before the first is written: an operand may be an `out`.
        const std::optional<Array> mask = std::exchange(options.where, std::nullopt);
        results = compute(row, operands, options);
        for (int i = 0; i < count; ++i)
            if (outs[i]) {
                if (!can_cast(results[i].dtype(), outs[i]->dtype(), options.casting))
                    throw Error(ErrorKind::Type, fmt::format("{}: cannot cast the result from {} to the {} of out with "
                                                             "casting rule '{}'",
                                                             row.name, name(results[i].dtype()), name(outs[i]->dtype()),
                                                             casting_name(options.casting)));
                if (!(results[i].shape() == outs[i]->shape()))
                    throw Error(ErrorKind::Value,
                                fmt::format("{}: out has shape {}, the result {}", row.name,
                                            to_string(outs[i]->shape()), to_string(results[i].shape())));
            }
        for (int i = 0; i < count; ++i)
            if (outs[i]) assign(*outs[i], mask ? where(*mask, results[i], *outs[i]) : results[i], options.casting);
    }
    nb::object objects[most_results];
    for (int i = 0; i < count; ++i) {
        if (outs[i]) {
            PyObject* out = given.out[i];
            objects[i] = nb::borrow(PyTuple_Check(out) ? PyTuple_GET_ITEM(out, 0) : out);
            continue;
        }
        Array result = given.order ? in_order(results[i], given.order) : results[i];
        objects[i] = given.subok ? cls.make(std::move(result)) : make_nd(default_nd_class(), std::move(result));
    }
    if (count == 1) return objects[0].release().ptr();
    return nb::make_tuple(objects[0], objects[1]).release().ptr();
}

}  // namespace

PyObject* call_ufunc(PyObject* self, PyObject* const* args, std::size_t flagged_count, PyObject* keywords) {
    try {
        const UfuncRow& row = row_of(self);
        const auto count = static_cast<int>(PyVectorcall_NARGS(flagged_count));
        if (count < row.inputs || count > row.inputs + row.outputs())
            throw Error(ErrorKind::Type, fmt::format("{}: takes {} operand{}, got {} positional arguments", row.name,
                                                     row.inputs, row.inputs == 1 ? "" : "s", count));
        Operand operands[2] = {false, false};
        std::optional<HeldOperand> held[2];
        ResultClass cls;
        for (int i = 0; i < row.inputs; ++i) {
            if (!read_operand(row.name.c_str(), args[i], operands[i]))
                operands[i] = held[i].emplace(require_operand(row.name.c_str(), args[i]));
            cls.see(args[i]);
        }
        const std::span<Operand> given(operands, static_cast<std::size_t>(row.inputs));
        if (count == row.inputs && !keywords && row.outputs() == 1 && !row.is_ldexp)
            return cls.make(lanewise::apply(row.parts[0], given)).release().ptr();

        CallOptions options;
        for (int i = row.inputs; i < count; ++i) options.out[i - row.inputs] = args[i];
        if (keywords)
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i)
                take_keyword(row, PyTuple_GET_ITEM(keywords, i), args[count + i], options);
        if (row.outputs() == 1 && !row.is_ldexp && !options.where && !options.casting && !options.order &&
            !options.dtype) {
            UfuncOptions plain;
            const Array* out = options.out[0] ? find_out(row.name.c_str(), options.out[0]) : nullptr;
            if (!out) return call_with_options(row, given, options, cls);
            plain.out = *out;
            lanewise::apply(row.parts[0], given, plain);
            PyObject* object = options.out[0];
            return Py_NewRef(PyTuple_Check(object) ? PyTuple_GET_ITEM(object, 0) : object);
        }
        return call_with_options(row, given, options, cls);
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

}  // namespace lanewise::bindings
