// Conversions between the scalar types, and reinterpretations.
#include <fmt/format.h>

#include "codegen/emitter.h"

namespace lanewise::codegen {

using namespace llvm;

Value* Emitter::emit_cast(Value* value, DType from, DType to) {
    if (from == to) return value;
    llvm::Type* wanted = type(to);
    if (is_float(from)) {
        IRBuilderBase::FastMathFlagGuard guard(b_);
        b_.clearFastMathFlags();
        if (is_bool(to)) return b_.CreateFCmpUNE(value, ConstantFP::getZero(value->getType()));
        if (is_float(to)) {
            // Between the two 16-bit formats there is no instruction; float32 holds both.
            if (size_of(from) == size_of(to)) value = convert_float(value, b_.getFloatTy());
            return convert_float(value, wanted);
        }
        if (from == DType::BFloat16) value = convert_float(value, b_.getFloatTy());
        // Out-of-range values saturate, at 16 bits for the 8-bit types: what the device's conversions do. Only float16
        // goes on to saturate at 8 bits.
        const bool narrow = size_of(to) == 1;
        llvm::Type* converted = narrow ? b_.getInt16Ty() : wanted;
        Value* integer = b_.CreateIntrinsic(is_signed(to) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
                                            {converted, value->getType()}, {value});
        if (!narrow) return integer;
        if (from == DType::Float16) {
            if (is_signed(to)) {
                integer = b_.CreateBinaryIntrinsic(Intrinsic::smax, integer, b_.getInt16(-128));
                integer = b_.CreateBinaryIntrinsic(Intrinsic::smin, integer, b_.getInt16(127));
            } else {
                integer = b_.CreateBinaryIntrinsic(Intrinsic::umin, integer, b_.getInt16(255));
            }
        }
        return b_.CreateTrunc(integer, wanted);
    }
    if (is_bool(to)) return b_.CreateIsNotNull(value);
    if (!is_float(to)) return b_.CreateIntCast(value, wanted, is_signed(from));
    // bfloat16 through float32 on every device, so that all of them round alike.
    llvm::Type* direct = to == DType::BFloat16 ? b_.getFloatTy() : wanted;
    Value* real = is_signed(from) ? b_.CreateSIToFP(value, direct) : b_.CreateUIToFP(value, direct);
    return convert_float(real, wanted);
}

/// Hosts convert between float32 and float16, and nothing else of the 16-bit types, by an instruction. For the rest
/// LLVM would call library functions that are in no library of the system; it would also move operations to the narrow
/// side of a plain extension from bfloat16. So those are integer operations.
Value* Emitter::convert_float(Value* value, llvm::Type* wanted) {
    if (value->getType() == wanted) return value;
    if (kind_ == DeviceKind::Cuda) return b_.CreateFPCast(value, wanted);
    IRBuilderBase::FastMathFlagGuard guard(b_);
    b_.clearFastMathFlags();
    if (value->getType()->isBFloatTy()) {
        Value* bits = b_.CreateZExt(b_.CreateBitCast(value, b_.getInt16Ty()), b_.getInt32Ty());
        value = b_.CreateBitCast(b_.CreateShl(bits, 16), b_.getFloatTy());
    }
    const bool to_narrow = wanted->isBFloatTy() || wanted->isHalfTy();
    if (to_narrow && value->getType()->isDoubleTy()) value = round_to_odd_float(value);
    return wanted->isBFloatTy() ? round_to_bfloat(value) : b_.CreateFPCast(value, wanted);
}

/// float64 to float32 with inexact results made odd: a second rounding, to fewer bits, then gives what one would have.
Value* Emitter::round_to_odd_float(Value* value) {
    Value* nearest = b_.CreateFPTrunc(value, b_.getFloatTy());
    Value* back = b_.CreateFPExt(nearest, b_.getDoubleTy());
    Value* bits = b_.CreateBitCast(nearest, b_.getInt32Ty());
    Value* away = b_.CreateFCmpOGT(b_.CreateUnaryIntrinsic(Intrinsic::fabs, back),
                                   b_.CreateUnaryIntrinsic(Intrinsic::fabs, value));
    Value* toward_zero = b_.CreateSub(bits, b_.CreateZExt(away, b_.getInt32Ty()));
    Value* odd = b_.CreateOr(toward_zero, b_.getInt32(1));
    return b_.CreateBitCast(b_.CreateSelect(b_.CreateFCmpONE(back, value), odd, bits), b_.getFloatTy());
}

Value* Emitter::round_to_bfloat(Value* value) {
    Value* bits = b_.CreateBitCast(value, b_.getInt32Ty());
    Value* high = b_.CreateLShr(bits, 16);
    // To nearest even: a carry out of the lower half, which adds up to a tie exactly when the upper half is odd.
    Value* rounding = b_.CreateAdd(b_.CreateAnd(high, b_.getInt32(1)), b_.getInt32(0x7fff));
    Value* rounded = b_.CreateLShr(b_.CreateAdd(bits, rounding), 16);
    Value* quiet = b_.CreateOr(high, b_.getInt32(0x40));
    Value* result = b_.CreateSelect(b_.CreateFCmpUNO(value, value), quiet, rounded);
    return b_.CreateBitCast(b_.CreateTrunc(result, b_.getInt16Ty()), llvm::Type::getBFloatTy(context_));
}

Value* Emitter::emit_bitcast(const ir::Value& value) {
    Value* source = operand(value.operands[0]);
    llvm::Type* wanted = type(value.type);
    if (source->getType() == wanted) return source;
    const bool from_pointer = source->getType()->isPointerTy();
    if (from_pointer && wanted->isPointerTy()) return b_.CreateAddrSpaceCast(source, wanted);
    if (from_pointer) return b_.CreatePtrToInt(source, wanted);
    if (wanted->isPointerTy()) return b_.CreateIntToPtr(source, wanted);
    return b_.CreateBitCast(source, wanted);
}

}  // namespace lanewise::codegen
