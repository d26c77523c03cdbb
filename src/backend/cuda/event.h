// CudaEvent: a point in a stream's work.
#pragma once

#include <mutex>

#include "backend/cuda/device.h"

namespace lanewise::cuda {

class CudaEvent final : public Event {
public:
    CudaEvent(CudaDevice& device, bool timing, bool blocking_sync);
    ~CudaEvent() override;

    Device& device() const override { return device_; }
    std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(handle_); }
    bool query() override;
    void synchronize() override;
    float elapsed_ms(Event& start) override;

    void record_on(CudaStream& stream);
    CUevent raw() const { return handle_; }
    /// The capture that the event was recorded in, while that is under way.
    std::shared_ptr<Capture> open_capture();

private:
    CudaDevice& device_;
    CUevent handle_ = nullptr;
    bool timing_;
    std::mutex mutex_;
    void require_work(const char* call);

    bool recorded_ = false;
    /// Recorded on a captured stream: stands for a point of the graph to be.
    bool captured_ = false;
    std::weak_ptr<Capture> capture_;
    /// The stream, if kernels that may raise came before the event there; synchronize() then looks at their reports.
    std::weak_ptr<CudaStream> raising_stream_;
};

}  // namespace lanewise::cuda
