#include "backend/cpu/stream.h"

#include <fmt/format.h>

#include "backend/cpu/bytes.h"
#include "backend/cpu/device.h"
#include "backend/cpu/event.h"
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

Device& CpuStream::device() const {
    return device_;
}

std::uintptr_t CpuStream::handle() const {
    return role_ == QueueRole::Default ? 1 : queue_->id();
}

std::uint64_t CpuStream::push(std::unique_ptr<Command> command) {
    std::vector<QueuePoint> before = device_.order().before_next(*queue_, role_);
    if (command->after.empty())
        command->after = std::move(before);
    else
        command->after.insert(command->after.end(), before.begin(), before.end());
    return queue_->push(std::move(command));
}

template <class Work>
bool CpuStream::run_now(Work work) {
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
    if (bytes <= snapshot_bytes) {
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
    if (!record || own->query()) return;
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
    return queue_->idle() && device_.order().before_next(*queue_, role_).empty();
}

void CpuStream::synchronize() {
    std::uint64_t last = queue_->pushed();
    // The default stream is also behind what its next work would wait for.
    if (role_ == QueueRole::Default)
        for (const QueuePoint& point : device_.order().before_next(*queue_, role_)) point.queue->wait(point.sequence);
    queue_->wait(last);
    queue_->errors().throw_of(queue_->id(), last);
}

}  // namespace lanewise::cpu
