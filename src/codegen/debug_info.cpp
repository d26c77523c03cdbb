#include "codegen/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>

#include "codegen/llvm.h"

namespace lanewise::codegen {

DebugInfo::DebugInfo(const ir::Module& source, llvm::Module& module, bool full, bool optimized)
    : builder_(module), optimized_(optimized) {
    for (const SourceFile& file : source.files) {
        const std::size_t slash = file.path.rfind('/');
        const bool has_folder = slash != std::string::npos;
        files_.push_back(builder_.createFile(has_folder ? file.path.substr(slash + 1) : file.path,
                                             has_folder ? file.path.substr(0, slash) : "."));
    }
    if (files_.empty()) files_.push_back(builder_.createFile("unknown", "."));
    builder_.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus_14, files_.front(), "lanewise", optimized, "", 0, "",
                               full ? llvm::DICompileUnit::FullDebug : llvm::DICompileUnit::DebugDirectivesOnly);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 2);
}

void DebugInfo::attach(const ir::Function& source, llvm::Function& function) {
    llvm::DIFile* file = files_[source.file < files_.size() ? source.file : 0];
    llvm::DISubprogram::DISPFlags flags = llvm::DISubprogram::SPFlagDefinition;
    if (optimized_) flags |= llvm::DISubprogram::SPFlagOptimized;
    if (!source.is_kernel) flags |= llvm::DISubprogram::SPFlagLocalToUnit;
    llvm::DISubprogram* subprogram =
        builder_.createFunction(file, source.display_name.empty() ? source.name : source.display_name, source.name,
                                file, source.at.line, builder_.createSubroutineType(builder_.getOrCreateTypeArray({})),
                                source.at.line, llvm::DINode::FlagPrototyped, flags);
    function.setSubprogram(subprogram);
    subprograms_[&source] = subprogram;
}

llvm::DebugLoc DebugInfo::location(const ir::Function& source, Location at) {
    llvm::DISubprogram* scope = subprograms_.lookup(&source);
    if (!at) at = source.at;
    return llvm::DILocation::get(scope->getContext(), at.line, at.line ? at.column + 1 : 0, scope);
}

}  // namespace lanewise::codegen
