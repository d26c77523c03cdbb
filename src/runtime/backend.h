// The one function each backend exports to the device registry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lanewise/device.h"

namespace lanewise::backend {

/// All CUDA devices in ordinal order. When there is none, `unavailable_reason` says why in one line, and nothing
/// throws.
std::vector<std::unique_ptr<Device>> cuda_devices(std::string& unavailable_reason);

/// The cpu device; there always is one.
std::unique_ptr<Device> cpu_device();

}  // namespace lanewise::backend
