// Euclid's algorithm as a loop in the IR.
#include "frontend/python/integer_functions.h"

namespace lanewise::python {

using ir::Builder;
using ir::ScalarOp;
using ir::Value;

namespace {

/// Of uint64 values.
Value* euclid(Builder& b, Value* first, Value* second) {
    ir::Block* entry = b.block();
    ir::Block* head = b.new_block("gcd.head");
    ir::Block* body = b.new_block("gcd.body");
    ir::Block* exit = b.new_block("gcd.exit");
    b.branch(head);

    b.set_block(head);
    Value* x = b.phi(first->type);
    Value* y = b.phi(first->type);
    b.cond_branch(b.scalar(ScalarOp::Ne, y, b.constant(DType::UInt64, 0)), body, exit);

    b.set_block(body);
    Value* rest = b.scalar(ScalarOp::Rem, x, y);
    Builder::add_incoming(x, first, entry);
    Builder::add_incoming(x, y, body);
    Builder::add_incoming(y, second, entry);
    Builder::add_incoming(y, rest, body);
    b.branch(head);

    b.set_block(exit);
    return x;
}

Value* unsigned_magnitude(Builder& b, Value* x) {
    if (is_signed(x->type.dtype)) x = b.scalar(ScalarOp::Abs, b.cast(x, DType::Int64));
    return b.cast(x, DType::UInt64);
}

}  // namespace

Operand gcd_of(Emitter& e, const Operand& x, const Operand& y) {
    const DType dtype = x.type->dtype;
    if (e.dry()) return e.scalar(dtype, nullptr);
    Builder& b = e.builder();
    Value* divisor = euclid(b, unsigned_magnitude(b, x.value()), unsigned_magnitude(b, y.value()));
    return e.scalar(dtype, b.cast(divisor, dtype));
}

Operand lcm_of(Emitter& e, const Operand& x, const Operand& y) {
    const DType dtype = x.type->dtype;
    if (e.dry()) return e.scalar(dtype, nullptr);
    Builder& b = e.builder();
    Value* first = unsigned_magnitude(b, x.value());
    Value* second = unsigned_magnitude(b, y.value());
    Value* divisor = euclid(b, first, second);
    // Both are zero when the divisor is; any divisor will do then.
    Value* safe = b.scalar(ScalarOp::Max, divisor, b.constant(DType::UInt64, 1));
    return e.scalar(dtype, b.cast(b.mul(b.scalar(ScalarOp::Div, first, safe), second), dtype));
}

}  // namespace lanewise::python
