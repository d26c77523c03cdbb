// Short names for the IR of arithmetic formulas.
#pragma once

#include "ir/builder.h"

namespace lanewise {

class Arithmetic {
public:
    using V = ir::Value*;
    using S = ir::ScalarOp;
    Arithmetic(ir::Builder& b, DType type) : b(b), type(type) {}

    V c(double value) const {
        return is_float(type) ? b.constant_float(type, value) : b.constant(type, static_cast<std::int64_t>(value));
    }
    V op(S which, V x) const { return b.scalar(which, x); }
    V op(S which, V x, V y) const { return b.scalar(which, x, y); }
    V add(V x, V y) const { return b.add(x, y); }
    V sub(V x, V y) const { return b.sub(x, y); }
    V mul(V x, V y) const { return b.mul(x, y); }
    V div(V x, V y) const { return op(S::Div, x, y); }
    V neg(V x) const { return op(S::Neg, x); }
    V abs(V x) const { return op(S::Abs, x); }
    V both(V x, V y) const { return op(S::BitAnd, x, y); }
    V either(V x, V y) const { return op(S::BitOr, x, y); }
    V negated(V x) const { return b.logical_not(x); }
    V eq(V x, V y) const { return b.eq(x, y); }
    V ne(V x, V y) const { return op(S::Ne, x, y); }
    V lt(V x, V y) const { return b.lt(x, y); }
    V le(V x, V y) const { return op(S::Le, x, y); }
    V choose(V condition, V x, V y) const { return b.select(condition, x, y); }
    V is_nan(V x) const { return op(S::IsNan, x); }
    V is_inf(V x) const { return op(S::IsInf, x); }
    V copysign(V x, V y) const { return op(S::CopySign, x, y); }

    ir::Builder& b;
    const DType type;
};

}  // namespace lanewise
