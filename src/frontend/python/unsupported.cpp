#include "frontend/python/unsupported.h"

#include <fmt/format.h>

#include <string_view>

namespace lanewise::python {

namespace {
constexpr struct {
    std::string_view ast_class, text;
} table[] = {
    {"ListComp", "kernels have no list comprehensions: use a for loop and a local or shared array"},
    {"SetComp", "kernels have no set comprehensions: use a for loop and an array"},
    {"DictComp", "kernels have no dict comprehensions: use a for loop and arrays"},
    {"GeneratorExp", "kernels have no generator expressions: use a for loop"},
    {"Yield", "kernels have no generators: store the values in an array"},
    {"YieldFrom", "kernels have no generators: store the values in an array"},
    {"Await", "kernels have no coroutines"},
    {"Dict", "kernels have no dicts: use arrays, tuples or separate variables"},
    {"Set", "kernels have no sets: use arrays or tuples"},
    {"List", "kernels have no lists: use a tuple for fixed items, or cuda.local.array(shape, dtype)"},
    {"JoinedStr", "kernels have no f-strings: print takes several arguments, and messages must be constant"},
    {"FormattedValue", "kernels have no f-strings: print takes several arguments, and messages must be constant"},
    {"TemplateStr", "kernels have no template strings"},
    {"NamedExpr", "kernels have no ':=': assign in a statement of its own"},
    {"Try", "kernels have no try/except: test the condition with if before the operation"},
    {"TryStar", "kernels have no try/except: test the condition with if before the operation"},
    {"With", "kernels have no with statements"},
    {"AsyncWith", "kernels have no with statements"},
    {"AsyncFor", "kernels have no async for: use for"},
    {"AsyncFunctionDef", "kernels have no async functions: use def"},
    {"ClassDef", "kernels have no classes: use tuples or arrays"},
    {"Import", "a kernel cannot import: import at module level, where the kernel finds the name"},
    {"ImportFrom", "a kernel cannot import: import at module level, where the kernel finds the name"},
    {"Global", "a kernel cannot rebind globals, which are constants to it: store results in an array argument"},
    {"Nonlocal", "nested functions cannot rebind the variables of the enclosing function: return the new value"},
    {"Match", "kernels have no match statements: use if and elif"},
    {"TypeAlias", "kernels have no type aliases"},
    {"Delete", "del takes names of local variables only"},
    {"Starred", "'*' unpacking works in calls only: index the tuple instead"},
};
}  // namespace

std::string unsupported_syntax(const std::string& ast_class) {
    for (const auto& row : table)
        if (row.ast_class == ast_class) return std::string(row.text);
    return fmt::format("kernels have no {} (ast.{})", ast_class, ast_class);
}

}  // namespace lanewise::python
