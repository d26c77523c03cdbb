// Elementwise operations that are no ufuncs, and those made of several.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "array/operands.h"

namespace lanewise {
namespace {

DType operand_dtype(const Operand& x) {
    return common_dtype(std::span(&x, 1));
}

}  // namespace

Array ldexp(const Operand& x, const Operand& n, const UfuncOptions& options) {
    const DType count = operand_dtype(n);
    if (!can_cast(count, DType::Int64, Casting::Safe))
        throw Error(ErrorKind::Type, fmt::format("ldexp is not defined for exponents of type {}", name(count)));
    const auto [type, result] = resolve(Ufunc::CopySign, operand_dtypes({&x, 1}));
    // Counts beyond int32 over- and underflow alike.
    std::optional<Array> narrow;
    if (n.array() && size_of(count) == 8) narrow = astype(clip(n, -100000, 100000), DType::Int32);
    const Operand operands[] = {x, narrow ? Operand(*narrow) : n};
    return record_op(ElementOp::Ldexp, type, result, operands, "ldexp", options);
}

std::pair<Array, Array> divmod(const Operand& a, const Operand& b) {
    return {floor_divide(a, b), remainder(a, b)};
}
std::pair<Array, Array> frexp(const Operand& x) {
    return {frexp_fraction(x), frexp_exponent(x)};
}
std::pair<Array, Array> modf(const Operand& x) {
    const Array fraction = modf_fraction(x);
    const Array whole =
        x.array() ? trunc(astype(*x.array(), fraction.dtype(), Casting::Unsafe, false)) : trunc(x.scalar()->real());
    return {fraction, whole};
}

Array where(const Operand& condition, const Operand& if_true, const Operand& if_false) {
    const Operand values[] = {if_true, if_false};
    const DType type = common_dtype(values);
    const Operand operands[] = {condition, if_true, if_false};
    return record_op(ElementOp::Where, type, type, operands, "where", {});
}

Array clip(const Operand& x, const std::optional<Operand>& low, const std::optional<Operand>& high) {
    if (!low && !high) throw Error(ErrorKind::Value, "clip: one of the bounds must be given");
    // A Python integer beyond the array's range bounds nothing on its side, and everything on the other.
    auto bounds = [&](const std::optional<Operand>& bound) {
        return bound && !(bound->scalar() && x.array() && !bound->scalar()->dtype() &&
                          bound->scalar()->kind() == WeakKind::Int && !bound->scalar()->fits(x.array()->dtype()));
    };
    const Array above = bounds(low) ? maximum(x, *low) : x.array() ? *x.array() : maximum(x, x);
    return bounds(high) ? minimum(above, *high) : above;
}

Array round(const Operand& x, int decimals) {
    const DType type = operand_dtype(x);
    if (is_integer(type) || is_bool(type)) {
        if (decimals >= 0) return positive(x);
        const double scale = std::pow(10.0, -decimals);
        return astype(multiply(rint(divide(x, scale)), scale), type);
    }
    if (decimals == 0) return rint(x);
    const double scale = std::pow(10.0, std::abs(decimals));
    if (decimals > 0) return divide(rint(multiply(x, scale)), scale);
    return multiply(rint(divide(x, scale)), scale);
}

Array sinc(const Operand& x) {
    const Array scaled = multiply(x, std::numbers::pi);
    const Array argument = where(equal(scaled, 0), 1e-20, scaled);
    return where(equal(scaled, 0), 1.0, divide(sin(argument), argument));
}

Array real(const Array& x) {
    if (!is_complex(x.dtype())) return x;
    const DType part = real_of(x.dtype());
    if (x.is_pending()) {
        const Operand operands[] = {x};
        return record_op(ElementOp::Real, x.dtype(), part, operands, "real", {});
    }
    return ArrayAccess::part(x, part, 0);
}

Array imag(const Array& x) {
    if (!is_complex(x.dtype())) return full(x.shape(), 0, x.dtype(), stream_of(x));
    const DType part = real_of(x.dtype());
    if (x.is_pending()) {
        const Operand operands[] = {x};
        return record_op(ElementOp::Imag, x.dtype(), part, operands, "imag", {});
    }
    return ArrayAccess::part(x, part, size_of(part));
}

Array angle(const Operand& z) {
    if (!z.array() || !is_complex(z.array()->dtype())) return arctan2(0.0, z);
    return arctan2(imag(*z.array()), real(*z.array()));
}

Array make_complex(const Operand& re, const Operand& im) {
    const Operand operands[] = {re, im};
    const DType type = complex_of(resolve(Ufunc::CopySign, operand_dtypes(operands)).first);
    return record_op(ElementOp::MakeComplex, type, type, operands, "make_complex", {});
}

Array isclose(const Operand& a, const Operand& b, double rtol, double atol, bool equal_nan) {
    const Array difference = absolute(subtract(a, b));
    const Array bound = add(multiply(absolute(b), rtol), atol);
    Array result = logical_or(logical_and(less_equal(difference, bound), isfinite(b)), equal(a, b));
    if (equal_nan) result = logical_or(result, logical_and(isnan(a), isnan(b)));
    return result;
}

}  // namespace lanewise
