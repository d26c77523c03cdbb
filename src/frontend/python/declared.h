// Device functions with declared signatures: a call converts to the one that fits best, and takes its result type.
#pragma once

#include <vector>

#include "frontend/python/emitter.h"

namespace lanewise::python {

struct DeclaredCall {
    std::vector<Operand> arguments;  ///< converted to the signature's types
    TypePtr result = nullptr;        ///< null: the signature names none
};

/// The call of `function`, which has signatures, with `arguments`. Scalars convert, also to narrower types; arrays must
/// have the dtype and dimensions. Error(Typing) that lists the signatures when none fits.
DeclaredCall match_declared(Emitter& e, const syntax::Function& function, std::vector<Operand> arguments);

}  // namespace lanewise::python
