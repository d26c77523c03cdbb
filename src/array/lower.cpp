#include "array/lower.h"

#include <fmt/format.h>

#include "array/arithmetic.h"
#include "array/program.h"

namespace lanewise {
namespace {

/// Operations that look at the bits of 16-bit floats and must not see them widened.
bool works_on_bits(ElementOp op) {
    return op == ElementOp::NextAfter || op == ElementOp::Spacing || op == ElementOp::Negative ||
           op == ElementOp::Absolute || op == ElementOp::Fabs || op == ElementOp::Where || op == ElementOp::Positive ||
           op == ElementOp::Conjugate;
}

}  // namespace

std::string_view name_of(ElementOp op) {
    if (op < ElementOp::Ldexp) return info(static_cast<Ufunc>(op)).name;
    switch (op) {
        case ElementOp::Ldexp:
            return "ldexp";
        case ElementOp::Where:
            return "where";
        case ElementOp::Gather:
            return "take";
        default:
            return "";
    }
}

void no_lowering(ElementOp op, DType type) {
    throw Error(ErrorKind::Internal, fmt::format("array engine: no code is known for operation {} ({}) of {}",
                                                 static_cast<int>(op), name_of(op), name(type)));
}

Number lower_cast(ir::Builder& b, const Number& x, DType from, DType to) {
    if (is_complex(from)) {
        const Arithmetic a(b, real_of(from));
        if (is_bool(to)) return {a.either(a.ne(x.re, a.c(0)), a.ne(x.im, a.c(0)))};
        if (is_complex(to)) return {b.cast(x.re, real_of(to)), b.cast(x.im, real_of(to))};
        return {b.cast(x.re, to)};
    }
    if (is_complex(to)) return {b.cast(x.re, real_of(to)), b.constant_float(real_of(to), 0.0)};
    return {b.cast(x.re, to)};
}

Number lower(ir::Builder& b, ElementOp op, DType type, DType result, std::span<const Number> args) {
    if (op == ElementOp::Where) {
        const Number& x = args[1];
        const Number& y = args[2];
        return {b.select(args[0].re, x.re, y.re), x.im ? b.select(args[0].re, x.im, y.im) : nullptr};
    }
    if (op == ElementOp::Real) return {args[0].re};
    if (op == ElementOp::Imag) return {args[0].im};
    if (op == ElementOp::MakeComplex) return {args[0].re, args[1].re};
    if (is_complex(type)) return lower_complex(b, op, real_of(type), args);
    if (!is_float(type)) {
        Number value = lower_integer(b, op, type, args);
        return {b.cast(value.re, result)};
    }
    if (size_of(type) > 2 || works_on_bits(op)) return lower_float(b, op, type, args);
    Number wide[3];
    for (std::size_t k = 0; k < args.size(); ++k) {
        const DType from = args[k].re->type.dtype;
        wide[k] = {from == type ? b.cast(args[k].re, DType::Float32) : args[k].re};
    }
    const Number value = lower_float(b, op, DType::Float32, std::span(wide, args.size()));
    return {result == type ? b.cast(value.re, type) : value.re};
}

ir::Value* next_after(ir::Builder& b, ir::Value* x, ir::Value* to) {
    const DType type = x->type.dtype;
    const DType word = *dtype_from_kind('i', size_of(type));
    const Arithmetic a(b, type);
    using S = ir::ScalarOp;
    ir::Value* bits = b.bitcast(x, ir::Type::scalar(word));
    ir::Value* one = b.constant(word, 1);
    // Away from zero the bits count up.
    ir::Value* up = b.scalar(S::Eq, a.lt(x, to), b.scalar(S::Gt, x, a.c(0)));
    ir::Value* moved = b.select(up, b.add(bits, one), b.sub(bits, one));
    ir::Value* tiny = a.copysign(b.bitcast(one, x->type), to);
    ir::Value* next = a.choose(a.eq(x, a.c(0)), tiny, b.bitcast(moved, x->type));
    next = a.choose(a.eq(x, to), to, next);
    return a.choose(a.is_nan(x), x, a.choose(a.is_nan(to), to, next));
}

}  // namespace lanewise
