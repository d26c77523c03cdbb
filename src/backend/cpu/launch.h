// A kernel launch as a command of a stream.
#pragma once

#include <memory>
#include <span>

#include "backend/cpu/module.h"
#include "backend/cpu/work_queue.h"

namespace lanewise::cpu {

/// Runs all blocks over the device's threads; throws what the kernel reported. The configuration has been checked;
/// `parameters` are copied. Keeps the kernel's module loaded.
std::unique_ptr<Command> make_launch(const CpuKernel& kernel, const LaunchConfig& config,
                                     std::span<const std::byte> parameters);

}  // namespace lanewise::cpu
