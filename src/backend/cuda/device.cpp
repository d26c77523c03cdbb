#include "backend/cuda/device.h"

#include <fmt/format.h>

#include <utility>

#include "backend/cuda/context.h"
#include "backend/cuda/event.h"
#include "backend/cuda/host_calls.h"
#include "backend/cuda/jit_warmup.h"
#include "backend/cuda/module.h"
#include "backend/cuda/raise_watch.h"
#include "backend/cuda/staging.h"
#include "backend/cuda/stream.h"

namespace lanewise::cuda {

CudaDevice::CudaDevice(int ordinal)
    : ordinal_(ordinal),
      name_(fmt::format("cuda:{}", ordinal)),
      host_calls_(std::make_unique<HostCalls>()),
      raise_watch_(std::make_unique<RaiseWatch>(*this)),
      staging_(std::make_unique<Staging>(*this)),
      pool_(*this) {
    driver.cuDeviceGet(&handle_, ordinal);
    char model[256] = {};
    driver.cuDeviceGetName(model, sizeof model, handle_);
    model_ = model;
    major_ = driver_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    minor_ = driver_attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    shares_page_tables_ = driver_attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES) != 0;
}

CudaDevice::~CudaDevice() = default;

int CudaDevice::driver_attribute(CUdevice_attribute which) const {
    int value = 0;
    driver.cuDeviceGetAttribute(&value, which, handle_);
    return value;
}

CUcontext CudaDevice::retain_context() {
    std::lock_guard lock(mutex_);
    if (CUcontext context = context_.load(std::memory_order_relaxed)) return context;
    CUcontext context = nullptr;
    driver.cuDevicePrimaryCtxRetain(&context, handle_);
    context_.store(context, std::memory_order_release);
    warm_up_jit(context, major_);
    return context;
}

void CudaDevice::make_current() {
    CUcontext current = nullptr;
    driver.cuCtxGetCurrent(&current);
    if (current != context()) driver.cuCtxSetCurrent(context());
}

std::string CudaDevice::uuid() const {
    CUuuid uuid{};
    driver.cuDeviceGetUuid(&uuid, handle_);
    return std::string(uuid.bytes, sizeof uuid.bytes);
}

std::string CudaDevice::target() const {
    // From 9.0 on, "a" code may use what only this very architecture has (wgmma, TMA variants).
    return fmt::format("sm_{}{}{}", major_, minor_, major_ >= 9 ? "a" : "");
}

std::int64_t CudaDevice::attribute(DeviceAttribute which) {
    return driver_attribute(static_cast<CUdevice_attribute>(which));
}

MemoryInfo CudaDevice::memory_info() {
    ContextScope scope(*this);
    MemoryInfo info;
    driver.cuMemGetInfo(&info.free, &info.total);
    return info;
}

std::shared_ptr<Stream> CudaDevice::default_stream() {
    std::lock_guard lock(mutex_);
    if (!null_stream_) null_stream_ = std::make_shared<CudaStream>(*this, StreamKind::Null, nullptr);
    return null_stream_;
}

std::shared_ptr<Stream> CudaDevice::per_thread_stream() {
    thread_local std::vector<std::shared_ptr<CudaStream>> streams;
    for (const auto& stream : streams)
        if (&stream->device() == this) return stream;
    streams.push_back(
        std::make_shared<CudaStream>(*this, StreamKind::PerThread, reinterpret_cast<CUstream>(CU_STREAM_PER_THREAD)));
    return streams.back();
}

std::shared_ptr<Stream> CudaDevice::create_stream(bool blocking, int priority) {
    ContextScope scope(*this);
    CUstream handle = nullptr;
    driver.cuStreamCreateWithPriority(&handle, blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING, priority);
    return std::make_shared<CudaStream>(*this, StreamKind::Owned, handle, blocking);
}

std::shared_ptr<Stream> CudaDevice::external_stream(std::uintptr_t handle) {
    if (handle == 0) return default_stream();
    if (handle == CU_STREAM_PER_THREAD) return per_thread_stream();
    auto raw = reinterpret_cast<CUstream>(handle);
    unsigned flags = CU_STREAM_DEFAULT;
    if (handle != CU_STREAM_LEGACY) {
        ContextScope scope(*this);
        CUcontext owner = nullptr;
        CUresult result = driver.cuStreamGetCtx.status(raw, &owner);
        if (result == CUDA_SUCCESS && owner != context())
            throw Error(
                ErrorKind::Value,
                fmt::format("external_stream({:#x}): the stream belongs to another device or to a context that is "
                            "not the primary context of {}; lanewise works in primary contexts only",
                            handle, name_));
        if (result != CUDA_SUCCESS) fail(result, "cuStreamGetCtx");
        // Asked for the flags of a stream that is captured, the driver gives up the capture. Taken for one that is
        // ordered with no other, such a stream gets events where it has to wait.
        CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
        driver.cuStreamIsCapturing(raw, &capture);
        if (capture == CU_STREAM_CAPTURE_STATUS_NONE)
            driver.cuStreamGetFlags(raw, &flags);
        else
            flags = CU_STREAM_NON_BLOCKING;
    }
    std::lock_guard lock(mutex_);
    if (handle == CU_STREAM_LEGACY) {
        if (!legacy_stream_) legacy_stream_ = std::make_shared<CudaStream>(*this, StreamKind::Legacy, raw);
        return legacy_stream_;
    }
    std::erase_if(external_streams_, [](const auto& known) { return known.second.expired(); });
    std::weak_ptr<CudaStream>& known = external_streams_[handle];
    if (auto stream = known.lock()) return stream;
    auto stream = std::make_shared<CudaStream>(*this, StreamKind::External, raw, !(flags & CU_STREAM_NON_BLOCKING));
    known = stream;
    return stream;
}

std::shared_ptr<Event> CudaDevice::create_event(bool timing, bool blocking_sync) {
    return std::make_shared<CudaEvent>(*this, timing, blocking_sync);
}

std::shared_ptr<Module> CudaDevice::load(Image image) {
    return std::make_shared<CudaModule>(*this, std::move(image));
}

void CudaDevice::synchronize() {
    raise_watch_->synchronize_all();
    host_calls_->collect(nullptr);
}

}  // namespace lanewise::cuda
