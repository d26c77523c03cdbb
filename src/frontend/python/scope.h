// Scope: the local names of a function, numbered, and which of them a loop assigns. Found by one walk of the syntax
// tree.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontend/python/syntax.h"

namespace lanewise::python {

struct Scope {
    explicit Scope(const syntax::Function& function);

    std::vector<std::string_view> names;              ///< parameters, free variables, then assigned names
    std::unordered_map<std::string_view, int> slots;  ///< name -> its place in `names`
    std::unordered_map<const syntax::Stmt*, std::vector<int>> assigned;  ///< loop -> slots assigned inside it, sorted
    bool calls_itself = false;                                           ///< mentions a captured function of its own id

    /// -1: not a local name.
    int slot(std::string_view name) const;
};

/// The name a nested function is bound to: the last component of its qualified name.
std::string_view local_name(const syntax::Function& function);

}  // namespace lanewise::python
