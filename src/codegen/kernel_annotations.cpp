#include "codegen/kernel_annotations.h"

#include <optional>

#include "codegen/llvm.h"

namespace lanewise::codegen {

using namespace llvm;

namespace {

constexpr const char* annotations_name = "nvvm.annotations";

/// The value of `key` among the annotations of `function`; a node has pairs of keys and values behind the function.
std::optional<std::uint64_t> annotation(const llvm::Function& function, StringRef key) {
    const NamedMDNode* annotations = function.getParent()->getNamedMetadata(annotations_name);
    if (!annotations) return std::nullopt;
    for (const MDNode* node : annotations->operands()) {
        if (mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)) != &function) continue;
        for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
            auto* name = dyn_cast<MDString>(node->getOperand(i));
            if (!name || name->getString() != key) continue;
            if (auto* value = mdconst::dyn_extract_or_null<ConstantInt>(node->getOperand(i + 1)))
                return value->getZExtValue();
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<llvm::Function*> kernels_of(llvm::Module& module) {
    std::vector<llvm::Function*> kernels;
    for (llvm::Function& function : module)
        if (!function.isDeclaration() &&
            (function.getCallingConv() == CallingConv::PTX_Kernel || annotation(function, "kernel")))
            kernels.push_back(&function);
    return kernels;
}

std::uint32_t most_threads(const llvm::Function& kernel) {
    std::uint64_t product = 0;
    for (const char* axis : {"maxntidx", "maxntidy", "maxntidz"})
        if (auto bound = annotation(kernel, axis)) product = std::max<std::uint64_t>(product, 1) * *bound;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(product, UINT32_MAX));
}

}  // namespace lanewise::codegen
