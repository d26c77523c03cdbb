#include "backend/cuda/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backend/cuda/context.h"
#include "backend/cuda/event.h"
#include "backend/cuda/graph.h"
#include "backend/cuda/host_calls.h"
#include "backend/cuda/raise_watch.h"
#include "backend/cuda/staging.h"

namespace lanewise::cuda {

namespace {

enum class HostMemory { Pageable, Known };

/// Known: page-locked, managed or device memory, which the driver copies asynchronously. The whole range must be.
HostMemory classify(const void* pointer, std::size_t bytes) {
    unsigned type = 0;
    auto is_known = [&](CUdeviceptr at) {
        return driver.cuPointerGetAttribute.status(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at) == CUDA_SUCCESS &&
               type != 0;
    };
    return is_known(address(pointer)) && is_known(address(pointer) + bytes - 1) ? HostMemory::Known
                                                                                : HostMemory::Pageable;
}

}  // namespace

CudaStream::CudaStream(CudaDevice& device, StreamKind kind, CUstream handle, bool blocking)
    : device_(device), kind_(kind), blocking_(blocking), handle_(handle), owner_(std::this_thread::get_id()) {}

CudaStream::~CudaStream() {
    if (is_captured()) abandon_capture();
    if (watched_.load()) device_.raise_watch().forget(*this);
    if (kind_ == StreamKind::Owned) driver.cuStreamDestroy.status(handle_);
}

CUstream CudaStream::per_thread_queue() const {
    return owner_ == std::this_thread::get_id() ? handle_ : reinterpret_cast<CUstream>(CU_STREAM_LEGACY);
}

void CudaStream::copy_to_device(void* dst, const void* src, std::size_t bytes) {
    if (bytes == 0) return;
    ContextScope scope(device_);
    bool pageable = classify(src, bytes) == HostMemory::Pageable;
    if (pageable && is_captured()) {
        // The caller may reuse the memory: each launch copies what it holds now.
        const std::shared_ptr<Buffer> snapshot = Buffer::create_host(device_, MemoryKind::Pinned, bytes);
        std::memcpy(snapshot->host_data(), src, bytes);
        own_capture()->use(snapshot);
        driver.cuMemcpyAsync(address(dst), address(snapshot->host_data()), bytes, queue());
        return;
    }
    if (pageable && bytes >= Staging::threshold && !is_capturing() &&
        device_.staging().upload(address(dst), src, bytes, queue()))
        return;
    driver.cuMemcpyAsync(address(dst), address(src), bytes, queue());
    // The driver has read pageable memory by now, unless the device reads the host's pages by itself.
    if (pageable && device_.shares_page_tables() && !is_capturing()) driver.cuStreamSynchronize(queue());
}

void CudaStream::copy_to_host(void* dst, const void* src, std::size_t bytes) {
    if (bytes == 0) return;
    ContextScope scope(device_);
    bool pageable = classify(dst, bytes) == HostMemory::Pageable;
    if (pageable && is_captured()) fail_captured_read(*own_capture());
    pageable = pageable && !is_capturing();
    if (!pageable || bytes < Staging::threshold || !device_.staging().download(dst, address(src), bytes, queue())) {
        driver.cuMemcpyAsync(address(dst), address(src), bytes, queue());
        if (pageable && device_.shares_page_tables()) driver.cuStreamSynchronize(queue());
    }
    // Such a copy has waited for the kernels before it: what they report must not be taken for their results.
    if (pageable && watched_.load()) device_.raise_watch().synchronize(*this);
}

void CudaStream::copy_on_device(void* dst, const void* src, std::size_t bytes) {
    if (bytes == 0) return;
    ContextScope scope(device_);
    driver.cuMemcpyAsync(address(dst), address(src), bytes, queue());
}

void CudaStream::record(Event& event) {
    ContextScope scope(device_);
    auto* recorded = dynamic_cast<CudaEvent*>(&event);
    if (!recorded)
        throw Error(ErrorKind::Value,
                    fmt::format("record: the event belongs to {} and the stream to {}; record an event of "
                                "the stream's own device",
                                event.device().name(), device_.name()));
    recorded->record_on(*this);
}

void CudaStream::wait(Event& event) {
    auto* waited = dynamic_cast<CudaEvent*>(&event);
    if (!waited) {
        // Another backend's work cannot be waited for by the GPU.
        event.synchronize();
        return;
    }
    ContextScope scope(device_);
    driver.cuStreamWaitEvent(queue(), waited->raw(), 0);
    // The stream has become a part of the event's capture.
    if (const std::shared_ptr<Capture> open = waited->open_capture(); open && !is_captured())
        open->join(shared_from_this());
}

void CudaStream::host_call(std::function<void()> f) {
    ContextScope scope(device_);
    std::shared_ptr<const void> repeated =
        device_.host_calls().enqueue(this, queue(), std::move(f), /*repeats=*/is_capturing());
    if (!repeated) return;
    if (const std::shared_ptr<CudaCapture> open = own_capture())
        open->keep_host_call(std::move(repeated));
    else
        device_.host_calls().keep(std::move(repeated));
}

void CudaStream::attach(void* memory, ManagedUse use) {
    ContextScope scope(device_);
    // 0 bytes stand for the whole allocation.
    driver.cuStreamAttachMemAsync(queue(), address(memory), 0, static_cast<unsigned>(use));
}

bool CudaStream::query() {
    if (const std::shared_ptr<CudaCapture> open = own_capture()) fail_captured_wait(*open, "query");
    ContextScope scope(device_);
    CUresult result = driver.cuStreamQuery.status(queue());
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY) fail(result, driver.cuStreamQuery.name());
    return result == CUDA_SUCCESS;
}

void CudaStream::synchronize() {
    if (const std::shared_ptr<CudaCapture> open = own_capture()) fail_captured_wait(*open, "synchronize");
    ContextScope scope(device_);
    device_.raise_watch().synchronize(*this);
    device_.host_calls().collect(this);
}

}  // namespace lanewise::cuda
