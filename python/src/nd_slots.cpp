// Python's operators on arrays: number, comparison, sequence and mapping slots.
#include <fmt/format.h>

#include "bindings.h"
#include "errors.h"
#include "foreign.h"
#include "lanewise/error.h"
#include "nd_bindings.h"

namespace lanewise::bindings {
namespace {

const Array& array_of(PyObject* self) {
    return *nb::inst_ptr<NdArray>(self);
}

const char* name_of(Ufunc ufunc) {
    return info(ufunc).name.data();
}

/// Both operands; false when Python shall ask the other one.
bool read_operands(const char* call, PyObject* a, PyObject* b, Operand (&operands)[2]) {
    return read_operand(call, a, operands[0]) && read_operand(call, b, operands[1]);
}

ResultClass class_of(PyObject* a, PyObject* b) {
    ResultClass cls;
    cls.see(a);
    cls.see(b);
    return cls;
}

/// A slot must not throw.
template <class F>
PyObject* guarded(F&& f) noexcept {
    try {
        return f();
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

template <Ufunc ufunc>
PyObject* unary(PyObject* self) noexcept {
    return guarded([&] {
        const Operand operand(array_of(self));
        return make_nd(self, apply(ufunc, std::span(&operand, 1))).release().ptr();
    });
}

template <Ufunc ufunc>
PyObject* binary(PyObject* a, PyObject* b) noexcept {
    return guarded([&] {
        Operand operands[2] = {false, false};
        if (!read_operands(name_of(ufunc), a, b, operands)) return Py_NewRef(Py_NotImplemented);
        return class_of(a, b).make(apply(ufunc, operands)).release().ptr();
    });
}

/// Written into `self`.
template <Ufunc ufunc>
PyObject* in_place(PyObject* self, PyObject* other) noexcept {
    return guarded([&] {
        Operand operands[2] = {false, false};
        if (!read_operands(name_of(ufunc), self, other, operands)) return Py_NewRef(Py_NotImplemented);
        UfuncOptions options;
        options.out = array_of(self);
        apply(ufunc, operands, options);
        return Py_NewRef(self);
    });
}

PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulus) noexcept {
    return modulus == Py_None ? binary<Ufunc::Power>(a, b) : Py_NewRef(Py_NotImplemented);
}

PyObject* power_in_place(PyObject* self, PyObject* other, PyObject* modulus) noexcept {
    return modulus == Py_None ? in_place<Ufunc::Power>(self, other) : Py_NewRef(Py_NotImplemented);
}

PyObject* divmod_slot(PyObject* a, PyObject* b) noexcept {
    return guarded([&] {
        Operand operands[2] = {false, false};
        if (!read_operands("divmod", a, b, operands)) return Py_NewRef(Py_NotImplemented);
        auto [quotient, rest] = lanewise::divmod(operands[0], operands[1]);
        const ResultClass cls = class_of(a, b);
        return nb::make_tuple(cls.make(std::move(quotient)), cls.make(std::move(rest))).release().ptr();
    });
}

bool read_matrices(PyObject* a, PyObject* b, Operand (&operands)[2]) {
    if (!read_operands("matmul", a, b, operands)) return false;
    for (const Operand& operand : operands)
        if (!operand.array()) throw Error(ErrorKind::Value, "matmul: a number has no axes to multiply along; use *");
    return true;
}

PyObject* matmul_slot(PyObject* a, PyObject* b) noexcept {
    return guarded([&] {
        Operand operands[2] = {false, false};
        if (!read_matrices(a, b, operands)) return Py_NewRef(Py_NotImplemented);
        return class_of(a, b).make(matmul(*operands[0].array(), *operands[1].array())).release().ptr();
    });
}

PyObject* matmul_in_place(PyObject* self, PyObject* other) noexcept {
    return guarded([&] {
        Operand operands[2] = {false, false};
        if (!read_matrices(self, other, operands)) return Py_NewRef(Py_NotImplemented);
        assign(array_of(self), matmul(*operands[0].array(), *operands[1].array()), Casting::SameKind);
        return Py_NewRef(self);
    });
}

template <Ufunc ufunc>
PyObject* compare(PyObject* a, PyObject* b) {
    Operand operands[2] = {false, false};
    if (!read_operands(name_of(ufunc), a, b, operands)) return Py_NewRef(Py_NotImplemented);
    return class_of(a, b).make(apply(ufunc, operands)).release().ptr();
}

/// Objects that are equal to themselves alone: no element equals them. None has a comparison of its own since 3.12.
bool compares_by_identity(PyObject* object) {
    return object == Py_None || Py_TYPE(object)->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

/// Python answers False, or True, where neither operand can compare. Of two arrays that would be no answer, and with
/// None the answer is one for each element.
template <Ufunc ufunc>
PyObject* equality(PyObject* a, PyObject* b, int op) {
    nb::object result = nb::steal(compare<ufunc>(a, b));
    if (result.ptr() == Py_NotImplemented && compares_by_identity(b) && !is_foreign_array(b)) {
        const Array& x = array_of(a);
        return make_nd(a, full(x.shape(), op == Py_NE, DType::Bool, work_stream(x))).release().ptr();
    }
    if (result.ptr() != Py_NotImplemented || !is_foreign_array(b)) return result.release().ptr();
    if (richcmpfunc reflected = Py_TYPE(b)->tp_richcompare) result = nb::steal(reflected(b, a, op));
    if (result.ptr() != Py_NotImplemented) return result.release().ptr();
    throw Error(
        ErrorKind::Type,
        fmt::format("{}: a {} is an array of another library; lanewise.asarray(x) makes it one of lanewise over "
                    "the same memory",
                    name_of(ufunc), Py_TYPE(b)->tp_name));
}

PyObject* rich_compare(PyObject* a, PyObject* b, int op) noexcept {
    return guarded([&] {
        switch (op) {
            case Py_LT:
                return compare<Ufunc::Less>(a, b);
            case Py_LE:
                return compare<Ufunc::LessEqual>(a, b);
            case Py_GT:
                return compare<Ufunc::Greater>(a, b);
            case Py_GE:
                return compare<Ufunc::GreaterEqual>(a, b);
            case Py_EQ:
                return equality<Ufunc::Equal>(a, b, op);
            default:
                return equality<Ufunc::NotEqual>(a, b, op);
        }
    });
}

int is_true(PyObject* self) noexcept {
    try {
        const Array& array = array_of(self);
        if (array.size() != 1)
            throw Error(ErrorKind::Value,
                        fmt::format("the truth value of an array of shape {} is ambiguous; use any() or all()",
                                    to_string(array.shape())));
        return PyObject_IsTrue(only_item("bool", array).ptr());
    } catch (...) {
        set_python_error();
        return -1;
    }
}

PyObject* to_int(PyObject* self) noexcept {
    return guarded([&] { return PyNumber_Long(only_item("int", array_of(self)).ptr()); });
}
PyObject* to_float(PyObject* self) noexcept {
    return guarded([&] { return PyNumber_Float(only_item("float", array_of(self)).ptr()); });
}
PyObject* to_index(PyObject* self) noexcept {
    return guarded([&] {
        const Array& array = array_of(self);
        if (array.ndim() != 0 || !is_integer(array.dtype()))
            throw Error(ErrorKind::Type,
                        fmt::format("only 0-d integer arrays can be used as an index, not {} of shape {}",
                                    name(array.dtype()), to_string(array.shape())));
        return only_item("index", array).release().ptr();
    });
}

Py_ssize_t length(PyObject* self) noexcept {
    const Array& array = array_of(self);
    if (array.ndim() > 0) return array.shape()[0];
    PyErr_SetString(PyExc_TypeError, "len() of a 0-d array");
    return -1;
}

/// Row `i`; PyObject_GetIter's iterator stops at the IndexError.
PyObject* row(PyObject* self, Py_ssize_t i) noexcept {
    return guarded([&] {
        Index item;
        item.value = i;
        return make_nd(self, array_of(self).index(std::span(&item, 1))).release().ptr();
    });
}

PyObject* iterate(PyObject* self) noexcept {
    if (array_of(self).ndim() > 0) return PySeqIter_New(self);
    PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
    return nullptr;
}

int contains(PyObject* self, PyObject* value) noexcept {
    try {
        Operand operand(false);
        std::optional<HeldOperand> held;
        if (!read_operand("in", value, operand)) {
            if (!is_foreign_array(value)) return 0;
            operand = held.emplace(require_operand("in", value));
        }
        const Array found = any(equal(array_of(self), operand));
        return PyObject_IsTrue(only_item("in", found).ptr());
    } catch (...) {
        set_python_error();
        return -1;
    }
}

PyObject* subscript(PyObject* self, PyObject* index) noexcept {
    return guarded([&] { return nd_get_item(self, index); });
}
int assign_subscript(PyObject* self, PyObject* index, PyObject* value) noexcept {
    try {
        if (!value) throw Error(ErrorKind::Value, "elements of an array cannot be deleted");
        return nd_set_item(self, index, value);
    } catch (...) {
        set_python_error();
        return -1;
    }
}

template <class F>
void* slot(F* f) {
    return reinterpret_cast<void*>(f);
}

}  // namespace

PyType_Slot* nd_slots() {
    static PyType_Slot slots[] = {
        {Py_nb_add, slot(binary<Ufunc::Add>)},
        {Py_nb_subtract, slot(binary<Ufunc::Subtract>)},
        {Py_nb_multiply, slot(binary<Ufunc::Multiply>)},
        {Py_nb_true_divide, slot(binary<Ufunc::Divide>)},
        {Py_nb_floor_divide, slot(binary<Ufunc::FloorDivide>)},
        {Py_nb_remainder, slot(binary<Ufunc::Remainder>)},
        {Py_nb_divmod, slot(divmod_slot)},
        {Py_nb_power, slot(power_slot)},
        {Py_nb_matrix_multiply, slot(matmul_slot)},
        {Py_nb_lshift, slot(binary<Ufunc::LeftShift>)},
        {Py_nb_rshift, slot(binary<Ufunc::RightShift>)},
        {Py_nb_and, slot(binary<Ufunc::BitwiseAnd>)},
        {Py_nb_or, slot(binary<Ufunc::BitwiseOr>)},
        {Py_nb_xor, slot(binary<Ufunc::BitwiseXor>)},
        {Py_nb_negative, slot(unary<Ufunc::Negative>)},
        {Py_nb_positive, slot(unary<Ufunc::Positive>)},
        {Py_nb_absolute, slot(unary<Ufunc::Absolute>)},
        {Py_nb_invert, slot(unary<Ufunc::Invert>)},
        {Py_nb_inplace_add, slot(in_place<Ufunc::Add>)},
        {Py_nb_inplace_subtract, slot(in_place<Ufunc::Subtract>)},
        {Py_nb_inplace_multiply, slot(in_place<Ufunc::Multiply>)},
        {Py_nb_inplace_true_divide, slot(in_place<Ufunc::Divide>)},
        {Py_nb_inplace_floor_divide, slot(in_place<Ufunc::FloorDivide>)},
        {Py_nb_inplace_remainder, slot(in_place<Ufunc::Remainder>)},
        {Py_nb_inplace_power, slot(power_in_place)},
        {Py_nb_inplace_matrix_multiply, slot(matmul_in_place)},
        {Py_nb_inplace_lshift, slot(in_place<Ufunc::LeftShift>)},
        {Py_nb_inplace_rshift, slot(in_place<Ufunc::RightShift>)},
        {Py_nb_inplace_and, slot(in_place<Ufunc::BitwiseAnd>)},
        {Py_nb_inplace_or, slot(in_place<Ufunc::BitwiseOr>)},
        {Py_nb_inplace_xor, slot(in_place<Ufunc::BitwiseXor>)},
        {Py_nb_bool, slot(is_true)},
        {Py_nb_int, slot(to_int)},
        {Py_nb_float, slot(to_float)},
        {Py_nb_index, slot(to_index)},
        {Py_tp_richcompare, slot(rich_compare)},
        {Py_tp_hash, slot(PyObject_HashNotImplemented)},
        {Py_tp_iter, slot(iterate)},
        {Py_sq_length, slot(length)},
        {Py_sq_item, slot(row)},
        {Py_sq_contains, slot(contains)},
        {Py_mp_length, slot(length)},
        {Py_mp_subscript, slot(subscript)},
        {Py_mp_ass_subscript, slot(assign_subscript)},
        {0, nullptr},
    };
    return slots;
}

}  // namespace lanewise::bindings
