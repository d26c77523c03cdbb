// Waiting for an event or a stream without taking the error reports that Event::synchronize() would throw.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "base/log.h"
#include "lanewise/device.h"

namespace lanewise {

/// Returns once `event` is done; whoever synchronises next still gets what kernels before it reported.
/// Error(Driver) when the device itself has failed.
inline void wait_without_report(Event& event) {
    using namespace std::chrono_literals;
    for (auto pause = 1us; !event.query(); pause = pause < 200us ? pause * 2 : pause)
        std::this_thread::sleep_for(pause);
}

/// Blocks until the work on `stream` so far is done, without taking the errors that synchronize() reports.
inline void wait_for_work(Stream& stream) noexcept {
    try {
        if (stream.query()) return;
        std::shared_ptr<Event> event = stream.device().create_event(false);
        stream.record(*event);
        wait_without_report(*event);
    } catch (const std::exception& error) {
        // A device that fails here runs nothing any more that could touch the memory.
        log(LogLevel::Warning, [&] { return std::string("waiting for a stream failed: ") + error.what(); });
    }
}

}  // namespace lanewise
