// Finds the CUDA devices.
#include <fmt/format.h>

#include "backend/cuda/device.h"
#include "runtime/backend.h"

namespace lanewise::backend {

std::vector<std::unique_ptr<Device>> cuda_devices(std::string& unavailable_reason) {
    std::vector<std::unique_ptr<Device>> devices;
    unavailable_reason = cuda::driver.load();
    if (!unavailable_reason.empty()) return devices;
    try {
        int count = 0;
        cuda::driver.cuDeviceGetCount(&count);
        for (int i = 0; i < count; ++i) devices.push_back(std::make_unique<cuda::CudaDevice>(i));
        if (count == 0)
            unavailable_reason = fmt::format(
                "the CUDA driver ({}) is there but shows no device; see CUDA_VISIBLE_DEVICES and nvidia-smi",
                cuda::version_text(cuda::driver.version()));
    } catch (const Error& error) {
        devices.clear();
        unavailable_reason = error.what();
    }
    return devices;
}

int cuda_driver_version() {
    return cuda::driver.version();
}

std::string cuda_error_text(int code) {
    const char* text = nullptr;
    if (!cuda::driver.cuGetErrorString ||
        cuda::driver.cuGetErrorString.status(static_cast<cuda::CUresult>(code), &text) != cuda::CUDA_SUCCESS || !text)
        return "";
    return text;
}

}  // namespace lanewise::backend
