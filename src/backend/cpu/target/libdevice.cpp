#include "backend/cpu/target/libdevice.h"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <optional>

#include "backend/cpu/target/formula.h"
#include "backend/cpu/target/rounding.h"
#include "backend/cpu/target/special.h"
#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// A call to be expanded, with what the formulas need.
class Expansion {
public:
    explicit Expansion(llvm::CallInst& call) : call_(call), builder_(&call) {}

    IRBuilder<>& builder() { return builder_; }
    llvm::Type* type() const { return call_.getType(); }
    bool is_float() const { return call_.getType()->isFloatTy(); }
    Value* value(unsigned i) const { return call_.getArgOperand(i); }
    Formula formula(unsigned i) { return {builder_, value(i)}; }
    llvm::SmallVector<Value*> values() const { return llvm::SmallVector<Value*>(call_.args()); }

    Value* intrinsic(llvm::Intrinsic::ID id) { return builder_.CreateIntrinsic(id, {type()}, values(), nullptr); }
    Value* flag(Value* condition) { return builder_.CreateZExt(condition, type()); }
    Value* libm(llvm::StringRef name) { return call_libm(builder_, name, type(), values()); }

private:
    llvm::CallInst& call_;
    IRBuilder<> builder_;
};

using Expander = std::function<Value*(Expansion&)>;

/// `name` without a leading `prefix`, if it has one.
std::optional<llvm::StringRef> after(llvm::StringRef name, llvm::StringRef prefix) {
    return name.consume_front(prefix) ? std::optional(name) : std::nullopt;
}

// Functions of libm with the same name and arguments, in both precisions.
constexpr const char* libm_functions[] = {
    "acos",      "acosh",     "asin",   "asinh", "atan",  "atan2", "atanh",  "cbrt", "cosh",   "erf",   "erfc", "exp10",
    "expm1",     "fmod",      "frexp",  "hypot", "ilogb", "j0",    "j1",     "jn",   "lgamma", "log1p", "logb", "modf",
    "nextafter", "remainder", "remquo", "sinh",  "tan",   "tanh",  "tgamma", "y0",   "y1",     "yn",
};

/// Functions that LLVM knows as intrinsics: folded, vectorised, and in the end instructions or libm.
std::optional<llvm::Intrinsic::ID> intrinsic_for(llvm::StringRef name) {
    static const llvm::StringMap<llvm::Intrinsic::ID> known = {
        {"ceil", llvm::Intrinsic::ceil},   {"copysign", llvm::Intrinsic::copysign},
        {"cos", llvm::Intrinsic::cos},     {"exp", llvm::Intrinsic::exp},
        {"exp2", llvm::Intrinsic::exp2},   {"fabs", llvm::Intrinsic::fabs},
        {"floor", llvm::Intrinsic::floor}, {"fma", llvm::Intrinsic::fma},
        {"fmax", llvm::Intrinsic::maxnum}, {"fmin", llvm::Intrinsic::minnum},
        {"log", llvm::Intrinsic::log},     {"log10", llvm::Intrinsic::log10},
        {"log2", llvm::Intrinsic::log2},   {"nearbyint", llvm::Intrinsic::nearbyint},
        {"pow", llvm::Intrinsic::pow},     {"rint", llvm::Intrinsic::rint},
        {"round", llvm::Intrinsic::round}, {"sin", llvm::Intrinsic::sin},
        {"sqrt", llvm::Intrinsic::sqrt},   {"trunc", llvm::Intrinsic::trunc},
    };
    const auto found = known.find(name);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

/// The function of double precision whose float form `name` is: "sinf" -> "sin".
llvm::StringRef without_float_suffix(llvm::StringRef name, bool is_float) {
    if (is_float) name.consume_back("f");
    return name;
}

/// Arithmetic with a stated rounding, and conversions: names that end in _rn, _rz, _ru or _rd.
std::optional<Value*> expand_rounded(llvm::StringRef name, Expansion& call) {
    if (name.size() < 4 || !name.drop_back(1).ends_with("_r")) return std::nullopt;
    const char mode = name.back();
    name = name.drop_back(3);
    IRBuilder<>& builder = call.builder();
    static const llvm::StringMap<RoundedOp> operations = {
        {"dadd", RoundedOp::Add},      {"dsub", RoundedOp::Sub},   {"dmul", RoundedOp::Mul}, {"ddiv", RoundedOp::Div},
        {"dsqrt", RoundedOp::Sqrt},    {"fadd", RoundedOp::Add},   {"fsub", RoundedOp::Sub}, {"fmul", RoundedOp::Mul},
        {"fdiv", RoundedOp::Div},      {"fsqrt", RoundedOp::Sqrt}, {"fma", RoundedOp::Fma},  {"fmaf", RoundedOp::Fma},
        {"fmaf_ieee", RoundedOp::Fma},
    };
    if (const auto found = operations.find(name); found != operations.end())
        return rounded(builder, found->second, mode, call.type(), call.values());
    if (name == "drcp" || name == "frcp") {
        const Formula one = call.formula(0).constant(1);
        return rounded(builder, RoundedOp::Div, mode, call.type(), {one, call.value(0)});
    }
    if (name == "frsqrt") {
        // In double precision the square root's error is far below half a unit of the result.
        const Formula wide(builder, builder.CreateFPExt(call.value(0), builder.getDoubleTy()));
        return builder.CreateFPTrunc(1.0 / wide.sqrt(), call.type());
    }
    if (name == "float2half") {
        return builder.CreateBitCast(builder.CreateFPTrunc(call.value(0), builder.getHalfTy()), call.type());
    }
    const auto [from, to] = name.split('2');
    if (to.empty()) return std::nullopt;
    if (from == "float" || from == "double") {
        if (to == "float") return rounded(builder, RoundedOp::Truncate, mode, call.type(), {call.value(0)});
        return rounded_to_integer(builder, call.value(0), mode, call.type(), !to.starts_with("u"));
    }
    const RoundedOp operation = from.starts_with("u") ? RoundedOp::FromUnsigned : RoundedOp::FromSigned;
    return rounded(builder, operation, mode, call.type(), {call.value(0)});
}

/// Reinterpretations and halves of words.
std::optional<Value*> expand_bits(llvm::StringRef name, Expansion& call) {
    IRBuilder<>& builder = call.builder();
    if (name.contains("_as_")) return builder.CreateBitCast(call.value(0), call.type());
    if (name == "half2float") {
        return builder.CreateFPExt(builder.CreateBitCast(call.value(0), builder.getHalfTy()), call.type());
    }
    if (name == "double2loint" || name == "double2hiint") {
        Value* bits = builder.CreateBitCast(call.value(0), builder.getInt64Ty());
        return builder.CreateTrunc(name == "double2loint" ? bits : builder.CreateLShr(bits, 32), call.type());
    }
    if (name == "hiloint2double") {
        Value* high = builder.CreateShl(builder.CreateZExt(call.value(0), builder.getInt64Ty()), 32);
        Value* low = builder.CreateZExt(call.value(1), builder.getInt64Ty());
        return builder.CreateBitCast(builder.CreateOr(high, low), call.type());
    }
    return std::nullopt;
}

Value* low_24_bits(Expansion& call, unsigned i, bool is_signed) {
    Value* shifted = call.builder().CreateShl(call.value(i), 8);
    return is_signed ? call.builder().CreateAShr(shifted, 8) : call.builder().CreateLShr(shifted, 8);
}

/// (a + b) / 2 without overflow, rounded down or up.
Value* average(Expansion& call, bool up, bool is_signed) {
    IRBuilder<>& builder = call.builder();
    Value* differing = builder.CreateXor(call.value(0), call.value(1));
    Value* half = is_signed ? builder.CreateAShr(differing, 1) : builder.CreateLShr(differing, 1);
    if (up) return builder.CreateSub(builder.CreateOr(call.value(0), call.value(1)), half);
    return builder.CreateAdd(builder.CreateAnd(call.value(0), call.value(1)), half);
}

Value* absolute_difference_plus(Expansion& call, llvm::Intrinsic::ID max, llvm::Intrinsic::ID min) {
    IRBuilder<>& builder = call.builder();
    Value* high = builder.CreateBinaryIntrinsic(max, call.value(0), call.value(1));
    Value* low = builder.CreateBinaryIntrinsic(min, call.value(0), call.value(1));
    return builder.CreateAdd(builder.CreateSub(high, low), call.value(2));
}

Value* find_first_set(Expansion& call) {
    IRBuilder<>& builder = call.builder();
    Value* value = call.value(0);
    Value* index = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, value, builder.getFalse());
    Value* position = builder.CreateAdd(builder.CreateZExtOrTrunc(index, call.type()), builder.getInt32(1));
    return builder.CreateSelect(builder.CreateIsNull(value), builder.getInt32(0), position);
}

const llvm::StringMap<Expander>& integer_functions() {
    namespace I = llvm::Intrinsic;
    const auto binary = [](I::ID id) {
        return [id](Expansion& call) { return call.builder().CreateBinaryIntrinsic(id, call.value(0), call.value(1)); };
    };
    const auto counted = [](I::ID id) {
        return [id](Expansion& call) {
            IRBuilder<>& builder = call.builder();
            Value* count = id == I::ctpop ? builder.CreateUnaryIntrinsic(id, call.value(0))
                                          : builder.CreateBinaryIntrinsic(id, call.value(0), builder.getFalse());
            return builder.CreateZExtOrTrunc(count, call.type());
        };
    };
    const Expander absolute = [](Expansion& call) {
        return call.builder().CreateBinaryIntrinsic(I::abs, call.value(0), call.builder().getFalse());
    };
    const Expander reverse = [](Expansion& call) { return call.intrinsic(I::bitreverse); };
    const auto high = [](bool is_signed) {
        return
            [is_signed](Expansion& call) { return high_half(call.builder(), call.value(0), call.value(1), is_signed); };
    };
    const auto averaged = [](bool up, bool is_signed) {
        return [up, is_signed](Expansion& call) { return average(call, up, is_signed); };
    };
    const auto multiply_24 = [](bool is_signed) {
        return [is_signed](Expansion& call) {
            return call.builder().CreateMul(low_24_bits(call, 0, is_signed), low_24_bits(call, 1, is_signed));
        };
    };
    static const llvm::StringMap<Expander> functions = {
        {"abs", absolute},
        {"llabs", absolute},
        {"min", binary(I::smin)},
        {"max", binary(I::smax)},
        {"umin", binary(I::umin)},
        {"umax", binary(I::umax)},
        {"llmin", binary(I::smin)},
        {"llmax", binary(I::smax)},
        {"ullmin", binary(I::umin)},
        {"ullmax", binary(I::umax)},
        {"popc", counted(I::ctpop)},
        {"popcll", counted(I::ctpop)},
        {"clz", counted(I::ctlz)},
        {"clzll", counted(I::ctlz)},
        {"brev", reverse},
        {"brevll", reverse},
        {"ffs", find_first_set},
        {"ffsll", find_first_set},
        {"mulhi", high(true)},
        {"umulhi", high(false)},
        {"mul64hi", high(true)},
        {"umul64hi", high(false)},
        {"mul24", multiply_24(true)},
        {"umul24", multiply_24(false)},
        {"hadd", averaged(false, true)},
        {"rhadd", averaged(true, true)},
        {"uhadd", averaged(false, false)},
        {"urhadd", averaged(true, false)},
        {"sad", [](Expansion& call) { return absolute_difference_plus(call, I::smax, I::smin); }},
        {"usad", [](Expansion& call) { return absolute_difference_plus(call, I::umax, I::umin); }},
        {"byte_perm",
         [](Expansion& call) {
             return permute_bytes(call.builder(), call.value(0), call.value(1),
                                  call.builder().CreateAnd(call.value(2), 0x7777));
         }},
    };
    return functions;
}

/// Classification; the results are int.
const llvm::StringMap<Expander>& predicates() {
    const Expander nan = [](Expansion& call) { return call.flag(call.formula(0).is_nan()); };
    const Expander infinite = [](Expansion& call) {
        return call.flag(call.formula(0).abs() == std::numeric_limits<double>::infinity());
    };
    const Expander finite = [](Expansion& call) {
        return call.flag(call.formula(0).abs() < std::numeric_limits<double>::infinity());
    };
    const Expander negative = [](Expansion& call) {
        IRBuilder<>& builder = call.builder();
        const unsigned width = call.value(0)->getType()->getScalarSizeInBits();
        Value* bits = builder.CreateBitCast(call.value(0), builder.getIntNTy(width));
        return builder.CreateTrunc(builder.CreateLShr(bits, width - 1), call.type());
    };
    static const llvm::StringMap<Expander> functions = {
        {"isnanf", nan},     {"isnand", nan},       {"isinff", infinite},   {"isinfd", infinite},
        {"finitef", finite}, {"isfinited", finite}, {"signbitf", negative}, {"signbitd", negative},
    };
    return functions;
}

/// Functions of floats or doubles by the name of the double form, beyond those of libm.
const llvm::StringMap<Expander>& math_functions() {
    namespace I = llvm::Intrinsic;
    const auto special = [](Formula (*function)(Formula)) {
        return [function](Expansion& call) -> Value* {
            if (!call.is_float()) return function(call.formula(0));
            IRBuilder<>& builder = call.builder();
            const Formula wide(builder, builder.CreateFPExt(call.value(0), builder.getDoubleTy()));
            return builder.CreateFPTrunc(function(wide), call.type());
        };
    };
    const auto store_both = [](bool of_pi) {
        return [of_pi](Expansion& call) -> Value* {
            IRBuilder<>& builder = call.builder();
            const Formula x = call.formula(0);
            builder.CreateStore(of_pi ? sinpi(x) : x.sin(), call.value(1));
            builder.CreateStore(of_pi ? cospi(x) : x.cos(), call.value(2));
            return nullptr;
        };
    };
    const auto norm_of = [](unsigned count, bool reciprocal) {
        return [count, reciprocal](Expansion& call) -> Value* {
            llvm::SmallVector<Formula> values;
            for (unsigned i = 0; i < count; ++i) values.push_back(call.formula(i));
            const Formula length = norm(values);
            return reciprocal ? 1.0 / length : length;
        };
    };
    const auto norm_of_array = [](bool reciprocal) {
        return [reciprocal](Expansion& call) -> Value* {
            const Formula length(call.builder(), array_norm(call.builder(), call.type(), call.value(0), call.value(1)));
            return reciprocal ? 1.0 / length : length;
        };
    };
    const auto to_long = [](I::ID rounding) {
        return [rounding](Expansion& call) -> Value* {
            return call.builder().CreateIntrinsic(I::fptosi_sat, {call.type(), call.value(0)->getType()},
                                                  {call.formula(0).unary(rounding)});
        };
    };
    const Expander scale = [](Expansion& call) -> Value* {
        return call.builder().CreateIntrinsic(I::ldexp, {call.type(), call.value(1)->getType()}, call.values());
    };
    const auto same_as = [](I::ID id) { return [id](Expansion& call) { return call.intrinsic(id); }; };
    static const llvm::StringMap<Expander> functions = {
        {"rsqrt", [](Expansion& call) -> Value* { return 1.0 / call.formula(0).sqrt(); }},
        {"rcbrt",
         [](Expansion& call) -> Value* {
             return 1.0 / Formula(call.builder(), call.libm(call.is_float() ? "cbrtf" : "cbrt"));
         }},
        {"fdim",
         [](Expansion& call) -> Value* {
             const Formula a = call.formula(0), b = call.formula(1);
             Value* at_most = call.builder().CreateFCmpOLE(a, b);
             return a.constant(0).select(at_most, a - b);
         }},
        {"ldexp", scale},
        {"scalbn", scale},
        {"llrint", to_long(I::roundeven)},
        {"llround", to_long(I::round)},
        {"powi", [](Expansion& call) { return integer_power(call.builder(), call.value(0), call.value(1)); }},
        {"nan", [](Expansion& call) -> Value* { return llvm::ConstantFP::getNaN(call.type()); }},
        {"sinpi", [](Expansion& call) -> Value* { return sinpi(call.formula(0)); }},
        {"cospi", [](Expansion& call) -> Value* { return cospi(call.formula(0)); }},
        {"sincos", store_both(false)},
        {"sincospi", store_both(true)},
        {"erfinv", special(erfinv)},
        {"erfcinv", special(erfcinv)},
        {"erfcx", special(erfcx)},
        {"normcdf", special(normcdf)},
        {"normcdfinv", special(normcdfinv)},
        {"cyl_bessel_i0", special(cyl_bessel_i0)},
        {"cyl_bessel_i1", special(cyl_bessel_i1)},
        {"rhypot",
         [](Expansion& call) -> Value* {
             return 1.0 / Formula(call.builder(), call.libm(call.is_float() ? "hypotf" : "hypot"));
         }},
        {"norm3d", norm_of(3, false)},
        {"norm4d", norm_of(4, false)},
        {"rnorm3d", norm_of(3, true)},
        {"rnorm4d", norm_of(4, true)},
        {"norm", norm_of_array(false)},
        {"rnorm", norm_of_array(true)},
        {"saturate",
         [](Expansion& call) -> Value* {
             // maxnum ignores a NaN: the result is 0 then, as on the device.
             const Formula x = call.formula(0);
             return x.binary(I::maxnum, x.constant(0)).binary(I::minnum, x.constant(1));
         }},
        {"rcp64h",
         [](Expansion& call) -> Value* {
             IRBuilder<>& builder = call.builder();
             Value* bits = builder.CreateBitCast(1.0 / call.formula(0), builder.getInt64Ty());
             return builder.CreateBitCast(builder.CreateAnd(bits, ~0xffffffffull), call.type());
         }},
        // The fast forms of the device are slower than the accurate ones here, or no faster.
        {"fast_cos", same_as(I::cos)},
        {"fast_sin", same_as(I::sin)},
        {"fast_exp", same_as(I::exp)},
        {"fast_log", same_as(I::log)},
        {"fast_log2", same_as(I::log2)},
        {"fast_log10", same_as(I::log10)},
        {"fast_pow", same_as(I::pow)},
        {"fast_exp10", [](Expansion& call) { return call.libm("exp10f"); }},
        {"fast_tan", [](Expansion& call) { return call.libm("tanf"); }},
        {"fast_tanh", [](Expansion& call) { return call.libm("tanhf"); }},
        {"fast_sincos", store_both(false)},
        {"fast_fdivide", [](Expansion& call) -> Value* { return call.formula(0) / call.formula(1); }},
    };
    return functions;
}

/// The replacement of a call of __nv_`name` (null for void ones); nothing when there is no such function.
std::optional<Value*> expand(llvm::StringRef name, Expansion& call) {
    if (const auto value = expand_bits(name, call)) return value;
    if (const auto value = expand_rounded(name, call)) return value;
    for (const auto* table : {&integer_functions(), &predicates()}) {
        if (const auto found = table->find(name); found != table->end()) return found->second(call);
    }
    // Those that return no float take one: sincosf(float, ...), ilogbf(float), llrintf(float).
    const bool is_float = call.is_float() || (!call.type()->isDoubleTy() && call.value(0)->getType()->isFloatTy());
    const llvm::StringRef base = without_float_suffix(name, is_float);
    if (const auto id = intrinsic_for(base)) return call.intrinsic(*id);
    if (llvm::is_contained(libm_functions, base)) return call.libm(name);
    const auto found = math_functions().find(base);
    return found == math_functions().end() ? std::nullopt : std::optional(found->second(call));
}

}  // namespace

void expand_libdevice_calls(llvm::Module& module) {
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
        const auto name = after(function.getName(), "__nv_");
        if (!name || !function.isDeclaration()) continue;
        for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(user);
            if (!call || call->getCalledFunction() != &function) continue;
            Expansion expansion(*call);
            const std::optional<Value*> value = expand(*name, expansion);
            if (!value) {
                throw Error(ErrorKind::Lowering,
                            fmt::format("function '{}' calls {}, which is no function of libdevice",
                                        call->getFunction()->getName().str(), function.getName().str()));
            }
            if (*value) call->replaceAllUsesWith(*value);
            call->eraseFromParent();
        }
        if (function.use_empty()) function.eraseFromParent();
    }
}

bool is_libm_function(llvm::StringRef name) {
    if (name == "fesetround") return true;
    name.consume_back("f");
    return llvm::is_contained(libm_functions, name) || intrinsic_for(name);
}

}  // namespace lanewise::cpu
