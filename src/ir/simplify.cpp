#include "ir/simplify.h"

#include "ir/fold.h"

namespace lanewise::ir {

namespace {

bool is_constant(const Value* value, std::int64_t wanted) {
    auto found = constant_integer(value);
    return found && *found == wanted;
}
bool is_all_ones(const Value* value) {
    if (value->op != Op::Constant || !value->type.is_scalar()) return false;
    const DType type = value->type.dtype;
    return value->bits == (is_bool(type) ? 1 : encode_integer(type, -1));
}
bool is_float_bits(const Value* value, double wanted) {
    return value->op == Op::Constant && value->bits == encode_float(value->type.dtype, wanted);
}

Value* simplify_integer(Builder& builder, ScalarOp op, Value* a, Value* b) {
    const DType type = a->type.dtype;
    switch (op) {
        case ScalarOp::Add:
            if (is_constant(a, 0)) return b;
            return is_constant(b, 0) ? a : nullptr;
        case ScalarOp::Sub:
            if (a == b) return builder.constant(type, 0);
            return is_constant(b, 0) ? a : nullptr;
        case ScalarOp::Mul:
            if (is_constant(a, 0) || is_constant(b, 1)) return a;
            return is_constant(b, 0) || is_constant(a, 1) ? b : nullptr;
        case ScalarOp::Div:
        case ScalarOp::FloorDiv:
            return is_constant(b, 1) ? a : nullptr;
        case ScalarOp::Rem:
        case ScalarOp::Mod:
            return is_constant(b, 1) ? builder.constant(type, 0) : nullptr;
        case ScalarOp::Min:
        case ScalarOp::Max:
        case ScalarOp::Minimum:
        case ScalarOp::Maximum:
            return a == b ? a : nullptr;
        case ScalarOp::BitAnd:
            if (a == b || is_all_ones(b) || is_constant(a, 0)) return a;
            return is_all_ones(a) || is_constant(b, 0) ? b : nullptr;
        case ScalarOp::BitOr:
            if (a == b || is_constant(b, 0) || is_all_ones(a)) return a;
            return is_constant(a, 0) || is_all_ones(b) ? b : nullptr;
        case ScalarOp::BitXor:
            if (a == b) return builder.constant(type, 0);
            if (is_constant(b, 0)) return a;
            return is_constant(a, 0) ? b : nullptr;
        case ScalarOp::Shl:
        case ScalarOp::Shr:
            return is_constant(b, 0) ? a : nullptr;
        case ScalarOp::BitNot:
        case ScalarOp::Neg:
            return a->op == Op::Scalar && a->scalar == op ? a->operands[0] : nullptr;
        case ScalarOp::Eq:
        case ScalarOp::Le:
        case ScalarOp::Ge:
            return a == b ? builder.boolean(true) : nullptr;
        case ScalarOp::Ne:
        case ScalarOp::Lt:
        case ScalarOp::Gt:
            return a == b ? builder.boolean(false) : nullptr;
        default:
            return nullptr;
    }
}

Value* simplify_float(ScalarOp op, Value* a, Value* b) {
    switch (op) {
        // x + -0.0 and x - 0.0 are x for every x; x + 0.0 is not for -0.0.
        case ScalarOp::Add:
            if (is_float_bits(a, -0.0)) return b;
            return is_float_bits(b, -0.0) ? a : nullptr;
        case ScalarOp::Sub:
            return is_float_bits(b, 0.0) ? a : nullptr;
        case ScalarOp::Mul:
            if (is_float_bits(a, 1.0)) return b;
            return is_float_bits(b, 1.0) ? a : nullptr;
        case ScalarOp::Div:
            return is_float_bits(b, 1.0) ? a : nullptr;
        case ScalarOp::Neg:
            return a->op == Op::Scalar && a->scalar == op ? a->operands[0] : nullptr;
        default:
            return nullptr;
    }
}

}  // namespace

Value* simplify_scalar(Builder& builder, ScalarOp op, const std::vector<Value*>& operands) {
    if (op == ScalarOp::Select) {
        if (operands[1] == operands[2]) return operands[1];
        if (auto condition = constant_integer(operands[0])) return *condition ? operands[1] : operands[2];
        return nullptr;
    }
    const DType type = operands[0]->type.dtype;
    bool all_constant = true;
    for (const Value* operand : operands) all_constant &= operand->op == Op::Constant;
    if (all_constant && operands.size() <= 3) {
        std::uint64_t bits[3];
        for (std::size_t i = 0; i < operands.size(); ++i) bits[i] = operands[i]->bits;
        if (auto folded = fold_scalar(op, type, std::span(bits, operands.size()))) {
            const char result = info(op).result;
            return builder.constant_bits(Type::scalar(result == 'b'   ? DType::Bool
                                                      : result == 'i' ? DType::Int32
                                                                      : type),
                                         *folded);
        }
    }
    Value* b = operands.size() > 1 ? operands[1] : nullptr;
    return is_float(type) ? simplify_float(op, operands[0], b) : simplify_integer(builder, op, operands[0], b);
}

}  // namespace lanewise::ir
