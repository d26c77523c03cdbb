// CudaDevice::link: PTX to a cubin through the driver's compiler; with CUDA's device runtime where the PTX calls it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "backend/cuda/compile_log.h"
#include "backend/cuda/context.h"
#include "base/cuda_places.h"

namespace lanewise::cuda {

namespace {

struct LinkState {
    CUlinkState handle = nullptr;
    ~LinkState() {
        if (handle) driver.cuLinkDestroy.status(handle);
    }
};

/// ptxas's account of kernels that spill, as warnings that say which bound makes them. Its lines are
/// "ptxas info    : Function properties for NAME" and "    N bytes stack frame, S bytes spill stores, L bytes spill
/// loads".
void add_spill_warnings(Image& image, const std::string& log, int max_registers) {
    constexpr std::string_view properties = "Function properties for ";
    std::string kernel, line;
    std::istringstream lines(log);
    while (std::getline(lines, line)) {
        if (std::size_t at = line.find(properties); at != std::string::npos) {
            kernel = line.substr(at + properties.size());
            std::erase(kernel, '\'');
            for (const EntryPoint& known : image.entries)
                if (known.name == kernel && !known.display_name.empty()) kernel = known.display_name;
        }
        unsigned stack = 0, stores = 0, loads = 0;
        if (std::sscanf(line.c_str(), " %u bytes stack frame, %u bytes spill stores, %u bytes spill loads", &stack,
                        &stores, &loads) != 3 ||
            stores + loads == 0)
            continue;
        image.warnings.push_back(
            fmt::format("kernel {}: {} bytes of registers are stored to and {} bytes loaded from local "
                        "memory, because of max_registers={}",
                        kernel, stores, loads, max_registers));
    }
}

/// Whether the PTX leaves functions of CUDA's device runtime to be linked: kernels that launch kernels.
bool calls_device_runtime(const Image& image) {
    std::string_view text(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size());
    for (std::size_t at = text.find(".extern .func"); at != std::string_view::npos;
         at = text.find(".extern .func", at + 1))
        if (text.substr(at, text.find_first_of(";\n", at) - at).find("cuda") != std::string_view::npos) return true;
    return false;
}

std::string device_runtime() {
    constexpr const char* file_name = "libcudadevrt.a";
    std::string looked;
    for (const std::string& root : cuda_roots())
        for (const char* folder : {"lib64", "lib", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
            std::ifstream file(fmt::format("{}/{}/{}", root, folder, file_name), std::ios::binary);
            if (file) return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
            looked += fmt::format("\n  {}/{}", root, folder);
        }
    throw Error(
        ErrorKind::DeviceUnavailable,
        fmt::format("a kernel that launches kernels needs CUDA's device runtime, {}, which was not found; install "
                    "the wheel nvidia-cuda-runtime or set CUDA_HOME. Looked in:{}",
                    file_name, looked));
}

}  // namespace

Image CudaDevice::link(Image image, const LinkOptions& options) {
    if (image.format == ImageFormat::Cubin) return image;
    if (image.format != ImageFormat::Ptx)
        throw Error(ErrorKind::Value, fmt::format("link: the image is for {}, not for {}", image.target, name_));
    if (image.bytes.empty() || image.bytes.back() != 0) image.bytes.push_back(0);
    ContextScope scope(*this);
    JitOptions jit;
    // Level 3 of ours is the highest; the driver's goes to 4. Debug information means level 0.
    if (options.debug)
        jit.add(CU_JIT_GENERATE_DEBUG_INFO, 1);
    else
        jit.add(CU_JIT_OPTIMIZATION_LEVEL, std::size_t(options.opt_level >= 3 ? 4 : std::max(options.opt_level, 0)));
    if (options.max_registers > 0) {
        jit.add(CU_JIT_MAX_REGISTERS, std::size_t(options.max_registers));
        jit.add(CU_JIT_LOG_VERBOSE, 1);
    }
    if (options.line_info) jit.add(CU_JIT_GENERATE_LINE_INFO, 1);
    LinkState link;
    CUresult result = driver.cuLinkCreate.status(jit.count(), jit.options(), jit.values(), &link.handle);
    if (result != CUDA_SUCCESS) fail_compile(result, driver.cuLinkCreate.name(), image, jit.errors());
    result = driver.cuLinkAddData.status(link.handle, CU_JIT_INPUT_PTX, image.bytes.data(), image.bytes.size(),
                                         "lanewise", 0, nullptr, nullptr);
    if (result != CUDA_SUCCESS) fail_compile(result, driver.cuLinkAddData.name(), image, jit.errors());
    if (calls_device_runtime(image)) {
        std::string runtime = device_runtime();
        result = driver.cuLinkAddData.status(link.handle, CU_JIT_INPUT_LIBRARY, runtime.data(), runtime.size(),
                                             "cudadevrt", 0, nullptr, nullptr);
        if (result != CUDA_SUCCESS) fail_compile(result, driver.cuLinkAddData.name(), image, jit.errors());
    }
    void* cubin = nullptr;
    std::size_t size = 0;
    result = driver.cuLinkComplete.status(link.handle, &cubin, &size);
    if (result != CUDA_SUCCESS) fail_compile(result, driver.cuLinkComplete.name(), image, jit.errors());
    auto* bytes = static_cast<const std::uint8_t*>(cubin);
    image.bytes.assign(bytes, bytes + size);
    image.format = ImageFormat::Cubin;
    if (options.max_registers > 0) add_spill_warnings(image, jit.information(), options.max_registers);
    return image;
}

}  // namespace lanewise::cuda
