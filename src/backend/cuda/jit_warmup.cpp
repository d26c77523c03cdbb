#include "backend/cuda/jit_warmup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "runtime/backend.h"

namespace lanewise::cuda {

namespace {

std::atomic<bool> started{false};
std::thread* thread = nullptr;
pid_t process = 0;

void wait_at_exit() {
    // A forked child inherits the object but not the thread.
    if (thread && process == getpid() && thread->joinable()) thread->join();
}

/// Failures do not matter here: the first real compile reports its own.
void compile_trivial_kernel(CUcontext context, int compute_major) {
    std::string ptx =
        fmt::format(".version {}\n.target {}\n.address_size 64\n.visible .entry lanewise_warm_up()\n{{\n ret;\n}}\n",
                    compute_major > 7 ? "7.0" : "6.0", compute_major > 7 ? "sm_80" : "sm_50");
    if (driver.cuCtxSetCurrent.status(context) != CUDA_SUCCESS) return;
    CUlinkState link = nullptr;
    if (driver.cuLinkCreate.status(0, nullptr, nullptr, &link) != CUDA_SUCCESS) return;
    // The driver has loaded its compiler by now, and exit handlers run last in first out: this one comes before the
    // compiler's own.
    std::atexit(wait_at_exit);
    void* cubin = nullptr;
    std::size_t size = 0;
    if (driver.cuLinkAddData.status(link, CU_JIT_INPUT_PTX, ptx.data(), ptx.size() + 1, "warm_up", 0, nullptr,
                                    nullptr) == CUDA_SUCCESS)
        driver.cuLinkComplete.status(link, &cubin, &size);
    driver.cuLinkDestroy.status(link);
}

}  // namespace

void warm_up_jit(CUcontext context, int compute_major) {
    if (started.exchange(true)) return;
    process = getpid();
    try {
        thread = new std::thread(compile_trivial_kernel, context, compute_major);
    } catch (const std::system_error&) {
        return;  // no thread to be had: the first compile is slower, nothing else
    }
    // Registered after the driver's own handlers, so it runs before the driver shuts down.
    std::atexit(wait_at_exit);
}

}  // namespace lanewise::cuda

namespace lanewise::backend {

void finish_cuda_background_work() {
    cuda::wait_at_exit();
}

}  // namespace lanewise::backend
