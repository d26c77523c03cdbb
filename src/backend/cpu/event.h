// CpuEvent: a point in a queue's work, with its time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "backend/cpu/work_queue.h"
#include "lanewise/device.h"

namespace lanewise::cpu {

class CpuEvent final : public Event {
public:
    /// What one record() stands for; the command that reaches it fills in the time.
    struct Record {
        QueuePoint point;
        std::atomic<std::int64_t> reached_ns{0};
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

    Device& device_;
    const bool timing_;
    const std::uintptr_t handle_;
    mutable std::mutex mutex_;
    std::shared_ptr<const Record> record_;
};

}  // namespace lanewise::cpu
