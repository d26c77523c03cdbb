#include "backend/cpu/spmd/operations.h"

#include <fmt/format.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/services.h"
#include "backend/cpu/spmd/sync.h"
#include "backend/cpu/target/flatten.h"
#include "backend/cpu/target/libdevice.h"
#include "backend/cpu/target/ptx_asm.h"
#include "backend/cpu/target/shared_window.h"
#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// "tid.x" for llvm.nvvm.read.ptx.sreg.tid.x and for what inline PTX reads as %tid.x.
std::optional<llvm::StringRef> special_register(const llvm::CallInst& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee) return std::nullopt;
    llvm::StringRef name = callee->getName();
    const bool reads =
        name.consume_front("llvm.nvvm.read.ptx.sreg.") || name.consume_front(ptx::special_register_prefix);
    return reads ? std::optional(name) : std::nullopt;
}

class Rewriter {
public:
    Rewriter(const SlotFunction& thread, const SharedLayout& shared, ThreadFacts& facts, Value* ended)
        : thread_(thread), shared_(shared), facts_(facts), ended_(ended) {}

    void run() {
        llvm::SmallVector<llvm::WeakTrackingVH> calls;
        for (llvm::Instruction& instruction : llvm::instructions(thread_.function)) {
            if (llvm::isa<llvm::CallInst>(instruction)) calls.push_back(&instruction);
        }
        // Ending a thread deletes the calls that follow in its block: their handles become null.
        for (const llvm::WeakTrackingVH& call : calls) {
            if (call) rewrite(*llvm::cast<llvm::CallInst>(call));
        }
        llvm::removeUnreachableBlocks(*thread_.function);
        relax_private_atomics();
        mark_constant_loads();
    }

private:
    /// The special register's value, or null when it is none that is known.
    Value* read_register(llvm::StringRef name, IRBuilder<>& builder, llvm::Type* type) {
        const auto of_dimension = [&](char dimension, Slot x, unsigned w) -> Value* {
            if (dimension == 'w') return builder.getInt32(w);
            return thread_[static_cast<Slot>(static_cast<unsigned>(x) + static_cast<unsigned>(dimension - 'x'))];
        };
        const char dimension = name.size() > 2 && name[name.size() - 2] == '.' ? name.back() : 0;
        llvm::StringRef base = dimension ? name.drop_back(2) : name;
        Value* value = nullptr;
        if (base == "tid")
            value = of_dimension(dimension, Slot::ThreadX, 0);
        else if (base == "ntid")
            value = of_dimension(dimension, Slot::BlockDimX, 1);
        else if (base == "ctaid" || base == "clusterid")
            value = of_dimension(dimension, Slot::BlockX, 0);
        else if (base == "nctaid" || base == "nclusterid")
            value = of_dimension(dimension, Slot::GridDimX, 1);
        // Every block is a cluster of its own.
        else if (base == "cluster.ctaid" || base == "cluster.ctarank" || base == "cluster_ctaid" ||
                 base == "cluster_ctarank" || base == "is_explicit_cluster")
            value = builder.getInt32(0);
        else if (base == "cluster.nctaid" || base == "cluster.nctarank" || base == "cluster_nctaid" ||
                 base == "cluster_nctarank")
            value = builder.getInt32(1);
        else if (base == "warpsize" || base == "WARP_SZ")
            value = builder.getInt32(warp_size);
        else if (base == "laneid")
            value = lane(builder);
        else if (base == "warpid")
            value = builder.CreateLShr(thread_[Slot::Linear], 5);
        else if (base == "nwarpid")
            value = builder.getInt32(warp_size);  // 1024 threads
        else if (base == "smid" || base == "gridid")
            value = builder.getInt32(0);
        else if (base == "nsmid")
            value = builder.getInt32(1);
        else if (base == "dynamic_smem_size")
            value = dynamic_shared_bytes(builder);
        else if (base == "total_smem_size" || base == "aggr_smem_size") {
            value = builder.CreateAdd(dynamic_shared_bytes(builder), builder.getInt32(shared_.static_bytes));
        } else if (base.consume_front("lanemask.") || base.consume_front("lanemask_"))
            value = lane_mask(base, builder);
        else if (base == "clock" || base == "clock64")
            value = ServiceCalls(thread_, builder).clock();
        else if (base == "clock_hi")
            value = builder.CreateLShr(ServiceCalls(thread_, builder).clock(), 32);
        else if (base == "globaltimer" || base == "globaltimer_lo")
            value = ServiceCalls(thread_, builder).timer();
        else if (base == "globaltimer_hi")
            value = builder.CreateLShr(ServiceCalls(thread_, builder).timer(), 32);
        else if (base.starts_with("envreg") || base.starts_with("pm"))
            value = builder.getInt32(0);
        return value ? builder.CreateZExtOrTrunc(value, type) : nullptr;
    }

    Value* lane(IRBuilder<>& builder) { return builder.CreateAnd(thread_[Slot::Linear], warp_size - 1); }

    Value* lane_mask(llvm::StringRef kind, IRBuilder<>& builder) {
        Value* equal = builder.CreateShl(builder.getInt32(1), lane(builder));
        Value* less = builder.CreateSub(equal, builder.getInt32(1));
        if (kind == "eq") return equal;
        if (kind == "lt") return less;
        if (kind == "le") return builder.CreateOr(less, equal);
        if (kind == "ge") return builder.CreateNot(less);
        if (kind == "gt") return builder.CreateNot(builder.CreateOr(less, equal));
        return nullptr;
    }

    Value* dynamic_shared_bytes(IRBuilder<>& builder) {
        Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread_[Slot::Launch],
                                                            offsetof(Launch, dynamic_shared_bytes));
        return builder.CreateLoad(builder.getInt32Ty(), address);
    }

    void rewrite(llvm::CallInst& call) {
        IRBuilder<> builder(&call);
        if (const auto name = special_register(call)) {
            Value* value = read_register(*name, builder, call.getType());
            if (!value) unsupported("the special register %" + name->str());
            replace(call, value);
            return;
        }
        const llvm::Function* callee = call.getCalledFunction();
        if (!callee || !callee->isDeclaration()) {
            if (!callee || noted_slots(*callee)) pass_slots(call);
            return;
        }
        const llvm::StringRef name = callee->getName();
        ServiceCalls services(thread_, builder);
        if (name == shared_base_name) {
            replace(call, thread_[Slot::Shared]);
        } else if (name == "__lanewise_raise") {
            facts_.can_raise = true;
            services.raise(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2));
            call.eraseFromParent();
        } else if (name == "vprintf") {
            replace(call, services.print(call.getArgOperand(0), call.getArgOperand(1)));
        } else if (name == "malloc") {
            replace(call, services.allocate(call.getArgOperand(0)));
        } else if (name == "free") {
            services.release(call.getArgOperand(0));
            call.eraseFromParent();
        } else if (name == "__assertfail") {
            facts_.can_raise = true;
            services.raise_assertion(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                                     call.getArgOperand(3));
            end_thread(call);
        } else if (name == "llvm.trap" || name == "llvm.ubsantrap") {
            facts_.can_raise = true;
            services.raise(builder.getInt32(trap_site), llvm::ConstantPointerNull::get(builder.getPtrTy()),
                           builder.getInt32(0));
            end_thread(call);
        } else if (name == "llvm.nvvm.exit") {
            end_thread(call);
        } else if (name == "llvm.debugtrap") {
            call.eraseFromParent();
        } else if (name == "llvm.nvvm.nanosleep") {
            services.sleep(call.getArgOperand(0));
            call.eraseFromParent();
        } else if (name == "llvm.nvvm.isspacep.shared" || name == "llvm.nvvm.isspacep.shared.cluster") {
            replace(call, is_in_shared(builder, call.getArgOperand(0)));
        } else if (name == "llvm.nvvm.isspacep.global") {
            // Local memory is the stack or a context array: what is neither shared nor based on an alloca is global.
            const bool local = llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(call.getArgOperand(0)));
            replace(call, local ? builder.getFalse() : builder.CreateNot(is_in_shared(builder, call.getArgOperand(0))));
        } else if (name == "llvm.nvvm.isspacep.local") {
            replace(call,
                    builder.getInt1(llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(call.getArgOperand(0)))));
        } else if (name == "llvm.nvvm.isspacep.const") {
            const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(call.getArgOperand(0)));
            replace(call, builder.getInt1(global && is_constant_memory(*global)));
        } else if (name == "llvm.nvvm.is_explicit_cluster") {
            replace(call, builder.getFalse());
        } else if (name == "__lanewise_grid_barrier") {
            facts_.cooperative = true;
        } else if (sync_kind(call) != SyncKind::None) {
            return;
        } else if (name.starts_with("llvm.nvvm.")) {
            unsupported(name.str());
        } else if (!callee->isIntrinsic() && !is_library_function(*callee)) {
            unsupported("the external function '" + name.str() + "'");
        }
    }

    /// libm's, which the image is linked against.
    static bool is_library_function(const llvm::Function& function) {
        static const llvm::TargetLibraryInfoImpl functions{llvm::Triple(llvm::sys::getProcessTriple())};
        llvm::LibFunc found;
        return functions.getLibFunc(function.getName(), found) || is_libm_function(function.getName());
    }

    Value* is_in_shared(IRBuilder<>& builder, Value* pointer) {
        Value* offset = builder.CreatePtrDiff(builder.getInt8Ty(), pointer, thread_[Slot::Shared]);
        const std::uint64_t statics = llvm::alignTo(shared_.static_bytes, 16);
        Value* size = builder.CreateAdd(builder.CreateZExt(dynamic_shared_bytes(builder), builder.getInt64Ty()),
                                        builder.getInt64(statics));
        return builder.CreateICmpULT(offset, size);
    }

    static void replace(llvm::CallInst& call, Value* value) {
        call.replaceAllUsesWith(value);
        call.eraseFromParent();
    }

    [[noreturn]] void unsupported(const std::string& what) {
        throw Error(ErrorKind::Lowering,
                    fmt::format("{} '{}' uses {}, which the cpu device does not have",
                                ended_ ? "device function" : "kernel", shown_name(*thread_.function), what));
    }

    /// Ends the thread at `call`. A device function notes it for its callers and returns anything.
    void end_thread(llvm::CallInst& call) {
        IRBuilder<> builder(&call);
        if (ended_) {
            facts_.ends_threads = true;
            builder.CreateStore(builder.getInt8(1), ended_);
        }
        llvm::BasicBlock* block = call.getParent();
        llvm::changeToUnreachable(&call);
        builder.SetInsertPoint(block);
        block->getTerminator()->eraseFromParent();
        return_anything(builder);
    }

    void return_anything(IRBuilder<>& builder) {
        llvm::Type* type = thread_.function->getReturnType();
        if (type->isVoidTy())
            builder.CreateRetVoid();
        else
            builder.CreateRet(llvm::Constant::getNullValue(type));
    }

    /// Device functions take the thread slots, and a byte that tells whether they ended the thread.
    void pass_slots(llvm::CallInst& call) {
        IRBuilder<> builder(&call);
        llvm::SmallVector<Value*> arguments(call.args());
        for (unsigned i = 0; i < thread_slots; ++i) arguments.push_back(thread_[static_cast<Slot>(i)]);
        Value* ended = ended_ ? ended_ : ended_byte();
        arguments.push_back(ended);
        llvm::SmallVector<llvm::Type*> types;
        for (Value* argument : arguments) types.push_back(argument->getType());
        auto* type = llvm::FunctionType::get(call.getType(), types, false);
        llvm::CallInst* converted = builder.CreateCall(type, call.getCalledOperand(), arguments);
        converted->setDebugLoc(call.getDebugLoc());
        call.replaceAllUsesWith(converted);
        call.eraseFromParent();

        // What follows only runs for threads that go on.
        llvm::BasicBlock* block = converted->getParent();
        llvm::BasicBlock* after = block->splitBasicBlock(converted->getNextNode(), "returned");
        llvm::BasicBlock* stop = llvm::BasicBlock::Create(block->getContext(), "stop", thread_.function);
        block->getTerminator()->eraseFromParent();
        builder.SetInsertPoint(block);
        Value* has_ended = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), ended));
        builder.CreateCondBr(has_ended, stop, after);
        builder.SetInsertPoint(stop);
        return_anything(builder);
    }

    Value* ended_byte() {
        if (!own_ended_) {
            IRBuilder<> builder(&*thread_.function->getEntryBlock().begin());
            own_ended_ = builder.CreateAlloca(builder.getInt8Ty(), nullptr, "ended");
            builder.CreateStore(builder.getInt8(0), own_ended_);
        }
        return own_ended_;
    }

    /// A block runs on one host thread, so atomics on its shared and local memory need no lock; the scope notes it.
    /// They still order the threads of the block, which is why lower_private_atomics() comes last.
    void relax_private_atomics() {
        for (llvm::Instruction& instruction : llvm::instructions(thread_.function)) {
            const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
            if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
                pointer = update->getPointerOperand();
            } else if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
                pointer = exchange->getPointerOperand();
            }
            if (!instruction.isAtomic()) continue;
            set_scope(instruction,
                      pointer && is_private(pointer) ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
        }
    }

    /// The host side writes constant memory only between launches.
    void mark_constant_loads() {
        for (llvm::Instruction& instruction : llvm::instructions(thread_.function)) {
            auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
            if (!load || load->isVolatile()) continue;
            const auto* global =
                llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(load->getPointerOperand(), 0));
            if (!global || !is_constant_memory(*global)) continue;
            load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(load->getContext(), {}));
        }
    }

    static bool is_private(const Value* pointer) {
        const Value* object = llvm::getUnderlyingObject(pointer, 0);
        const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object);
        return (global && is_shared(*global)) || llvm::isa<llvm::AllocaInst>(object);
    }

    static void set_scope(llvm::Instruction& instruction, llvm::SyncScope::ID scope) {
        if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
            update->setSyncScopeID(scope);
        else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
            exchange->setSyncScopeID(scope);
        else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
            load->setSyncScopeID(scope);
        else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            store->setSyncScopeID(scope);
        else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
            fence->setSyncScopeID(scope);
    }

    const SlotFunction& thread_;
    const SharedLayout& shared_;
    ThreadFacts& facts_;
    Value* ended_;                ///< a device function's byte to set; null in kernels
    Value* own_ended_ = nullptr;  ///< a kernel's byte for the device functions it calls
};

}  // namespace

void rewrite_operations(const SlotFunction& thread, const SharedLayout& shared, ThreadFacts& facts,
                        llvm::Value* ended) {
    Rewriter(thread, shared, facts, ended).run();
}

void lower_private_atomics(llvm::Module& module) {
    const auto is_private = [](llvm::SyncScope::ID scope) { return scope == llvm::SyncScope::SingleThread; };
    for (llvm::Function& function : module) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
                if (is_private(update->getSyncScopeID())) llvm::lowerAtomicRMWInst(update);
            } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
                if (is_private(exchange->getSyncScopeID())) llvm::lowerAtomicCmpXchgInst(exchange);
            } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic()) {
                if (is_private(load->getSyncScopeID())) load->setAtomic(llvm::AtomicOrdering::NotAtomic);
            } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic()) {
                if (is_private(store->getSyncScopeID())) store->setAtomic(llvm::AtomicOrdering::NotAtomic);
            }
        }
    }
}

}  // namespace lanewise::cpu
