// The instructions of PTX that have a translation: one row each, in a table for each kind.
#pragma once

#include "backend/cpu/target/ptx_code.h"

namespace lanewise::cpu::ptx {

struct Row {
    llvm::StringLiteral name;  ///< the opcode's first part
    void (*emit)(Code& code);
};

llvm::ArrayRef<Row> arithmetic_rows();  ///< integer and floating-point: add, mad, min, ...
llvm::ArrayRef<Row> float_rows();       ///< floating-point only
llvm::ArrayRef<Row> bit_rows();
llvm::ArrayRef<Row> choice_rows();  ///< comparisons, selections, moves, conversions
llvm::ArrayRef<Row> memory_rows();
llvm::ArrayRef<Row> thread_rows();  ///< barriers, exchanges, control

// Floating-point forms of arithmetic rows.
void add_float(Code& code);
void subtract_float(Code& code);
void multiply_float(Code& code);
void multiply_add_float(Code& code);
void divide_float(Code& code);
void extremum_float(Code& code, bool is_max);

/// Subnormal numbers become 0 of their sign if the instruction says .ftz.
llvm::Value* flush(Code& code, llvm::Value* value);
/// What .relu, .sat and .ftz make of a result.
llvm::Value* finish(Code& code, llvm::Value* value);
/// `value` with its subnormals handled, as an operand.
llvm::Value* float_in(Code& code, unsigned i, Type type);

}  // namespace lanewise::cpu::ptx
