#include "backend/cpu/spmd/sync.h"

namespace lanewise::cpu {
namespace {

constexpr llvm::StringLiteral yield_name = "lanewise.yield";
constexpr llvm::StringLiteral arrive_name = "lanewise.barrier_arrive";

void call(llvm::IRBuilder<>& builder, llvm::StringRef name, llvm::ArrayRef<llvm::Value*> arguments) {
    llvm::SmallVector<llvm::Type*> types;
    for (llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
        name, llvm::FunctionType::get(builder.getVoidTy(), types, false));
    llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::Convergent);
    builder.CreateCall(callee, arguments)->addFnAttr(llvm::Attribute::Convergent);
}

SyncKind kind_of(llvm::Intrinsic::ID id) {
    switch (id) {
        case llvm::Intrinsic::nvvm_barrier0:
        case llvm::Intrinsic::nvvm_barrier_n:
        case llvm::Intrinsic::nvvm_bar_sync:
        case llvm::Intrinsic::nvvm_barrier_sync:
        case llvm::Intrinsic::nvvm_barrier_cluster_wait:
        case llvm::Intrinsic::nvvm_barrier_cluster_wait_aligned:
            return SyncKind::Barrier;
        case llvm::Intrinsic::nvvm_barrier0_popc:
            return SyncKind::BarrierCount;
        case llvm::Intrinsic::nvvm_barrier0_and:
            return SyncKind::BarrierAnd;
        case llvm::Intrinsic::nvvm_barrier0_or:
            return SyncKind::BarrierOr;
        case llvm::Intrinsic::nvvm_barrier:
        case llvm::Intrinsic::nvvm_barrier_sync_cnt:
            return SyncKind::PartialBarrier;
        case llvm::Intrinsic::nvvm_bar_warp_sync:
            return SyncKind::WarpSync;
        case llvm::Intrinsic::nvvm_shfl_sync_idx_i32:
        case llvm::Intrinsic::nvvm_shfl_sync_idx_f32:
        case llvm::Intrinsic::nvvm_shfl_sync_idx_i32p:
        case llvm::Intrinsic::nvvm_shfl_sync_idx_f32p:
        case llvm::Intrinsic::nvvm_shfl_idx_i32:
        case llvm::Intrinsic::nvvm_shfl_idx_f32:
        case llvm::Intrinsic::nvvm_shfl_idx_i32p:
        case llvm::Intrinsic::nvvm_shfl_idx_f32p:
            return SyncKind::ShuffleIndex;
        case llvm::Intrinsic::nvvm_shfl_sync_up_i32:
        case llvm::Intrinsic::nvvm_shfl_sync_up_f32:
        case llvm::Intrinsic::nvvm_shfl_sync_up_i32p:
        case llvm::Intrinsic::nvvm_shfl_sync_up_f32p:
        case llvm::Intrinsic::nvvm_shfl_up_i32:
        case llvm::Intrinsic::nvvm_shfl_up_f32:
        case llvm::Intrinsic::nvvm_shfl_up_i32p:
        case llvm::Intrinsic::nvvm_shfl_up_f32p:
            return SyncKind::ShuffleUp;
        case llvm::Intrinsic::nvvm_shfl_sync_down_i32:
        case llvm::Intrinsic::nvvm_shfl_sync_down_f32:
        case llvm::Intrinsic::nvvm_shfl_sync_down_i32p:
        case llvm::Intrinsic::nvvm_shfl_sync_down_f32p:
        case llvm::Intrinsic::nvvm_shfl_down_i32:
        case llvm::Intrinsic::nvvm_shfl_down_f32:
        case llvm::Intrinsic::nvvm_shfl_down_i32p:
        case llvm::Intrinsic::nvvm_shfl_down_f32p:
            return SyncKind::ShuffleDown;
        case llvm::Intrinsic::nvvm_shfl_sync_bfly_i32:
        case llvm::Intrinsic::nvvm_shfl_sync_bfly_f32:
        case llvm::Intrinsic::nvvm_shfl_sync_bfly_i32p:
        case llvm::Intrinsic::nvvm_shfl_sync_bfly_f32p:
        case llvm::Intrinsic::nvvm_shfl_bfly_i32:
        case llvm::Intrinsic::nvvm_shfl_bfly_f32:
        case llvm::Intrinsic::nvvm_shfl_bfly_i32p:
        case llvm::Intrinsic::nvvm_shfl_bfly_f32p:
            return SyncKind::ShuffleXor;
        case llvm::Intrinsic::nvvm_vote_all:
        case llvm::Intrinsic::nvvm_vote_all_sync:
            return SyncKind::VoteAll;
        case llvm::Intrinsic::nvvm_vote_any:
        case llvm::Intrinsic::nvvm_vote_any_sync:
            return SyncKind::VoteAny;
        case llvm::Intrinsic::nvvm_vote_uni:
        case llvm::Intrinsic::nvvm_vote_uni_sync:
            return SyncKind::VoteEqual;
        case llvm::Intrinsic::nvvm_vote_ballot:
        case llvm::Intrinsic::nvvm_vote_ballot_sync:
            return SyncKind::Ballot;
        case llvm::Intrinsic::nvvm_match_any_sync_i32:
        case llvm::Intrinsic::nvvm_match_any_sync_i64:
            return SyncKind::MatchAny;
        case llvm::Intrinsic::nvvm_match_all_sync_i32p:
        case llvm::Intrinsic::nvvm_match_all_sync_i64p:
            return SyncKind::MatchAll;
        case llvm::Intrinsic::nvvm_activemask:
            return SyncKind::ActiveMask;
        case llvm::Intrinsic::nvvm_redux_sync_add:
            return SyncKind::ReduceAdd;
        case llvm::Intrinsic::nvvm_redux_sync_min:
            return SyncKind::ReduceMin;
        case llvm::Intrinsic::nvvm_redux_sync_max:
            return SyncKind::ReduceMax;
        case llvm::Intrinsic::nvvm_redux_sync_umin:
            return SyncKind::ReduceUnsignedMin;
        case llvm::Intrinsic::nvvm_redux_sync_umax:
            return SyncKind::ReduceUnsignedMax;
        case llvm::Intrinsic::nvvm_redux_sync_and:
            return SyncKind::ReduceAnd;
        case llvm::Intrinsic::nvvm_redux_sync_or:
            return SyncKind::ReduceOr;
        case llvm::Intrinsic::nvvm_redux_sync_xor:
            return SyncKind::ReduceXor;
        default:
            return SyncKind::None;
    }
}

}  // namespace

SyncKind sync_kind(const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) return SyncKind::None;
    if (callee->isIntrinsic()) return kind_of(callee->getIntrinsicID());
    const llvm::StringRef name = callee->getName();
    return name == "__lanewise_grid_barrier" ? SyncKind::GridBarrier
           : name == yield_name              ? SyncKind::Yield
           : name == arrive_name             ? SyncKind::PartialArrive
                                             : SyncKind::None;
}

void yield(llvm::IRBuilder<>& builder) {
    call(builder, yield_name, {});
}

void arrive_at_barrier(llvm::IRBuilder<>& builder, llvm::Value* identifier, llvm::Value* count) {
    call(builder, arrive_name, {identifier, count});
}

SyncOperands sync_operands(const llvm::CallInst& call, SyncKind kind) {
    SyncOperands operands;
    operands.has_mask = call.getCalledFunction()->getName().contains("sync");
    llvm::Value* full = llvm::ConstantInt::getSigned(llvm::Type::getInt32Ty(call.getContext()), -1);
    unsigned next = 0;
    const auto take = [&] { return call.getArgOperand(next++); };
    switch (kind) {
        case SyncKind::None:
        case SyncKind::Barrier:
        case SyncKind::GridBarrier:
        case SyncKind::Yield:
            break;
        case SyncKind::BarrierCount:
        case SyncKind::BarrierAnd:
        case SyncKind::BarrierOr:
            operands.value = take();
            break;
        case SyncKind::PartialBarrier:
        case SyncKind::PartialArrive:
            operands.identifier = take();
            operands.count = take();
            break;
        case SyncKind::WarpSync:
            operands.mask = take();
            break;
        case SyncKind::ActiveMask:
            operands.mask = full;
            break;
        default:
            if (is_reduction(kind)) {  // redux.sync has its mask behind the value
                operands.value = take();
                operands.mask = take();
                break;
            }
            operands.mask = operands.has_mask ? take() : full;
            operands.value = take();
            if (is_shuffle(kind)) {
                operands.lane = take();
                operands.clamp = take();
            }
            break;
    }
    return operands;
}

}  // namespace lanewise::cpu
