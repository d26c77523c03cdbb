// The evaluator: constant folding where it is exact, the host's math library for the rest.
#include "ir_evaluator.h"

#include <cmath>
#include <cstring>
#include <memory>
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

    Outcome finish() {
        for (int steps = 0; steps < 1'000'000; ++steps) {
            const Value* last = run_block();
            if (raised_) return std::move(*raised_);
            if (last->op == Op::Return) return {of(last->operands), std::nullopt, {}};
            if (last->op == Op::Raise) {
                const std::vector<std::uint64_t> values = of(last->operands);
                return {{}, static_cast<std::uint32_t>(last->index), {values.begin(), values.end()}};
            }
            if (last->op != Op::Branch && last->op != Op::CondBranch) break;
            const bool first = last->op == Op::Branch || of(last->operands[0]) != 0;
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
            if (raised_) break;
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
            case Op::PointerAdd:
                return of(value.operands[0]) + of(value.operands[1]) * static_cast<std::uint64_t>(value.index);
            case Op::Load:
                return load(of(value.operands[0]), value.type.bytes());
            case Op::Store:
                store(of(value.operands[0]), of(value.operands[1]), value.operands[1]->type.bytes());
                return 0;
            case Op::Atomic: {
                const std::uint64_t address = of(value.operands[0]);
                const std::uint64_t old = load(address, value.type.bytes());
                if (value.atomic != ir::AtomicOp::Add) break;
                store(address, compute(ScalarOp::Add, value.type.dtype, {old, of(value.operands[1])}),
                      value.type.bytes());
                return old;
            }
            case Op::LocalArray:
                memory_.push_back(std::make_unique<std::uint64_t[]>(static_cast<std::size_t>(value.index) / 8 + 1));
                return reinterpret_cast<std::uint64_t>(memory_.back().get());
            case Op::Intrinsic: {
                const std::string_view name = ir::info(value.intrinsic).name;
                return name.starts_with("ntid") || name.starts_with("nctaid") ? 1 : 0;
            }
            case Op::Call: {
                Outcome outcome = Run(*value.callee, of(value.operands)).finish();
                if (outcome.raised) raised_ = std::make_unique<Outcome>(outcome);
                calls_[&value] = outcome.results;
                return outcome.results.size() == 1 ? outcome.results[0] : 0;
            }
            case Op::Result:
                return calls_.at(value.operands[0]).at(static_cast<std::size_t>(value.index));
            default:
                break;
        }
        throw std::logic_error("cannot evaluate " + std::string(ir::name(value.op)));
    }

    static std::uint64_t load(std::uint64_t address, int bytes) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(bytes));
        return bits;
    }
    static void store(std::uint64_t address, std::uint64_t bits, int bytes) {
        std::memcpy(reinterpret_cast<void*>(address), &bits, static_cast<std::size_t>(bytes));
    }

    std::uint64_t of(const Value* value) {
        if (value->op == Op::Constant) return value->bits;
        if (value->op != Op::GlobalAddress) return values_.at(value);
        value->global->data.resize(value->global->bytes);
        return reinterpret_cast<std::uint64_t>(value->global->data.data());
    }
    std::vector<std::uint64_t> of(const std::vector<Value*>& values) {
        std::vector<std::uint64_t> bits;
        for (const Value* value : values) bits.push_back(of(value));
        return bits;
    }

    std::unordered_map<const Value*, std::uint64_t> values_;
    std::unordered_map<const Value*, std::vector<std::uint64_t>> calls_;
    std::vector<std::unique_ptr<std::uint64_t[]>> memory_;
    std::unique_ptr<Outcome> raised_;
    const ir::Block* block_ = nullptr;
    const ir::Block* previous_ = nullptr;
};

}  // namespace

Outcome run_thread(const ir::Function& function, const std::vector<std::uint64_t>& arguments) {
    return Run(function, arguments).finish();
}

std::vector<std::uint64_t> evaluate(const ir::Function& function, const std::vector<std::uint64_t>& arguments) {
    Outcome outcome = run_thread(function, arguments);
    if (outcome.raised) throw std::logic_error("the function raised");
    return outcome.results;
}

}  // namespace lanewise::testing
