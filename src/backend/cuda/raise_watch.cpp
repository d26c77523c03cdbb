#include "backend/cuda/raise_watch.h"

#include <algorithm>
#include <optional>

#include "backend/cuda/context.h"
#include "backend/cuda/module.h"
#include "backend/cuda/stream.h"
#include "runtime/raise_report.h"

namespace lanewise::cuda {

namespace {

ErrorSlot read(const CudaModule& module, CUstream queue) {
    ErrorSlot slot{};
    driver.cuMemcpyAsync(address(&slot), module.error_slot(), sizeof slot, queue);
    driver.cuStreamSynchronize(queue);
    return slot;
}

}  // namespace

void RaiseWatch::launched(CudaStream& stream, CudaKernel& kernel) {
    // No launch is lost to a synchronisation running at the same time: take() clears the mark before it reads the slots
    // in the stream's order, so when the mark is still seen here, this launch came before that read.
    if (stream.watched_.load(std::memory_order_acquire) == &kernel) return;
    add(&stream, kernel.shared_from_this());
}

bool RaiseWatch::is_watching(const CudaStream& stream) {
    return stream.watched_.load(std::memory_order_acquire) != nullptr;
}

void RaiseWatch::add(CudaStream* stream, std::shared_ptr<CudaKernel> kernel) {
    std::lock_guard lock(mutex_);
    if (stream) stream->watched_.store(kernel.get(), std::memory_order_release);
    for (const Watched& one : watched_)
        if (one.stream == stream && one.kernel == kernel) return;
    watched_.push_back({stream, std::move(kernel)});
}

std::vector<RaiseWatch::Watched> RaiseWatch::take(CudaStream* stream) {
    std::vector<Watched> taken;
    std::lock_guard lock(mutex_);
    for (Watched& one : watched_) {
        if (stream && one.stream != stream) continue;
        if (one.stream) one.stream->watched_.store(nullptr, std::memory_order_release);
        taken.push_back(std::move(one));
    }
    std::erase_if(watched_, [](const Watched& one) { return !one.kernel; });
    return taken;
}

void RaiseWatch::examine(std::vector<Watched> watched, CUstream queue, bool still_watched) {
    std::optional<Error> error;
    std::vector<const CudaModule*> seen;
    for (Watched& one : watched) {
        const CudaModule& module = one.kernel->cuda_module();
        if (std::find(seen.begin(), seen.end(), &module) != seen.end()) continue;
        if (error) {
            // One exception can be thrown; the others' reports wait for the next synchronisation.
            if (!still_watched) add(one.stream, std::move(one.kernel));
            continue;
        }
        seen.push_back(&module);
        ErrorSlot slot = read(module, queue);
        if (!slot.claimed) continue;
        // A kernel on another stream may have claimed the slot just now and be about to fill it.
        driver.cuCtxSynchronize();
        slot = read(module, queue);
        driver.cuMemsetD8Async(module.error_slot(), 0, sizeof slot, queue);
        driver.cuStreamSynchronize(queue);
        error = raised_error(one.kernel->cuda_module().image(), one.kernel->entry(), slot);
    }
    if (error) throw *error;
}

void RaiseWatch::synchronize(CudaStream& stream) {
    std::vector<Watched> taken;
    if (is_watching(stream)) taken = take(&stream);
    driver.cuStreamSynchronize(stream.queue());
    if (!taken.empty()) examine(std::move(taken), stream.queue(), /*still_watched=*/false);
}

void RaiseWatch::look(CudaStream& stream) {
    std::vector<Watched> copies;
    CUstream queue = nullptr;
    {
        std::lock_guard lock(mutex_);
        for (const Watched& one : watched_)
            if (one.stream == &stream) copies.push_back(one);
        if (copies.empty()) return;
        if (!side_stream_)
            side_stream_ =
                std::static_pointer_cast<CudaStream>(device_.create_stream(/*blocking=*/false, /*priority=*/0));
        queue = side_stream_->queue();
    }
    examine(std::move(copies), queue, /*still_watched=*/true);
}

void RaiseWatch::synchronize_all() {
    ContextScope scope(device_);
    std::vector<Watched> taken = take(nullptr);
    driver.cuCtxSynchronize();
    // What is left over after a report is nobody's in particular: its stream may go away meanwhile.
    for (Watched& one : taken) one.stream = nullptr;
    if (!taken.empty()) examine(std::move(taken), nullptr, /*still_watched=*/false);
}

void RaiseWatch::forget(CudaStream& stream) {
    std::lock_guard lock(mutex_);
    for (Watched& one : watched_)
        if (one.stream == &stream) one.stream = nullptr;
}

}  // namespace lanewise::cuda
