#include "backend/cpu/target/special.h"

#include <cmath>
#include <functional>
#include <limits>

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sqrt_pi = 1.77245385090551602729816748334;
constexpr double two_over_sqrt_pi = 1.12837916709551257389615890312;

/// An internal function of the module by name, made by `fill` on first use: for code too large to be inlined
/// everywhere.
llvm::Function* helper(llvm::Module& module, const llvm::Twine& name, llvm::FunctionType* type,
                       const std::function<void(IRBuilder<>&, llvm::Function&)>& fill) {
    llvm::SmallString<64> storage;
    const llvm::StringRef text = name.toStringRef(storage);
    if (llvm::Function* existing = module.getFunction(text)) return existing;
    llvm::Function* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, text, module);
    mark_helper(*function);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::WillReturn);
    IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", function));
    fill(builder, *function);
    return function;
}

/// double(double) by `body`, out of line.
Formula call_helper(Formula x, const char* name, const std::function<Formula(Formula)>& body) {
    Formula result = x;
    x.build([&](IRBuilder<>& builder) {
        llvm::Module& module = *builder.GetInsertBlock()->getModule();
        llvm::Function* function =
            helper(module, llvm::Twine("lanewise.") + name, llvm::FunctionType::get(x.type(), {x.type()}, false),
                   [&](IRBuilder<>& inside, llvm::Function& of) {
                       of.setDoesNotAccessMemory();
                       inside.CreateRet(body(Formula(inside, of.getArg(0))));
                   });
        result = x.with(builder.CreateCall(function, {x}));
    });
    return result;
}

Formula libm(const char* name, Formula x) {
    Formula result = x;
    x.build([&](IRBuilder<>& builder) { result = x.with(call_libm(builder, name, x.type(), {x})); });
    return result;
}

Formula repeat(Formula start, unsigned times, const std::function<Formula(Formula)>& step) {
    for (unsigned i = 0; i < times; ++i) start = step(start);
    return start;
}

/// Sum over k of terms t(k+1) = t(k) * factor(k), from t(0) = first, in a loop of `count` steps. `factor` gets k as a
/// double.
Formula series(Formula first, unsigned count, const std::function<Formula(Formula k)>& factor) {
    Formula result = first;
    first.build([&](IRBuilder<>& builder) {
        llvm::BasicBlock* before = builder.GetInsertBlock();
        llvm::Function* function = before->getParent();
        llvm::BasicBlock* loop = llvm::BasicBlock::Create(builder.getContext(), "series", function);
        llvm::BasicBlock* after = llvm::BasicBlock::Create(builder.getContext(), "summed", function);
        builder.CreateBr(loop);
        builder.SetInsertPoint(loop);
        llvm::PHINode* k = builder.CreatePHI(first.type(), 2, "k");
        llvm::PHINode* term = builder.CreatePHI(first.type(), 2, "term");
        llvm::PHINode* sum = builder.CreatePHI(first.type(), 2, "sum");
        const Formula next_term = first.with(term) * factor(first.with(k));
        const Formula next_sum = first.with(sum) + next_term;
        const Formula next_k = first.with(k) + 1.0;
        k->addIncoming(first.constant(0), before);
        term->addIncoming(first, before);
        sum->addIncoming(first, before);
        k->addIncoming(next_k, loop);
        term->addIncoming(next_term, loop);
        sum->addIncoming(next_sum, loop);
        builder.CreateCondBr(next_k < static_cast<double>(count), loop, after);
        builder.SetInsertPoint(after);
        result = next_sum;
    });
    return result;
}

/// x in quarters: the nearest multiple of 1/2 is n/2, and x = n/2 + rest with |rest| <= 1/4. Only n mod 4 is kept.
struct Quarters {
    Formula rest;
    Value* number;
};

Quarters quarters(Formula x, IRBuilder<>& builder) {
    // Both reductions are exact.
    const Formula reduced = x - (x * 0.5).rint() * 2.0;
    const Formula n = (reduced * 2.0).rint();
    const Formula rest = (-n).times_plus(x.constant(0.5), reduced);
    Value* number = builder.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {builder.getInt32Ty(), x.type()}, {n});
    return {rest, number};
}

/// rest * pi with its low part, so that the product's error is that of one rounding.
Formula times_pi(Formula rest) {
    const bool is_float = rest.type()->isFloatTy();
    const double high = is_float ? static_cast<double>(static_cast<float>(M_PI)) : M_PI;
    const double low = is_float ? M_PI - high : 1.2246467991473531772e-16;
    return rest.times_plus(rest.constant(high), rest * low);
}

/// A first approximation of erfinv (M. Giles, "Approximating the erfinv function"): w = -log((1 - y)(1 + y)), good to
/// single precision for w < 16.
Formula approximate_erfinv(Formula y, Formula w) {
    const Formula small = (w - 2.5).polynomial({1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087,
                                                -4.39150654e-06, -3.5233877e-06, 3.43273939e-07, 2.81022636e-08});
    const Formula large = (w.sqrt() - 3.0)
                              .polynomial({2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773,
                                           -0.00367342844, 0.00134934322, 0.000100950558, -0.000200214257});
    return y * small.select(w < 5.0, large);
}

constexpr llvm::StringLiteral helper_mark = "lanewise.helper";

/// Where erfc(x) = y is tiny: solves log erfc(x) = log y, with log erfc(x) = log erfcx(x) - x^2, by Newton's method.
/// The start comes from erfc(x) ~ exp(-x^2) / (x sqrt(pi)).
Formula inverse_erfc_tail(Formula y) {
    constexpr double log_sqrt_pi = 0.572364942924700087071713675677;
    const Formula log_y = y.log();
    const Formula outer = -(log_y + log_sqrt_pi);
    const Formula start = (outer - outer.sqrt().log()).sqrt();
    return repeat(start, 4, [&](Formula x) {
        const Formula scaled = erfcx(x);
        const Formula residual = scaled.log() - x * x - log_y;
        return x + residual * scaled / two_over_sqrt_pi;
    });
}

/// Below this the tail's start is good, and the approximation in the middle no longer.
constexpr double tail_limit = 1e-5;

}  // namespace

void mark_helper(llvm::Function& function) {
    function.addFnAttr(helper_mark);
}

bool is_helper(const llvm::Function& function) {
    return function.hasFnAttribute(helper_mark);
}

Value* call_libm(IRBuilder<>& builder, llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    llvm::FunctionCallee function = module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
    if (auto* declaration = llvm::dyn_cast<llvm::Function>(function.getCallee())) {
        declaration->setDoesNotThrow();
        declaration->addFnAttr(llvm::Attribute::WillReturn);
        const bool writes = llvm::any_of(types, [](const llvm::Type* type) { return type->isPointerTy(); });
        if (writes)
            declaration->setOnlyAccessesArgMemory();
        else
            declaration->setDoesNotAccessMemory();
    }
    return builder.CreateCall(function, arguments);
}

Formula sinpi(Formula x) {
    Formula result = x;
    x.build([&](IRBuilder<>& builder) {
        const Quarters parts = quarters(x, builder);
        const Formula angle = times_pi(parts.rest);
        Value* odd = builder.CreateTrunc(parts.number, builder.getInt1Ty());
        Value* negative = builder.CreateIsNotNull(builder.CreateAnd(parts.number, 2));
        const Formula magnitude = angle.cos().select(odd, angle.sin());
        const Formula value = (-magnitude).select(negative, magnitude);
        // A zero has the sign of x.
        result = value.binary(llvm::Intrinsic::copysign, x).select(value == 0.0, value);
    });
    return result;
}

Formula cospi(Formula x) {
    Formula result = x;
    x.build([&](IRBuilder<>& builder) {
        const Quarters parts = quarters(x, builder);
        const Formula angle = times_pi(parts.rest);
        Value* odd = builder.CreateTrunc(parts.number, builder.getInt1Ty());
        Value* negative =
            builder.CreateIsNotNull(builder.CreateAnd(builder.CreateAdd(parts.number, builder.getInt32(1)), 2));
        const Formula magnitude = angle.sin().select(odd, angle.cos());
        const Formula value = (-magnitude).select(negative, magnitude);
        result = x.constant(0).select(value == 0.0, value);
    });
    return result;
}

Formula norm(llvm::ArrayRef<Formula> values) {
    const Formula& first = values.front();
    Formula length = first.abs();
    first.build([&](IRBuilder<>& builder) {
        const char* hypot = first.type()->isFloatTy() ? "hypotf" : "hypot";
        for (const Formula& value : values.drop_front()) {
            length = length.with(call_libm(builder, hypot, first.type(), {length, value}));
        }
    });
    return length;
}

Value* array_norm(IRBuilder<>& builder, llvm::Type* type, Value* count, Value* values) {
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    const bool is_float = type->isFloatTy();
    auto* function_type = llvm::FunctionType::get(type, {count->getType(), values->getType()}, false);
    llvm::Function* function =
        helper(module, is_float ? "lanewise.normf" : "lanewise.norm", function_type,
               [&](IRBuilder<>& inside, llvm::Function& of) {
                   of.setOnlyReadsMemory();
                   of.setOnlyAccessesArgMemory();
                   llvm::BasicBlock* entry = inside.GetInsertBlock();
                   llvm::BasicBlock* loop = llvm::BasicBlock::Create(module.getContext(), "loop", &of);
                   llvm::BasicBlock* done = llvm::BasicBlock::Create(module.getContext(), "done", &of);
                   Value* zero = llvm::ConstantFP::get(type, 0);
                   inside.CreateCondBr(inside.CreateICmpSGT(of.getArg(0), inside.getInt32(0)), loop, done);
                   inside.SetInsertPoint(loop);
                   llvm::PHINode* index = inside.CreatePHI(inside.getInt32Ty(), 2);
                   llvm::PHINode* length = inside.CreatePHI(type, 2);
                   Value* value = inside.CreateLoad(type, inside.CreateInBoundsGEP(type, of.getArg(1), index));
                   Value* next_length = call_libm(inside, is_float ? "hypotf" : "hypot", type, {length, value});
                   Value* next = inside.CreateAdd(index, inside.getInt32(1));
                   index->addIncoming(inside.getInt32(0), entry);
                   index->addIncoming(next, loop);
                   length->addIncoming(zero, entry);
                   length->addIncoming(next_length, loop);
                   inside.CreateCondBr(inside.CreateICmpSLT(next, of.getArg(0)), loop, done);
                   inside.SetInsertPoint(done);
                   llvm::PHINode* result = inside.CreatePHI(type, 2);
                   result->addIncoming(zero, entry);
                   result->addIncoming(next_length, loop);
                   inside.CreateRet(result);
               });
    return builder.CreateCall(function, {count, values});
}

Value* integer_power(IRBuilder<>& builder, Value* base, Value* exponent) {
    llvm::Module& module = *builder.GetInsertBlock()->getModule();
    llvm::Type* type = base->getType();
    auto* function_type = llvm::FunctionType::get(type, {type, exponent->getType()}, false);
    llvm::Function* function =
        helper(module, type->isFloatTy() ? "lanewise.powif" : "lanewise.powi", function_type,
               [&](IRBuilder<>& inside, llvm::Function& of) {
                   of.setDoesNotAccessMemory();
                   llvm::BasicBlock* entry = inside.GetInsertBlock();
                   llvm::BasicBlock* loop = llvm::BasicBlock::Create(module.getContext(), "loop", &of);
                   llvm::BasicBlock* done = llvm::BasicBlock::Create(module.getContext(), "done", &of);
                   Value* steps = inside.CreateBinaryIntrinsic(llvm::Intrinsic::abs, of.getArg(1), inside.getFalse());
                   inside.CreateBr(loop);
                   inside.SetInsertPoint(loop);
                   llvm::PHINode* left = inside.CreatePHI(inside.getInt32Ty(), 2);
                   llvm::PHINode* square = inside.CreatePHI(type, 2);
                   llvm::PHINode* product = inside.CreatePHI(type, 2);
                   Value* odd = inside.CreateTrunc(left, inside.getInt1Ty());
                   Value* next_product = inside.CreateSelect(odd, inside.CreateFMul(product, square), product);
                   Value* next_left = inside.CreateLShr(left, 1);
                   left->addIncoming(steps, entry);
                   left->addIncoming(next_left, loop);
                   square->addIncoming(of.getArg(0), entry);
                   square->addIncoming(inside.CreateFMul(square, square), loop);
                   product->addIncoming(llvm::ConstantFP::get(type, 1), entry);
                   product->addIncoming(next_product, loop);
                   inside.CreateCondBr(inside.CreateIsNull(next_left), done, loop);
                   inside.SetInsertPoint(done);
                   Value* inverse = inside.CreateFDiv(llvm::ConstantFP::get(type, 1), next_product);
                   Value* negative = inside.CreateICmpSLT(of.getArg(1), inside.getInt32(0));
                   inside.CreateRet(inside.CreateSelect(negative, inverse, next_product));
               });
    return builder.CreateCall(function, {base, exponent});
}

Formula erfcx(Formula x) {
    return call_helper(x, "erfcx", [](Formula x) {
        // exp(x^2) erfc(x), with the rounding error of the square made good.
        const Formula square = x * x;
        const Formula error = x.times_plus(x, -square);
        const Formula direct = square.exp() * libm("erfc", x);
        const Formula product = error.times_plus(direct, direct);
        // Beyond 10, where erfc fades: the asymptotic series in 1 / (2 x^2).
        const Formula t = 0.5 / square;
        Formula sum = x.constant(1);
        for (int k = 12; k >= 1; --k) sum = 1.0 - sum * t * static_cast<double>(2 * k - 1);
        const Formula tail = sum / (x * sqrt_pi);
        // exp overflows below -26.7, as the function does.
        const Formula value = tail.select(x.constant(10) < x, product);
        return x.constant(infinity).select(x < -26.7, value);
    });
}

Formula erfinv(Formula y) {
    return call_helper(y, "erfinv", [](Formula y) {
        const Formula w = -((1.0 - y) * (y + 1.0)).log();
        // 1 - |y| is exact where it is small; there the complement keeps the precision.
        const Formula magnitude = y.abs();
        const Formula complement = 1.0 - magnitude;
        const Formula start = approximate_erfinv(magnitude, w);
        const Formula middle = repeat(start, 2, [&](Formula x) {
            const Formula from_erf = libm("erf", x) - magnitude;
            const Formula from_erfc = complement - libm("erfc", x);
            const Formula residual = from_erf.select(magnitude < 0.5, from_erfc);
            const Formula newton = residual / ((-(x * x)).exp() * two_over_sqrt_pi);
            return x - newton / (x * newton + 1.0);  // Halley's step
        });
        const Formula refined = inverse_erfc_tail(complement).select(complement < tail_limit, middle);
        const Formula inside = refined.select(magnitude < 1.0, y.with(llvm::ConstantFP::getNaN(y.type())));
        const Formula value = y.constant(infinity).select(magnitude == 1.0, inside);
        // Below 1e-8 the function is linear to double precision; that also keeps -0.
        return (y * (sqrt_pi / 2)).select(magnitude < 1e-8, value.binary(llvm::Intrinsic::copysign, y));
    });
}

Formula erfcinv(Formula y) {
    return call_helper(y, "erfcinv", [](Formula y) {
        const Formula w = -(y * (2.0 - y)).log();
        const Formula middle = repeat(approximate_erfinv(1.0 - y, w), 2, [&](Formula x) {
            const Formula newton = (y - libm("erfc", x)) / ((-(x * x)).exp() * two_over_sqrt_pi);
            return x - newton / (x * newton + 1.0);
        });
        // From 1/2 on, 1 - y is exact and small where the result is.
        const Formula lower = inverse_erfc_tail(y).select(y < tail_limit, middle);
        const Formula value = lower.select(y < 0.5, erfinv(1.0 - y));
        const Formula at_zero = y.constant(infinity).select(y == 0.0, value);
        const Formula at_two = y.constant(-infinity).select(y == 2.0, at_zero);
        Formula result = at_two;
        y.build([&](IRBuilder<>& builder) {
            Value* outside = builder.CreateOr(y < 0.0, y > 2.0);
            result = y.with(llvm::ConstantFP::getNaN(y.type())).select(outside, at_two);
        });
        return result;
    });
}

Formula normcdf(Formula x) {
    return call_helper(x, "normcdf", [](Formula x) {
        // erfc(-x / sqrt(2)) / 2; the rounding of the argument is made good to first order.
        constexpr double high = 0.70710678118654752440;
        constexpr double low = -4.8336466567264567e-17;
        const Formula z = x * -high;
        const Formula error = x.times_plus(x.constant(-high), -z) - x * low;
        const Formula value = libm("erfc", z);
        const Formula corrected = value - error * (-(z * z)).exp() * two_over_sqrt_pi;
        Value* infinite = x.abs() == infinity;
        return value.select(infinite, corrected) * 0.5;
    });
}

Formula normcdfinv(Formula p) {
    return erfcinv(p * 2.0) * -1.41421356237309504880;
}

Formula cyl_bessel_i0(Formula x) {
    return call_helper(x, "cyl_bessel_i0", [](Formula x) {
        const Formula magnitude = x.abs();
        // All terms of the power series are positive; from 20 on the asymptotic one is exact to double precision.
        const Formula quarter = magnitude * magnitude * 0.25;
        const Formula power = series(x.constant(1), 80, [&](Formula k) {
            const Formula next = k + 1.0;
            return quarter / (next * next);
        });
        const Formula eighth = 0.125 / magnitude;
        const Formula asymptotic = series(x.constant(1), 36, [&](Formula k) {
            const Formula odd = k * 2.0 + 1.0;
            return odd * odd / (k + 1.0) * eighth;
        });
        const Formula root = (magnitude * 0.5).exp();  // exp(x) itself overflows earlier than the function
        const Formula large = root * (asymptotic / (magnitude * (2 * M_PI)).sqrt()) * root;
        const Formula value = power.select(magnitude < 20.0, large);
        return magnitude.select(magnitude == infinity, value);
    });
}

Formula cyl_bessel_i1(Formula x) {
    return call_helper(x, "cyl_bessel_i1", [](Formula x) {
        const Formula magnitude = x.abs();
        const Formula quarter = magnitude * magnitude * 0.25;
        const Formula power = series(x.constant(1), 80, [&](Formula k) { return quarter / ((k + 1.0) * (k + 2.0)); });
        const Formula eighth = 0.125 / magnitude;
        const Formula asymptotic = series(x.constant(1), 36, [&](Formula k) {
            const Formula odd = k * 2.0 + 1.0;
            return (odd * odd - 4.0) / (k + 1.0) * eighth;
        });
        const Formula root = (magnitude * 0.5).exp();
        const Formula large = root * (asymptotic / (magnitude * (2 * M_PI)).sqrt()) * root;
        const Formula value = (power * magnitude * 0.5).select(magnitude < 20.0, large);
        return magnitude.select(magnitude == infinity, value).binary(llvm::Intrinsic::copysign, x);
    });
}

llvm::Value* high_half(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b, bool is_signed) {
    const unsigned width = a->getType()->getIntegerBitWidth();
    llvm::Type* wide = builder.getIntNTy(2 * width);
    llvm::Value* product =
        builder.CreateMul(builder.CreateIntCast(a, wide, is_signed), builder.CreateIntCast(b, wide, is_signed));
    return builder.CreateTrunc(builder.CreateLShr(product, width), a->getType());
}

Value* permute_bytes(IRBuilder<>& builder, Value* a, Value* b, Value* selector) {
    llvm::Type* i64 = builder.getInt64Ty();
    Value* bytes = builder.CreateOr(builder.CreateShl(builder.CreateZExt(b, i64), 32), builder.CreateZExt(a, i64));
    Value* result = builder.getInt32(0);
    for (unsigned i = 0; i < 4; ++i) {
        Value* nibble = builder.CreateLShr(selector, 4 * i);
        Value* shift = builder.CreateShl(builder.CreateZExt(builder.CreateAnd(nibble, 7), i64), 3);
        Value* byte = builder.CreateTrunc(builder.CreateLShr(bytes, shift), builder.getInt8Ty());
        Value* sign = builder.CreateAShr(byte, 7);
        Value* replicates = builder.CreateIsNotNull(builder.CreateAnd(nibble, 8));
        byte = builder.CreateSelect(replicates, sign, byte);
        result = builder.CreateOr(result, builder.CreateShl(builder.CreateZExt(byte, builder.getInt32Ty()), 8 * i));
    }
    return result;
}

}  // namespace lanewise::cpu
