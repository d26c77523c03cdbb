#include "backend/cpu/spmd/warp.h"

#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/apart.h"
#include "backend/cpu/spmd/exchange.h"
#include "backend/cpu/spmd/loops.h"
#include "backend/cpu/spmd/regions.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

class WarpCrew : public Crew {
public:
    WarpCrew(const SlotFunction& warp, bool aligned) : warp_(warp), aligned_(aligned) {}

    void begin(IRBuilder<>& builder) override {
        lanes_ = builder.getInt32(warp_size);
        if (aligned_) return;
        Value* left = builder.CreateSub(thread_count(builder, warp_), warp_[Slot::Linear], "", true, true);
        lanes_ = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, lanes_, nullptr, "lanes");
    }

    Value* count() const override { return lanes_; }

    Value* make_array(IRBuilder<>& builder, llvm::Type* type, llvm::Align) override {
        llvm::AllocaInst* array = builder.CreateAlloca(llvm::ArrayType::get(type, warp_size));
        array->setAlignment(llvm::Align(64));
        return array;
    }

    void clear(IRBuilder<>& builder, Value* array) override {
        builder.CreateMemSet(array, builder.getInt8(0), warp_size, llvm::Align(64));
    }

    void fill(IRBuilder<>& builder, Value* array, Value* value) override {
        spread(builder, array, builder.CreateVectorSplat(warp_size, value));
    }

    void run(IRBuilder<>& builder, const SlotFunction& region, llvm::ArrayRef<Value*> tail) override {
        emit_lane_loop(builder, warp_, region, lanes_, aligned_, tail);
    }

    bool has_index() const override { return true; }

    llvm::SmallVector<Value*, 2> meet(IRBuilder<>& builder, const Meeting& meeting) override {
        return exchange(builder, meeting, aligned_ ? nullptr : lanes_);
    }

    void spread(IRBuilder<>& builder, Value* array, Value* vector) override {
        auto* type = llvm::cast<llvm::VectorType>(vector->getType());
        llvm::Type* stored = stored_type(type->getElementType());
        if (stored != type->getElementType()) vector = builder.CreateZExt(vector, llvm::VectorType::get(stored, type));
        builder.CreateAlignedStore(vector, array, llvm::Align(64));
    }

private:
    SlotFunction warp_;
    bool aligned_;
    Value* lanes_ = nullptr;
};

/// A function with the parameters of `region` that runs a whole warp; its thread slots are those of lane 0.
SlotFunction make_warp_function(const SlotFunction& region, const llvm::Twine& name) {
    SlotFunction warp;
    warp.own = region.own;
    warp.function = llvm::Function::Create(region.function->getFunctionType(), llvm::GlobalValue::InternalLinkage, 0,
                                           name, region.function->getParent());
    warp.function->setAttributes(region.function->getAttributes());
    for (llvm::Argument& argument : region.function->args()) {
        warp.function->getArg(argument.getArgNo())->setName(argument.getName());
    }
    note_slots(warp);
    return warp;
}

/// Fills a new warp function; null when the lanes may part ways before a meeting.
llvm::Function* try_lock_step(const SlotFunction& region, bool aligned) {
    isolate_meetings(*region.function, is_warp_sync);
    const Uniformity uniformity(region, aligned ? Scope::AlignedWarp : Scope::Warp);
    const auto skeleton = find_skeleton(*region.function, is_warp_sync, uniformity);
    if (!skeleton) return nullptr;
    const SlotFunction warp =
        make_warp_function(region, region.function->getName() + (aligned ? ".warp" : ".any_warp"));
    WarpCrew crew(warp, aligned);
    emit_regions(warp, true, region, *skeleton, uniformity, crew);
    return warp.function;
}

SlotFunction copy_of(const SlotFunction& region) {
    llvm::ValueToValueMapTy map;
    return {llvm::CloneFunction(region.function, map), region.own};
}

}  // namespace

bool has_warp_meetings(const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function),
                        [](const llvm::Instruction& instruction) { return is_warp_sync(sync_kind(instruction)); });
}

Value* thread_count(IRBuilder<>& builder, const SlotFunction& unit) {
    Value* row = builder.CreateMul(unit[Slot::BlockDimX], unit[Slot::BlockDimY], "", true, true);
    return builder.CreateMul(row, unit[Slot::BlockDimZ], "threads", true, true);
}

void emit_warp_loops(IRBuilder<>& builder, const SlotFunction& block, const SlotFunction& region,
                     llvm::ArrayRef<Value*> tail) {
    // Blocks whose rows are whole warps get code of their own: 32 lanes, counted by x alone.
    const SlotFunction for_aligned = copy_of(region);
    llvm::Function* aligned = try_lock_step(for_aligned, true);
    for_aligned.function->eraseFromParent();
    const SlotFunction for_any = copy_of(region);
    llvm::Function* any = try_lock_step(for_any, false);
    for_any.function->eraseFromParent();
    if (!any) {
        const SlotFunction warp = make_warp_function(region, region.function->getName() + ".apart");
        WarpCrew crew(warp, false);
        emit_threads_apart(warp, true, region, crew);
        any = warp.function;
    }
    region.function->eraseFromParent();
    if (aligned) {
        any->addFnAttr(llvm::Attribute::NoInline);
        any->addFnAttr(llvm::Attribute::OptimizeForSize);
        any->addFnAttr(llvm::Attribute::MinSize);
    }

    Value* threads = thread_count(builder, block);
    Value* warps =
        builder.CreateLShr(builder.CreateAdd(threads, builder.getInt32(warp_size - 1), "", true, true), 5, "warps");
    Value* is_aligned = builder.CreateIsNull(builder.CreateAnd(block[Slot::BlockDimX], warp_size - 1));
    CountingLoop loop(builder, "warp");
    Value* linear = builder.CreateShl(loop.index(), 5, "linear", true, true);
    Value* row = builder.CreateUDiv(linear, block[Slot::BlockDimX]);
    llvm::SmallVector<Value*> arguments;
    for (unsigned i = 0; i < block.own + block_slots; ++i) arguments.push_back(block.function->getArg(i));
    arguments.append({builder.CreateURem(linear, block[Slot::BlockDimX], "x"),
                      builder.CreateURem(row, block[Slot::BlockDimY], "y"),
                      builder.CreateUDiv(row, block[Slot::BlockDimY], "z"), linear});
    arguments.append(tail.begin(), tail.end());
    if (aligned) {
        llvm::LLVMContext& context = builder.getContext();
        llvm::BasicBlock* in_rows = llvm::BasicBlock::Create(context, "in_rows", block.function);
        llvm::BasicBlock* across = llvm::BasicBlock::Create(context, "across", block.function);
        llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "after_warp", block.function);
        builder.CreateCondBr(is_aligned, in_rows, across);
        builder.SetInsertPoint(in_rows);
        builder.CreateCall(aligned, arguments);
        builder.CreateBr(after);
        builder.SetInsertPoint(across);
        builder.CreateCall(any, arguments);
        builder.CreateBr(after);
        builder.SetInsertPoint(after);
    } else {
        builder.CreateCall(any, arguments);
    }
    loop.end(builder, warps);
}

}  // namespace lanewise::cpu
