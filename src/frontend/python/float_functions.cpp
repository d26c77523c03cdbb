// frexp, modf, ldexp and NumPy's composite float functions.
#include "frontend/python/float_functions.h"

#include <limits>
#include <numbers>

namespace lanewise::python {

using ir::Builder;
using ir::ScalarOp;
using ir::Value;

Operand frexp_of(Emitter& e, const Operand& x) {
    Value *fraction = nullptr, *exponent = nullptr;
    if (!e.dry()) {
        fraction = e.builder().scalar(ScalarOp::FrexpFraction, x.value());
        exponent = e.builder().scalar(ScalarOp::FrexpExponent, x.value());
    }
    return e.tuple({e.scalar(x.type->dtype, fraction), e.scalar(DType::Int32, exponent)});
}

Operand modf_of(Emitter& e, const Operand& x) {
    Value *fraction = nullptr, *whole = nullptr;
    if (!e.dry()) {
        Builder& b = e.builder();
        whole = b.scalar(ScalarOp::Trunc, x.value());
        Value* rest =
            b.select(b.scalar(ScalarOp::IsInf, x.value()), b.constant_float(x.type->dtype, 0), b.sub(x.value(), whole));
        fraction = b.scalar(ScalarOp::CopySign, rest, x.value());
    }
    return e.tuple({e.scalar(x.type->dtype, fraction), e.scalar(x.type->dtype, whole)});
}

Operand ldexp_of(Emitter& e, const Operand& x, const Operand& exponent) {
    Value* value = nullptr;
    if (!e.dry()) {
        Builder& b = e.builder();
        // Beyond +-5000 the result is 0 or infinity; the clamp keeps wide exponents from wrapping.
        Value* count = exponent.value();
        if (bits(exponent.type->dtype) > 32 || exponent.type->dtype == DType::UInt32) {
            const DType dtype = exponent.type->dtype;
            count = b.scalar(ScalarOp::Min, count, b.constant(dtype, 5000));
            if (is_signed(dtype)) count = b.scalar(ScalarOp::Max, count, b.constant(dtype, -5000));
        }
        value = b.scalar(ScalarOp::Ldexp, x.value(), b.cast(count, DType::Int32));
    }
    return e.scalar(x.type->dtype, value);
}

Value* heaviside_of(Builder& b, Value* x, Value* at_zero) {
    const DType dtype = x->type.dtype;
    Value* zero = b.constant_float(dtype, 0);
    Value* not_zero =
        b.select(b.scalar(ScalarOp::Gt, x, zero), b.constant_float(dtype, 1), b.select(b.lt(x, zero), zero, x));
    return b.select(b.eq(x, zero), at_zero, not_zero);
}

Value* logaddexp_of(Builder& b, Value* x, Value* y, bool base_two) {
    const DType dtype = x->type.dtype;
    Value* difference = b.sub(x, y);
    Value* larger = b.scalar(ScalarOp::Maximum, x, y);
    Value* fall = b.scalar(ScalarOp::Neg, b.scalar(ScalarOp::Abs, difference));
    Value* tail = b.scalar(ScalarOp::Log1p, b.scalar(base_two ? ScalarOp::Exp2 : ScalarOp::Exp, fall));
    if (base_two) tail = b.mul(tail, b.constant_float(dtype, std::numbers::log2e));
    // Equal infinities have no difference: inf - inf is NaN.
    Value* half = b.constant_float(dtype, base_two ? 1.0 : std::numbers::ln2);
    return b.select(b.eq(x, y), b.add(x, half), b.add(larger, tail));
}

Value* float_sign_of(Builder& b, Value* x) {
    const DType dtype = x->type.dtype;
    Value* zero = b.constant_float(dtype, 0);
    Value* negative = b.select(b.lt(x, zero), b.constant_float(dtype, -1), b.select(b.eq(x, zero), zero, x));
    return b.select(b.scalar(ScalarOp::Gt, x, zero), b.constant_float(dtype, 1), negative);
}

Value* spacing_of(Builder& b, Value* x) {
    Value* infinity = b.constant_float(x->type.dtype, std::numeric_limits<double>::infinity());
    return b.sub(b.scalar(ScalarOp::NextAfter, x, b.scalar(ScalarOp::CopySign, infinity, x)), x);
}

}  // namespace lanewise::python
