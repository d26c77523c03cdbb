// Atomic read-modify-write operations: relaxed, device scope.
#include <fmt/format.h>

#include "codegen/emitter.h"

namespace lanewise::codegen {

using namespace llvm;
using ir::AtomicOp;

namespace {

std::optional<AtomicRMWInst::BinOp> direct_operation(AtomicOp op, DType type) {
    const bool real = is_float(type), sign = is_signed(type);
    switch (op) {
        case AtomicOp::Add:
            return real ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
        case AtomicOp::Sub:
            return AtomicRMWInst::Sub;
        case AtomicOp::Min:
        case AtomicOp::NanMin:
            return sign ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
        case AtomicOp::Max:
        case AtomicOp::NanMax:
            return sign ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
        case AtomicOp::And:
            return AtomicRMWInst::And;
        case AtomicOp::Or:
            return AtomicRMWInst::Or;
        case AtomicOp::Xor:
            return AtomicRMWInst::Xor;
        case AtomicOp::Exchange:
            return AtomicRMWInst::Xchg;
        case AtomicOp::Increment:
            return AtomicRMWInst::UIncWrap;
        case AtomicOp::Decrement:
            return AtomicRMWInst::UDecWrap;
    }
    return std::nullopt;
}

bool is_extremum(AtomicOp op) {
    return op == AtomicOp::Min || op == AtomicOp::Max || op == AtomicOp::NanMin || op == AtomicOp::NanMax;
}

}  // namespace

Value* Emitter::emit_atomic(const ir::Value& value) {
    Value* pointer = operand(value.operands[0]);
    Value* amount = operand(value.operands[1]);
    const DType type = value.type.dtype;
    const bool real = is_float(type);
    AtomicOp op = value.atomic;
    if (real && is_extremum(op)) return emit_float_extremum(op, pointer, amount);
    if (real && op == AtomicOp::Sub) {
        amount = b_.CreateFNeg(amount);
        op = AtomicOp::Add;
    }
    const bool wraps = op == AtomicOp::Increment || op == AtomicOp::Decrement;
    if (wraps && bits(type) == 32 && kind_ == DeviceKind::Cuda)
        return b_.CreateIntrinsic(
            op == AtomicOp::Increment ? Intrinsic::nvvm_atomic_load_inc_32 : Intrinsic::nvvm_atomic_load_dec_32,
            {pointer->getType()}, {pointer, amount});
    // An exchange moves bits: as integers every target has it.
    llvm::Type* wanted = amount->getType();
    if (real && op == AtomicOp::Exchange) amount = b_.CreateBitCast(amount, b_.getIntNTy(bits(type)));
    Value* old = b_.CreateAtomicRMW(*direct_operation(op, type), pointer, amount, Align(size_of(type)),
                                    AtomicOrdering::Monotonic);
    return b_.CreateBitCast(old, wanted);
}

/// A loop of compare-and-swap that ends as soon as the stored value need not change:
///   Min     store when operand < old: false when either is NaN, so a stored NaN stays and a NaN operand is ignored
///   NanMin  store when operand is no NaN and not old <= operand: a stored NaN is replaced
Value* Emitter::emit_float_extremum(AtomicOp op, Value* pointer, Value* amount) {
    IRBuilderBase::FastMathFlagGuard guard(b_);
    b_.clearFastMathFlags();
    const bool minimum = op == AtomicOp::Min || op == AtomicOp::NanMin;
    const bool replaces_nan = op == AtomicOp::NanMin || op == AtomicOp::NanMax;
    llvm::Type* real = amount->getType();
    llvm::Type* word = b_.getIntNTy(real->getPrimitiveSizeInBits());
    const Align align(real->getPrimitiveSizeInBits() / 8);
    BasicBlock* before = b_.GetInsertBlock();
    auto* loop = BasicBlock::Create(context_, "atomic.loop", current_llvm_);
    auto* attempt = BasicBlock::Create(context_, "atomic.attempt", current_llvm_);
    auto* done = BasicBlock::Create(context_, "atomic.done", current_llvm_);

    LoadInst* first = b_.CreateAlignedLoad(word, pointer, align);
    first->setAtomic(AtomicOrdering::Monotonic);
    Value* desired = b_.CreateBitCast(amount, word);
    Value* is_number = b_.CreateFCmpORD(amount, amount);
    b_.CreateBr(loop);

    b_.SetInsertPoint(loop);
    PHINode* seen = b_.CreatePHI(word, 2);
    seen->addIncoming(first, before);
    Value* old = b_.CreateBitCast(seen, real);
    const auto predicate = replaces_nan ? (minimum ? CmpInst::FCMP_ULT : CmpInst::FCMP_UGT)
                                        : (minimum ? CmpInst::FCMP_OLT : CmpInst::FCMP_OGT);
    Value* stores = b_.CreateFCmp(predicate, amount, old);
    if (replaces_nan) stores = b_.CreateAnd(stores, is_number);
    b_.CreateCondBr(stores, attempt, done);

    b_.SetInsertPoint(attempt);
    Value* exchanged =
        b_.CreateAtomicCmpXchg(pointer, seen, desired, align, AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
    Value* found = b_.CreateExtractValue(exchanged, 0);
    seen->addIncoming(found, attempt);
    b_.CreateCondBr(b_.CreateExtractValue(exchanged, 1), done, loop);

    b_.SetInsertPoint(done);
    PHINode* result = b_.CreatePHI(word, 2);
    result->addIncoming(seen, loop);
    result->addIncoming(found, attempt);
    return b_.CreateBitCast(result, real);
}

Value* Emitter::emit_compare_swap(const ir::Value& value) {
    llvm::Type* wanted = type(value.type);
    llvm::Type* word = b_.getIntNTy(8 * value.type.bytes());
    Value* expected = b_.CreateBitCast(operand(value.operands[1]), word);
    Value* desired = b_.CreateBitCast(operand(value.operands[2]), word);
    Value* exchanged = b_.CreateAtomicCmpXchg(operand(value.operands[0]), expected, desired, Align(value.type.bytes()),
                                              AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
    return b_.CreateBitCast(b_.CreateExtractValue(exchanged, 0), wanted);
}

}  // namespace lanewise::codegen
