// tests/data/numba_semantics.jsonl.gz: what Numba infers and computes for an expression on kernel values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lanewise/dtype.h"

namespace lanewise::testing {

struct Record {
    std::string op, expression;
    std::optional<DType> a, b;  ///< b: none for unary and literal forms
    std::optional<DType> type;  ///< none: Numba refuses, or the type is complex or float16
    bool refused = false;
    /// Numbers as the file spells them: "12", "-0x1.8p+1", "inf", "true".
    std::vector<std::string> in_a, in_b, out;
};

/// Records whose operands are all bool, integers, float32 or float64.
const std::vector<Record>& semantics_table();

/// A number of the file as the bits of `dtype`.
std::uint64_t encode(const std::string& text, DType dtype);

}  // namespace lanewise::testing
