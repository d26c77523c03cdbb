// Compaction: the elements that a mask chooses, one after the other.
//
// A mask is read once, into a bit an element; groups of elements count their bits, and the running totals of the counts
// say where a group's elements go. The bits then choose values, or positions.
#pragma once

#include <memory>

#include "array/kernel_code.h"
#include "lanewise/ops.h"

namespace lanewise {

constexpr std::int64_t compact_word = 32, compact_group = 1024;

class Choice {
public:
    /// The true elements of a boolean array, in C order. Waits for the device, for their number.
    explicit Choice(const Array& mask);

    std::int64_t count() const { return count_; }
    /// Those of `values`, one-dimensional and as many as the mask has.
    Array of(const Array& values) const;
    /// Their places, as int64.
    Array positions() const;

private:
    std::shared_ptr<Stream> stream_;
    std::int64_t size_, count_ = 0;
    std::optional<Array> bits_, ends_;  ///< words of each group; the number of elements up to the end of each group
};

struct CompactPlan {
    bool cuda = false;                 ///< a warp for a group; else a thread
    int vector = 1;                    ///< marks, CUDA: elements a thread loads at once
    std::vector<Innermost> innermost;  ///< of the leaves
};

/// The words of bits and the counts of a program's value, a bool.
std::unique_ptr<ir::Module> mark_module(const Program& program, ValueId value, const CompactPlan& plan);
/// The chosen elements of a program's value.
std::unique_ptr<ir::Module> compact_module(const Program& program, ValueId value, const CompactPlan& plan);

}  // namespace lanewise
