#include "backend/cpu/spmd/kernel.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/block.h"
#include "backend/cpu/spmd/indices.h"
#include "backend/cpu/spmd/merge.h"
#include "backend/cpu/spmd/steps.h"
#include "backend/cpu/spmd/strides.h"
#include "backend/cpu/target/optimise.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

/// void(own parameters..., block slots...): runs one block.
SlotFunction make_block_function(const SlotFunction& thread, llvm::StringRef name) {
    llvm::SmallVector<llvm::Type*> types(thread.function->getFunctionType()->params().take_front(thread.own));
    types.append(slot_types(thread.function->getContext(), block_slots));
    auto* type = llvm::FunctionType::get(thread.function->getReturnType(), types, false);
    SlotFunction block;
    block.own = thread.own;
    block.function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, 0, name + ".block",
                                            thread.function->getParent());
    block.function->addFnAttr(llvm::Attribute::NoUnwind);
    // Inlined into the loop over blocks, every loop of the kernel would be transformed one level deeper, for nothing.
    block.function->addFnAttr(llvm::Attribute::NoInline);
    describe_slots(block, block_slots);
    note_slots(block);
    for (unsigned i = 0; i < thread.own; ++i) {
        block.function->getArg(i)->setName(thread.function->getArg(i)->getName());
        block.function->addParamAttrs(
            i, llvm::AttrBuilder(block.function->getContext(), thread.function->getAttributes().getParamAttrs(i)));
    }
    return block;
}

/// Reads and describes the packed parameters.
class ParameterReader {
public:
    ParameterReader(const llvm::DataLayout& layout, EntryPoint& entry) : layout_(layout), entry_(entry) {}

    Value* read(IRBuilder<>& builder, Value* parameters, llvm::Type* type, llvm::Type* by_value, llvm::Align align) {
        llvm::Type* stored = by_value ? by_value : type;
        const auto size = static_cast<std::uint32_t>(layout_.getTypeAllocSize(stored));
        const auto offset = static_cast<std::uint32_t>(llvm::alignTo(entry_.parameter_bytes, align));
        entry_.parameter_offsets.push_back(offset);
        entry_.parameter_sizes.push_back(size);
        entry_.parameter_bytes = offset + size;
        Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), parameters, offset);
        if (by_value) return address;
        if (!type->isIntegerTy(1)) return builder.CreateAlignedLoad(type, address, align);
        return builder.CreateIsNotNull(builder.CreateAlignedLoad(builder.getInt8Ty(), address, align));
    }

private:
    const llvm::DataLayout& layout_;
    EntryPoint& entry_;
};

struct ByValue {
    llvm::Type* type = nullptr;
    llvm::Align align;
};

/// The exported function: unpacks the launch, then walks over consecutive blocks, as many at a time along x as there
/// are if `merged`.
void make_entry(const std::string& name, const SlotFunction& block, llvm::ArrayRef<ByValue> by_value, bool merged,
                const IndexAssumptions& assumptions, EntryPoint& entry) {
    llvm::Module& module = *block.function->getParent();
    llvm::LLVMContext& context = module.getContext();
    IRBuilder<> builder(context);
    llvm::Type* i32 = builder.getInt32Ty();
    llvm::Type* i64 = builder.getInt64Ty();
    llvm::Type* pointer = builder.getPtrTy();
    auto* type = llvm::FunctionType::get(builder.getVoidTy(), {pointer, i64, i64, pointer, pointer}, false);
    llvm::Function* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->setDSOLocal(true);
    llvm::Argument* launch = function->getArg(0);
    llvm::Argument* first = function->getArg(1);
    llvm::Argument* count = function->getArg(2);
    const char* names[] = {"launch", "first", "count", "shared", "context"};
    for (unsigned i = 0; i < 5; ++i) function->getArg(i)->setName(names[i]);
    for (unsigned i = 3; i < 5; ++i) function->getArg(i)->addAttr(llvm::Attribute::NoAlias);

    const auto create = [&](const char* label) { return llvm::BasicBlock::Create(context, label, function); };
    llvm::BasicBlock* start = create("start");
    llvm::BasicBlock* each = create("block");
    llvm::BasicBlock* done = create("done");

    builder.SetInsertPoint(start);
    const auto field = [&](std::size_t offset) {
        return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch, offset);
    };
    llvm::SmallVector<Value*> arguments(block.function->arg_size());
    const auto slot = [&](Slot which) -> Value*& { return arguments[block.own + static_cast<unsigned>(which)]; };
    const auto load_dimension = [&](std::size_t offset, Slot which) {
        llvm::LoadInst* load = builder.CreateLoad(i32, field(offset), block[which]->getName());
        load->setMetadata(llvm::LLVMContext::MD_range,
                          llvm::MDBuilder(context).createRange(block[which]->getRange()->getLower(),
                                                               block[which]->getRange()->getUpper()));
        slot(which) = load;
    };
    for (unsigned i = 0; i < 3; ++i) {
        load_dimension(offsetof(Launch, grid) + 4 * i, static_cast<Slot>(static_cast<unsigned>(Slot::GridDimX) + i));
        load_dimension(offsetof(Launch, block) + 4 * i, static_cast<Slot>(static_cast<unsigned>(Slot::BlockDimX) + i));
    }
    slot(Slot::Launch) = launch;
    slot(Slot::Shared) = function->getArg(3);
    slot(Slot::Context) = function->getArg(4);
    Value* parameters = builder.CreateLoad(pointer, field(offsetof(Launch, parameters)), "parameters");
    ParameterReader reader(module.getDataLayout(), entry);
    for (unsigned i = 0; i < block.own; ++i) {
        llvm::Type* parameter = block.function->getArg(i)->getType();
        const llvm::Align align =
            by_value[i].type ? by_value[i].align : module.getDataLayout().getABITypeAlign(parameter);
        arguments[i] = reader.read(builder, parameters, parameter, by_value[i].type, align);
    }

    Value* grid_x = builder.CreateZExt(slot(Slot::GridDimX), i64);
    Value* grid_y = builder.CreateZExt(slot(Slot::GridDimY), i64);
    Value* row = builder.CreateUDiv(first, grid_x);
    Value* first_x = builder.CreateTrunc(builder.CreateURem(first, grid_x), i32);
    Value* first_y = builder.CreateTrunc(builder.CreateURem(row, grid_y), i32);
    Value* first_z = builder.CreateTrunc(builder.CreateUDiv(row, grid_y), i32);
    Value* runs = builder.CreateIsNotNull(count);
    if (assumptions.any()) {
        runs = builder.CreateAnd(
            runs, check_indices(builder, assumptions, llvm::ArrayRef<Value*>(arguments).drop_front(block.own)));
    }
    start = builder.GetInsertBlock();
    builder.CreateCondBr(runs, each, done);

    builder.SetInsertPoint(each);
    const auto phi = [&](llvm::Type* phi_type, Value* initial, const char* label) {
        llvm::PHINode* node = builder.CreatePHI(phi_type, 2, label);
        node->addIncoming(initial, start);
        return node;
    };
    llvm::PHINode* done_blocks = phi(i64, builder.getInt64(0), "done_blocks");
    llvm::PHINode* x = phi(i32, first_x, "block.x");
    llvm::PHINode* y = phi(i32, first_y, "block.y");
    llvm::PHINode* z = phi(i32, first_z, "block.z");
    slot(Slot::BlockX) = x;
    slot(Slot::BlockY) = y;
    slot(Slot::BlockZ) = z;
    slot(Slot::SpanX) = slot(Slot::BlockDimX);
    Value* blocks = builder.getInt32(1);
    if (merged) {
        // Bounded, so that thread numbers stay far from overflow.
        constexpr std::uint32_t max_blocks = 1024;
        Value* left = builder.CreateSub(count, done_blocks, "", true, true);
        Value* left_in_row = builder.CreateZExt(builder.CreateSub(slot(Slot::GridDimX), x, "", true, true), i64);
        left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, left_in_row);
        left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, builder.getInt64(max_blocks));
        blocks = builder.CreateTrunc(left, i32, "blocks");
        slot(Slot::SpanX) = builder.CreateMul(blocks, slot(Slot::BlockDimX), "span", true, true);
    }
    builder.CreateCall(block.function, arguments);

    Value* zero = builder.getInt32(0);
    Value* next_x = builder.CreateAdd(x, blocks, "", true, true);
    Value* row_end = builder.CreateICmpEQ(next_x, slot(Slot::GridDimX));
    Value* next_y = builder.CreateAdd(y, builder.CreateZExt(row_end, i32), "", true, true);
    Value* plane_end = builder.CreateICmpEQ(next_y, slot(Slot::GridDimY));
    x->addIncoming(builder.CreateSelect(row_end, zero, next_x), each);
    y->addIncoming(builder.CreateSelect(plane_end, zero, next_y), each);
    z->addIncoming(builder.CreateAdd(z, builder.CreateZExt(plane_end, i32), "", true, true), each);
    Value* next = builder.CreateAdd(done_blocks, builder.CreateZExt(blocks, i64), "", true, true);
    done_blocks->addIncoming(next, each);
    builder.CreateCondBr(builder.CreateICmpULT(next, count), each, done);

    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
}

}  // namespace

EntryPoint build_kernel(llvm::Function& kernel, const SharedLayout& shared, ThreadFacts facts) {
    EntryPoint entry;
    entry.name = entry.display_name = kernel.getName().str();

    llvm::SmallVector<ByValue> by_value;
    for (const llvm::Argument& argument : kernel.args()) {
        ByValue& facts = by_value.emplace_back();
        facts.type = argument.getParamByValType();
        if (!facts.type) continue;
        facts.align =
            argument.getParamAlign().value_or(kernel.getParent()->getDataLayout().getABITypeAlign(facts.type));
    }

    const SlotFunction thread = make_thread_function(kernel, shared, facts);
    llvm::DISubprogram* subprogram = thread.function->getSubprogram();
    thread.function->setSubprogram(nullptr);
    llvm::Module& module = *kernel.getParent();
    kernel.eraseFromParent();
    const IndexAssumptions assumptions = assume_indices_fit(thread);
    simplify_thread_function(*thread.function);
    bool merged = can_merge_blocks(thread, shared);
    walk_side_by_side(thread);
    walk_in_step(thread);

    llvm::ValueToValueMapTy map;
    const SlotFunction spare = {merged ? llvm::CloneFunction(thread.function, map) : nullptr, thread.own};
    if (merged) thread[Slot::ThreadX]->removeAttr(llvm::Attribute::Range);
    SlotFunction block = make_block_function(thread, entry.name);
    entry.context_bytes_per_thread = emit_block(block, thread);
    if (merged && entry.context_bytes_per_thread > 0) {
        // The context has room for the threads of one block only.
        merged = false;
        block.function->eraseFromParent();
        block = make_block_function(spare, entry.name);
        entry.context_bytes_per_thread = emit_block(block, spare);
    }
    if (!merged) block[Slot::SpanX]->replaceAllUsesWith(block[Slot::BlockDimX]);
    thread.function->eraseFromParent();
    if (spare.function) spare.function->eraseFromParent();
    place_shared(module, shared);
    block.function->setSubprogram(subprogram);

    make_entry(entry.name, block, by_value, merged, assumptions, entry);
    entry.static_shared_bytes = shared.static_bytes;
    entry.uses_dynamic_shared = shared.uses_dynamic;
    entry.can_raise = facts.can_raise;
    entry.cooperative = facts.cooperative;
    return entry;
}

}  // namespace lanewise::cpu
