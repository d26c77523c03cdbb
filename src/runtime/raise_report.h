// What a kernel wrote into an error slot, turned into the Error a user sees; shared by all backends.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "lanewise/device.h"

namespace lanewise {

struct RaiseReport {
    std::uint32_t site = 0;  ///< index into Image::raise_sites
    Dim3 thread;
    Dim3 block;
    std::array<std::int64_t, 6> values{};
};

/// Error(KernelRaised) with the site's text, its {0}, {1}, ... replaced by the values, kernel, thread and block, and
/// the source line with a caret. Error(Internal) when the image has no such site.
Error raised_error(const Image& image, const EntryPoint& entry, const RaiseReport& report);

/// `message` with {0}, {1}, ... replaced by the values; a number without a value stays as it is.
std::string fill_placeholders(const std::string& message, std::span<const std::int64_t> values);

}  // namespace lanewise
