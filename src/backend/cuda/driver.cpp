#include "backend/cuda/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "base/dynlib.h"

namespace lanewise::cuda {

constinit Driver driver;

namespace {

std::string init_failure(const Driver& driver, CUresult result) {
    const char* name = nullptr;
    const char* text = nullptr;
    if (driver.cuGetErrorName) driver.cuGetErrorName.status(result, &name);
    if (driver.cuGetErrorString) driver.cuGetErrorString.status(result, &text);
    const char* hint = "";
    switch (result) {
        case CUDA_ERROR_NO_DEVICE:
            hint = "; is there an NVIDIA GPU, and is it visible (CUDA_VISIBLE_DEVICES, the container's devices)?";
            break;
        case CUDA_ERROR_STUB_LIBRARY:
            hint =
                "; the toolkit's stub library was found instead of the driver's: take its stubs folder off "
                "LD_LIBRARY_PATH";
            break;
        case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
            hint =
                "; the library and the loaded kernel module are of different driver versions: a reboot after the "
                "driver's update usually helps";
            break;
        case CUDA_ERROR_SYSTEM_NOT_READY:
            hint = "; on NVSwitch systems nvidia-fabricmanager must be running";
            break;
        default:
            break;
    }
    return fmt::format("the CUDA driver does not initialise: cuInit gave {} {} ({}){}", int(result),
                       name ? name : "unknown error", text ? text : "no text", hint);
}

}  // namespace

std::string version_text(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string Driver::load() {
    if (usable_) return "";
    const char* override_path = std::getenv("LANEWISE_CUDA_DRIVER");
    std::string why;
    auto library =
        override_path && *override_path ? Dynlib::open({override_path}, &why) : Dynlib::open({"libcuda.so.1"}, &why);
    if (!library) return fmt::format("no CUDA driver: {}", why);
    // Unloading a driver that has started threads would crash; it stays for good from here on.
    library->keep_open();

    const char* missing = nullptr;
#define LANEWISE_CUDA(name, symbol, since, parameters)                   \
    name.pointer_ = library->function<decltype(name.pointer_)>(#symbol); \
    if (!name.pointer_ && (since) <= minimum_version && !missing) missing = #symbol;
#include "backend/cuda/driver.def"
#undef LANEWISE_CUDA

    int version = 0;
    if (!cuDriverGetVersion || cuDriverGetVersion.status(&version) != CUDA_SUCCESS)
        return fmt::format("{} is no CUDA driver: it does not tell its version", library->path());
    version_ = version;
    if (version < minimum_version)
        return fmt::format(
            "the CUDA driver is too old: {} supports CUDA {}, and {} or later is needed; update the "
            "NVIDIA driver (525 or later)",
            library->path(), version_text(version), version_text(minimum_version));
    if (missing) return fmt::format("the CUDA driver is incomplete: {} has no {}", library->path(), missing);
    if (CUresult result = cuInit.status(0); result != CUDA_SUCCESS) return init_failure(*this, result);
    usable_ = true;
    process_ = getpid();
    return "";
}

bool Driver::forked() const {
    return usable_ && process_ != getpid();
}

}  // namespace lanewise::cuda
