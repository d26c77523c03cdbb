// The evaluator: constant folding where it is exact, the host's math library for the rest.
#include "ir_evaluator.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "ir/fold.h"

namespace lanewise::testing {

using ir::Op;
using ir::ScalarOp;
using ir::Value;

namespace {

template <typename Float>
Float apply(ScalarOp op, Float x, Float y, int n) {
    switch (op) {
        case ScalarOp::Rem:
            return std::fmod(x, y);
        case ScalarOp::Min:
            return x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y);
        case ScalarOp::Max:
            return x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y);
        case ScalarOp::Round:
            return std::round(x);
        case ScalarOp::Rsqrt:
            return 1 / std::sqrt(x);
        case ScalarOp::Cbrt:
            return std::cbrt(x);
        case ScalarOp::Exp:
            return std::exp(x);
        case ScalarOp::Exp2:
            return std::exp2(x);
        case ScalarOp::Expm1:
            return std::expm1(x);
        case ScalarOp::Log:
            return std::log(x);
        case ScalarOp::Log2:
            return std::log2(x);
        case ScalarOp::Log10:
            return std::log10(x);
        case ScalarOp::Log1p:
            return std::log1p(x);
        case ScalarOp::Sin:
            return std::sin(x);
        case ScalarOp::Cos:
            return std::cos(x);
        case ScalarOp::Tan:
            return std::tan(x);
        case ScalarOp::Asin:
            return std::asin(x);
        case ScalarOp::Acos:
            return std::acos(x);
        case ScalarOp::Atan:
            return std::atan(x);
        case ScalarOp::Sinh:
            return std::sinh(x);
        case ScalarOp::Cosh:
            return std::cosh(x);
        case ScalarOp::Tanh:
            return std::tanh(x);
        case ScalarOp::Asinh:
            return std::asinh(x);
        case ScalarOp::Acosh:
            return std::acosh(x);
        case ScalarOp::Atanh:
            return std::atanh(x);
        case ScalarOp::Erf:
            return std::erf(x);
        case ScalarOp::Erfc:
            return std::erfc(x);
        case ScalarOp::Gamma:
            return std::tgamma(x);
        case ScalarOp::LogGamma:
            return std::lgamma(x);
        case ScalarOp::Pow:
            return std::pow(x, y);
        case ScalarOp::Powi:
            return static_cast<Float>(std::pow(static_cast<double>(x), n));
        case ScalarOp::Atan2:
            return std::atan2(x, y);
        case ScalarOp::Hypot:
            return std::hypot(x, y);
        case ScalarOp::NextAfter:
            return std::nextafter(x, y);
        case ScalarOp::IeeeRemainder:
            return std::remainder(x, y);
        case ScalarOp::Ldexp:
            return std::ldexp(x, n);
        default:
            break;
    }
    throw std::logic_error("no host function for " + std::string(ir::info(op).name));
}

std::uint64_t compute(ScalarOp op, DType dtype, const std::vector<std::uint64_t>& operands) {
    if (const auto folded = ir::fold_scalar(op, dtype, operands)) return *folded;
    const double x = ir::decode_float(dtype, operands[0]);
    const bool integer_second = ir::info(op).operands == "Ti";
    const int n = integer_second ? static_cast<int>(ir::decode_integer(DType::Int32, operands[1])) : 0;
    const double y = !integer_second && operands.size() > 1 ? ir::decode_float(dtype, operands[1]) : 0;
    const double result = dtype == DType::Float32
                              ? static_cast<double>(apply(op, static_cast<float>(x), static_cast<float>(y), n))
                              : apply(op, x, y, n);
    return ir::encode_float(dtype, result);
}

class Run {
public:
    Run(const ir::Function& function, const std::vector<std::uint64_t>& arguments) {
        for (std::size_t i = 0; i < arguments.size(); ++i) values_[function.parameter_values[i]] = arguments[i];
        block_ = function.blocks[0];
    }

    std::vector<std::uint64_t> finish() {
        for (int steps = 0; steps < 1'000'000; ++steps) {
            const Value* last = run_block();
            if (last->op == Op::Return) return of(last->operands);
            const bool first = last->op == Op::Branch || of(last->operands[0]) != 0;
            if (last->op != Op::Branch && last->op != Op::CondBranch) break;
            previous_ = block_;
            block_ = last->targets[first ? 0 : 1];
        }
        throw std::logic_error("the function does not return");
    }

private:
    const Value* run_block() {
        std::vector<std::pair<const Value*, std::uint64_t>> phis;
        for (const Value* value : block_->values) {
            if (value->op != Op::Phi) break;
            for (std::size_t i = 0; i < value->incoming.size(); ++i) {
                if (value->incoming[i] == previous_) phis.emplace_back(value, of(value->operands[i]));
            }
        }
        for (const auto& [phi, bits] : phis) values_[phi] = bits;
        for (const Value* value : block_->values) {
            if (value->op == Op::Phi || ir::is_terminator(value->op)) continue;
            values_[value] = run(*value);
        }
        return block_->terminator();
    }

    std::uint64_t run(const Value& value) {
        switch (value.op) {
            case Op::Scalar: {
                const bool select = ir::info(value.scalar).operands == "bTT";
                return compute(value.scalar, value.operands[select ? 1 : 0]->type.dtype, of(value.operands));
            }
            case Op::Cast: {
                const auto cast = ir::fold_cast(value.operands[0]->type.dtype, of(value.operands[0]), value.type.dtype);
                if (cast) return *cast;
                break;
            }
            case Op::Bitcast:
                return of(value.operands[0]);
            default:
                break;
        }
        throw std::logic_error("cannot evaluate " + std::string(ir::name(value.op)));
    }

    std::uint64_t of(const Value* value) { return value->op == Op::Constant ? value->bits : values_.at(value); }
    std::vector<std::uint64_t> of(const std::vector<Value*>& values) {
        std::vector<std::uint64_t> bits;
        for (const Value* value : values) bits.push_back(of(value));
        return bits;
    }

    std::unordered_map<const Value*, std::uint64_t> values_;
    const ir::Block* block_ = nullptr;
    const ir::Block* previous_ = nullptr;
};

}  // namespace

std::vector<std::uint64_t> evaluate(const ir::Function& function, const std::vector<std::uint64_t>& arguments) {
    return Run(function, arguments).finish();
}

}  // namespace lanewise::testing
