// HostCalls: C++ functions run in a stream's order on the driver's thread, and what is left of them afterwards.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backend/cuda/driver.h"

namespace lanewise::cuda {

/// One a device. A function that ran is destroyed later, on a thread of the program's: what it holds may need the
/// driver to go away, which the driver's own thread must not call. Thread-safe.
class HostCalls {
public:
    /// `owner` is the stream's identity for collect(). `repeats`: the stream is being captured, so the function may run
    /// any number of times, as long as what is returned then lives; else that is null.
    std::shared_ptr<const void> enqueue(const void* owner, CUstream stream, std::function<void()> f, bool repeats);
    /// For good.
    void keep(std::shared_ptr<const void> repeated);
    /// Destroys the functions that ran; then throws the first exception that one of `owner`'s threw (of any owner's
    /// when null).
    void collect(const void* owner);

private:
    struct Call;
    static void run(void* call);

    std::mutex mutex_;
    std::vector<std::shared_ptr<const void>> kept_;
    std::vector<std::function<void()>> spent_;
    std::vector<std::pair<const void*, std::exception_ptr>> errors_;
};

}  // namespace lanewise::cuda
