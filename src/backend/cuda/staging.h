// Staging: copies between pageable host memory and the device through pinned buffers filled by several threads.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backend/cuda/device.h"

namespace lanewise::cuda {

/// One a device. Thread-safe: transfers running at the same time use rings of buffers of their own.
class Staging {
public:
    /// Below this size the driver's own staging is as fast.
    static constexpr std::size_t threshold = std::size_t(1) << 20;

    explicit Staging(CudaDevice& device);
    ~Staging();

    /// False when nothing was done because no pinned memory can be had now; the caller then copies through the driver.
    /// The device's context is current. On return `src` has been read; the device's part is ordered on `stream`.
    bool upload(CUdeviceptr dst, const void* src, std::size_t bytes, CUstream stream);
    /// As upload; on return `dst` is complete.
    bool download(void* dst, CUdeviceptr src, std::size_t bytes, CUstream stream);

private:
    class Ring;
    class Lease;
    Ring* acquire(CUstream stream, std::size_t slots);

    CudaDevice& device_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace lanewise::cuda
