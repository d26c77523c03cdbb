#include "backend/cuda/target/device_functions.h"

#include <llvm/IR/InlineAsm.h>

#include "codegen/llvm.h"
#include "runtime/error_slot.h"

namespace lanewise::cuda {

using namespace llvm;

namespace {

constexpr unsigned global_space = 1;

class Definer {
public:
    explicit Definer(llvm::Module& module) : module_(module), b_(module.getContext()) {}

    void run() {
        if (llvm::Function* f = declared("__lanewise_raise")) define_raise(*f);
        if (llvm::Function* f = declared("__lanewise_grid_barrier")) define_grid_barrier(*f);
    }

private:
    llvm::Function* declared(StringRef name) {
        llvm::Function* function = module_.getFunction(name);
        if (!function || !function->isDeclaration() || function->use_empty()) return nullptr;
        function->setLinkage(GlobalValue::InternalLinkage);
        return function;
    }

    BasicBlock* block(llvm::Function& function, const char* name = "") {
        return BasicBlock::Create(module_.getContext(), name, &function);
    }

    Value* special(llvm::Intrinsic::ID id) { return b_.CreateIntrinsic(id, {}, {}); }

    Value* assembly(llvm::Type* result, StringRef text, StringRef constraints, ArrayRef<Value*> operands = {}) {
        SmallVector<llvm::Type*> types;
        for (Value* operand : operands) types.push_back(operand->getType());
        return b_.CreateCall(InlineAsm::get(FunctionType::get(result, types, false), text, constraints, true),
                             operands);
    }

    /// Loads the six values and hands them on by value, so that once it is inlined they need no memory.
    void define_raise(llvm::Function& raise) {
        llvm::Type* word = b_.getInt64Ty();
        SmallVector<llvm::Type*> types{b_.getInt32Ty()};
        types.append(6, word);
        auto* report = llvm::Function::Create(FunctionType::get(b_.getVoidTy(), types, false),
                                              GlobalValue::InternalLinkage, "__lanewise_report", module_);
        for (llvm::Function* f : {&raise, report}) {
            f->addFnAttr(Attribute::NoUnwind);
            f->addFnAttr(Attribute::Cold);
        }
        raise.addFnAttr(Attribute::AlwaysInline);
        report->addFnAttr(Attribute::NoInline);

        b_.SetInsertPoint(block(raise));
        SmallVector<Value*> arguments{raise.getArg(0)};
        for (int i = 0; i < 6; ++i)
            arguments.push_back(
                b_.CreateAlignedLoad(word, b_.CreateConstInBoundsGEP1_32(word, raise.getArg(1), i), Align(8)));
        b_.CreateCall(report, arguments);
        b_.CreateRetVoid();
        define_report(*report);
    }

    /// The first thread to claim the slot fills it. The rest of the fields are ordered before the kernel's end, which
    /// is when the host reads them.
    void define_report(llvm::Function& report) {
        llvm::Type* half = b_.getInt32Ty();
        llvm::Type* slot_type = ArrayType::get(b_.getInt8Ty(), sizeof(ErrorSlot));
        auto* slot = new GlobalVariable(module_, slot_type, false, GlobalValue::ExternalLinkage,
                                        ConstantAggregateZero::get(slot_type), error_slot_symbol, nullptr,
                                        GlobalValue::NotThreadLocal, global_space);
        slot->setAlignment(Align(alignof(ErrorSlot)));
        auto field = [&](std::size_t offset) { return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), slot, offset); };

        BasicBlock* entry = block(report);
        BasicBlock* claimed = block(report, "claimed");
        BasicBlock* done = block(report, "done");
        b_.SetInsertPoint(entry);
        Value* exchange = b_.CreateAtomicCmpXchg(field(offsetof(ErrorSlot, claimed)), b_.getInt32(0), b_.getInt32(1),
                                                 Align(4), AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
        b_.CreateCondBr(b_.CreateExtractValue(exchange, 1), claimed, done);

        b_.SetInsertPoint(claimed);
        auto store = [&](Value* value, std::size_t offset) {
            b_.CreateAlignedStore(value, field(offset), Align(value->getType() == half ? 4 : 8));
        };
        store(report.getArg(0), offsetof(ErrorSlot, site));
        const llvm::Intrinsic::ID thread[] = {Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                              Intrinsic::nvvm_read_ptx_sreg_tid_z};
        const llvm::Intrinsic::ID block_index[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                                   Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                                   Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
        for (int i = 0; i < 3; ++i) {
            store(special(thread[i]), offsetof(ErrorSlot, thread) + 4 * i);
            store(special(block_index[i]), offsetof(ErrorSlot, block) + 4 * i);
        }
        for (int i = 0; i < 6; ++i) store(report.getArg(1 + i), offsetof(ErrorSlot, values) + 8 * i);
        b_.CreateBr(done);

        b_.SetInsertPoint(done);
        b_.CreateRetVoid();
    }

    /// The grid barrier of a cooperative launch. The driver puts the address of its workspace into %envreg1 (high) and
    /// %envreg2; its second word counts arrivals. Block 0 adds 2^31 - (blocks - 1), the others 1, so that the top bit
    /// flips when the last one has arrived.
    void define_grid_barrier(llvm::Function& barrier) {
        barrier.addFnAttr(Attribute::NoInline);
        barrier.addFnAttr(Attribute::Convergent);
        llvm::Type* half = b_.getInt32Ty();
        BasicBlock* entry = block(barrier);
        BasicBlock* arrive = block(barrier, "arrive");
        BasicBlock* wait = block(barrier, "wait");
        BasicBlock* done = block(barrier, "done");

        b_.SetInsertPoint(entry);
        b_.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
        auto sum = [&](llvm::Intrinsic::ID x, llvm::Intrinsic::ID y, llvm::Intrinsic::ID z) {
            return b_.CreateOr(b_.CreateOr(special(x), special(y)), special(z));
        };
        Value* thread = sum(Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                            Intrinsic::nvvm_read_ptx_sreg_tid_z);
        b_.CreateCondBr(b_.CreateIsNull(thread), arrive, done);

        b_.SetInsertPoint(arrive);
        Value* high = b_.CreateZExt(special(Intrinsic::nvvm_read_ptx_sreg_envreg1), b_.getInt64Ty());
        Value* low = b_.CreateZExt(special(Intrinsic::nvvm_read_ptx_sreg_envreg2), b_.getInt64Ty());
        Value* counter = b_.CreateAdd(b_.CreateOr(b_.CreateShl(high, 32), low), b_.getInt64(4));
        Value* blocks = b_.CreateMul(b_.CreateMul(special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
                                                  special(Intrinsic::nvvm_read_ptx_sreg_nctaid_y)),
                                     special(Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
        Value* first = b_.CreateIsNull(sum(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                           Intrinsic::nvvm_read_ptx_sreg_ctaid_z));
        Value* amount = b_.CreateSelect(first, b_.CreateSub(b_.getInt32(0x80000001u), blocks), b_.getInt32(1));
        b_.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
        Value* before = assembly(half, "atom.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}", {counter, amount});
        b_.CreateBr(wait);

        b_.SetInsertPoint(wait);
        Value* now = assembly(half, "ld.volatile.u32 $0, [$1];", "=r,l,~{memory}", {counter});
        Value* flipped = b_.CreateICmpSLT(b_.CreateXor(before, now), b_.getInt32(0));
        BasicBlock* passed = block(barrier, "passed");
        b_.CreateCondBr(flipped, passed, wait);

        b_.SetInsertPoint(passed);
        b_.CreateIntrinsic(Intrinsic::nvvm_membar_gl, {}, {});
        b_.CreateBr(done);

        b_.SetInsertPoint(done);
        b_.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
        b_.CreateRetVoid();
    }

    llvm::Module& module_;
    IRBuilder<> b_;
};

}  // namespace

void define_device_functions(llvm::Module& module) {
    Definer(module).run();
}

}  // namespace lanewise::cuda
