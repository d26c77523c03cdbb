// Elementary functions of double precision as straight code, for scalars and vectors alike.
#pragma once

#include "backend/cpu/target/formula.h"

namespace lanewise::cpu {

struct DoubleFormula {
    const char* name;  ///< as the C library spells it
    unsigned operands;
    bool is_intrinsic;  ///< LLVM has an intrinsic of that name, too
    /// Right to about an ulp where `holds` is true.
    Formula (*value)(Formula x, Formula y);
    llvm::Value* (*holds)(Formula x, Formula y);
    bool is_single = false;  ///< of float operands
};

llvm::ArrayRef<DoubleFormula> double_formulas();

}  // namespace lanewise::cpu
