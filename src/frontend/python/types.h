// Types of the kernel language, as Numba spells and orders them. Interned: equal types are one pointer.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "frontend/python/syntax.h"
#include "ir/type.h"
#include "lanewise/dtype.h"

namespace lanewise::python {

enum class Layout : std::uint8_t { C, F, A };

struct Type {
    enum class Kind : std::uint8_t {
        None,
        Scalar,     ///< dtype
        Array,      ///< dtype, ndim, layout, read_only, space
        Tuple,      ///< items (Numba: UniTuple when all are equal)
        Dim3,       ///< cuda.threadIdx and friends: builtin names which; x y z are int32
        DType,      ///< the class of scalars of `dtype`: np.float32
        String,     ///< compile-time string
        Slice,      ///< items: the types of start, stop, step (Scalar or None)
        Range,      ///< dtype: the loop variable's
        Enumerate,  ///< items[0]: what is enumerated
        Zip,        ///< items: what is zipped
        Builtin,    ///< builtin: canonical name
        Function,   ///< function: a device function
        Closure,    ///< function: nested; items: types of its captured locals, in free_variables order; none: not bound
                    ///< yet
        Method,     ///< items[0] the object's type, builtin: "array.view", "scalar.bit_count"
        Ellipsis,
        Module,  ///< builtin: its name
    };
    Kind kind = Kind::None;
    DType dtype{};
    std::uint8_t ndim = 0;
    Layout layout = Layout::C;
    bool read_only = false;
    ir::Space space = ir::Space::Global;
    std::vector<const Type*> items;
    std::string builtin;
    /// Not owned, since types live as long as the process: valid while the syntax tree is.
    const syntax::Function* function = nullptr;

    bool is(Kind k) const { return kind == k; }
    bool is_scalar() const { return kind == Kind::Scalar; }
    bool is_array() const { return kind == Kind::Array; }
    bool is_tuple() const { return kind == Kind::Tuple; }
    bool is_float() const { return is_scalar() && lanewise::is_float(dtype); }
    bool is_integer() const { return is_scalar() && lanewise::is_integer(dtype); }
    bool is_bool() const { return is_scalar() && dtype == DType::Bool; }
};
using TypePtr = const Type*;

TypePtr none_type();
TypePtr scalar_type(DType dtype);
TypePtr array_type(DType dtype, int ndim, Layout layout, bool read_only = false, ir::Space space = ir::Space::Global);
TypePtr tuple_type(std::vector<TypePtr> items);
/// Any other kind, from its fields.
TypePtr intern(Type type);

/// Numba's spelling: "int64", "array(float32, 1d, C)", "UniTuple(int64 x 2)", "Tuple(int64, float32)", "none",
/// "Literal[int](3)" never: literals are operands, not types.
std::string to_string(TypePtr type);

/// Parses Numba's signature strings: "void(float32[:], int64)", "float32(float32, float32)", "int32[:, ::1]",
/// "UniTuple(int64, 2)". Returns argument types and the result type (null when the text has none).
/// Error(Type) with the position of what cannot be read.
struct DeclaredSignature {
    TypePtr result = nullptr;
    std::vector<TypePtr> arguments;
};
DeclaredSignature parse_signature(const std::string& text);

/// The type both can be seen as where control flow merges them; null: they do not unify.
/// Scalars by NumPy promotion (int64 with uint64: float64); tuples item by item; arrays: same dtype and ndim, layout A
/// when layouts differ, Generic when spaces differ.
TypePtr unify(TypePtr a, TypePtr b);

/// The IR values an operand of this type is made of. Scalars: one; complex: real, imaginary. Arrays: pointer, ndim
/// extents, ndim strides in bytes (int64 each); ranges: start, stop, step of their dtype; tuples, slices, zips,
/// closures and methods: their items' parts in order; enumerates: their item's parts, then the start (int64); dim3,
/// functions, None, strings, dtypes: nothing.
std::vector<ir::Type> parts_of(TypePtr type);

/// The IR parameters of a kernel argument of this type: parts_of, but C and F arrays pass no strides.
/// jit packs arguments by this rule.
std::vector<ir::Type> parameters_of(TypePtr type);

}  // namespace lanewise::python
