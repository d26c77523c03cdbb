// What each backend exports to the device registry.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lanewise/device.h"

namespace lanewise {
class Blas;
}

namespace lanewise::backend {

/// All CUDA devices in ordinal order. When there is none, `unavailable_reason` says why in one line, and nothing
/// throws.
std::vector<std::unique_ptr<Device>> cuda_devices(std::string& unavailable_reason);

/// The version and the error texts of the CUDA driver: 0 and "" when there is none. cuda_devices has been called.
int cuda_driver_version();
std::string cuda_error_text(int code);

/// Waits for threads the CUDA backend started on its own; nothing to do when there are none.
void finish_cuda_background_work();

/// The cpu device; there always is one.
std::unique_ptr<Device> cpu_device();

/// The libraries of matrix products; null when there is none.
Blas* cuda_blas(Device& device);
Blas* cpu_blas();

}  // namespace lanewise::backend
