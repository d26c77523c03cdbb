// A CUDA driver without a GPU: implements the functions of driver.def over host memory, as libfakecuda.so. Device
// memory can be opened by other processes, and by the same one, so that a test may be both sides.
//
// Work is queued and runs, in the order of the calls, when somebody waits for it or asks how far it is: so a test sees
// a buffer that is reused too early. A module is text, a line an item: "kernel NAME PARAMETER_BYTES STATIC_SHARED
// [PARAMETER_SIZE...]" (without sizes: four bytes each) or "global NAME BYTES"; PTX is the same text and links to
// itself behind the line "cubin". Kernels run C++ functions that the test gives by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "backend/cuda/driver_types.h"

namespace fake_cuda {

struct Launch {
    std::string kernel;
    unsigned grid[3], block[3];
    unsigned shared_bytes = 0;
    std::vector<std::byte> parameters;
    bool cooperative = false;
    unsigned cluster[3] = {0, 0, 0};
    lanewise::cuda::CUstream stream = nullptr;
    /// Address of a global of the kernel's module.
    std::function<void*(const std::string&)> global;
};

struct Settings {
    int version = 12080;
    int devices = 2;
    int compute_major = 9, compute_minor = 0;
    std::size_t memory_bytes = std::size_t(1) << 30;
    /// Results that calls give instead of being done, by exported symbol.
    std::map<std::string, lanewise::cuda::CUresult> failures;
    /// What every call gives, as after a device fault; 0: none.
    lanewise::cuda::CUresult fault = lanewise::cuda::CUDA_SUCCESS;
    /// Runs when a launch's turn comes; a result other than success becomes `fault`.
    std::map<std::string, std::function<lanewise::cuda::CUresult(const Launch&)>> kernels;
    /// Streams that are being captured.
    bool capturing = false;
};

#define FAKE_CUDA_EXPORT __attribute__((visibility("default")))

FAKE_CUDA_EXPORT Settings& settings();
/// Names of the driver functions called since the last take_calls(), in order.
FAKE_CUDA_EXPORT std::vector<std::string> take_calls();
/// Options of the last cuLinkCreate.
FAKE_CUDA_EXPORT std::map<int, std::size_t> link_options();
/// Contents of the libraries added to links since the last call.
FAKE_CUDA_EXPORT std::vector<std::string> take_linked_libraries();
/// Work queued and not yet run.
FAKE_CUDA_EXPORT std::size_t pending();
/// Blocks from the driver that nobody has freed.
FAKE_CUDA_EXPORT std::size_t live_allocations();
/// The context current in this thread, and a way to change it behind the backend's back.
FAKE_CUDA_EXPORT lanewise::cuda::CUcontext current_context();
FAKE_CUDA_EXPORT void set_current_context(lanewise::cuda::CUcontext context);
/// Captured graphs and instances of graphs that were not destroyed.
FAKE_CUDA_EXPORT std::size_t live_graphs();
/// Between cuProfilerStart and cuProfilerStop.
FAKE_CUDA_EXPORT bool is_profiling();
/// A context that is nobody's primary one.
FAKE_CUDA_EXPORT lanewise::cuda::CUcontext foreign_context();

}  // namespace fake_cuda
