// The driver's linker: PTX to a cubin through its compiler, with CUDA's device runtime where the PTX calls it; and
// parts of any form to one cubin.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/cuda/compile_log.h"
#include "backend/cuda/context.h"
#include "base/cuda_places.h"

namespace lanewise::cuda {

namespace {

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

class CudaLinker final : public Linker {
public:
    /// `subject` is what errors speak of, and what complete() fills: an image without code.
    CudaLinker(CudaDevice& device, const LinkOptions& options, Image subject)
        : device_(device), subject_(std::move(subject)) {
        // Level 3 of ours is the highest; the driver's goes to 4. Debug information means level 0.
        if (options.debug)
            jit_.add(CU_JIT_GENERATE_DEBUG_INFO, 1);
        else
            jit_.add(CU_JIT_OPTIMIZATION_LEVEL,
                     std::size_t(options.opt_level >= 3 ? 4 : std::max(options.opt_level, 0)));
        if (options.max_registers > 0) jit_.add(CU_JIT_MAX_REGISTERS, std::size_t(options.max_registers));
        if (options.max_registers > 0 || options.verbose) jit_.add(CU_JIT_LOG_VERBOSE, 1);
        if (options.line_info) jit_.add(CU_JIT_GENERATE_LINE_INFO, 1);
        ContextScope scope(device_);
        check(driver.cuLinkCreate.status(jit_.count(), jit_.options(), jit_.values(), &state_),
              driver.cuLinkCreate.name());
    }
    CudaLinker(const CudaLinker&) = delete;
    CudaLinker& operator=(const CudaLinker&) = delete;
    ~CudaLinker() override {
        if (state_) driver.cuLinkDestroy.status(state_);
    }

    void add(LinkInput form, std::span<const std::uint8_t> part, const std::string& name) override {
        std::vector<std::uint8_t> terminated;
        if (form == LinkInput::Ptx && (part.empty() || part.back() != 0)) {
            terminated.assign(part.begin(), part.end());
            terminated.push_back(0);
            part = terminated;
        }
        ContextScope scope(device_);
        check(driver.cuLinkAddData.status(state_, static_cast<CUjitInputType>(form),
                                          const_cast<std::uint8_t*>(part.data()), part.size(), name.c_str(), 0, nullptr,
                                          nullptr),
              driver.cuLinkAddData.name());
    }

    Image complete() override {
        ContextScope scope(device_);
        void* cubin = nullptr;
        std::size_t size = 0;
        check(driver.cuLinkComplete.status(state_, &cubin, &size), driver.cuLinkComplete.name());
        auto* bytes = static_cast<const std::uint8_t*>(cubin);
        subject_.bytes.assign(bytes, bytes + size);
        subject_.format = ImageFormat::Cubin;
        return std::move(subject_);
    }

    std::string information() const override { return jit_.information(); }
    std::string errors() const override { return jit_.errors(); }

private:
    void check(CUresult result, const char* call) const {
        if (result != CUDA_SUCCESS) fail_compile(result, call, subject_, jit_.errors());
    }

    CudaDevice& device_;
    Image subject_;
    JitOptions jit_;
    CUlinkState state_ = nullptr;
};

}  // namespace

Image CudaDevice::link(Image image, const LinkOptions& options) {
    if (image.format == ImageFormat::Cubin) return image;
    if (image.format != ImageFormat::Ptx)
        throw Error(ErrorKind::Value, fmt::format("link: the image is for {}, not for {}", image.target, name_));
    const bool with_runtime = calls_device_runtime(image);
    const std::vector<std::uint8_t> ptx = std::exchange(image.bytes, {});
    CudaLinker linker(*this, options, std::move(image));
    linker.add(LinkInput::Ptx, ptx, "lanewise");
    if (with_runtime) {
        const std::string runtime = device_runtime();
        linker.add(LinkInput::Library, {reinterpret_cast<const std::uint8_t*>(runtime.data()), runtime.size()},
                   "cudadevrt");
    }
    Image linked = linker.complete();
    if (options.max_registers > 0) add_spill_warnings(linked, linker.information(), options.max_registers);
    return linked;
}

std::unique_ptr<Linker> CudaDevice::create_linker(const LinkOptions& options) {
    Image subject;
    subject.target = target();
    return std::make_unique<CudaLinker>(*this, options, std::move(subject));
}

}  // namespace lanewise::cuda
