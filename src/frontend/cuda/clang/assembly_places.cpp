#include "frontend/cuda/clang/assembly_places.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "lanewise/error.h"

namespace lanewise::cuda_cpp {

namespace {

/// Behind the white space of a template, which may end one literal and begin the next one.
std::size_t skip_space(llvm::StringRef text, std::size_t offset) {
    while (true) {
        const llvm::StringRef rest = text.substr(offset);
        if (rest.starts_with(" "))
            ++offset;
        else if (rest.starts_with("\\t"))
            offset += 2;
        else if (const llvm::StringRef next = rest.drop_front(rest.starts_with("\"") ? 1 : 0).ltrim();
                 next.size() != rest.size() && next.starts_with("\""))
            offset = static_cast<std::size_t>(next.data() - text.data()) + 1;
        else
            return offset;
    }
}

/// The place of one of clang's location cookies: the first character of a line of the template.
std::string place(std::uint64_t cookie, const clang::SourceManager& sources) {
    const auto location = sources.getExpansionLoc(
        clang::SourceLocation::getFromRawEncoding(static_cast<clang::SourceLocation::UIntTy>(cookie)));
    const auto [id, first] = sources.getDecomposedLoc(location);
    const llvm::StringRef text = sources.getBufferData(id);
    const std::size_t offset = skip_space(text, first);
    const clang::PresumedLoc presumed =
        sources.getPresumedLoc(location.getLocWithOffset(static_cast<int>(offset - first)));
    if (presumed.isInvalid()) return {};
    const std::size_t begin = text.rfind('\n', offset) + 1;
    SourceFile file;
    file.path = presumed.getFilename();
    file.first_line = presumed.getLine();
    file.lines = {text.substr(begin).take_until([](char c) { return c == '\n' || c == '\r'; }).str()};
    Location at;
    at.line = at.end_line = presumed.getLine();
    at.column = presumed.getColumn() - 1;
    at.end_column = at.column + 1;
    return with_source("", &file, at);
}

}  // namespace

void note_assembly_places(llvm::Module& module, const clang::SourceManager& sources) {
    llvm::LLVMContext& context = module.getContext();
    for (llvm::Function& function : module)
        for (llvm::Instruction& instruction : llvm::instructions(function)) {
            const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            const llvm::MDNode* cookies = call && call->isInlineAsm() ? call->getMetadata("srcloc") : nullptr;
            if (!cookies) continue;
            llvm::SmallVector<llvm::Metadata*> places;
            for (const llvm::MDOperand& cookie : cookies->operands()) {
                const auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(cookie);
                places.push_back(
                    llvm::MDString::get(context, number ? place(number->getZExtValue(), sources) : std::string()));
            }
            instruction.setMetadata("lanewise.places", llvm::MDNode::get(context, places));
        }
}

}  // namespace lanewise::cuda_cpp
