#include "backend/cpu/target/mbarrier.h"

#include "backend/cpu/spmd/sync.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

// The object's fields, from the lowest bit: arrivals that are missing in this phase, those that each phase needs, the
// phase's parity, and bytes that are missing (signed, since they may come before they are expected).
constexpr unsigned count_bits = 20;
constexpr unsigned needed_shift = 20;
constexpr unsigned phase_shift = 40;
constexpr unsigned bytes_shift = 42;
constexpr std::uint64_t count_mask = (1u << count_bits) - 1;

}  // namespace

Value* Mbarrier::load() {
    return builder_.CreateAlignedLoad(builder_.getInt64Ty(), address_, llvm::Align(8), true);
}

Value* Mbarrier::phase(Value* state) {
    return builder_.CreateAnd(builder_.CreateLShr(state, phase_shift), 1);
}

/// Begins the next phase if nothing is missing.
void Mbarrier::store_settled(Value* state) {
    Value* missing = builder_.CreateOr(builder_.CreateAnd(state, count_mask), builder_.CreateLShr(state, bytes_shift));
    Value* needed = builder_.CreateAnd(builder_.CreateLShr(state, needed_shift), count_mask);
    Value* next = builder_.CreateXor(builder_.CreateOr(state, needed), std::uint64_t{1} << phase_shift);
    Value* settled = builder_.CreateSelect(builder_.CreateIsNull(missing), next, state);
    builder_.CreateAlignedStore(settled, address_, llvm::Align(8), true);
}

void Mbarrier::init(Value* count) {
    Value* wide = builder_.CreateAnd(builder_.CreateZExtOrTrunc(count, builder_.getInt64Ty()), count_mask);
    Value* state = builder_.CreateOr(wide, builder_.CreateShl(wide, needed_shift));
    builder_.CreateAlignedStore(state, address_, llvm::Align(8), true);
}

Value* Mbarrier::arrive(Value* count, bool drops) {
    Value* before = load();
    Value* wide = builder_.CreateZExtOrTrunc(count, builder_.getInt64Ty());
    Value* after = builder_.CreateSub(before, wide);
    if (drops) after = builder_.CreateSub(after, builder_.CreateShl(wide, needed_shift));
    store_settled(after);
    return before;
}

void Mbarrier::expect(Value* bytes) {
    Value* wide = builder_.CreateZExtOrTrunc(bytes, builder_.getInt64Ty());
    Value* state = builder_.CreateAdd(load(), builder_.CreateShl(wide, bytes_shift));
    builder_.CreateAlignedStore(state, address_, llvm::Align(8), true);
}

void Mbarrier::complete(Value* bytes) {
    Value* wide = builder_.CreateZExtOrTrunc(bytes, builder_.getInt64Ty());
    store_settled(builder_.CreateSub(load(), builder_.CreateShl(wide, bytes_shift)));
}

Value* Mbarrier::test(Value* state) {
    yield(builder_);
    return builder_.CreateICmpNE(phase(load()), phase(state));
}

Value* Mbarrier::test_parity(Value* parity) {
    yield(builder_);
    Value* wide = builder_.CreateAnd(builder_.CreateZExtOrTrunc(parity, builder_.getInt64Ty()), 1);
    return builder_.CreateICmpNE(phase(load()), wide);
}

Value* Mbarrier::pending_count(IRBuilder<>& builder, Value* state) {
    return builder.CreateTrunc(builder.CreateAnd(state, count_mask), builder.getInt32Ty());
}

void copy_at_once(IRBuilder<>& builder, Value* target, Value* source, Value* bytes, llvm::Align align) {
    builder.CreateMemCpy(target, align, source, align, bytes, true);
}

}  // namespace lanewise::cpu
