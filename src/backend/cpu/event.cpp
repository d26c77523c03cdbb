#include "backend/cpu/event.h"

#include <fmt/format.h>

namespace lanewise::cpu {

namespace {

std::uintptr_t next_handle() {
    static std::atomic<std::uintptr_t> last{0};
    return ++last;
}

bool reached(const CpuEvent::Record& record) {
    return record.point.queue->done(record.point.sequence);
}

}  // namespace

std::shared_ptr<CpuCapture> CpuEvent::Record::open_capture(const char* call) const {
    const std::shared_ptr<CpuCapture> open = capture.lock();
    if (open && open->is_open()) return open;
    throw capture_error(CaptureFault::CapturedEvent,
                        fmt::format("{}: the event was recorded while its stream was captured, and that has ended; "
                                    "record it again",
                                    call));
}

void CpuEvent::require_work(const Record& record, const char* call) {
    if (record.captured) fail_captured_event(*record.open_capture(call), call);
}

CpuEvent::CpuEvent(Device& device, bool timing) : device_(device), timing_(timing), handle_(next_handle()) {}

void CpuEvent::set_record(std::shared_ptr<const Record> record) {
    std::lock_guard lock(mutex_);
    record_.swap(record);
}

std::shared_ptr<const CpuEvent::Record> CpuEvent::record() const {
    std::lock_guard lock(mutex_);
    return record_;
}

bool CpuEvent::query() {
    std::shared_ptr<const Record> last = record();
    if (!last) return true;
    require_work(*last, "Event::query");
    return reached(*last);
}

void CpuEvent::synchronize() {
    std::shared_ptr<const Record> last = record();
    if (!last) return;
    require_work(*last, "Event::synchronize");
    WorkQueue& queue = *last->point.queue;
    queue.wait(last->point.sequence);
    queue.errors().throw_of(queue.id(), last->point.sequence);
}

std::int64_t CpuEvent::reached_ns(const char* which) const {
    if (!timing_)
        throw Error(ErrorKind::Value, fmt::format("Event::elapsed_ms: the {} event was created without timing", which));
    std::shared_ptr<const Record> last = record();
    if (!last)
        throw Error(ErrorKind::Value, fmt::format("Event::elapsed_ms: the {} event has not been recorded", which));
    require_work(*last, "Event::elapsed_ms");
    if (!reached(*last))
        throw Error(ErrorKind::Value,
                    fmt::format("Event::elapsed_ms: the {} event is not reached yet; synchronize it first", which));
    return last->reached_ns.load(std::memory_order_relaxed);
}

float CpuEvent::elapsed_ms(Event& start) {
    auto* first = dynamic_cast<CpuEvent*>(&start);
    if (!first)
        throw Error(ErrorKind::Value, fmt::format("Event::elapsed_ms: the start event is of {}, the end event of {}",
                                                  start.device().name(), device_.name()));
    std::int64_t from = first->reached_ns("start");
    return static_cast<float>(static_cast<double>(reached_ns("end") - from) * 1e-6);
}

}  // namespace lanewise::cpu
