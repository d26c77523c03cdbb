#include "backend/cuda/module.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/cuda/capture_mode.h"
#include "backend/cuda/compile_log.h"
#include "backend/cuda/context.h"
#include "backend/cuda/driver_error.h"
#include "base/log.h"

namespace lanewise::cuda {

CudaModule::CudaModule(CudaDevice& device, Image image) : device_(device), image_(std::move(image)) {
    if (image_.format == ImageFormat::HostObject)
        throw Error(ErrorKind::Value,
                    fmt::format("load: the image is for {}, not for {}", image_.target, device.name()));
    if (image_.format == ImageFormat::Ptx && (image_.bytes.empty() || image_.bytes.back() != 0))
        image_.bytes.push_back(0);
    ContextScope scope(device_);
    RelaxedCapture relaxed;
    JitOptions jit;
    CUresult result =
        driver.cuModuleLoadDataEx.status(&handle_, image_.bytes.data(), jit.count(), jit.options(), jit.values());
    if (result != CUDA_SUCCESS) fail_compile(result, driver.cuModuleLoadDataEx.name(), image_, jit.errors());
    if (std::none_of(image_.entries.begin(), image_.entries.end(), [](const EntryPoint& e) { return e.can_raise; }))
        return;
    std::size_t size = 0;
    result = driver.cuModuleGetGlobal.status(&error_slot_, &size, handle_, error_slot_symbol);
    if (result == CUDA_SUCCESS && size >= sizeof(ErrorSlot)) return;
    driver.cuModuleUnload.status(handle_);
    throw Error(
        ErrorKind::Internal,
        fmt::format("load: kernels of the image can raise, but its variable {} is {} ({} bytes; {} needed)",
                    error_slot_symbol, result == CUDA_SUCCESS ? "too small" : "missing", size, sizeof(ErrorSlot)));
}

CudaModule::~CudaModule() {
    try {
        ContextScope scope(device_);
        driver.cuModuleUnload.status(handle_);
    } catch (const Error&) {
        // The driver has shut down or the context is lost: the module went with it.
    }
}

std::shared_ptr<Kernel> CudaModule::kernel(const std::string& name) {
    std::lock_guard lock(mutex_);
    std::weak_ptr<CudaKernel>& known = kernels_[name];
    if (auto kernel = known.lock()) return kernel;
    ContextScope scope(device_);
    RelaxedCapture relaxed;
    CUfunction function = nullptr;
    CUresult result = driver.cuModuleGetFunction.status(&function, handle_, name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) {
        kernels_.erase(name);
        std::vector<std::string> names = kernel_names();
        throw Error(ErrorKind::Value, fmt::format("no kernel '{}' in the module; it has: {}", name,
                                                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    if (result != CUDA_SUCCESS) fail(result, driver.cuModuleGetFunction.name());
    bool layout_known = true;
    EntryPoint entry = describe_entry(name, function, layout_known);
    auto self = std::static_pointer_cast<CudaModule>(shared_from_this());
    auto kernel = std::make_shared<CudaKernel>(std::move(self), std::move(entry), layout_known, function);
    known = kernel;
    return kernel;
}

std::vector<std::string> CudaModule::kernel_names() const {
    std::vector<std::string> names;
    for (const EntryPoint& entry : image_.entries) names.push_back(entry.name);
    if (!names.empty() || !driver.cuModuleGetFunctionCount || !driver.cuModuleEnumerateFunctions ||
        !driver.cuFuncGetName)
        return names;
    unsigned count = 0;
    if (driver.cuModuleGetFunctionCount.status(&count, handle_) != CUDA_SUCCESS) return names;
    std::vector<CUfunction> functions(count);
    if (driver.cuModuleEnumerateFunctions.status(functions.data(), count, handle_) != CUDA_SUCCESS) return names;
    for (CUfunction function : functions) {
        const char* name = nullptr;
        if (driver.cuFuncGetName.status(&name, function) == CUDA_SUCCESS && name) names.emplace_back(name);
    }
    return names;
}

EntryPoint CudaModule::describe_entry(const std::string& name, CUfunction function, bool& layout_known) const {
    for (const EntryPoint& entry : image_.entries) {
        if (entry.name != name) continue;
        if (entry.parameters.empty() || !driver.cuFuncGetParamInfo) return entry;
        // Parameters as one compiler reads the source, code of perhaps another: the driver knows the code.
        EntryPoint told = describe_by_driver(name, function, layout_known);
        if (told.parameter_sizes != entry.parameter_sizes) {
            log(LogLevel::Warning, [&] {
                return fmt::format(
                    "kernel {}: its source declares parameters of other sizes than the code has; the "
                    "code's count",
                    name);
            });
            told.display_name = entry.display_name;
            return told;
        }
        EntryPoint described = entry;
        // Parameters that ask for more than 16 bytes of alignment lie where ptxas puts them, as addresses of the
        // constant bank have it, and not at the next such offset in the buffer.
        described.parameter_offsets = told.parameter_offsets;
        described.parameter_bytes = told.parameter_bytes;
        described.static_shared_bytes = told.static_shared_bytes;
        return described;
    }
    return describe_by_driver(name, function, layout_known);
}

EntryPoint CudaModule::describe_by_driver(const std::string& name, CUfunction function, bool& layout_known) {
    EntryPoint entry;
    entry.name = entry.display_name = name;
    int shared = 0;
    driver.cuFuncGetAttribute(&shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
    entry.static_shared_bytes = std::uint32_t(shared);
    layout_known = bool(driver.cuFuncGetParamInfo);
    if (!layout_known) return entry;
    std::size_t offset = 0, size = 0;
    for (std::size_t i = 0; driver.cuFuncGetParamInfo.status(function, i, &offset, &size) == CUDA_SUCCESS; ++i) {
        entry.parameter_offsets.push_back(std::uint32_t(offset));
        entry.parameter_sizes.push_back(std::uint32_t(size));
        entry.parameter_bytes = std::uint32_t(offset + size);
    }
    return entry;
}

std::pair<void*, std::size_t> CudaModule::global(const std::string& name) {
    ContextScope scope(device_);
    CUdeviceptr pointer = 0;
    std::size_t size = 0;
    CUresult result = driver.cuModuleGetGlobal.status(&pointer, &size, handle_, name.c_str());
    if (result == CUDA_ERROR_NOT_FOUND)
        throw Error(ErrorKind::Value,
                    fmt::format("no global variable '{}' in the module (a variable that no kernel uses may "
                                "have been removed by the compiler)",
                                name));
    if (result != CUDA_SUCCESS) fail(result, driver.cuModuleGetGlobal.name());
    return {reinterpret_cast<void*>(pointer), size};
}

}  // namespace lanewise::cuda
