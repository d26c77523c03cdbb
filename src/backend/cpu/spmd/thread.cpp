#include "backend/cpu/spmd/thread.h"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <optional>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/services.h"
#include "backend/cpu/target/flatten.h"
#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned max_block_threads = 1024;

/// "tid.x" for llvm.nvvm.read.ptx.sreg.tid.x and for inline assembly that moves %tid.x.
std::optional<llvm::StringRef> special_register(const llvm::CallInst& call) {
    if (const llvm::Function* callee = call.getCalledFunction()) {
        llvm::StringRef name = callee->getName();
        if (name.consume_front("llvm.nvvm.read.ptx.sreg.")) return name;
        return std::nullopt;
    }
    const auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
    if (!assembly || !call.arg_empty()) return std::nullopt;
    llvm::StringRef text = llvm::StringRef(assembly->getAsmString()).trim();
    if (!text.consume_front("mov.") || !text.consume_back(";")) return std::nullopt;
    auto [type, operands] = text.split(' ');
    auto [destination, source] = operands.split(',');
    source = source.trim();
    if (destination.trim() != "$0" || !source.consume_front("%")) return std::nullopt;
    return source;
}

class ThreadRewriter {
public:
    ThreadRewriter(SlotFunction thread, ThreadFacts& facts) : thread_(thread), facts_(facts) {}

    void run() {
        replace_shared_globals();
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
        else if (base == "cluster.ctaid" || base == "cluster.ctarank")
            value = builder.getInt32(0);
        else if (base == "cluster.nctaid" || base == "cluster.nctarank")
            value = builder.getInt32(1);
        else if (base == "warpsize" || base == "WARP_SZ")
            value = builder.getInt32(warp_size);
        else if (base == "laneid")
            value = lane(builder);
        else if (base == "warpid")
            value = builder.CreateLShr(thread_[Slot::Linear], 5);
        else if (base == "nwarpid")
            value = builder.getInt32(max_block_threads / warp_size);
        else if (base == "smid" || base == "gridid")
            value = builder.getInt32(0);
        else if (base == "nsmid")
            value = builder.getInt32(1);
        else if (base == "dynamic_smem_size")
            value = dynamic_shared_bytes(builder);
        else if (base == "total_smem_size") {
            value = builder.CreateAdd(dynamic_shared_bytes(builder), builder.getInt32(facts_.static_shared_bytes));
        } else if (base.consume_front("lanemask.") || base.consume_front("lanemask_"))
            value = lane_mask(base, builder);
        else if (base == "clock")
            value = ServiceCalls(thread_, builder).clock();
        else if (base == "clock64")
            value = ServiceCalls(thread_, builder).clock();
        else if (base == "globaltimer")
            value = ServiceCalls(thread_, builder).timer();
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
        if (!callee) return;
        const llvm::StringRef name = callee->getName();
        ServiceCalls services(thread_, builder);
        if (name == "__lanewise_raise") {
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
            services.print_assertion(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2),
                                     call.getArgOperand(3));
            services.raise(builder.getInt32(trap_site), llvm::ConstantPointerNull::get(builder.getPtrTy()),
                           builder.getInt32(0));
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
            replace(call, builder.getInt1(global && global->isConstant()));
        } else if (name == "llvm.nvvm.is.explicit.cluster") {
            replace(call, builder.getFalse());
        } else if (name == "__lanewise_grid_barrier") {
            facts_.cooperative = true;
        }
    }

    Value* is_in_shared(IRBuilder<>& builder, Value* pointer) {
        Value* offset = builder.CreatePtrDiff(builder.getInt8Ty(), pointer, thread_[Slot::Shared]);
        const std::uint64_t statics = llvm::alignTo(facts_.static_shared_bytes, 16);
        Value* size = builder.CreateAdd(builder.CreateZExt(dynamic_shared_bytes(builder), builder.getInt64Ty()),
                                        builder.getInt64(statics));
        return builder.CreateICmpULT(offset, size);
    }

    static void replace(llvm::CallInst& call, Value* value) {
        call.replaceAllUsesWith(value);
        call.eraseFromParent();
    }

    [[noreturn]] void unsupported(const std::string& what) {
        throw Error(ErrorKind::Lowering, fmt::format("kernel '{}' uses {}, which the cpu device does not have",
                                                     thread_.function->getName().str(), what));
    }

    /// Static shared variables get offsets in module order; the dynamic one starts behind them, 16-byte aligned.
    void replace_shared_globals() {
        llvm::Function& function = *thread_.function;
        const llvm::DataLayout& layout = function.getParent()->getDataLayout();
        llvm::SmallVector<llvm::Constant*> shared;
        for (llvm::GlobalVariable& global : function.getParent()->globals()) {
            if (is_shared(global)) shared.push_back(&global);
        }
        if (shared.empty()) return;
        llvm::convertUsersOfConstantsToInstructions(shared, &function, false);

        llvm::SmallVector<llvm::GlobalVariable*> statics, dynamics;
        for (llvm::Constant* constant : shared) {
            auto* global = llvm::cast<llvm::GlobalVariable>(constant);
            const bool used = llvm::any_of(global->users(), [&](const llvm::User* user) {
                const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
                return instruction && instruction->getFunction() == &function;
            });
            if (!used) continue;
            (global->isDeclaration() ? dynamics : statics).push_back(global);
        }
        const auto alignment = [&](const llvm::GlobalVariable* global) {
            return std::max(global->getAlign().valueOrOne(), layout.getABITypeAlign(global->getValueType()));
        };
        std::uint64_t offset = 0;
        for (llvm::GlobalVariable* global : statics) {
            offset = llvm::alignTo(offset, alignment(global));
            replace_with_offset(*global, offset);
            offset += layout.getTypeAllocSize(global->getValueType());
        }
        facts_.static_shared_bytes = static_cast<std::uint32_t>(offset);
        facts_.uses_dynamic_shared = !dynamics.empty();
        for (llvm::GlobalVariable* global : dynamics) replace_with_offset(*global, llvm::alignTo(offset, 16));
    }

    void replace_with_offset(llvm::GlobalVariable& global, std::uint64_t offset) {
        IRBuilder<> builder(&*thread_.function->getEntryBlock().getFirstInsertionPt());
        Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread_[Slot::Shared], offset);
        global.replaceUsesWithIf(address, [&](const llvm::Use& use) {
            const auto* user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
            return user && user->getFunction() == thread_.function;
        });
    }

    static void end_thread(llvm::CallInst& call) {
        llvm::BasicBlock* block = call.getParent();
        llvm::changeToUnreachable(&call);
        llvm::ReturnInst::Create(block->getContext(), nullptr, block->getTerminator()->getIterator());
        block->getTerminator()->eraseFromParent();
    }

    /// A block runs on one host thread, so atomics on its shared and local memory need no lock.
    void relax_private_atomics() {
        const llvm::Argument* shared = thread_[Slot::Shared];
        const auto is_private = [&](const Value* pointer) {
            const Value* object = llvm::getUnderlyingObject(pointer, 0);
            return object == shared || llvm::isa<llvm::AllocaInst>(object);
        };
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thread_.function))) {
            if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
                if (is_private(update->getPointerOperand()))
                    llvm::lowerAtomicRMWInst(update);
                else
                    update->setSyncScopeID(llvm::SyncScope::System);
            } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
                if (is_private(exchange->getPointerOperand()))
                    llvm::lowerAtomicCmpXchgInst(exchange);
                else
                    exchange->setSyncScopeID(llvm::SyncScope::System);
            } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isAtomic()) {
                if (is_private(load->getPointerOperand()))
                    load->setAtomic(llvm::AtomicOrdering::NotAtomic);
                else
                    load->setSyncScopeID(llvm::SyncScope::System);
            } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && store->isAtomic()) {
                if (is_private(store->getPointerOperand()))
                    store->setAtomic(llvm::AtomicOrdering::NotAtomic);
                else
                    store->setSyncScopeID(llvm::SyncScope::System);
            } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {
                fence->setSyncScopeID(llvm::SyncScope::System);
            }
        }
    }

    SlotFunction thread_;
    ThreadFacts& facts_;
};

llvm::SmallVector<llvm::Type*> parameter_types(const llvm::Function& function) {
    return llvm::SmallVector<llvm::Type*>(function.getFunctionType()->params());
}

/// A struct passed by value arrives as a pointer into the launch's parameters, which all threads share.
void copy_by_value_parameters(SlotFunction thread) {
    const llvm::DataLayout& layout = thread.function->getParent()->getDataLayout();
    for (unsigned i = 0; i < thread.own; ++i) {
        llvm::Argument* argument = thread.function->getArg(i);
        llvm::Type* type = argument->getParamByValType();
        if (!type) continue;
        IRBuilder<> builder(&*thread.function->getEntryBlock().begin());
        const llvm::Align align = argument->getParamAlign().value_or(layout.getABITypeAlign(type));
        llvm::AllocaInst* copy = builder.CreateAlloca(type);
        copy->setAlignment(align);
        argument->replaceAllUsesWith(copy);
        builder.CreateMemCpy(copy, align, argument, align, layout.getTypeAllocSize(type));
        for (const auto kind : {llvm::Attribute::ByVal, llvm::Attribute::Alignment}) argument->removeAttr(kind);
    }
}

}  // namespace

llvm::SmallVector<llvm::Type*> slot_types(llvm::LLVMContext& context, unsigned count) {
    llvm::SmallVector<llvm::Type*> types(count, llvm::Type::getInt32Ty(context));
    for (const Slot slot : {Slot::Launch, Slot::Shared, Slot::Context}) {
        if (static_cast<unsigned>(slot) < count)
            types[static_cast<unsigned>(slot)] = llvm::PointerType::get(context, 0);
    }
    return types;
}

void describe_slots(const SlotFunction& function, unsigned count) {
    struct Fact {
        Slot slot;
        const char* name;
        std::uint32_t low, high;  ///< value range [low, high); equal: none
    };
    static constexpr std::uint32_t grid_x = 0x7fffffff, grid_yz = 65535;
    static constexpr Fact facts[] = {
        {Slot::BlockX, "block.x", 0, grid_x},
        {Slot::BlockY, "block.y", 0, grid_yz},
        {Slot::BlockZ, "block.z", 0, grid_yz},
        {Slot::BlockDimX, "block_dim.x", 1, max_block_threads + 1},
        {Slot::BlockDimY, "block_dim.y", 1, max_block_threads + 1},
        {Slot::BlockDimZ, "block_dim.z", 1, 64 + 1},
        {Slot::GridDimX, "grid_dim.x", 1, grid_x + 1},
        {Slot::GridDimY, "grid_dim.y", 1, grid_yz + 1},
        {Slot::GridDimZ, "grid_dim.z", 1, grid_yz + 1},
        {Slot::Launch, "launch", 0, 0},
        {Slot::Shared, "shared", 0, 0},
        {Slot::Context, "context", 0, 0},
        {Slot::ThreadX, "thread.x", 0, max_block_threads},
        {Slot::ThreadY, "thread.y", 0, max_block_threads},
        {Slot::ThreadZ, "thread.z", 0, 64},
        {Slot::Linear, "linear", 0, max_block_threads},
    };
    llvm::LLVMContext& context = function.function->getContext();
    for (unsigned i = 0; i < count; ++i) {
        llvm::Argument* argument = function[facts[i].slot];
        argument->setName(facts[i].name);
        argument->addAttr(llvm::Attribute::NoUndef);
        if (facts[i].low != facts[i].high) {
            const llvm::ConstantRange range(llvm::APInt(32, facts[i].low), llvm::APInt(32, facts[i].high));
            argument->addAttr(llvm::Attribute::get(context, llvm::Attribute::Range, range));
        } else if (facts[i].slot == Slot::Launch) {
            argument->addAttr(llvm::Attribute::getWithDereferenceableBytes(context, sizeof(Launch)));
        } else {
            argument->addAttr(llvm::Attribute::NoAlias);
            argument->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(64)));
        }
    }
}

SlotFunction make_thread_function(llvm::Function& kernel, ThreadFacts& facts) {
    llvm::SmallVector<llvm::Type*> types = parameter_types(kernel);
    SlotFunction thread;
    thread.own = static_cast<unsigned>(types.size());
    types.append(slot_types(kernel.getContext(), thread_slots));
    auto* type = llvm::FunctionType::get(kernel.getReturnType(), types, false);
    thread.function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, 0, kernel.getName() + ".thread",
                                             kernel.getParent());
    thread.function->setAttributes(kernel.getAttributes());
    thread.function->setSubprogram(kernel.getSubprogram());
    for (auto [from, to] : llvm::zip(kernel.args(), thread.function->args())) {
        to.takeName(&from);
        from.replaceAllUsesWith(&to);
    }
    thread.function->splice(thread.function->begin(), &kernel);
    kernel.setSubprogram(nullptr);
    describe_slots(thread, thread_slots);
    copy_by_value_parameters(thread);
    ThreadRewriter(thread, facts).run();
    return thread;
}

}  // namespace lanewise::cpu
