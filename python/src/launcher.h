// Launcher: `kernel[grid, block]`, a callable with its launch configuration.
#pragma once

#include <nanobind/nanobind.h>

#include "kernel_object.h"

namespace lanewise::bindings {

void bind_launcher(nanobind::module_& m);

/// The launcher of `kernel` (a KernelFunction) for these settings; the same object as last time where it is still
/// known.
nanobind::object launcher_for(nanobind::handle kernel, const LaunchSettings& settings);
const LaunchSettings& settings_of(nanobind::handle launcher);

/// Reads what stands between the brackets of `kernel[...]`.
LaunchSettings read_settings(nanobind::handle config);
LaunchSettings read_settings(nanobind::handle grid, nanobind::handle block, nanobind::handle stream,
                             nanobind::handle shared, nanobind::handle cluster, bool cooperative);

/// Extents from an int or a sequence of one to three of them; `what` names them in errors.
Dim3 read_dim3(nanobind::handle object, const char* what);
/// Bytes of dynamic shared memory; 0 for None.
std::uint32_t read_shared_bytes(nanobind::handle shared);

}  // namespace lanewise::bindings
