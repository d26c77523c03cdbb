// What an ir::Value can be: the opcodes, and the tables of scalar operations, intrinsics and atomics.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanewise::ir {

enum class ScalarOp : std::uint16_t {
#define LANEWISE_SCALAR(Id, ...) Id,
#include "lanewise/tables/scalar.def"
#undef LANEWISE_SCALAR
};

struct ScalarInfo {
    std::string_view name, operands;
    char result;
    std::string_view kinds, lowering;
    bool is_math() const { return lowering.starts_with("math:"); }
    std::string_view math_name() const { return is_math() ? lowering.substr(5) : std::string_view(); }
};
const ScalarInfo& info(ScalarOp op);

enum class Intrinsic : std::uint16_t {
#define LANEWISE_INTRINSIC(Id, ...) Id,
#include "lanewise/tables/intrinsics.def"
#undef LANEWISE_INTRINSIC
};

enum class Effects : std::uint8_t { pure, convergent, barrier, memory };
enum class Uniformity : std::uint8_t { uniform, varying };

struct IntrinsicInfo {
    std::string_view name, operands, results;
    Effects effects;
    Uniformity uniformity;
};
const IntrinsicInfo& info(Intrinsic intrinsic);

/// Atomic read-modify-write; relaxed, device scope; gives the old value.
enum class AtomicOp : std::uint8_t {
    Add,  ///< integers wrap; float32, float64
    Sub,
    Min,  ///< floats: a stored NaN stays, a NaN operand is ignored
    Max,
    NanMin,  ///< floats: NaN counts as missing on either side
    NanMax,
    And,
    Or,
    Xor,  ///< integers
    Exchange,
    Increment,  ///< unsigned: old >= operand ? 0 : old + 1
    Decrement,  ///< unsigned: old == 0 || old > operand ? operand : old - 1
};
std::string_view name(AtomicOp op);

/// Cache operators of loads and stores (PTX ISA, "Cache Operators"); a target without them ignores all but Volatile.
enum class CacheHint : std::uint8_t { None, Ca, Cg, Cs, Lu, Cv, Wb, Wt, Volatile };

enum class Op : std::uint8_t {
    Parameter,      ///< function parameter number `index`
    Constant,       ///< `bits` reinterpreted as the type (bool: 0 or 1; floats by their bits; null pointers: 0)
    GlobalAddress,  ///< pointer to `global`
    DynamicShared,  ///< pointer to the start of the launch's dynamic shared memory
    LocalArray,     ///< `index` bytes of thread-private memory, `align`; entry block only
    Phi,            ///< operands[i] comes from incoming[i]
    Scalar,         ///< `scalar`(operands)
    /// Numeric conversion of operands[0]. Float to int truncates and saturates (8-bit results: at 16 bits, then wraps,
    /// but from float16 at 8 bits); NaN gives 0. To bool: != 0, true for NaN.
    Cast,
    Bitcast,      ///< same size reinterpretation; also pointer <-> int64 and pointer space changes
    PointerAdd,   ///< operands[0] + operands[1] (int64) * `index` bytes
    Load,         ///< of `type` at operands[0]; `align`, `hint`
    Store,        ///< operands[1] to operands[0]
    Atomic,       ///< `atomic` at operands[0] with operands[1]
    CompareSwap,  ///< at operands[0]: if equal to operands[1] store operands[2]; gives the old value
    Intrinsic,    ///< `intrinsic`(operands)
    Call,         ///< `callee`(operands)
    External,     ///< function `symbol`(operands) of libdevice, e.g. "__nv_sinf"; pure unless `has_memory_effect`
    Result,       ///< result number `index` of operands[0], a Call, External or Intrinsic with several results
    Print,        ///< printf: format `text` (CUDA's conversions), operands; char* operands are GlobalAddress
    // Terminators.
    Branch,      ///< to targets[0]
    CondBranch,  ///< operands[0] (bool) ? targets[0] : targets[1]
    Return,      ///< operands are the results
    Raise,       ///< reports raise site `index` with int64 operands (at most 6) and ends the thread
    Unreachable,
};
std::string_view name(Op op);
constexpr bool is_terminator(Op op) {
    return op >= Op::Branch;
}

}  // namespace lanewise::ir
