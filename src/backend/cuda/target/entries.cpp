#include "backend/cuda/target/entries.h"

#include "codegen/kernel_annotations.h"
#include "codegen/llvm.h"

namespace lanewise::cuda {

using namespace llvm;

namespace {

constexpr unsigned shared_space = 3;

/// Every global a function refers to, through constant expressions too.
void collect_globals(const llvm::Function& function, SetVector<const GlobalValue*>& found) {
    SmallVector<const Value*> work;
    SmallPtrSet<const Value*, 16> seen;
    for (const Instruction& instruction : instructions(function))
        for (const Use& operand : instruction.operands())
            if (isa<Constant>(operand)) work.push_back(operand);
    while (!work.empty()) {
        const Value* value = work.pop_back_val();
        if (!seen.insert(value).second) continue;
        if (auto* global = dyn_cast<GlobalValue>(value))
            found.insert(global);
        else if (auto* constant = dyn_cast<Constant>(value))
            for (const Use& operand : constant->operands()) work.push_back(operand);
    }
}

EntryPoint describe(const llvm::Function& kernel) {
    const DataLayout& layout = kernel.getParent()->getDataLayout();
    EntryPoint entry;
    entry.name = entry.display_name = kernel.getName().str();
    std::uint64_t offset = 0;
    for (const llvm::Argument& argument : kernel.args()) {
        llvm::Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
        const Align align = std::max(layout.getABITypeAlign(type), argument.getParamAlign().valueOrOne());
        const bool scalar = !argument.hasByValAttr();
        offset = alignTo(offset, scalar ? layout.getABITypeAlign(type) : align);
        entry.parameter_offsets.push_back(static_cast<std::uint32_t>(offset));
        entry.parameter_sizes.push_back(static_cast<std::uint32_t>(layout.getTypeStoreSize(type)));
        offset += layout.getTypeStoreSize(type);
    }
    entry.parameter_bytes = static_cast<std::uint32_t>(offset);

    SetVector<const GlobalValue*> reached;
    collect_globals(kernel, reached);
    SmallVector<const GlobalVariable*> shared;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        const GlobalValue* global = reached[i];
        if (auto* function = dyn_cast<llvm::Function>(global)) {
            entry.can_raise |= function->getName() == "__lanewise_raise";
            entry.cooperative |= function->getName() == "__lanewise_grid_barrier";
            if (!function->isDeclaration()) collect_globals(*function, reached);
            continue;
        }
        auto* variable = dyn_cast<GlobalVariable>(global);
        if (!variable || variable->getAddressSpace() != shared_space) continue;
        if (variable->isDeclaration()) {
            entry.uses_dynamic_shared = true;
            continue;
        }
        shared.push_back(variable);
    }
    // Strictest alignment first, which leaves no gaps.
    llvm::stable_sort(shared, [](const GlobalVariable* a, const GlobalVariable* b) {
        return a->getAlign().valueOrOne() > b->getAlign().valueOrOne();
    });
    std::uint64_t bytes = 0;
    for (const GlobalVariable* variable : shared)
        bytes = alignTo(bytes, variable->getAlign().valueOrOne()) + layout.getTypeAllocSize(variable->getValueType());
    entry.static_shared_bytes = static_cast<std::uint32_t>(bytes);
    entry.max_threads = codegen::most_threads(kernel);
    return entry;
}

}  // namespace

std::vector<EntryPoint> entry_points(llvm::Module& module) {
    std::vector<EntryPoint> entries;
    for (const llvm::Function* kernel : codegen::kernels_of(module)) entries.push_back(describe(*kernel));
    return entries;
}

}  // namespace lanewise::cuda
