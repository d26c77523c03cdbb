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
            if (size_of(from) == size_of(to)) value = b_.CreateFPExt(value, b_.getFloatTy());
            return b_.CreateFPCast(value, wanted);
        }
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
    return b_.CreateFPCast(real, wanted);
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
