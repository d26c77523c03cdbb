#include "backend/cuda/event.h"

#include <fmt/format.h>

#include "backend/cuda/context.h"
#include "backend/cuda/driver_error.h"
#include "backend/cuda/raise_watch.h"
#include "backend/cuda/stream.h"
#include "runtime/capture.h"

namespace lanewise::cuda {

CudaEvent::CudaEvent(CudaDevice& device, bool timing, bool blocking_sync) : device_(device), timing_(timing) {
    ContextScope scope(device_);
    unsigned flags =
        (timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING) | (blocking_sync ? CU_EVENT_BLOCKING_SYNC : 0);
    driver.cuEventCreate(&handle_, flags);
}

CudaEvent::~CudaEvent() {
    driver.cuEventDestroy.status(handle_);
}

void CudaEvent::record_on(CudaStream& stream) {
    if (&stream.cuda_device() != &device_)
        throw Error(ErrorKind::Value,
                    fmt::format("record: the event belongs to {} and the stream to {}; record an event "
                                "of the stream's own device",
                                device_.name(), stream.device().name()));
    driver.cuEventRecord(handle_, stream.queue());
    std::lock_guard lock(mutex_);
    recorded_ = true;
    const std::shared_ptr<Capture> open = stream.capture();
    captured_ = open != nullptr;
    capture_ = open;
    if (RaiseWatch::is_watching(stream))
        raising_stream_ = std::static_pointer_cast<CudaStream>(stream.shared_from_this());
    else
        raising_stream_.reset();
}

std::shared_ptr<Capture> CudaEvent::open_capture() {
    std::lock_guard lock(mutex_);
    const std::shared_ptr<Capture> capture = capture_.lock();
    return capture && capture->is_open() ? capture : nullptr;
}

void CudaEvent::require_work(const char* call) {
    {
        std::lock_guard lock(mutex_);
        if (!captured_) return;
    }
    if (const std::shared_ptr<Capture> open = open_capture()) fail_captured_event(*open, call);
    throw capture_error(CaptureFault::CapturedEvent,
                        fmt::format("{}: the event was recorded while its stream was captured, and that has ended; "
                                    "record it again",
                                    call));
}

bool CudaEvent::query() {
    require_work("Event::query");
    CUresult result = driver.cuEventQuery.status(handle_);
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY) fail(result, driver.cuEventQuery.name());
    return result == CUDA_SUCCESS;
}

void CudaEvent::synchronize() {
    require_work("Event::synchronize");
    ContextScope scope(device_);
    driver.cuEventSynchronize(handle_);
    std::shared_ptr<CudaStream> raising;
    {
        std::lock_guard lock(mutex_);
        raising = raising_stream_.lock();
    }
    if (raising) device_.raise_watch().look(*raising);
}

float CudaEvent::elapsed_ms(Event& start) {
    auto* first = dynamic_cast<CudaEvent*>(&start);
    if (!first || &first->device_ != &device_)
        throw Error(ErrorKind::Value, fmt::format("elapsed_ms: the start event belongs to {} and the end event to {}",
                                                  start.device().name(), device_.name()));
    for (CudaEvent* event : {first, this}) {
        const char* which = event == this ? "end" : "start";
        if (!event->timing_)
            throw Error(ErrorKind::Value, fmt::format("elapsed_ms: the {} event was made without timing", which));
        event->require_work("Event::elapsed_ms");
        std::lock_guard lock(event->mutex_);
        if (!event->recorded_)
            throw Error(ErrorKind::Value,
                        fmt::format("elapsed_ms: the {} event was never recorded on a stream", which));
    }
    ContextScope scope(device_);
    float milliseconds = 0;
    CUresult result = driver.cuEventElapsedTime.status(&milliseconds, first->handle_, handle_);
    if (result == CUDA_ERROR_NOT_READY)
        throw driver_error(result, "elapsed_ms: the work before the end event is still running; synchronize it first");
    if (result != CUDA_SUCCESS) fail(result, driver.cuEventElapsedTime.name());
    return milliseconds;
}

}  // namespace lanewise::cuda
