// Scalar operations: "core" rows of tables/scalar.def as LLVM instructions, "math:" rows as libdevice calls.
#include <fmt/format.h>

#include "codegen/emitter.h"

namespace lanewise::codegen {

using namespace llvm;
using ir::ScalarOp;

namespace {

/// The functions libdevice has an approximate float32 form of, as nvcc -use_fast_math substitutes them.
bool has_fast_form(StringRef name) {
    return StringSwitch<bool>(name)
        .Cases("sin", "cos", "tan", "exp", "exp10", true)
        .Cases("log", "log2", "log10", "pow", "tanh", true)
        .Default(false);
}

CmpInst::Predicate integer_predicate(ScalarOp op, bool is_signed) {
    switch (op) {
        case ScalarOp::Eq:
            return CmpInst::ICMP_EQ;
        case ScalarOp::Ne:
            return CmpInst::ICMP_NE;
        case ScalarOp::Lt:
            return is_signed ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
        case ScalarOp::Le:
            return is_signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
        case ScalarOp::Gt:
            return is_signed ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT;
        case ScalarOp::Ge:
            return is_signed ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
        default:
            return CmpInst::BAD_ICMP_PREDICATE;
    }
}

CmpInst::Predicate float_predicate(ScalarOp op) {
    switch (op) {
        case ScalarOp::Eq:
            return CmpInst::FCMP_OEQ;
        case ScalarOp::Ne:
            return CmpInst::FCMP_UNE;
        case ScalarOp::Lt:
            return CmpInst::FCMP_OLT;
        case ScalarOp::Le:
            return CmpInst::FCMP_OLE;
        case ScalarOp::Gt:
            return CmpInst::FCMP_OGT;
        case ScalarOp::Ge:
            return CmpInst::FCMP_OGE;
        default:
            return CmpInst::BAD_FCMP_PREDICATE;
    }
}

}  // namespace

Value* Emitter::emit_scalar(const ir::Value& value) {
    SmallVector<Value*, 3> operands;
    for (const ir::Value* used : value.operands) operands.push_back(operand(used));
    if (value.scalar == ScalarOp::Select) return b_.CreateSelect(operands[0], operands[1], operands[2]);
    const DType type = value.operands[0]->type.dtype;
    const ir::ScalarInfo& row = info(value.scalar);
    if (row.is_math()) return emit_math(StringRef(row.math_name()), type, operands);
    Value* result = is_float(type) ? emit_float(value, type, operands) : emit_integer(value, type, operands);
    if (!result) refuse(value, fmt::format("no code is known for '{}' of {}", row.name, name(type)));
    return result;
}

Value* Emitter::emit_integer(const ir::Value& value, DType type, ArrayRef<Value*> operands) {
    Value* a = operands[0];
    Value* b = operands.size() > 1 ? operands[1] : nullptr;
    const bool sign = is_signed(type);
    const ScalarOp op = value.scalar;
    if (auto predicate = integer_predicate(op, sign); predicate != CmpInst::BAD_ICMP_PREDICATE)
        return b_.CreateICmp(predicate, a, b);
    switch (op) {
        case ScalarOp::Add:
            return b_.CreateAdd(a, b);
        case ScalarOp::Sub:
            return b_.CreateSub(a, b);
        case ScalarOp::Mul:
            return b_.CreateMul(a, b);
        case ScalarOp::Div:
            return sign ? b_.CreateSDiv(a, b) : b_.CreateUDiv(a, b);
        case ScalarOp::Rem:
            return sign ? b_.CreateSRem(a, b) : b_.CreateURem(a, b);
        case ScalarOp::Neg:
            return b_.CreateNeg(a);
        case ScalarOp::Abs:
            return sign ? b_.CreateBinaryIntrinsic(Intrinsic::abs, a, b_.getFalse()) : a;
        case ScalarOp::Min:
            return b_.CreateBinaryIntrinsic(sign ? Intrinsic::smin : Intrinsic::umin, a, b);
        case ScalarOp::Max:
            return b_.CreateBinaryIntrinsic(sign ? Intrinsic::smax : Intrinsic::umax, a, b);
        case ScalarOp::MulHigh: {
            llvm::Type* narrow = a->getType();
            llvm::Type* wide = b_.getIntNTy(2 * bits(type));
            Value* product = b_.CreateMul(b_.CreateIntCast(a, wide, sign), b_.CreateIntCast(b, wide, sign));
            return b_.CreateTrunc(b_.CreateLShr(product, bits(type)), narrow);
        }
        case ScalarOp::BitAnd:
            return b_.CreateAnd(a, b);
        case ScalarOp::BitOr:
            return b_.CreateOr(a, b);
        case ScalarOp::BitXor:
            return b_.CreateXor(a, b);
        case ScalarOp::BitNot:
            return b_.CreateNot(a);
        case ScalarOp::Shl:
        case ScalarOp::Shr:
            return emit_shift(op, type, a, b);
        case ScalarOp::PopCount:
            return b_.CreateUnaryIntrinsic(Intrinsic::ctpop, a);
        case ScalarOp::Clz:
            return b_.CreateBinaryIntrinsic(Intrinsic::ctlz, a, b_.getFalse());
        case ScalarOp::Ctz:
            return b_.CreateBinaryIntrinsic(Intrinsic::cttz, a, b_.getFalse());
        case ScalarOp::BitReverse:
            return b_.CreateUnaryIntrinsic(Intrinsic::bitreverse, a);
        default:
            return nullptr;
    }
}

Value* Emitter::emit_shift(ScalarOp op, DType type, Value* value, Value* count) {
    const unsigned width = bits(type);
    auto* known = dyn_cast<ConstantInt>(count);
    const bool in_range = known && known->getValue().ult(width);
    if (op == ScalarOp::Shr && is_signed(type)) {
        // A shift by width - 1 already leaves nothing but the sign.
        Value* limit = ConstantInt::get(count->getType(), width - 1);
        return b_.CreateAShr(value, in_range ? count : b_.CreateBinaryIntrinsic(Intrinsic::umin, count, limit));
    }
    Value* shifted = op == ScalarOp::Shl ? b_.CreateShl(value, count) : b_.CreateLShr(value, count);
    if (in_range) return shifted;
    Value* sensible = b_.CreateICmpULT(count, ConstantInt::get(count->getType(), width));
    return b_.CreateSelect(sensible, shifted, Constant::getNullValue(value->getType()));
}

Value* Emitter::emit_float(const ir::Value& value, DType type, ArrayRef<Value*> operands) {
    if (type == DType::BFloat16 && kind_ == DeviceKind::Cpu) {
        // Hosts have no bfloat16 arithmetic.
        SmallVector<Value*, 3> wide;
        for (Value* used : operands) wide.push_back(convert_float(used, b_.getFloatTy()));
        Value* result = emit_float(value, DType::Float32, wide);
        return result && result->getType()->isFloatTy() ? convert_float(result, this->type(type)) : result;
    }
    Value* a = operands[0];
    Value* b = operands.size() > 1 ? operands[1] : nullptr;
    const ScalarOp op = value.scalar;
    // Comparisons and classifications stay exact under fastmath: a test for NaN would otherwise fold away.
    IRBuilderBase::FastMathFlagGuard guard(b_);
    const bool arithmetic = op < ScalarOp::Eq || op > ScalarOp::SignBit;
    if (!arithmetic) b_.clearFastMathFlags();
    const bool approximate = options_.fastmath && kind_ == DeviceKind::Cuda && type != DType::Float64;
    if (auto predicate = float_predicate(op); predicate != CmpInst::BAD_FCMP_PREDICATE)
        return b_.CreateFCmp(predicate, a, b);
    switch (op) {
        case ScalarOp::Add:
            return b_.CreateFAdd(a, b);
        case ScalarOp::Sub:
            return b_.CreateFSub(a, b);
        case ScalarOp::Mul:
            return b_.CreateFMul(a, b);
        case ScalarOp::Div:
            // The fast flags already make a multiplication of a division by a constant.
            if (approximate && !isa<Constant>(b)) return emit_approximate_divide(a, b);
            return b_.CreateFDiv(a, b);
        case ScalarOp::Rem:
            return emit_math("fmod", type, operands);
        case ScalarOp::Neg:
            return b_.CreateFNeg(a);
        case ScalarOp::Abs:
            return b_.CreateUnaryIntrinsic(Intrinsic::fabs, a);
        case ScalarOp::Fma:
            return b_.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, operands[2]});
        case ScalarOp::Min:
            return b_.CreateBinaryIntrinsic(Intrinsic::minnum, a, b);
        case ScalarOp::Max:
            return b_.CreateBinaryIntrinsic(Intrinsic::maxnum, a, b);
        case ScalarOp::IsNan:
            return b_.CreateFCmpUNO(a, a);
        case ScalarOp::IsInf:
            return b_.CreateFCmpOEQ(b_.CreateUnaryIntrinsic(Intrinsic::fabs, a), ConstantFP::getInfinity(a->getType()));
        case ScalarOp::IsFinite:
            return b_.CreateFCmpOLT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, a), ConstantFP::getInfinity(a->getType()));
        case ScalarOp::SignBit:
            return b_.CreateICmpSLT(b_.CreateBitCast(a, b_.getIntNTy(bits(type))), b_.getIntN(bits(type), 0));
        case ScalarOp::Floor:
            return b_.CreateUnaryIntrinsic(Intrinsic::floor, a);
        case ScalarOp::Ceil:
            return b_.CreateUnaryIntrinsic(Intrinsic::ceil, a);
        case ScalarOp::Trunc:
            return b_.CreateUnaryIntrinsic(Intrinsic::trunc, a);
        case ScalarOp::Rint:
            return b_.CreateUnaryIntrinsic(Intrinsic::roundeven, a);
        case ScalarOp::Sqrt:
            if (approximate) return emit_approximate_sqrt(a);
            return b_.CreateUnaryIntrinsic(Intrinsic::sqrt, a);
        case ScalarOp::CopySign:
            return b_.CreateBinaryIntrinsic(Intrinsic::copysign, a, b);
        default:
            return nullptr;
    }
}

Value* Emitter::emit_approximate_divide(Value* a, Value* b) {
    llvm::Type* single = b_.getFloatTy();
    Value* divisor = b_.CreateFPCast(b, single);
    auto* one = dyn_cast<ConstantFP>(a);
    Value* quotient =
        one && one->isExactlyValue(1.0)
            ? b_.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {}, {divisor})
            : b_.CreateIntrinsic(Intrinsic::nvvm_div_approx_ftz_f, {}, {b_.CreateFPCast(a, single), divisor});
    return b_.CreateFPCast(quotient, a->getType());
}

Value* Emitter::emit_approximate_sqrt(Value* a) {
    Value* wide = b_.CreateFPCast(a, b_.getFloatTy());
    return b_.CreateFPCast(b_.CreateIntrinsic(Intrinsic::nvvm_sqrt_approx_ftz_f, {}, {wide}), a->getType());
}

Value* Emitter::emit_math(StringRef name, DType type, ArrayRef<Value*> operands) {
    llvm::Type* wanted = this->type(type);
    // libdevice has no 16-bit functions: through float32.
    const bool narrow = size_of(type) == 2;
    llvm::Type* computed = narrow ? b_.getFloatTy() : wanted;
    const bool single = computed->isFloatTy();
    const bool fast = single && options_.fastmath && kind_ == DeviceKind::Cuda && has_fast_form(name);
    SmallVector<Value*, 3> arguments;
    SmallVector<llvm::Type*, 3> types;
    for (Value* argument : operands) {
        if (argument->getType() == wanted) argument = convert_float(argument, computed);
        arguments.push_back(argument);
        types.push_back(argument->getType());
    }
    const std::string symbol = ("__nv_" + Twine(fast ? "fast_" : "") + name + (single ? "f" : "")).str();
    llvm::Function* function = runtime_function(symbol, FunctionType::get(computed, types, false));
    function->setDoesNotAccessMemory();
    function->addFnAttr(Attribute::WillReturn);
    return convert_float(b_.CreateCall(function, arguments), wanted);
}

}  // namespace lanewise::codegen
