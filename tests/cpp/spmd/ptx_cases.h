// Inline PTX by table: one row an instruction, with what the PTX ISA defines as its result.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanewise::cpu::testing {

using Bits = std::uint64_t;

/// `text` is an LLVM assembly template. `operands` has one letter for each operand, the result first: h, r, l, f or d
/// as in CUDA C++. `expected` computes the result's bits from those of the inputs, each in the low bits.
struct PtxCase {
    const char* text;
    const char* operands;
    std::function<Bits(Bits a, Bits b, Bits c, Bits d)> expected;
    double tolerance = 0;  ///< relative, of a float result
};

const std::vector<PtxCase>& arithmetic_cases();
const std::vector<PtxCase>& bit_cases();
const std::vector<PtxCase>& float_cases();
const std::vector<PtxCase>& conversion_cases();

/// Runs every case on inputs at the edges of all types and on random ones.
void check(const std::vector<PtxCase>& cases);

}  // namespace lanewise::cpu::testing
