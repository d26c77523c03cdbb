// Where a running kernel reports that it raises, in the same layout on all devices. Plain C layout: the code generators
// emit accesses by offset, so a change here is a change of the cpu device's `abi_version` and of the code generator's.
#pragma once

#include <cstdint>

namespace lanewise {

/// Report of the first raise in a launch; `claimed` goes 0 -> 1 by compare-and-swap, the winner fills the rest.
struct ErrorSlot {
    std::uint32_t claimed;
    std::uint32_t site;  ///< index into Image::raise_sites
    std::uint32_t thread[3];
    std::uint32_t block[3];
    std::int64_t values[6];
};

/// Name of the slot where it is a global variable of the module: on devices whose kernels are not handed one.
inline constexpr char error_slot_symbol[] = "__lanewise_error";

}  // namespace lanewise
