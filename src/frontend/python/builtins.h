// Builtins: everything a kernel may call that is not a user's function, found by canonical name ("math.sin",
// "cuda.atomic.add", "builtins.range", "numpy.sqrt", "operator.add", "libdevice.sinf", "array.reshape" for methods).
// Each group of names has a file builtins_<group>.cpp that registers a table of handlers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/python/emitter.h"

namespace lanewise::python {

struct Call {
    Emitter& e;
    std::string_view name;  ///< canonical
    std::string spelling;   ///< as the user wrote it: "cuda.atomic.add"
    Location at;
    std::vector<Operand> args;  ///< for methods the object comes first
    std::vector<Location> arg_locations;
    std::vector<std::pair<std::string, Operand>> keywords;

    /// Error(Typing): "cuda.atomic.add(array(float32, 1d, C), str, int64): <problem>" at the call.
    [[noreturn]] void fail(const std::string& problem) const;
    [[noreturn]] void fail_argument(std::size_t index, const std::string& problem) const;
    /// Moves keywords into positions by these parameter names; checks the count. Missing optional ones stay null-typed.
    void bind(std::initializer_list<const char*> names, std::size_t required);
    std::int64_t constant_int(std::size_t index, const char* parameter) const;  ///< or fail, saying what was given
    DType dtype(std::size_t index) const;  ///< argument that is a dtype (class, dtype object, string name), or fail
};
using Handler = Operand (*)(Call&);

struct Builtin {
    std::string_view name;
    Handler handler;
};
/// Null when there is none of this name.
Handler find_builtin(std::string_view name);
/// All names with this prefix, for "did you mean" and for tests.
std::vector<std::string> builtin_names(std::string_view prefix);

/// The name of the same module nearest to a misspelt one, for "did you mean"; empty when none is near.
std::string closest_builtin(std::string_view name);

/// Names with a meaning beyond "module.function":
///   "scalar.NAME", "array.NAME": methods, the object first
///   "cuda.threadIdx.x" values: what `.x` of a Dim3 operand is, by its type's `builtin` + ".x"
/// An attribute of a Builtin operand is the builtin of that name: "cuda.cg.GridGroup" + ".sync".

/// Attributes of builtin objects that are values, not calls ("cuda.warpsize", "cuda.laneid", "math.pi" is captured):
/// handlers called with no arguments.
Handler find_builtin_value(std::string_view name);

/// The element address of `array` at integer indices: wraps negative signed ones, checks bounds when asked.
/// indices.size() == ndim. Defined in index.cpp (arrays); used by atomics and cache-hint loads.
ir::Value* element_pointer(Emitter& e, const Operand& array, std::span<const Operand> indices);
/// Unpacks an index operand (integer or tuple of integers) for `array`; fails on a wrong count or type.
std::vector<Operand> index_list(Emitter& e, const Operand& array, const Operand& index);

}  // namespace lanewise::python
