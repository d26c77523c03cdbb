// Repacking: how arguments of one signature are passed to a kernel compiled for another (declared) one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "jit/signature.h"

namespace lanewise::jit {

class Repacking {
public:
    /// None when some argument does not convert: scalars convert to wider kinds (bool, integer, float, complex; any
    /// width), C and F arrays to layout A, writable arrays to read-only ones, tuples item by item.
    static std::optional<Repacking> plan(std::span<const Code> from, std::span<const Code> to);

    /// How far the argument types are from the declared ones; the least wins among several declarations.
    int cost() const { return cost_; }
    std::size_t bytes() const { return bytes_; }
    /// `to` has room for bytes() bytes, 8-byte aligned.
    void apply(const std::byte* from, std::byte* to) const;

private:
    struct Step {
        Code from, to;
        std::uint32_t from_offset, to_offset;
    };
    std::vector<Step> steps_;
    std::size_t bytes_ = 0;
    int cost_ = 0;
};

}  // namespace lanewise::jit
