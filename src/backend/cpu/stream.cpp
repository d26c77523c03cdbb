#include "backend/cpu/stream.h"

#include <fmt/format.h>

#include "backend/cpu/bytes.h"
#include "backend/cpu/device.h"
#include "backend/cpu/event.h"
#include "backend/cpu/graph.h"
#include "backend/cpu/launch.h"
#include "backend/cpu/thread_start.h"
#include "runtime/entry_name.h"

namespace lanewise::cpu {

namespace {

/// Up to here copying a host array aside is cheaper than waiting for the stream.
constexpr std::size_t snapshot_bytes = std::size_t{64} << 10;
/// Up to here a copy on an idle stream takes less time than another thread needs to start on it.
constexpr std::size_t immediate_bytes = std::size_t{64} << 10;

void check_range(const char* call, const void* dst, const void* src, std::size_t bytes) {
    if (dst && src) return;
    throw Error(ErrorKind::Value,
                fmt::format("Stream::{}: {} bytes {} a null pointer", call, bytes, dst ? "from" : "to"));
}

class HostCall final : public Command {
public:
    explicit HostCall(std::function<void()> f) : f_(std::move(f)) {}
    void run() override { f_(); }
    bool needs_runtime_thread() const override { return true; }

private:
    std::function<void()> f_;
};

}  // namespace

CpuStream::CpuStream(CpuDevice& device, StreamKind kind, QueueRole role, std::shared_ptr<WorkQueue> queue)
    : device_(device), kind_(kind), role_(role), queue_(std::move(queue)) {}

CpuStream::~CpuStream() {
    if (const std::shared_ptr<CpuCapture> open = own_capture(); open && open->began_on(*this)) open->close();
}

Device& CpuStream::device() const {
    return device_;
}

std::uintptr_t CpuStream::handle() const {
    return role_ == QueueRole::Default ? 1 : queue_->id();
}

std::shared_ptr<CpuCapture> CpuStream::own_capture() const {
    return std::static_pointer_cast<CpuCapture>(capture());
}

void CpuStream::require_no_capture_before(const char* call) {
    if (role_ != QueueRole::Default) return;
    if (const std::shared_ptr<CpuCapture> open = device_.open_capture(/*of_blocking_stream=*/true))
        open->fail(
            CaptureFault::Implicit,
            fmt::format("{}: the legacy default stream comes after the work of blocking streams, and one of them "
                        "is being captured; use another stream, or capture a non-blocking one",
                        call));
}

std::uint64_t CpuStream::push(std::unique_ptr<Command> command) {
    if (const std::shared_ptr<CpuCapture> open = own_capture()) {
        open->add(*this, std::move(command));
        return 0;
    }
    require_no_capture_before("work on the default stream");
    std::vector<QueuePoint> before = device_.order().before_next(*queue_, role_);
    if (command->after.empty())
        command->after = std::move(before);
    else
        command->after.insert(command->after.end(), before.begin(), before.end());
    return queue_->push(std::move(command));
}

template <class Work>
bool CpuStream::run_now(Work work) {
    if (is_captured()) return false;
    require_no_capture_before("work on the default stream");
    if (!queue_->idle() || !device_.order().before_next(*queue_, role_).empty()) return false;
    if (!queue_->try_begin()) return false;
    work();
    queue_->finish();
    return true;
}

void CpuStream::launch(Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> params) {
    auto* own = dynamic_cast<CpuKernel*>(&kernel);
    if (!own)
        throw Error(ErrorKind::Value,
                    fmt::format("launch of kernel '{}': it is loaded on another device than the stream's, cpu",
                                shown_name(kernel.entry())));
    const EntryPoint& entry = own->entry();
    check_launch(device_.limits(), "cpu", entry, own->state().max_threads(),
                 static_cast<std::uint64_t>(own->state().max_dynamic_shared), config, params.size());
    if (config.cooperative || entry.cooperative) {
        std::uint64_t most = static_cast<std::uint64_t>(device_.attribute(DeviceAttribute::MultiprocessorCount)) *
                             static_cast<std::uint64_t>(own->max_active_blocks(static_cast<int>(config.block.count()),
                                                                               config.dynamic_shared_bytes));
        if (config.grid.count() > most)
            throw Error(
                ErrorKind::Value,
                fmt::format("launch of kernel '{}': a cooperative grid of {} blocks; all must run at once, and cpu "
                            "runs at most {} blocks of {} threads",
                            shown_name(entry), config.grid.count(), most, config.block.count()));
    }
    push(make_launch(*own, config, params));
}

void CpuStream::copy_to_device(void* dst, const void* src, std::size_t bytes) {
    if (bytes == 0) return;
    check_range("copy_to_device", dst, src, bytes);
    auto copy = [=] { copy_bytes(dst, src, bytes); };
    if (device_.memory().is_pinned(src, bytes)) {
        push(make_command(copy));
        return;
    }
    if (run_now(copy)) return;
    // A captured copy has what the memory holds now, as the caller may reuse it.
    if (bytes <= snapshot_bytes || is_captured()) {
        std::vector<std::byte> snapshot(bytes);
        copy_bytes(snapshot.data(), src, bytes);
        push(make_command([dst, data = std::move(snapshot)] { copy_bytes(dst, data.data(), data.size()); }));
        return;
    }
    queue_->wait(push(make_command(copy)));
}

void CpuStream::copy_to_host(void* dst, const void* src, std::size_t bytes) {
    if (bytes == 0) return;
    check_range("copy_to_host", dst, src, bytes);
    auto copy = [=] { copy_bytes(dst, src, bytes); };
    if (device_.memory().is_pinned(dst, bytes)) {
        push(make_command(copy));
        return;
    }
    if (const std::shared_ptr<CpuCapture> open = own_capture()) fail_captured_read(*open);
    std::uint64_t last = 0;
    if (!run_now(copy)) {
        last = push(make_command(copy));
        queue_->wait(last);
    }
    queue_->errors().throw_of(queue_->id(), last ? last : queue_->pushed());
}

void CpuStream::copy_on_device(void* dst, const void* src, std::size_t bytes) {
    if (bytes == 0) return;
    check_range("copy_on_device", dst, src, bytes);
    auto copy = [=] { copy_bytes(dst, src, bytes); };
    if (bytes > immediate_bytes || !run_now(copy)) push(make_command(copy));
}

void CpuStream::fill(void* dst, std::uint64_t pattern, int width, std::size_t count) {
    if (width != 1 && width != 2 && width != 4 && width != 8)
        throw Error(ErrorKind::Value, fmt::format("Stream::fill: elements of {} bytes; expected 1, 2, 4 or 8", width));
    if (count == 0) return;
    check_range("fill", dst, dst, count);
    auto work = [=] { fill_elements(dst, pattern, width, count); };
    if (count > immediate_bytes / static_cast<std::size_t>(width) || !run_now(work)) push(make_command(work));
}

void CpuStream::record(Event& event) {
    auto* own = dynamic_cast<CpuEvent*>(&event);
    if (!own)
        throw Error(ErrorKind::Value,
                    fmt::format("Stream::record: the event is of {}, the stream of cpu", event.device().name()));
    auto record = std::make_shared<CpuEvent::Record>();
    if (const std::shared_ptr<CpuCapture> open = own_capture()) {
        record->capture = open;
        record->captured = open->point(*this);
        return own->set_record(std::move(record));
    }
    require_no_capture_before("Stream::record");
    auto reach = [record] { record->reached_ns.store(now_ns(), std::memory_order_relaxed); };
    record->point.queue = queue_;
    std::uint64_t now = 0;
    if (queue_->idle() && device_.order().before_next(*queue_, role_).empty() && (now = queue_->try_begin())) {
        reach();
        queue_->finish();
    }
    record->point.sequence = now ? now : push(make_command(reach));
    own->set_record(std::move(record));
}

void CpuStream::wait(Event& event) {
    auto* own = dynamic_cast<CpuEvent*>(&event);
    if (!own) {
        // Another device's event cannot call back, so the program waits in the stream's place.
        event.synchronize();
        return;
    }
    std::shared_ptr<const CpuEvent::Record> record = own->record();
    if (!record) return;
    const std::shared_ptr<CpuCapture> open = own_capture();
    if (record->captured) {
        const std::shared_ptr<CpuCapture> other = record->open_capture("Stream::wait");
        if (open && open != other)
            open->fail(CaptureFault::Merge, "Stream::wait: the event was recorded in another capture");
        if (role_ == QueueRole::Default)
            other->fail(CaptureFault::Implicit, "Stream::wait: the legacy default stream cannot be captured");
        if (!open) other->join(shared_from_this());
        return other->wait(*this, *record->captured);
    }
    if (open)
        open->fail(
            CaptureFault::Isolation,
            "Stream::wait: the stream is being captured, and the event was recorded outside of the capture; wait "
            "for it before begin_capture()");
    if (own->query()) return;
    if (record->point.queue == queue_) return;
    std::unique_ptr<Command> command = make_command([] {});
    command->after.push_back(record->point);
    push(std::move(command));
}

void CpuStream::host_call(std::function<void()> f) {
    if (!f) throw Error(ErrorKind::Value, "Stream::host_call: empty function");
    push(std::make_unique<HostCall>(std::move(f)));
}

bool CpuStream::query() {
    if (const std::shared_ptr<CpuCapture> open = own_capture()) fail_captured_wait(*open, "query");
    require_no_capture_before("Stream::query");
    return queue_->idle() && device_.order().before_next(*queue_, role_).empty();
}

void CpuStream::synchronize() {
    if (const std::shared_ptr<CpuCapture> open = own_capture()) fail_captured_wait(*open, "synchronize");
    require_no_capture_before("Stream::synchronize");
    std::uint64_t last = queue_->pushed();
    // The default stream is also behind what its next work would wait for.
    if (role_ == QueueRole::Default)
        for (const QueuePoint& point : device_.order().before_next(*queue_, role_)) point.queue->wait(point.sequence);
    queue_->wait(last);
    queue_->errors().throw_of(queue_->id(), last);
}

void CpuStream::begin_capture(CaptureMode mode) {
    // There is nothing here that the stricter modes would have to refuse.
    if (role_ == QueueRole::Default) fail_capture_of_default_stream();
    if (is_captured()) fail_second_capture();
    const auto opened = std::make_shared<CpuCapture>(*this);
    device_.add_capture(opened);
    opened->join(shared_from_this());
}

std::shared_ptr<Graph> CpuStream::end_capture() {
    const std::shared_ptr<CpuCapture> open = own_capture();
    require_origin(open.get(), *this);
    const bool joined = open->all_before(*this);
    open->close();
    open->throw_if_failed();
    if (!joined) fail_unjoined_capture();
    return std::make_shared<CpuGraph>(open);
}

std::optional<QueuePoint> CpuStream::push_replay(std::unique_ptr<Command> replay) {
    const std::uint64_t sequence = push(std::move(replay));
    if (sequence == 0) return std::nullopt;
    return QueuePoint{queue_, sequence};
}

}  // namespace lanewise::cpu
