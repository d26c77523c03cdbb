#include "backend/cpu/spmd/loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/guards.h"
#include "backend/cpu/target/optimise.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

bool orders_threads(const llvm::Instruction& instruction) {
    if (instruction.isAtomic() || instruction.isVolatile() || llvm::isa<llvm::FenceInst>(instruction)) return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->mayReadOrWriteMemory() && !llvm::isa<llvm::MemIntrinsic>(call);
}

/// Puts the region's accesses into a new access group, or returns null when its threads may depend on each other.
/// Accesses to allocas stay outside: all threads of the loop share the one stack slot.
llvm::MDNode* mark_parallel(llvm::Function& region) {
    for (const llvm::Instruction& instruction : llvm::instructions(region)) {
        if (orders_threads(instruction)) return nullptr;
    }
    llvm::MDNode* group = llvm::MDNode::getDistinct(region.getContext(), {});
    for (llvm::Instruction& instruction : llvm::instructions(region)) {
        if (!instruction.mayReadOrWriteMemory()) continue;
        const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0))) continue;
        instruction.setMetadata(llvm::LLVMContext::MD_access_group, group);
    }
    return group;
}

/// In rows of whole warps, the low bits of a thread's x and linear number are its lane.
void use_lane_numbers(const SlotFunction& region, unsigned lane) {
    using namespace llvm::PatternMatch;
    for (llvm::Argument* number : {region[Slot::ThreadX], region[Slot::Linear]}) {
        for (llvm::User* user : llvm::make_early_inc_range(number->users())) {
            if (match(user, m_And(m_Specific(number), m_SpecificInt(warp_size - 1)))) {
                user->replaceAllUsesWith(region.function->getArg(lane));
            }
        }
    }
}

/// Where rows end anywhere, coordinates follow from the linear number.
void compute_coordinates(const SlotFunction& region) {
    IRBuilder<> builder(&*region.function->getEntryBlock().getFirstInsertionPt());
    Value* linear = region[Slot::Linear];
    Value* row = builder.CreateUDiv(linear, region[Slot::BlockDimX]);
    region[Slot::ThreadX]->replaceAllUsesWith(builder.CreateURem(linear, region[Slot::BlockDimX], "x"));
    region[Slot::ThreadY]->replaceAllUsesWith(builder.CreateURem(row, region[Slot::BlockDimY], "y"));
    region[Slot::ThreadZ]->replaceAllUsesWith(builder.CreateUDiv(row, region[Slot::BlockDimY], "z"));
}

llvm::MDNode* loop_properties(llvm::LLVMContext& context, llvm::ArrayRef<llvm::Metadata*> properties) {
    llvm::SmallVector<llvm::Metadata*> operands = {nullptr};
    operands.append(properties.begin(), properties.end());
    llvm::MDNode* loop = llvm::MDNode::getDistinct(context, operands);
    loop->replaceOperandWith(0, loop);
    return loop;
}

llvm::MDNode* property(llvm::LLVMContext& context, llvm::StringRef name) {
    return llvm::MDNode::get(context, llvm::MDString::get(context, name));
}

/// Rows of a block are often no longer than a few vectors: more of them at a time than this, and such rows would run
/// thread by thread.
llvm::MDNode* few_vectors_at_a_time(llvm::LLVMContext& context) {
    auto* count = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 2));
    return llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.interleave.count"), count});
}

/// Outer loops only repeat the innermost one: unrolling or vectorising them would multiply code for nothing.
void mark_outer(llvm::BranchInst* latch) {
    llvm::LLVMContext& context = latch->getContext();
    latch->setMetadata(llvm::LLVMContext::MD_loop,
                       loop_properties(context, {property(context, "llvm.loop.mustprogress"),
                                                 property(context, "llvm.loop.disable_nonforced")}));
}

enum class LoopUse : std::uint8_t {
    Long,
    Rows,  ///< of a block of several
    Rare,  ///< kept small
};

/// The innermost loop: calls `region` with `at_zero` advanced along `indices` (argument numbers) and inlines it.
void emit_innermost_loop(IRBuilder<>& builder, llvm::Function& region, llvm::ArrayRef<Value*> at_zero,
                         llvm::ArrayRef<unsigned> indices, Value* count, LoopUse use) {
    llvm::SmallVector<llvm::Argument*> counting;
    for (const unsigned index : indices) counting.push_back(region.getArg(index));
    const Guards guards(region, counting);
    llvm::MDNode* group = mark_parallel(region);

    llvm::LLVMContext& context = builder.getContext();
    llvm::Function* unit = builder.GetInsertBlock()->getParent();
    Value* first = builder.getInt32(0);
    llvm::BasicBlock* after = nullptr;
    if (!guards.empty()) {
        std::tie(first, count) = guards.bounds(builder, at_zero, count);
        llvm::BasicBlock* some = llvm::BasicBlock::Create(context, "some", unit);
        after = llvm::BasicBlock::Create(context, "none_left", unit);
        builder.CreateCondBr(builder.CreateICmpULT(first, count), some, after);
        builder.SetInsertPoint(some);
    }
    CountingLoop loop(builder, "x", first);
    llvm::SmallVector<Value*> arguments(at_zero);
    for (const unsigned index : indices) {
        const auto* zero = llvm::dyn_cast<llvm::Constant>(at_zero[index]);
        arguments[index] = zero && zero->isNullValue()
                               ? loop.index()
                               : builder.CreateAdd(at_zero[index], loop.index(), "", true, true);
    }
    llvm::CallInst* call = builder.CreateCall(&region, arguments);
    llvm::BranchInst* latch = loop.end(builder, count);
    llvm::SmallVector<llvm::Metadata*> properties = {property(context, "llvm.loop.mustprogress")};
    if (use == LoopUse::Rows) properties.push_back(few_vectors_at_a_time(context));
    if (use == LoopUse::Rare) properties.push_back(property(context, "llvm.loop.disable_nonforced"));
    if (group) {
        properties.push_back(
            llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group}));
    }
    latch->setMetadata(llvm::LLVMContext::MD_loop, loop_properties(context, properties));
    if (after) {
        builder.CreateBr(after);
        builder.SetInsertPoint(after);
    }

    llvm::InlineFunctionInfo info;
    llvm::InlineFunction(*call, info);
    if (region.use_empty()) region.eraseFromParent();
}

}  // namespace

/// The back edge is there from the start: code inlined into the body is simplified at once, and would take an index
/// with one incoming value for that value.
CountingLoop::CountingLoop(IRBuilder<>& builder, const llvm::Twine& name, Value* first) {
    llvm::BasicBlock* before = builder.GetInsertBlock();
    header_ = llvm::BasicBlock::Create(builder.getContext(), "loop." + name, before->getParent());
    latch_ = llvm::BasicBlock::Create(builder.getContext(), "loop." + name + ".next", before->getParent());
    builder.CreateBr(header_);
    builder.SetInsertPoint(header_);
    index_ = builder.CreatePHI(builder.getInt32Ty(), 2, name);
    next_ = IRBuilder<>(latch_).CreateAdd(index_, builder.getInt32(1), index_->getName() + ".next", true, true);
    index_->addIncoming(first ? first : builder.getInt32(0), before);
    index_->addIncoming(next_, latch_);
}

llvm::BranchInst* CountingLoop::end(IRBuilder<>& builder, Value* count) {
    builder.CreateBr(latch_);
    builder.SetInsertPoint(latch_);
    llvm::BasicBlock* after =
        llvm::BasicBlock::Create(builder.getContext(), header_->getName() + ".end", header_->getParent());
    llvm::BranchInst* branch = builder.CreateCondBr(builder.CreateICmpULT(next_, count), header_, after);
    builder.SetInsertPoint(after);
    return branch;
}

void emit_thread_loops(IRBuilder<>& builder, const SlotFunction& unit, const SlotFunction& region,
                       llvm::ArrayRef<Value*> tail) {
    simplify_region(*region.function);
    llvm::SmallVector<Value*> arguments;
    for (unsigned i = 0; i < unit.own + block_slots; ++i) arguments.push_back(unit.function->getArg(i));
    arguments.resize(unit.own + thread_slots);
    arguments.append(tail.begin(), tail.end());
    const auto slot = [&](Slot which) -> Value*& { return arguments[unit.own + static_cast<unsigned>(which)]; };
    const unsigned indices[] = {unit.own + static_cast<unsigned>(Slot::ThreadX),
                                unit.own + static_cast<unsigned>(Slot::Linear)};
    Value* zero = builder.getInt32(0);
    slot(Slot::ThreadX) = zero;

    const auto ignores = [&](Slot which) { return region[which]->use_empty(); };
    if (ignores(Slot::ThreadY) && ignores(Slot::ThreadZ)) {
        Value* rows = builder.CreateMul(unit[Slot::BlockDimY], unit[Slot::BlockDimZ], "rows", true, true);
        CountingLoop row(builder, "row");
        slot(Slot::ThreadY) = slot(Slot::ThreadZ) = llvm::PoisonValue::get(builder.getInt32Ty());
        slot(Slot::Linear) = builder.CreateMul(row.index(), unit[Slot::BlockDimX], "row_start", true, true);
        emit_innermost_loop(builder, *region.function, arguments, indices, unit[Slot::SpanX], LoopUse::Long);
        mark_outer(row.end(builder, rows));
        return;
    }
    CountingLoop z(builder, "z");
    slot(Slot::ThreadZ) = z.index();
    Value* plane = builder.CreateMul(z.index(), unit[Slot::BlockDimY], "", true, true);
    CountingLoop y(builder, "y");
    slot(Slot::ThreadY) = y.index();
    slot(Slot::Linear) = builder.CreateMul(builder.CreateAdd(plane, y.index(), "", true, true), unit[Slot::BlockDimX],
                                           "row_start", true, true);
    emit_innermost_loop(builder, *region.function, arguments, indices, unit[Slot::SpanX], LoopUse::Rows);
    mark_outer(y.end(builder, unit[Slot::BlockDimY]));
    mark_outer(z.end(builder, unit[Slot::BlockDimZ]));
}

void emit_lane_loop(IRBuilder<>& builder, const SlotFunction& unit, const SlotFunction& region, Value* count,
                    bool aligned, llvm::ArrayRef<Value*> tail) {
    simplify_region(*region.function);
    llvm::SmallVector<Value*> arguments;
    for (llvm::Argument& argument : unit.function->args()) arguments.push_back(&argument);
    const auto lane = static_cast<unsigned>(arguments.size());
    arguments.push_back(builder.getInt32(0));
    arguments.append(tail.begin(), tail.end());
    llvm::SmallVector<unsigned> indices = {unit.own + static_cast<unsigned>(Slot::Linear), lane};
    if (aligned) {
        indices.push_back(unit.own + static_cast<unsigned>(Slot::ThreadX));
        use_lane_numbers(region, lane);
    } else {
        compute_coordinates(region);
    }
    emit_innermost_loop(builder, *region.function, arguments, indices, count, aligned ? LoopUse::Long : LoopUse::Rare);
}

}  // namespace lanewise::cpu
