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
constexpr struct {
    std::string_view name, text;
} replacements[] = {
    {"builtins.reversed", "loop over range(n - 1, -1, -1), or over x[::-1]"},
    {"builtins.sum", "add in a for loop"},
    {"builtins.any", "test in a for loop and break"},
    {"builtins.all", "test in a for loop and break"},
    {"builtins.map", "use a for loop"},
    {"builtins.filter", "use a for loop with if"},
    {"builtins.sorted", "sort on the host, or write the exchange of elements as loops"},
    {"builtins.list", "use a tuple for fixed items, or cuda.local.array(shape, dtype)"},
    {"builtins.dict", "use arrays or tuples"},
    {"builtins.set", "use arrays or tuples"},
    {"builtins.str", "strings are compile-time values in kernels: print takes numbers as they are"},
    {"builtins.open", "kernels cannot use files: copy the data to the device first"},
    {"builtins.input", "pass the value as an argument"},
    {"numpy.zeros", "kernels cannot allocate: use cuda.local.array(shape, dtype) and set its elements"},
    {"numpy.ones", "kernels cannot allocate: use cuda.local.array(shape, dtype) and set its elements"},
    {"numpy.empty", "kernels cannot allocate: use cuda.local.array(shape, dtype)"},
    {"numpy.full", "kernels cannot allocate: use cuda.local.array(shape, dtype) and set its elements"},
    {"numpy.array", "kernels cannot allocate: use a tuple, or cuda.local.array(shape, dtype)"},
    {"numpy.arange", "kernels cannot allocate: loop over range(...)"},
    {"numpy.sum", "add in a for loop, or with cuda.atomic.add across threads"},
    {"numpy.dot", "multiply and add in a for loop"},
    {"numpy.random.rand", "use cuda.random with states created on the host"},
    {"random.random", "use cuda.random with states created on the host"},
};
}  // namespace

std::string unsupported_syntax(const std::string& ast_class) {
    for (const auto& row : table)
        if (row.ast_class == ast_class) return std::string(row.text);
    return fmt::format("kernels have no {} (ast.{})", ast_class, ast_class);
}

std::string replacement_of_builtin(const std::string& canonical_name) {
    for (const auto& row : replacements)
        if (row.name == canonical_name) return std::string(row.text);
    return {};
}

}  // namespace lanewise::python
