// What a kernel wrote into an error slot, turned into the Error a user sees; shared by all backends.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "lanewise/image.h"
#include "runtime/error_slot.h"

namespace lanewise {

/// Error(KernelRaised) with the site's text, its {0}, {1}, ... replaced by the values, kernel, thread and block, and
/// the source line with a caret. Error(Internal) when the image has no such site.
Error raised_error(const Image& image, const EntryPoint& entry, const ErrorSlot& report);

/// `message` with {0}, {1}, ... replaced by the values; a number without a value stays as it is.
std::string fill_placeholders(const std::string& message, std::span<const std::int64_t> values);

}  // namespace lanewise
