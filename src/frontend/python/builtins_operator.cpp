// The functions of Python's operator module: each is the operator of its name.
#include <algorithm>

#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"

namespace lanewise::python {

using syntax::BinaryOp;
using syntax::CompareOp;
using syntax::UnaryOp;

namespace {

template <BinaryOp op>
Operand call_binary(Call& c) {
    c.bind({"a", "b"}, 2);
    return binary(c.e, op, c.args[0], c.args[1]);
}

template <UnaryOp op>
Operand call_unary(Call& c) {
    c.bind({"a"}, 1);
    return unary(c.e, op, c.args[0]);
}

template <CompareOp op>
Operand call_compare(Call& c) {
    c.bind({"a", "b"}, 2);
    return compare(c.e, op, c.args[0], c.args[1]);
}

Operand call_contains(Call& c) {
    c.bind({"container", "item"}, 2);
    return compare(c.e, CompareOp::In, c.args[1], c.args[0]);
}

Operand call_truth(Call& c) {
    c.bind({"a"}, 1);
    return truth(c.e, c.args[0]);
}

constexpr Builtin table[] = {
    {"operator.add", call_binary<BinaryOp::Add>},
    {"operator.iadd", call_binary<BinaryOp::Add>},
    {"operator.sub", call_binary<BinaryOp::Sub>},
    {"operator.isub", call_binary<BinaryOp::Sub>},
    {"operator.mul", call_binary<BinaryOp::Mul>},
    {"operator.imul", call_binary<BinaryOp::Mul>},
    {"operator.truediv", call_binary<BinaryOp::TrueDiv>},
    {"operator.itruediv", call_binary<BinaryOp::TrueDiv>},
    {"operator.floordiv", call_binary<BinaryOp::FloorDiv>},
    {"operator.ifloordiv", call_binary<BinaryOp::FloorDiv>},
    {"operator.mod", call_binary<BinaryOp::Mod>},
    {"operator.imod", call_binary<BinaryOp::Mod>},
    {"operator.pow", call_binary<BinaryOp::Pow>},
    {"operator.ipow", call_binary<BinaryOp::Pow>},
    {"operator.lshift", call_binary<BinaryOp::LShift>},
    {"operator.ilshift", call_binary<BinaryOp::LShift>},
    {"operator.rshift", call_binary<BinaryOp::RShift>},
    {"operator.irshift", call_binary<BinaryOp::RShift>},
    {"operator.and_", call_binary<BinaryOp::BitAnd>},
    {"operator.iand", call_binary<BinaryOp::BitAnd>},
    {"operator.or_", call_binary<BinaryOp::BitOr>},
    {"operator.ior", call_binary<BinaryOp::BitOr>},
    {"operator.xor", call_binary<BinaryOp::BitXor>},
    {"operator.ixor", call_binary<BinaryOp::BitXor>},
    {"operator.neg", call_unary<UnaryOp::Neg>},
    {"operator.pos", call_unary<UnaryOp::Pos>},
    {"operator.invert", call_unary<UnaryOp::Invert>},
    {"operator.inv", call_unary<UnaryOp::Invert>},
    {"operator.not_", call_unary<UnaryOp::Not>},
    {"operator.truth", call_truth},
    {"operator.eq", call_compare<CompareOp::Eq>},
    {"operator.ne", call_compare<CompareOp::Ne>},
    {"operator.lt", call_compare<CompareOp::Lt>},
    {"operator.le", call_compare<CompareOp::Le>},
    {"operator.gt", call_compare<CompareOp::Gt>},
    {"operator.ge", call_compare<CompareOp::Ge>},
    {"operator.is_", call_compare<CompareOp::Is>},
    {"operator.is_not", call_compare<CompareOp::IsNot>},
    {"operator.contains", call_contains},
};

}  // namespace

std::span<const Builtin> operator_builtins() {
    return table;
}

}  // namespace lanewise::python
