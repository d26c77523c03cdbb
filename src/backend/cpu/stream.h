// CpuStream: the face of a WorkQueue.
#pragma once

#include <optional>

#include "backend/cpu/stream_order.h"
#include "lanewise/device.h"

namespace lanewise::cpu {

class CpuCapture;
class CpuDevice;

class CpuStream final : public Stream {
public:
    CpuStream(CpuDevice& device, StreamKind kind, QueueRole role, std::shared_ptr<WorkQueue> queue);
    ~CpuStream() override;

    Device& device() const override;
    StreamKind kind() const override { return kind_; }
    bool is_blocking() const override { return role_ != QueueRole::NonBlocking; }
    std::uintptr_t handle() const override;

    void launch(Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> params) override;
    void copy_to_device(void* dst, const void* src, std::size_t bytes) override;
    /// Into pageable memory this waits, and throws what earlier commands of the stream reported, as synchronize() does.
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
    bool is_capturing() override { return is_captured(); }

    /// A launch of a graph; none for its place when it became part of another.
    std::optional<QueuePoint> push_replay(std::unique_ptr<Command> replay);

private:
    /// The number in the queue; 0 when the command is captured.
    std::uint64_t push(std::unique_ptr<Command> command);
    std::shared_ptr<CpuCapture> own_capture() const;
    /// The legacy default stream comes after blocking streams, so it cannot be used while one is captured.
    void require_no_capture_before(const char* call);
    /// Runs `work` on the calling thread if the stream has nothing to do before it; whether it did.
    template <class Work>
    bool run_now(Work work);

    CpuDevice& device_;
    const StreamKind kind_;
    const QueueRole role_;
    const std::shared_ptr<WorkQueue> queue_;
};

}  // namespace lanewise::cpu
