#include "backend/cuda/target/entries.h"

#include "codegen/llvm.h"

namespace lanewise::cuda {

using namespace llvm;

namespace {

constexpr unsigned shared_space = 3;

bool is_kernel(const llvm::Function& function) {
    return !function.isDeclaration() && function.getCallingConv() == CallingConv::PTX_Kernel;
}

/// Kernels marked the older way, by an annotation alone, get the calling convention's mark too.
void collect_annotated(const llvm::Module& module, SmallPtrSetImpl<const llvm::Function*>& kernels) {
    const NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations");
    if (!annotations) return;
    for (const MDNode* node : annotations->operands())
        for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
            auto* key = dyn_cast<MDString>(node->getOperand(i));
            if (key && key->getString() == "kernel")
                if (auto* function = mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)))
                    kernels.insert(function);
        }
}

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
    return entry;
}

}  // namespace

std::vector<EntryPoint> entry_points(const llvm::Module& module) {
    SmallPtrSet<const llvm::Function*, 8> annotated;
    collect_annotated(module, annotated);
    std::vector<EntryPoint> entries;
    for (const llvm::Function& function : module)
        if (is_kernel(function) || (annotated.contains(&function) && !function.isDeclaration()))
            entries.push_back(describe(function));
    return entries;
}

}  // namespace lanewise::cuda
