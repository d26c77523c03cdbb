#include "backend/cpu/spmd/thread.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/ConstantRange.h>

#include "backend/cpu/abi.h"
#include "backend/cpu/spmd/operations.h"
#include "backend/cpu/spmd/sync.h"
#include "lanewise/error.h"

namespace lanewise::cpu {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr llvm::StringLiteral slots_note = "lanewise.slots";

/// A function with the parameters of `from` and `more`, and its body, which `from` loses.
SlotFunction move_body(llvm::Function& from, llvm::ArrayRef<llvm::Type*> more, const llvm::Twine& name) {
    llvm::SmallVector<llvm::Type*> types(from.getFunctionType()->params());
    SlotFunction result;
    result.own = static_cast<unsigned>(types.size());
    types.append(more.begin(), more.end());
    result.function = llvm::Function::Create(llvm::FunctionType::get(from.getReturnType(), types, false),
                                             llvm::GlobalValue::InternalLinkage, 0, name, from.getParent());
    result.function->setAttributes(from.getAttributes());
    result.function->setSubprogram(from.getSubprogram());
    from.setSubprogram(nullptr);
    for (auto [old_argument, new_argument] : llvm::zip(from.args(), result.function->args())) {
        new_argument.takeName(&old_argument);
        old_argument.replaceAllUsesWith(&new_argument);
    }
    result.function->splice(result.function->begin(), &from);
    describe_slots(result, thread_slots);
    return result;
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

std::string shown_name(const llvm::Function& thread) {
    llvm::StringRef name = thread.getName();
    name = name.take_until([](char c) { return c == '.'; });
    return llvm::demangle(name);
}

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
    static constexpr std::uint32_t max_grid = 0x7fffffff;
    static constexpr std::uint32_t max_block_threads = 1024;
    static constexpr Fact facts[] = {
        {Slot::BlockX, "block.x", 0, max_grid},
        {Slot::BlockY, "block.y", 0, max_grid},
        {Slot::BlockZ, "block.z", 0, max_grid},
        {Slot::BlockDimX, "block_dim.x", 1, max_block_threads + 1},
        {Slot::BlockDimY, "block_dim.y", 1, max_block_threads + 1},
        {Slot::BlockDimZ, "block_dim.z", 1, 64 + 1},
        {Slot::GridDimX, "grid_dim.x", 1, max_grid + 1},
        {Slot::GridDimY, "grid_dim.y", 1, max_grid + 1},
        {Slot::GridDimZ, "grid_dim.z", 1, max_grid + 1},
        {Slot::SpanX, "span.x", 1, max_grid},
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

void note_slots(const SlotFunction& function) {
    function.function->addFnAttr(slots_note, std::to_string(function.own));
}

std::optional<SlotFunction> noted_slots(const llvm::Function& function) {
    SlotFunction slots{const_cast<llvm::Function*>(&function), 0};
    if (function.getFnAttribute(slots_note).getValueAsString().getAsInteger(10, slots.own)) return std::nullopt;
    return slots;
}

SlotFunction make_thread_function(llvm::Function& kernel, const SharedLayout& shared, ThreadFacts& facts) {
    const SlotFunction thread =
        move_body(kernel, slot_types(kernel.getContext(), thread_slots), kernel.getName() + ".thread");
    copy_by_value_parameters(thread);
    rewrite_operations(thread, shared, facts, nullptr);
    return thread;
}

ThreadFacts convert_device_functions(llvm::Module& module, llvm::ArrayRef<llvm::Function*> device_functions,
                                     const SharedLayout& shared) {
    ThreadFacts facts;
    llvm::LLVMContext& context = module.getContext();
    llvm::SmallVector<llvm::Type*> more = slot_types(context, thread_slots);
    more.push_back(llvm::PointerType::get(context, 0));
    llvm::SmallVector<SlotFunction> converted;
    for (llvm::Function* function : device_functions) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            if (sync_kind(instruction) == SyncKind::None) continue;
            throw Error(ErrorKind::Lowering,
                        "device function '" + llvm::demangle(function->getName()) +
                            "' is recursive or called through a pointer, and has a barrier or warp operation; the cpu "
                            "device runs those only in kernels and in functions that can be inlined");
        }
        const std::string name = function->getName().str();
        function->setName(name + ".plain");
        converted.push_back(move_body(*function, more, name));
        // What is known of its results need not hold for what it returns when it ends the thread.
        llvm::Function* moved = converted.back().function;
        const llvm::AttributeList attributes = moved->getAttributes();
        moved->setAttributes(attributes.removeRetAttributes(context, llvm::AttributeMask(attributes.getRetAttrs())));
        note_slots(converted.back());
        function->replaceAllUsesWith(converted.back().function);
        function->eraseFromParent();
    }
    for (const SlotFunction& function : converted) {
        rewrite_operations(function, shared, facts, function.function->getArg(function.own + thread_slots));
    }
    return facts;
}

}  // namespace lanewise::cpu
