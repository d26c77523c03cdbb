// CpuEvent: a point in a queue's work, with its time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "backend/cpu/graph.h"
#include "backend/cpu/work_queue.h"
#include "lanewise/device.h"

namespace lanewise::cpu {

class CpuEvent final : public Event {
public:
    /// What one record() stands for; the command that reaches it fills in the time.
    struct Record {
        QueuePoint point;
        std::atomic<std::int64_t> reached_ns{0};
        /// Recorded on a captured stream: stands for a point of the graph to be.
        std::optional<CapturedPoint> captured;
        std::weak_ptr<CpuCapture> capture;

        /// The capture of a captured record; Error(Driver) naming `call` when it has ended.
        std::shared_ptr<CpuCapture> open_capture(const char* call) const;
    };

    CpuEvent(Device& device, bool timing);

    Device& device() const override { return device_; }
    std::uintptr_t handle() const override { return handle_; }
    bool query() override;
    /// Also throws what the commands before the event reported.
    void synchronize() override;
    float elapsed_ms(Event& start) override;

    void set_record(std::shared_ptr<const Record> record);
    /// Null before the first record.
    std::shared_ptr<const Record> record() const;

private:
    std::int64_t reached_ns(const char* which) const;
    /// Error(Driver) for a captured record, of which nobody can know when it is reached.
    static void require_work(const Record& record, const char* call);

    Device& device_;
    const bool timing_;
    const std::uintptr_t handle_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Record> record_;
};

}  // namespace lanewise::cpu
