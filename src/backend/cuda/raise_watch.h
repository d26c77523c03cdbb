// RaiseWatch: which launched kernels may have raised a Python exception that nobody has looked at yet.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "backend/cuda/device.h"

namespace lanewise::cuda {

class CudaKernel;

/// One a device. A kernel that raises claims its module's error slot; synchronisations read the slots of the kernels
/// launched since the last look, clear what they find and throw it. Thread-safe.
class RaiseWatch {
public:
    explicit RaiseWatch(CudaDevice& device) : device_(device) {}

    /// After a launch of `kernel`, which can raise, on `stream`. One load when it was the last such launch there.
    void launched(CudaStream& stream, CudaKernel& kernel);
    static bool is_watching(const CudaStream& stream);
    /// Waits for the stream and throws what its kernels raised.
    void synchronize(CudaStream& stream);
    /// Throws what kernels of `stream` raised, without waiting for its later work; the kernels stay watched.
    void look(CudaStream& stream);
    /// Waits for the device and throws what any of its kernels raised.
    void synchronize_all();
    /// The stream is going away: its kernels are left to synchronize_all().
    void forget(CudaStream& stream);

private:
    struct Watched {
        CudaStream* stream;
        std::shared_ptr<CudaKernel> kernel;
    };
    std::vector<Watched> take(CudaStream* stream);
    /// Throws the first report found; the kernels behind it go back to the list unless they are on it still.
    void examine(std::vector<Watched> watched, CUstream queue, bool still_watched);
    void add(CudaStream* stream, std::shared_ptr<CudaKernel> kernel);

    CudaDevice& device_;
    std::mutex mutex_;
    std::vector<Watched> watched_;
    std::shared_ptr<CudaStream> side_stream_;
};

}  // namespace lanewise::cuda
