#include "array/scan_code.h"

#include <fmt/format.h>

namespace lanewise {

using S = ir::ScalarOp;

namespace {

std::string kernel_name(Reduction op) {
    switch (op) {
        case Reduction::Sum:
            return "cumsum";
        case Reduction::Prod:
            return "cumprod";
        default:
            return "running_" + std::string(name(op));
    }
}

}  // namespace

ScanCode::ScanCode(const Program& program, const ReduceSpec& spec, const ScanPlan& plan, DType target)
    : program_(program),
      spec_(spec),
      plan_(plan),
      target_(target),
      type_(accumulator(spec.type)),
      code_(program, kernel_name(spec.op)),
      b_(code_.b()),
      control_(b_) {}

void ScanCode::line_parameters() {
    for (int d = 0; d < plan_.line_shape.size(); ++d)
        extents_.push_back(code_.integer_parameter(fmt::format("extent{}", d)));
    for (std::size_t k = 0; k <= program_.leaves.size(); ++k) {
        steps_.push_back(code_.integer_parameter(fmt::format("step{}", k)));
        strides_.emplace_back();
        for (int d = 0; d < plan_.line_shape.size(); ++d)
            strides_.back().push_back(code_.integer_parameter(fmt::format("stride{}_{}", k, d)));
    }
    code_.scalar_parameters();
}

std::vector<ir::Value*> ScanCode::bases_of(V line) {
    std::vector<V> bases(program_.leaves.size() + 1, b_.i64(0));
    V rest = line;
    for (int d = plan_.line_shape.size() - 1; d >= 0; --d) {
        V position = rest;
        if (d > 0) {
            V quotient = b_.scalar(S::Div, rest, extents_[static_cast<std::size_t>(d)]);
            position = b_.sub(rest, b_.mul(quotient, extents_[static_cast<std::size_t>(d)]));
            rest = quotient;
        }
        for (std::size_t k = 0; k < bases.size(); ++k)
            bases[k] = b_.add(bases[k], b_.mul(position, strides_[k][static_cast<std::size_t>(d)]));
    }
    return bases;
}

Number ScanCode::exchange(ir::Intrinsic which, const Number& value, V operand, int width) {
    auto part = [&](V x) {
        const DType own = x->type.dtype;
        const bool small = is_bool(own) || size_of(own) < 4;
        V wide = small ? b_.cast(x, DType::Int32) : x;
        V got = b_.intrinsic(which, {b_.constant(DType::UInt32, -1), wide, operand, b_.i32(width)});
        return small ? b_.cast(got, own) : got;
    };
    return {part(value.re), value.im ? part(value.im) : nullptr};
}

Number ScanCode::lift(KernelCode::Place& place) {
    return reduce_lift(b_, spec_, code_.element(place)[spec_.value], nullptr).value;
}

}  // namespace lanewise
