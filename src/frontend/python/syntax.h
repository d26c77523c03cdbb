// The syntax tree of a Python function: plain C++ structs, filled by python/src/syntax.cpp from CPython's ast. Free
// names are already looked up: a Captured stands where the user wrote a global, a closure variable or an attribute
// chain on a module ("cuda.shared.array", "math.pi").
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lanewise/dtype.h"
#include "lanewise/error.h"

namespace lanewise::syntax {

struct Function;

/// A Python value known at compile time that did not come from an argument.
struct Captured {
    enum class Kind : std::uint8_t {
        None,
        Bool,         ///< integer
        Int,          ///< integer; is_uint64 when it needs the 64th bit
        Float,        ///< number
        NumpyScalar,  ///< dtype + integer (bool, ints), number (floats) or number + imaginary (complex, Python's too)
        String,       ///< text
        Tuple,        ///< items
        Builtin,      ///< text: canonical name, "cuda.syncthreads", "math.sin", "numpy.sqrt", "builtins.range",
                      ///< "libdevice.sinf"
        DType,        ///< dtype: np.float32, numba.float32, np.dtype("f4")
        Array,        ///< host array embedded as constant data: dtype, shape, c_order, bytes
        DeviceArray,  ///< array by device pointer: dtype, shape, strides (bytes), integer = address
        Function,     ///< a device function (or a plain Python function used as one)
        Module,       ///< text: a module used where a value is needed
        Other,        ///< text: "object of type X" that kernels cannot use
    };
    Kind kind = Kind::None;
    std::int64_t integer = 0;
    bool is_uint64 = false;
    double number = 0, imaginary = 0;
    lanewise::DType dtype{};
    std::string text;
    std::vector<std::shared_ptr<const Captured>> items;
    std::vector<std::int64_t> shape, strides;
    bool c_order = true;
    std::vector<std::uint8_t> bytes;
    std::shared_ptr<const Function> function;
};
using CapturedPtr = std::shared_ptr<const Captured>;

enum class BinaryOp : std::uint8_t {
    Add,
    Sub,
    Mul,
    TrueDiv,
    FloorDiv,
    Mod,
    Pow,
    LShift,
    RShift,
    BitAnd,
    BitOr,
    BitXor,
    MatMul
};
enum class UnaryOp : std::uint8_t { Neg, Pos, Invert, Not };
enum class CompareOp : std::uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Is, IsNot, In, NotIn };

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;
struct Stmt;
using StmtPtr = std::unique_ptr<Stmt>;

struct Keyword {
    std::string name;  ///< empty: **mapping
    ExprPtr value;
    Location at;
};

struct Expr {
    enum class Kind : std::uint8_t {
        Literal,      ///< captured: a literal in the source; `...` is the Builtin "builtins.Ellipsis"
        Captured,     ///< captured: a resolved free name; text is how the source spells it
        Name,         ///< text: a local variable or parameter
        Attribute,    ///< a.text
        Subscript,    ///< a[b]
        Slice,        ///< a : b : c (each may be null); only inside Subscript
        Tuple,        ///< items
        List,         ///< items
        Binary,       ///< a `binary` b
        Unary,        ///< `unary` a
        BoolAnd,      ///< items
        BoolOr,       ///< items
        Compare,      ///< a compares[0] items[0] compares[1] items[1] ...
        IfExp,        ///< a if b else c
        Call,         ///< a(items, keywords)
        Starred,      ///< *a; only in Call items and tuples
        Lambda,       ///< function
        Unsupported,  ///< text: the ast node's class, e.g. "ListComp"
    };
    Kind kind = Kind::Literal;
    Location at;
    CapturedPtr captured;
    std::string text;
    ExprPtr a, b, c;
    std::vector<ExprPtr> items;
    std::vector<Keyword> keywords;
    std::vector<CompareOp> compares;
    BinaryOp binary{};
    UnaryOp unary{};
    std::shared_ptr<const Function> function;
};

struct Stmt {
    enum class Kind : std::uint8_t {
        Assign,     ///< targets = value (several targets: a = b = value)
        AugAssign,  ///< targets[0] `binary`= value
        Expr,       ///< value
        If,         ///< test, body, orelse
        While,      ///< test, body, orelse
        For,        ///< targets[0] in value: body, orelse
        Return,     ///< value or null
        Break,
        Continue,
        Pass,
        Assert,       ///< test, value: message or null
        Raise,        ///< value or null
        Del,          ///< targets
        FunctionDef,  ///< function
        Unsupported,  ///< text: the ast node's class, e.g. "Try"
    };
    Kind kind = Kind::Pass;
    Location at;
    std::vector<ExprPtr> targets;
    ExprPtr value, test;
    std::vector<StmtPtr> body, orelse;
    BinaryOp binary{};
    std::shared_ptr<const Function> function;
    std::string text;
};

struct Parameter {
    std::string name;
    Location at;
    CapturedPtr default_value;  ///< null: none
};

struct Function {
    std::string name;  ///< __qualname__
    SourceFilePtr file;
    Location at;
    std::vector<Parameter> parameters;
    bool has_varargs = false;   ///< the last parameter is *args
    std::vector<StmtPtr> body;  ///< a lambda's body is one Return
    /// Nested functions: names taken from the enclosing function's locals.
    std::vector<std::string> free_variables;
    /// jit(device=True, inline=...) settings.
    bool is_device = false;
    bool force_inline = false;
    /// A device function's declared signatures, as parse_signature reads them; empty: the types are inferred.
    std::vector<std::string> signatures;
    /// Distinguishes functions of one name: content-independent, unique in the process.
    std::uint64_t id = 0;
};
using FunctionPtr = std::shared_ptr<const Function>;

}  // namespace lanewise::syntax
