// The rows of tables/intrinsics.def as llvm.nvvm.* intrinsics.
#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

#include "codegen/emitter.h"

namespace lanewise::codegen {

using namespace llvm;

namespace {

// Launch limits of every NVIDIA GPU since compute capability 3.0; the cpu device keeps them.
constexpr std::uint64_t max_threads = 1024, max_block_z = 64, max_grid_x = 0x7fffffff, max_grid_yz = 65535;
constexpr std::uint64_t warp_size = 32;

}  // namespace

Value* Emitter::special_register(llvm::Intrinsic::ID id, std::uint64_t lowest, std::uint64_t bound) {
    CallInst* call = b_.CreateIntrinsic(id, {}, {});
    // A known range lets a sign extension become a zero extension and a test for a negative index disappear.
    call->setMetadata(LLVMContext::MD_range, MDBuilder(context_).createRange(APInt(32, lowest), APInt(32, bound)));
    return call;
}

Value* Emitter::inline_asm(llvm::Type* result, StringRef text, StringRef constraints, ArrayRef<Value*> operands,
                           bool has_effect) {
    SmallVector<llvm::Type*> types;
    for (Value* used : operands) types.push_back(used->getType());
    auto* signature = FunctionType::get(result, types, false);
    CallInst* call = b_.CreateCall(InlineAsm::get(signature, text, constraints, has_effect), operands);
    call->addFnAttr(Attribute::NoUnwind);
    return call;
}

Value* Emitter::emit_intrinsic(const ir::Value& value) {
    using I = ir::Intrinsic;
    SmallVector<Value*, 4> operands;
    for (const ir::Value* used : value.operands) operands.push_back(operand(used));
    auto plain = [&](llvm::Intrinsic::ID id) { return b_.CreateIntrinsic(id, {}, operands); };
    const bool cuda = kind_ == DeviceKind::Cuda;
    const std::uint64_t threads = options_.max_threads_per_block
                                      ? std::min<std::uint64_t>(options_.max_threads_per_block, max_threads)
                                      : max_threads;
    const std::uint64_t threads_z = std::min(threads, max_block_z);
    switch (value.intrinsic) {
        case I::TidX:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_tid_x, 0, threads);
        case I::TidY:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_tid_y, 0, threads);
        case I::TidZ:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_tid_z, 0, threads_z);
        case I::NtidX:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1, threads + 1);
        case I::NtidY:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_ntid_y, 1, threads + 1);
        case I::NtidZ:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_ntid_z, 1, threads_z + 1);
        case I::CtaidX:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, max_grid_x);
        case I::CtaidY:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_ctaid_y, 0, max_grid_yz);
        case I::CtaidZ:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_ctaid_z, 0, max_grid_yz);
        case I::NctaidX:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, 1, max_grid_x + 1);
        case I::NctaidY:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_nctaid_y, 1, max_grid_yz + 1);
        case I::NctaidZ:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_nctaid_z, 1, max_grid_yz + 1);
        case I::LaneId:
            return special_register(Intrinsic::nvvm_read_ptx_sreg_laneid, 0, warp_size);
        case I::LaneMaskLt:
            return plain(Intrinsic::nvvm_read_ptx_sreg_lanemask_lt);
        case I::WarpSize:
            return b_.getInt32(warp_size);
        case I::DynamicSharedBytes:
            return inline_asm(b_.getInt32Ty(), "mov.u32 $0, %dynamic_smem_size;", "=r", {}, false);

        case I::Barrier:
            return plain(Intrinsic::nvvm_barrier0);
        case I::BarrierCount:
            return b_.CreateIntrinsic(Intrinsic::nvvm_barrier0_popc, {}, {b_.CreateZExt(operands[0], b_.getInt32Ty())});
        case I::BarrierAnd:
        case I::BarrierOr: {
            const bool all = value.intrinsic == I::BarrierAnd;
            return b_.CreateIsNotNull(
                b_.CreateIntrinsic(all ? Intrinsic::nvvm_barrier0_and : Intrinsic::nvvm_barrier0_or, {},
                                   {b_.CreateZExt(operands[0], b_.getInt32Ty())}));
        }
        case I::GridBarrier: {
            llvm::Function* function =
                runtime_function("__lanewise_grid_barrier", FunctionType::get(b_.getVoidTy(), false));
            function->addFnAttr(Attribute::Convergent);
            return b_.CreateCall(function);
        }
        case I::SyncWarp:
            return plain(Intrinsic::nvvm_bar_warp_sync);
        case I::FenceBlock:
            return plain(Intrinsic::nvvm_membar_cta);
        case I::FenceDevice:
            return plain(Intrinsic::nvvm_membar_gl);
        case I::FenceSystem:
            return plain(Intrinsic::nvvm_membar_sys);

        case I::ShuffleIndex:
            return emit_shuffle(value, Intrinsic::nvvm_shfl_sync_idx_i32, 0x1f);
        case I::ShuffleUp:
            return emit_shuffle(value, Intrinsic::nvvm_shfl_sync_up_i32, 0);
        case I::ShuffleDown:
            return emit_shuffle(value, Intrinsic::nvvm_shfl_sync_down_i32, 0x1f);
        case I::ShuffleXor:
            return emit_shuffle(value, Intrinsic::nvvm_shfl_sync_bfly_i32, 0x1f);
        case I::VoteAll:
            return plain(Intrinsic::nvvm_vote_all_sync);
        case I::VoteAny:
            return plain(Intrinsic::nvvm_vote_any_sync);
        case I::VoteEqual:
            return plain(Intrinsic::nvvm_vote_uni_sync);
        case I::Ballot:
            return plain(Intrinsic::nvvm_vote_ballot_sync);
        case I::MatchAny:
            return emit_match(value, Intrinsic::nvvm_match_any_sync_i32, Intrinsic::nvvm_match_any_sync_i64);
        case I::MatchAll:
            return emit_match(value, Intrinsic::nvvm_match_all_sync_i32p, Intrinsic::nvvm_match_all_sync_i64p);
        case I::ActiveMask:
            return plain(Intrinsic::nvvm_activemask);

        case I::NanoSleep:
            return plain(Intrinsic::nvvm_nanosleep);
        case I::Clock64:
            return plain(Intrinsic::nvvm_read_ptx_sreg_clock64);
        case I::GlobalTimer:
            return plain(Intrinsic::nvvm_read_ptx_sreg_globaltimer);
        case I::Breakpoint:
            return cuda ? inline_asm(b_.getVoidTy(), "brkpt;", "", {}) : plain(Intrinsic::debugtrap);
    }
    refuse(value, fmt::format("no code is known for the intrinsic '{}'", info(value.intrinsic).name));
}

Value* Emitter::emit_shuffle(const ir::Value& value, llvm::Intrinsic::ID id, unsigned clamp) {
    Value* mask = operand(value.operands[0]);
    Value* exchanged = operand(value.operands[1]);
    Value* lane = operand(value.operands[2]);
    Value* width = operand(value.operands[3]);
    // PTX's last operand: the sub-warp's segment mask in bits 8 to 12, the largest (up: smallest) source lane in 0
    // to 4.
    Value* segment = b_.CreateShl(b_.CreateSub(b_.getInt32(warp_size), width), 8);
    Value* control = b_.CreateOr(segment, b_.getInt32(clamp));
    auto shuffle = [&](Value* word) -> Value* { return b_.CreateIntrinsic(id, {}, {mask, word, lane, control}); };
    llvm::Type* wanted = exchanged->getType();
    llvm::Type* word = b_.getInt32Ty();
    if (bits(value.type.dtype) == 32) return b_.CreateBitCast(shuffle(b_.CreateBitCast(exchanged, word)), wanted);
    llvm::Type* pair = b_.getInt64Ty();
    Value* whole = b_.CreateBitCast(exchanged, pair);
    Value* low = b_.CreateZExt(shuffle(b_.CreateTrunc(whole, word)), pair);
    Value* high = b_.CreateZExt(shuffle(b_.CreateTrunc(b_.CreateLShr(whole, 32), word)), pair);
    return b_.CreateBitCast(b_.CreateOr(low, b_.CreateShl(high, 32)), wanted);
}

Value* Emitter::emit_match(const ir::Value& value, llvm::Intrinsic::ID narrow, llvm::Intrinsic::ID wide) {
    const unsigned width = bits(value.operands[1]->type.dtype);
    Value* key = b_.CreateBitCast(operand(value.operands[1]), b_.getIntNTy(width));
    return b_.CreateIntrinsic(width == 32 ? narrow : wide, {}, {operand(value.operands[0]), key});
}

}  // namespace lanewise::codegen
