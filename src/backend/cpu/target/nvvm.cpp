#include "backend/cpu/target/nvvm.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/ValueTracking.h>

#include <functional>
#include <optional>

#include "backend/cpu/target/formula.h"
#include "backend/cpu/target/mbarrier.h"
#include "backend/cpu/target/rounding.h"
#include "backend/cpu/target/special.h"

namespace lanewise::cpu {
namespace {

namespace I = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

/// An intrinsic's name taken apart: "fma.rn.ftz.f" is the operation "fma" with the modifiers "rn", "ftz" and "f".
class Operation {
public:
    Operation(llvm::StringRef name, llvm::CallInst& call) : name_(name), call_(call), builder_(&call) {
        llvm::SmallVector<llvm::StringRef> parts;
        name.split(parts, '.');
        base_ = parts.front();
        modifiers_.append(parts.begin() + 1, parts.end());
    }

    llvm::StringRef name() const { return name_; }
    llvm::StringRef base() const { return base_; }
    bool has(llvm::StringRef modifier) const { return llvm::is_contained(modifiers_, modifier); }
    IRBuilder<>& builder() { return builder_; }
    llvm::Type* type() const { return call_.getType(); }
    Value* value(unsigned i) const { return call_.getArgOperand(i); }
    Formula formula(unsigned i) { return {builder_, value(i)}; }
    llvm::SmallVector<Value*> values() const { return llvm::SmallVector<Value*>(call_.args()); }

    /// 'z', 'u', 'd', or 'n' when the name has no other rounding modifier.
    char rounding() const { return has("rz") ? 'z' : has("rp") ? 'u' : has("rm") ? 'd' : 'n'; }

private:
    llvm::StringRef name_, base_;
    llvm::SmallVector<llvm::StringRef> modifiers_;
    llvm::CallInst& call_;
    IRBuilder<> builder_;
};

Formula clamp_result(Operation& call, Formula value) {
    if (call.has("relu")) value = value.binary(I::maxnum, value.constant(0));
    if (call.has("sat")) value = value.binary(I::maxnum, value.constant(0)).binary(I::minnum, value.constant(1));
    return value;
}

Value* arithmetic(Operation& call, RoundedOp operation) {
    Value* result = rounded(call.builder(), operation, call.rounding(), call.type(), call.values());
    return operation == RoundedOp::Fma ? clamp_result(call, {call.builder(), result}) : result;
}

Value* reciprocal(Operation& call) {
    const Formula one = call.formula(0).constant(1);
    return rounded(call.builder(), RoundedOp::Div, call.rounding(), call.type(), {one, call.value(0)});
}

/// fmin and fmax: a NaN operand is ignored, or wins with `nan`; `xorsign.abs` compares magnitudes and combines signs.
Value* extremum(Operation& call, bool is_max) {
    Formula a = call.formula(0), b = call.formula(1);
    const Formula signs = a, other_signs = b;
    if (call.has("xorsign")) a = a.abs(), b = b.abs();
    const I::ID id = call.has("nan") ? (is_max ? I::maximum : I::minimum) : (is_max ? I::maxnum : I::minnum);
    const Formula value = a.binary(id, b);
    if (!call.has("xorsign")) return value;
    IRBuilder<>& builder = call.builder();
    llvm::Type* bits = builder.getIntNTy(call.type()->getScalarSizeInBits());
    if (const auto* vector = llvm::dyn_cast<llvm::VectorType>(call.type())) {
        bits = llvm::VectorType::get(bits, vector);
    }
    Value* sign = builder.CreateXor(builder.CreateBitCast(signs, bits), builder.CreateBitCast(other_signs, bits));
    return value.binary(I::copysign, value.with(builder.CreateBitCast(sign, call.type())));
}

/// "f2i", "d2ull", "ui2f", "d2f", "f2h": conversions between numbers, with the rounding as a modifier.
std::optional<Value*> conversion(Operation& call) {
    IRBuilder<>& builder = call.builder();
    const auto [from, to] = call.base().split('2');
    if (to.empty()) return std::nullopt;
    const bool from_float = from == "f" || from == "d";
    if (from_float && (to == "i" || to == "ui" || to == "ll" || to == "ull")) {
        if (call.has("hi") || call.has("lo")) {
            Value* bits = builder.CreateBitCast(call.value(0), builder.getInt64Ty());
            return builder.CreateTrunc(call.has("lo") ? bits : builder.CreateLShr(bits, 32), call.type());
        }
        return rounded_to_integer(builder, call.value(0), call.rounding(), call.type(), !to.starts_with("u"));
    }
    const auto convert = [&](RoundedOp operation) {
        return rounded(builder, operation, call.rounding(), call.type(), call.values());
    };
    if (from == "d" && to == "f") return convert(RoundedOp::Truncate);
    if (from == "i" || from == "ll") return convert(RoundedOp::FromSigned);
    if (from == "ui" || from == "ull") return convert(RoundedOp::FromUnsigned);
    if (from == "f" && to == "h") {
        return builder.CreateBitCast(builder.CreateFPTrunc(call.value(0), builder.getHalfTy()), call.type());
    }
    if (from == "bf" && to == "h") {
        Value* wide = builder.CreateFPExt(call.value(0), builder.getFloatTy());
        return builder.CreateBitCast(builder.CreateFPTrunc(wide, builder.getHalfTy()), call.type());
    }
    if (from == "f" && to == "tf32") return to_tf32(builder, call.value(0));
    const auto narrow = [&](Value* value) {
        llvm::Type* type = call.type()->getScalarType();
        return call.rounding() == 'z' ? narrow_towards_zero(builder, value, type) : builder.CreateFPTrunc(value, type);
    };
    if (from == "f" && to == "bf16") return clamp_result(call, call.formula(0).with(narrow(call.value(0))));
    if (from == "ff") {
        // The first operand is the upper half.
        Value* pair = llvm::PoisonValue::get(call.type());
        pair = builder.CreateInsertElement(pair, narrow(call.value(1)), std::uint64_t(0));
        pair = builder.CreateInsertElement(pair, narrow(call.value(0)), std::uint64_t(1));
        return clamp_result(call, call.formula(0).with(pair));
    }
    return std::nullopt;
}

Value* multiply_high(Operation& call) {
    const bool is_signed = call.has("i") || call.has("ll") || call.has("s");
    return high_half(call.builder(), call.value(0), call.value(1), is_signed);
}

Value* absolute_difference_plus(Operation& call) {
    IRBuilder<>& builder = call.builder();
    const bool is_signed = call.has("i") || call.has("ll") || call.has("s");
    Value* high = builder.CreateBinaryIntrinsic(is_signed ? I::smax : I::umax, call.value(0), call.value(1));
    Value* low = builder.CreateBinaryIntrinsic(is_signed ? I::smin : I::umin, call.value(0), call.value(1));
    return builder.CreateAdd(builder.CreateSub(high, low), call.value(2));
}

Value* multiply_24(Operation& call) {
    IRBuilder<>& builder = call.builder();
    const auto low = [&](unsigned i) {
        Value* shifted = builder.CreateShl(call.value(i), 8);
        return call.has("i") ? builder.CreateAShr(shifted, 8) : builder.CreateLShr(shifted, 8);
    };
    return builder.CreateMul(low(0), low(1));
}

Value* rotate(Operation& call) {
    IRBuilder<>& builder = call.builder();
    Value* count = builder.CreateZExtOrTrunc(call.value(1), call.type());
    return builder.CreateIntrinsic(call.has("right") ? I::fshr : I::fshl, {call.type()},
                                   {call.value(0), call.value(0), count});
}

/// Loads through the read-only cache.
Value* cached_load(Operation& call) {
    const auto* align = llvm::cast<llvm::ConstantInt>(call.value(1));
    return call.builder().CreateAlignedLoad(call.type(), call.value(0), llvm::MaybeAlign(align->getZExtValue()));
}

Value* atomic(Operation& call) {
    IRBuilder<>& builder = call.builder();
    const auto update = [&](llvm::AtomicRMWInst::BinOp operation) {
        return builder.CreateAtomicRMW(operation, call.value(0), call.value(1), llvm::MaybeAlign(),
                                       llvm::AtomicOrdering::Monotonic);
    };
    using Op = llvm::AtomicRMWInst::BinOp;
    if (call.has("inc")) return update(Op::UIncWrap);
    if (call.has("dec")) return update(Op::UDecWrap);
    if (call.has("add")) return update(call.type()->isFloatingPointTy() ? Op::FAdd : Op::Add);
    if (call.has("exch")) return update(Op::Xchg);
    if (call.has("max")) return update(Op::Max);
    if (call.has("min")) return update(Op::Min);
    if (call.has("and")) return update(Op::And);
    if (call.has("or")) return update(Op::Or);
    if (call.has("xor")) return update(Op::Xor);
    Value* pair = builder.CreateAtomicCmpXchg(call.value(0), call.value(1), call.value(2), llvm::MaybeAlign(),
                                              llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
    return builder.CreateExtractValue(pair, 0);
}

/// Find the n-th set bit from a base position (PTX fns): n = 0 asks for the base itself, n < 0 searches downward.
Value* find_nth_set(Operation& call) {
    IRBuilder<>& builder = call.builder();
    Value* result = builder.getInt32(~0u);
    Value* mask = call.value(0);
    Value* base = call.value(1);
    Value* wanted = call.value(2);
    Value* upward = builder.CreateICmpSGT(wanted, builder.getInt32(0));
    Value* distance = builder.CreateBinaryIntrinsic(I::abs, wanted, builder.getFalse());
    for (unsigned i = 0; i < 32; ++i) {
        // The number of set bits from the base to position i, both included, in the direction of the search.
        Value* position = builder.getInt32(i);
        Value* up_to = builder.CreateAnd(mask, builder.getInt32(i == 31 ? ~0u : (2u << i) - 1));
        Value* from_base = builder.CreateShl(builder.getInt32(~0u), base);
        Value* above = builder.CreateUnaryIntrinsic(I::ctpop, builder.CreateAnd(up_to, from_base));
        Value* from = builder.CreateAnd(mask, builder.getInt32(~0u << i));
        Value* to_base = builder.CreateLShr(builder.getInt32(~0u), builder.CreateSub(builder.getInt32(31), base));
        Value* below = builder.CreateUnaryIntrinsic(I::ctpop, builder.CreateAnd(from, to_base));
        Value* rank = builder.CreateSelect(upward, above, below);
        Value* is_set = builder.CreateIsNotNull(builder.CreateAnd(mask, builder.getInt32(1u << i)));
        Value* in_direction =
            builder.CreateSelect(upward, builder.CreateICmpUGE(position, base), builder.CreateICmpULE(position, base));
        Value* is_base = builder.CreateICmpEQ(position, base);
        Value* matches = builder.CreateSelect(builder.CreateIsNull(wanted), is_base,
                                              builder.CreateAnd(in_direction, builder.CreateICmpEQ(rank, distance)));
        result = builder.CreateSelect(builder.CreateAnd(is_set, matches), position, result);
    }
    return result;
}

/// What __nvvm_reflect answers: no flush to zero; the architecture whose features kernels may assume.
Value* reflect(Operation& call) {
    llvm::StringRef question;
    if (!llvm::getConstantStringInfo(call.value(0), question)) return call.builder().getInt32(0);
    return call.builder().getInt32(question == "__CUDA_ARCH" ? 900 : 0);
}

/// llvm.nvvm.mbarrier.*: "init.shared", "arrive.drop.noComplete", "test.wait".
Value* memory_barrier(Operation& call) {
    IRBuilder<>& builder = call.builder();
    if (call.has("pending")) return Mbarrier::pending_count(builder, call.value(0));
    Mbarrier barrier(builder, builder.CreateAddrSpaceCast(call.value(0), builder.getPtrTy()));
    if (call.has("test")) return barrier.test(call.value(1));
    Value* count = call.has("noComplete") ? call.value(1) : builder.getInt32(1);
    return barrier.arrive(count, call.has("drop"));
}

using Expander = std::function<Value*(Operation&)>;

const llvm::StringMap<Expander>& expanders() {
    const auto arithmetic_of = [](RoundedOp operation) {
        return [operation](Operation& call) { return arithmetic(call, operation); };
    };
    const auto unary = [](I::ID id) { return [id](Operation& call) -> Value* { return call.formula(0).unary(id); }; };
    const Expander identity = [](Operation& call) { return call.value(0); };
    static const llvm::StringMap<Expander> table = {
        {"add", arithmetic_of(RoundedOp::Add)},
        {"mul", arithmetic_of(RoundedOp::Mul)},
        {"div", arithmetic_of(RoundedOp::Div)},
        {"fma", arithmetic_of(RoundedOp::Fma)},
        {"sqrt", arithmetic_of(RoundedOp::Sqrt)},
        {"rcp", reciprocal},
        {"rsqrt", [](Operation& call) -> Value* { return 1.0 / call.formula(0).sqrt(); }},
        {"ex2", unary(I::exp2)},
        {"lg2", unary(I::log2)},
        {"sin", unary(I::sin)},
        {"cos", unary(I::cos)},
        {"fabs", unary(I::fabs)},
        {"floor", unary(I::floor)},
        {"ceil", unary(I::ceil)},
        {"round", unary(I::roundeven)},
        {"trunc", unary(I::trunc)},
        {"saturate",
         [](Operation& call) -> Value* {
             const Formula x = call.formula(0);
             return x.binary(I::maxnum, x.constant(0)).binary(I::minnum, x.constant(1));
         }},
        {"fmin", [](Operation& call) { return extremum(call, false); }},
        {"fmax", [](Operation& call) { return extremum(call, true); }},
        {"abs", unary(I::fabs)},
        {"neg", [](Operation& call) -> Value* { return -call.formula(0); }},
        {"bitcast", [](Operation& call) { return call.builder().CreateBitCast(call.value(0), call.type()); }},
        {"lohi",
         [](Operation& call) {
             IRBuilder<>& builder = call.builder();
             Value* low = builder.CreateZExt(call.value(0), builder.getInt64Ty());
             Value* high = builder.CreateShl(builder.CreateZExt(call.value(1), builder.getInt64Ty()), 32);
             return builder.CreateBitCast(builder.CreateOr(high, low), call.type());
         }},
        {"mulhi", multiply_high},
        {"mul24", multiply_24},
        {"sad", absolute_difference_plus},
        {"prmt",
         [](Operation& call) { return permute_bytes(call.builder(), call.value(0), call.value(1), call.value(2)); }},
        {"rotate", rotate},
        {"swap",
         [](Operation& call) {
             Value* half = llvm::ConstantInt::get(call.type(), 32);
             return call.builder().CreateIntrinsic(I::fshl, {call.type()}, {call.value(0), call.value(0), half});
         }},
        {"fns", find_nth_set},
        {"ldg", cached_load},
        {"ldu", cached_load},
        {"ptr", [](Operation& call) { return call.builder().CreateAddrSpaceCast(call.value(0), call.type()); }},
        {"move", identity},
        {"atomic", atomic},
        {"reflect", reflect},
        {"mbarrier", memory_barrier},
        {"mapa", identity},
        {"getctarank", [](Operation& call) -> Value* { return call.builder().getInt32(0); }},
    };
    return table;
}

/// llvm.nvvm.cp.async.*: the copies are done at once.
void copy_asynchronously(Operation& call) {
    IRBuilder<>& builder = call.builder();
    if (call.has("mbarrier")) {
        if (!call.has("noinc")) return;
        Mbarrier(builder, builder.CreateAddrSpaceCast(call.value(0), builder.getPtrTy()))
            .arrive(builder.getInt32(1), false);
        return;
    }
    if (!call.has("global")) return;
    // "ca.shared.global.16.s": the size, and whether the source may be shorter.
    const std::uint64_t bytes = call.has("4") ? 4 : call.has("8") ? 8 : 16;
    const llvm::Align align(4);
    Value* size = builder.getInt64(bytes);
    if (call.has("s")) {
        builder.CreateMemSet(call.value(0), builder.getInt8(0), bytes, align);
        size = builder.CreateBinaryIntrinsic(I::umin, builder.CreateZExt(call.value(2), builder.getInt64Ty()), size);
    }
    builder.CreateMemCpy(call.value(0), align, call.value(1), align, size);
}

/// Operations without a result; whether `call` was one, and is dealt with.
bool expand_effect(llvm::StringRef name, llvm::CallInst& call) {
    // A block's threads run on one host thread, so ordering within the block is given.
    if (name == "membar.cta" || name.starts_with("barrier.cluster.arrive") || name.starts_with("setmaxnreg"))
        return true;
    if (name.starts_with("cp.async.") && !name.starts_with("cp.async.bulk.tensor")) {
        Operation operation(name, call);
        copy_asynchronously(operation);
        return true;
    }
    if (name.starts_with("mbarrier.inval")) return true;
    if (name.starts_with("mbarrier.init")) {
        IRBuilder<> builder(&call);
        Value* address = builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy());
        Mbarrier(builder, address).init(call.getArgOperand(1));
        return true;
    }
    if (name == "membar.gl" || name == "membar.sys" || name == "fence.sc.cluster") {
        IRBuilder<>(&call).CreateFence(llvm::AtomicOrdering::SequentiallyConsistent);
        return true;
    }
    return false;
}

std::optional<Value*> expand(llvm::StringRef name, llvm::CallInst& call) {
    Operation operation(name, call);
    if (const auto value = conversion(operation)) return value;
    const auto found = expanders().find(operation.base());
    return found == expanders().end() ? std::nullopt : std::optional(found->second(operation));
}

}  // namespace

void expand_nvvm_intrinsics(llvm::Module& module) {
    for (llvm::Function& function : llvm::make_early_inc_range(module)) {
        llvm::StringRef name = function.getName();
        const bool reflects = name == "__nvvm_reflect";
        if (!function.isDeclaration() || (!name.consume_front("llvm.nvvm.") && !reflects)) continue;
        if (reflects) name = "reflect";
        for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(user);
            if (!call || call->getCalledFunction() != &function) continue;
            if (!expand_effect(name, *call)) {
                const std::optional<Value*> value = expand(name, *call);
                if (!value) continue;
                call->replaceAllUsesWith(*value);
            }
            call->eraseFromParent();
        }
        if (function.use_empty()) function.eraseFromParent();
    }
}

}  // namespace lanewise::cpu
