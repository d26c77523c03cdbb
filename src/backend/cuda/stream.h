// CudaStream: a CUstream of a device's primary context, owned or borrowed.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "backend/cuda/device.h"

namespace lanewise::cuda {

class CudaCapture;
class CudaKernel;

class CudaStream final : public Stream {
public:
    /// Takes `handle` over when `kind` is Owned. PerThread: belongs to the calling thread.
    CudaStream(CudaDevice& device, StreamKind kind, CUstream handle, bool blocking = true);
    ~CudaStream() override;

    Device& device() const override { return device_; }
    StreamKind kind() const override { return kind_; }
    bool is_blocking() const override { return blocking_; }
    std::uintptr_t handle() const override { return reinterpret_cast<std::uintptr_t>(handle_); }

    void launch(Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> params) override;
    void copy_to_device(void* dst, const void* src, std::size_t bytes) override;
    void copy_to_host(void* dst, const void* src, std::size_t bytes) override;
    void copy_on_device(void* dst, const void* src, std::size_t bytes) override;
    void fill(void* dst, std::uint64_t pattern, int width, std::size_t count) override;
    void record(Event& event) override;
    void wait(Event& event) override;
    void host_call(std::function<void()> f) override;
    bool query() override;
    void synchronize() override;
    void begin_capture(CaptureMode mode) override;
    std::shared_ptr<Graph> end_capture() override;
    bool is_capturing() override;
    void attach(void* memory, ManagedUse use) override;

    CudaDevice& cuda_device() const { return device_; }
    /// The handle by which the calling thread reaches the stream. Handle 2 means the calling thread's own stream; from
    /// another thread the legacy stream stands in, which comes after all blocking streams' work and before their next.
    CUstream queue() const { return kind_ == StreamKind::PerThread ? per_thread_queue() : handle_; }
    std::shared_ptr<CudaCapture> own_capture() const;
    /// A graph with such a kernel was put on the stream.
    void note_raising(CudaKernel& kernel);

private:
    friend class RaiseWatch;
    /// Why the driver refused this launch: throws Error(Value) with the limit, else Error(Driver).
    [[noreturn]] void refused(CUresult result, CudaKernel& kernel, const LaunchConfig& config,
                              std::size_t parameter_bytes);
    CUstream per_thread_queue() const;
    void abandon_capture();
    /// A captured launch; it has succeeded.
    void note_captured(CudaKernel& kernel);
    void fill_strided(CUdeviceptr dst, std::uint64_t pattern, int width, std::size_t count);

    CudaDevice& device_;
    StreamKind kind_;
    bool blocking_;
    CUstream handle_;
    std::thread::id owner_;
    /// The raising kernel launched last that no synchronisation has looked at; see RaiseWatch.
    std::atomic<const CudaKernel*> watched_{nullptr};
};

}  // namespace lanewise::cuda
