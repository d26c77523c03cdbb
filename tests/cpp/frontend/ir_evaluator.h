// Runs an ir::Function on the host, operation by operation: what the front end emitted, without a code generator.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/function.h"

namespace lanewise::testing {

/// How a thread ended: with results, or at a raise site.
struct Outcome {
    std::vector<std::uint64_t> results;
    std::optional<std::uint32_t> raised;  ///< raise site
    std::vector<std::int64_t> raise_values;
};

/// Runs one thread, thread and block 0 of a grid of one block of one thread. Pointers are host addresses; globals live
/// at their data. Barriers do nothing; atomics are plain.
Outcome run_thread(const ir::Function& function, const std::vector<std::uint64_t>& arguments);

/// The bits of the results of a function that does not raise.
std::vector<std::uint64_t> evaluate(const ir::Function& function, const std::vector<std::uint64_t>& arguments);

}  // namespace lanewise::testing
