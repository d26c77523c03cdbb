// Waiting for an event without taking the error reports that Event::synchronize() would throw.
#pragma once

#include <chrono>
#include <thread>

#include "lanewise/device.h"

namespace lanewise {

/// Returns once `event` is done; whoever synchronises next still gets what kernels before it reported.
/// Error(Driver) when the device itself has failed.
inline void wait_without_report(Event& event) {
    using namespace std::chrono_literals;
    for (auto pause = 1us; !event.query(); pause = pause < 200us ? pause * 2 : pause)
        std::this_thread::sleep_for(pause);
}

}  // namespace lanewise
