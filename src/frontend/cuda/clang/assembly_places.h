// Where the lines of inline assembly stand in the program's text.
#pragma once

#include "frontend/cuda/clang/clang.h"

namespace lanewise::cuda_cpp {

/// Notes at each assembly statement, as metadata "lanewise.places", a text for each line of its template: place, source
/// line and caret, in the form that follows an error's message. Targets that translate assembly show them.
void note_assembly_places(llvm::Module& module, const clang::SourceManager& sources);

}  // namespace lanewise::cuda_cpp
