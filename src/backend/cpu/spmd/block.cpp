#include "backend/cpu/spmd/block.h"

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/apart.h"
#include "backend/cpu/spmd/loops.h"
#include "backend/cpu/spmd/regions.h"
#include "backend/cpu/spmd/services.h"
#include "backend/cpu/spmd/warp.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

class BlockCrew : public Crew {
public:
    explicit BlockCrew(const SlotFunction& block) : block_(block) {}

    std::uint32_t context_bytes() const { return context_bytes_; }

    void begin(IRBuilder<>& builder) override {
        threads_ = thread_count(builder, block_);
        Value* padded = builder.CreateAnd(builder.CreateAdd(threads_, builder.getInt32(warp_size - 1), "", true, true),
                                          builder.getInt32(~(warp_size - 1)));
        padded_ = builder.CreateZExt(padded, builder.getInt64Ty(), "padded_threads");
    }

    Value* count() const override { return threads_; }

    /// Arrays lie one behind the other in the context, each of a multiple of warp_size elements: that aligns all of
    /// them.
    Value* make_array(IRBuilder<>& builder, llvm::Type* type, llvm::Align) override {
        const auto size = block_.function->getParent()->getDataLayout().getTypeAllocSize(type).getFixedValue();
        Value* offset = builder.CreateMul(padded_, builder.getInt64(context_bytes_), "", true, true);
        context_bytes_ += static_cast<std::uint32_t>(size);
        return builder.CreateInBoundsGEP(builder.getInt8Ty(), block_[Slot::Context], offset);
    }

    void clear(IRBuilder<>& builder, Value* array) override {
        builder.CreateMemSet(array, builder.getInt8(0), padded_, llvm::Align(warp_size));
    }

    void fill(IRBuilder<>& builder, Value* array, Value* value) override {
        llvm::Type* stored = stored_type(value->getType());
        if (stored != value->getType()) value = builder.CreateZExt(value, stored);
        CountingLoop loop(builder, "fill");
        builder.CreateStore(value, builder.CreateInBoundsGEP(stored, array, loop.index()));
        loop.end(builder, threads_);
    }

    void run(IRBuilder<>& builder, const SlotFunction& region, llvm::ArrayRef<Value*> tail) override {
        if (has_warp_meetings(*region.function))
            emit_warp_loops(builder, block_, region, tail);
        else
            emit_thread_loops(builder, block_, region, tail);
    }

    bool has_index() const override { return false; }

    llvm::SmallVector<Value*, 2> meet(IRBuilder<>& builder, const Meeting& meeting) override {
        switch (meeting.kind) {
            case SyncKind::BarrierCount:
                return {count_true(builder, meeting)};
            case SyncKind::BarrierAnd: {
                Value* all = builder.CreateICmpEQ(count_true(builder, meeting), count_waiting(builder, meeting.ended));
                return {builder.CreateZExt(all, builder.getInt32Ty())};
            }
            case SyncKind::BarrierOr:
                return {
                    builder.CreateZExt(builder.CreateIsNotNull(count_true(builder, meeting)), builder.getInt32Ty())};
            case SyncKind::GridBarrier:
                wait_for_grid(builder);
                return {};
            default:
                return {};
        }
    }

    void spread(IRBuilder<>&, Value*, Value*) override {}

private:
    /// How many waiting threads have a predicate that is not 0.
    Value* count_true(IRBuilder<>& builder, const Meeting& meeting) {
        if (meeting.value.uniform) {
            return builder.CreateSelect(builder.CreateIsNotNull(meeting.value.uniform),
                                        count_waiting(builder, meeting.ended), builder.getInt32(0));
        }
        return count_threads(builder, [&](Value* thread) {
            llvm::Type* stored = stored_type(meeting.value.type);
            Value* predicate = builder.CreateIsNotNull(
                builder.CreateLoad(stored, builder.CreateInBoundsGEP(stored, meeting.value.array, thread)));
            return meeting.ended ? builder.CreateAnd(predicate, is_waiting(builder, meeting.ended, thread)) : predicate;
        });
    }

    Value* count_waiting(IRBuilder<>& builder, Value* ended) {
        if (!ended) return threads_;
        return count_threads(builder, [&](Value* thread) { return is_waiting(builder, ended, thread); });
    }

    static Value* is_waiting(IRBuilder<>& builder, Value* ended, Value* thread) {
        Value* address = builder.CreateInBoundsGEP(builder.getInt8Ty(), ended, thread);
        return builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), address));
    }

    Value* count_threads(IRBuilder<>& builder, llvm::function_ref<Value*(Value* thread)> counts) {
        llvm::BasicBlock* before = builder.GetInsertBlock();
        CountingLoop loop(builder, "thread");
        llvm::PHINode* total = builder.CreatePHI(builder.getInt32Ty(), 2, "total");
        total->addIncoming(builder.getInt32(0), before);
        Value* next = builder.CreateAdd(total, builder.CreateZExt(counts(loop.index()), builder.getInt32Ty()));
        total->addIncoming(next, loop.latch());
        loop.end(builder, threads_);
        return next;
    }

    void wait_for_grid(IRBuilder<>& builder) {
        Value* arrived = ServiceCalls(block_, builder).grid_sync();
        llvm::LLVMContext& context = builder.getContext();
        llvm::BasicBlock* stopped = llvm::BasicBlock::Create(context, "stopped", block_.function);
        llvm::BasicBlock* after = llvm::BasicBlock::Create(context, "after_grid", block_.function);
        builder.CreateCondBr(builder.CreateIsNotNull(arrived), after, stopped);
        llvm::ReturnInst::Create(context, stopped);
        builder.SetInsertPoint(after);
    }

    SlotFunction block_;
    Value* threads_ = nullptr;  ///< i32
    Value* padded_ = nullptr;   ///< i64, a multiple of warp_size
    std::uint32_t context_bytes_ = 0;
};

}  // namespace

std::uint32_t emit_block(const SlotFunction& block, const SlotFunction& thread) {
    isolate_meetings(*thread.function, is_block_sync);
    const Uniformity uniformity(thread, Scope::Block);
    const auto skeleton = find_skeleton(*thread.function, is_block_sync, uniformity);
    BlockCrew crew(block);
    if (!skeleton)
        emit_threads_apart(block, false, thread, crew);
    else
        emit_regions(block, false, thread, *skeleton, uniformity, crew);
    return crew.context_bytes();
}

}  // namespace lanewise::cpu
