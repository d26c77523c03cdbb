// RelaxedCapture: calls of the runtime's own during captures.
#pragma once

#include "backend/cuda/driver.h"

namespace lanewise::cuda {

/// In CUDA's stricter modes of capture, the driver refuses calls that might wait for other streams, such as allocating
/// memory and loading modules: in the thread that captures, or in all. Calls of the runtime that captured work does not
/// depend on are made in a scope of this.
class RelaxedCapture {
public:
    RelaxedCapture() { driver.cuThreadExchangeStreamCaptureMode(&mode_); }
    ~RelaxedCapture() { driver.cuThreadExchangeStreamCaptureMode.status(&mode_); }
    RelaxedCapture(const RelaxedCapture&) = delete;
    RelaxedCapture& operator=(const RelaxedCapture&) = delete;

private:
    CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
};

}  // namespace lanewise::cuda
