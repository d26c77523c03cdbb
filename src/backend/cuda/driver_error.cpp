#include "backend/cuda/driver_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <vector>

namespace lanewise::cuda {

namespace {

constexpr unsigned history_size = 8;
std::atomic<unsigned> launches{0};
std::atomic<const std::string*> history[history_size];

std::mutex fault_mutex;
/// The first report of a lost context; later failures refer to it. Never destroyed: destructors at exit may fail too.
std::string& first_fault() {
    static auto* text = new std::string;
    return *text;
}

/// The last labels noted, newest first, without repetition.
std::vector<std::string> last_launches() {
    std::vector<std::string> labels;
    unsigned count = launches.load(std::memory_order_relaxed);
    for (unsigned i = 1; i <= std::min(count, history_size); ++i) {
        const std::string* label = history[(count - i) % history_size].load(std::memory_order_relaxed);
        if (label && std::find(labels.begin(), labels.end(), *label) == labels.end()) labels.push_back(*label);
    }
    return labels;
}

const char* cause(CUresult result) {
    switch (result) {
        case CUDA_ERROR_ILLEGAL_ADDRESS:
            return "a kernel read or wrote an address outside its arrays; run the program with LANEWISE_CHECK=bounds, "
                   "with LANEWISE_DEVICE=cpu or under compute-sanitizer to find the access";
        case CUDA_ERROR_MISALIGNED_ADDRESS:
            return "a kernel used an address that is no multiple of the accessed type's size";
        case CUDA_ERROR_LAUNCH_TIMEOUT:
            return "the kernel ran longer than the display driver's watchdog allows; give each launch less work, or "
                   "use a "
                   "GPU without a display";
        case CUDA_ERROR_ASSERT:
            return "an assert() in a kernel failed; its text is on standard output";
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
            return "a kernel's call stack overflowed or was overwritten";
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_LAUNCH_FAILED:
            return "a kernel ended abnormally (trap, invalid pointer, or corrupted state); run the program with "
                   "LANEWISE_CHECK=bounds, with LANEWISE_DEVICE=cpu or under compute-sanitizer to find the cause";
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case CUDA_ERROR_CONTAINED:
            return "the hardware reported an error that it could not correct; see nvidia-smi -q";
        default:
            return "the device reported a fault";
    }
}

/// What a failed capture comes from; null for other results.
const char* capture_advice(CUresult result) {
    switch (result) {
        case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
            return "the call waits for work, or asks whether it is done, which captured work never is before its graph "
                   "is launched; end the capture first";
        case CUDA_ERROR_STREAM_CAPTURE_INVALIDATED:
            return "a call before could not be captured, and broke the capture; end it";
        case CUDA_ERROR_STREAM_CAPTURE_MERGE:
            return "the event was recorded in another capture";
        case CUDA_ERROR_STREAM_CAPTURE_UNMATCHED:
            return "a capture ends on the stream that it began on";
        case CUDA_ERROR_STREAM_CAPTURE_UNJOINED:
            return "another stream takes part in the capture, and the first stream does not wait for its last work; "
                   "record an event there and wait for it here";
        case CUDA_ERROR_STREAM_CAPTURE_ISOLATION:
            return "a captured stream cannot wait for an event that was recorded outside of the capture; wait for it "
                   "before begin_capture()";
        case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
            return "the legacy default stream comes after the work of blocking streams, and one of them is being "
                   "captured; use another stream, or capture a non-blocking one";
        case CUDA_ERROR_CAPTURED_EVENT:
            return "the event was recorded on a captured stream; record it again outside of the capture";
        case CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD:
            return "a capture that is not in relaxed mode ends in the thread that began it";
        default:
            return nullptr;
    }
}

[[noreturn]] void fail_sticky(CUresult result, const char* call) {
    std::lock_guard lock(fault_mutex);
    std::string& first = first_fault();
    if (!first.empty()) {
        Error error(
            ErrorKind::Driver,
            fmt::format("{}: the device cannot be used any more in this process, because of an earlier fault: {}", call,
                        first));
        error.code = result;
        throw error;
    }
    std::vector<std::string> labels = last_launches();
    first = fmt::format("{}, reported by {}; last kernels launched, newest first: {}", describe(result), call,
                        labels.empty() ? std::string("none by lanewise") : fmt::format("{}", fmt::join(labels, ", ")));
    Error error(
        ErrorKind::Driver,
        fmt::format("{}\n  {}.\n  The device's context is lost: nothing more can be run or copied on it; restart "
                    "the process. Data in host memory is intact.",
                    first, cause(result)));
    error.code = result;
    throw error;
}

}  // namespace

std::string describe(CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    if (driver.cuGetErrorName.status(result, &name) != CUDA_SUCCESS || !name) name = "CUDA error";
    if (driver.cuGetErrorString.status(result, &text) != CUDA_SUCCESS || !text) text = "no description";
    return fmt::format("{} ({}): {}", name, int(result), text);
}

bool is_sticky(CUresult result) {
    switch (result) {
        case CUDA_ERROR_ECC_UNCORRECTABLE:
        case CUDA_ERROR_NVLINK_UNCORRECTABLE:
        case CUDA_ERROR_CONTAINED:
        case CUDA_ERROR_ILLEGAL_ADDRESS:
        case CUDA_ERROR_LAUNCH_TIMEOUT:
        case CUDA_ERROR_ASSERT:
        case CUDA_ERROR_HARDWARE_STACK_ERROR:
        case CUDA_ERROR_ILLEGAL_INSTRUCTION:
        case CUDA_ERROR_MISALIGNED_ADDRESS:
        case CUDA_ERROR_INVALID_ADDRESS_SPACE:
        case CUDA_ERROR_INVALID_PC:
        case CUDA_ERROR_LAUNCH_FAILED:
        case CUDA_ERROR_TENSOR_MEMORY_LEAK:
        case CUDA_ERROR_EXTERNAL_DEVICE:
            return true;
        default:
            return false;
    }
}

bool is_shutdown(CUresult result) {
    return result == CUDA_ERROR_DEINITIALIZED || result == CUDA_ERROR_CONTEXT_IS_DESTROYED || driver.forked() ||
           is_sticky(result);
}

Error driver_error(CUresult result, const std::string& problem) {
    Error error(ErrorKind::Driver, fmt::format("{}: {}", problem, describe(result)));
    error.code = result;
    return error;
}

void fail(CUresult result, const char* call) {
    if (is_sticky(result)) fail_sticky(result, call);
    if (driver.forked())
        throw driver_error(result,
                           fmt::format("{}: CUDA cannot be used in a child process forked after it was "
                                       "initialised; start the child with the \"spawn\" or \"forkserver\" method",
                                       call));
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
        Error error(ErrorKind::OutOfMemory, fmt::format("{}: out of memory: {}", call, describe(result)));
        error.code = result;
        throw error;
    }
    Error error = driver_error(result, call);
    if (const char* advice = capture_advice(result)) {
        Error with_advice(ErrorKind::Driver, fmt::format("{}; {}", error.what(), advice));
        with_advice.code = result;
        throw with_advice;
    }
    throw error;
}

const std::string* launch_label(const std::string& text) {
    static auto* mutex = new std::mutex;
    static auto* labels = new std::set<std::string>;
    std::lock_guard lock(*mutex);
    return &*labels->insert(text).first;
}

void note_launch(const std::string* label) {
    unsigned slot = launches.fetch_add(1, std::memory_order_relaxed);
    history[slot % history_size].store(label, std::memory_order_relaxed);
}

}  // namespace lanewise::cuda
