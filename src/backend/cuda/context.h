// ContextScope: makes a device's primary context current for a scope, and is nearly free when it already is.
#pragma once

#include "backend/cuda/device.h"

namespace lanewise::cuda {

/// Asks the driver which context is current (about 20 ns) rather than remembering it: other libraries of the process
/// change it too. A context of somebody else's that was current comes back at the end of the scope; where none was, the
/// device's stays.
class ContextScope {
public:
    explicit ContextScope(CudaDevice& device) {
        CUcontext wanted = device.context();
        CUcontext current = nullptr;
        driver.cuCtxGetCurrent(&current);
        if (current != wanted) [[unlikely]] {
            driver.cuCtxSetCurrent(wanted);
            previous_ = current;
        }
    }
    ~ContextScope() {
        if (previous_) [[unlikely]]
            driver.cuCtxSetCurrent.status(previous_);
    }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

private:
    CUcontext previous_ = nullptr;
};

}  // namespace lanewise::cuda
