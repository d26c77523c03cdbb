#include "harness.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "backend/cpu/interleave.h"

namespace lanewise::cpu::testing {
namespace {

std::mutex print_mutex;
std::string print_buffer;
std::atomic<bool> mismatch_seen;

/// One conversion of a printf format with its packed argument.
std::string format_one(const std::string& specification, const std::byte*& at) {
    const auto take = [&](auto& value) {
        auto address = reinterpret_cast<std::uintptr_t>(at);
        address = (address + sizeof(value) - 1) / sizeof(value) * sizeof(value);
        std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof(value));
        at = reinterpret_cast<const std::byte*>(address + sizeof(value));
    };
    char text[256];
    const char kind = specification.back();
    if (std::strchr("eEfFgGaA", kind)) {
        double value;
        take(value);
        std::snprintf(text, sizeof(text), specification.c_str(), value);
    } else if (kind == 's' || kind == 'p') {
        const void* value;
        take(value);
        std::snprintf(text, sizeof(text), specification.c_str(), value);
    } else if (specification.find('l') != std::string::npos) {
        long long value;
        take(value);
        std::snprintf(text, sizeof(text), specification.c_str(), value);
    } else {
        int value;
        take(value);
        std::snprintf(text, sizeof(text), specification.c_str(), value);
    }
    return text;
}

std::int32_t print(const char* format, const void* arguments) {
    const std::lock_guard lock(print_mutex);
    const auto* at = static_cast<const std::byte*>(arguments);
    std::int32_t count = 0;
    for (const char* c = format; *c; ++c) {
        if (*c != '%') {
            print_buffer += *c;
            continue;
        }
        std::string specification(1, *c++);
        while (!std::strchr("diouxXeEfFgGaAcsp%", *c)) specification += *c++;
        specification += *c;
        if (*c == '%') {
            print_buffer += '%';
            continue;
        }
        print_buffer += format_one(specification, at);
        ++count;
    }
    return count;
}

/// All blocks of a cooperative launch run at once, each on a thread of its own: Launch::grid_barrier is a std::barrier.
std::int32_t meet_grid(const Launch* launch) {
    static_cast<std::barrier<>*>(launch->grid_barrier)->arrive_and_wait();
    return 1;
}

const Services& services() {
    static const Services table = [] {
        Services services{};
        services.vprintf = print;
        services.barrier_mismatch = [](Launch*, std::uint32_t) { mismatch_seen = true; };
        services.nanosleep = [](std::uint32_t nanoseconds) {
            std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds));
        };
        services.clock64 = [] { return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count()); };
        services.global_timer = [] {
            return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
        };
        services.allocate = [](std::size_t bytes) { return std::malloc(bytes); };
        services.free = [](void* pointer) { std::free(pointer); };
        services.grid_sync = meet_grid;
        services.interleave = interleave;
        return services;
    }();
    return table;
}

Image compile_text(const std::string& ir, const CompileOptions& options, const std::string& target) {
    // The module keeps a reference to its context until compile() has consumed it.
    llvm::LLVMContext context;
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(ir, diagnostic, context);
    if (!module) {
        std::string text;
        llvm::raw_string_ostream stream(text);
        diagnostic.print("kernel", stream, false);
        throw std::runtime_error(stream.str());
    }
    CompileOptions with_text = options;
    with_text.keep_text = true;
    return compile(std::move(module), target, with_text);
}

struct AlignedFree {
    void operator()(void* pointer) const { std::free(pointer); }
};

std::unique_ptr<void, AlignedFree> scratch(std::size_t bytes) {
    void* pointer = std::aligned_alloc(64, (bytes + 127) / 64 * 64);
    std::memset(pointer, 0xA5, (bytes + 127) / 64 * 64);
    return std::unique_ptr<void, AlignedFree>(pointer);
}

}  // namespace

std::string kernel_file(const std::string& name) {
    const auto path = std::filesystem::path(LANEWISE_TESTS_FOLDER) / "cpp/spmd/kernels" / (name + ".ll");
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string host_target() {
    std::string features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) {
        if (!feature.second) continue;
        features += features.empty() ? "+" : ",+";
        features += feature.first();
    }
    const std::string arch = llvm::sys::getProcessTriple().substr(0, llvm::sys::getProcessTriple().find('-'));
    return features.empty() ? arch : arch + ":" + features;
}

Program::Program(const std::string& ir, const CompileOptions& options, const std::string& target)
    : image_(compile_text(ir, options, target)) {
    load();
}

Program::Program(const CudaText& cuda) {
    cuda_cpp::Source source;
    source.text = cuda.text;
    CompileOptions options;
    options.keep_text = true;
    image_ = lanewise_compiler()->compile_cuda(source, {}, DeviceKind::Cpu, host_target(), options);
    load();
}

void Program::load() {
    if (std::getenv("LANEWISE_TEST_DUMP")) std::fprintf(stderr, "%s\n", image_.llvm_ir.c_str());
    file_ = memfd_create("kernel", MFD_CLOEXEC);
    if (write(file_, image_.bytes.data(), image_.bytes.size()) != ssize_t(image_.bytes.size())) {
        throw std::runtime_error("cannot write the image");
    }
    handle_ = dlopen(fmt::format("/proc/self/fd/{}", file_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle_) throw std::runtime_error(dlerror());
}

Program::~Program() {
    dlclose(handle_);
    close(file_);
}

const EntryPoint& Program::entry(const std::string& name) const {
    for (const EntryPoint& point : image_.entries) {
        if (point.name == name) return point;
    }
    throw std::runtime_error("no kernel " + name);
}

void* Program::symbol(const std::string& name) const {
    return dlsym(handle_, name.c_str());
}

const std::string& Program::printed() const {
    return print_buffer;
}

bool Program::barrier_mismatch() const {
    return mismatch_seen;
}

void Program::pack(std::vector<std::byte>& packed, const EntryPoint& point, std::size_t index, const void* value,
                   std::size_t size) {
    ASSERT_LT(index, point.parameter_offsets.size());
    ASSERT_EQ(size, point.parameter_sizes[index]);
    std::memcpy(packed.data() + point.parameter_offsets[index], value, size);
}

void Program::run(const EntryPoint& point, Extent grid, Extent block, std::uint32_t dynamic_shared,
                  std::span<const std::byte> packed) {
    error_ = {};
    print_buffer.clear();
    mismatch_seen = false;
    Launch launch{};
    launch.grid[0] = grid.x, launch.grid[1] = grid.y, launch.grid[2] = grid.z;
    launch.block[0] = block.x, launch.block[1] = block.y, launch.block[2] = block.z;
    launch.dynamic_shared_bytes = dynamic_shared;
    launch.parameters = packed.data();
    launch.error = &error_;
    launch.services = &services();

    const auto function = reinterpret_cast<KernelFunction>(symbol(point.name));
    ASSERT_NE(function, nullptr) << point.name;
    const std::uint64_t blocks = std::uint64_t(grid.x) * grid.y * grid.z;
    std::barrier<> grid_barrier(static_cast<std::ptrdiff_t>(blocks));
    launch.grid_barrier = &grid_barrier;
    const std::uint64_t threads = (std::uint64_t(block.x) * block.y * block.z + warp_size - 1) / warp_size * warp_size;
    const auto work = [&](std::uint64_t first, std::uint64_t count) {
        const auto shared = scratch((point.static_shared_bytes + 15) / 16 * 16 + dynamic_shared);
        const auto context = scratch(point.context_bytes_per_thread * threads);
        function(&launch, first, count, shared.get(), context.get());
    };
    if (point.cooperative) {
        std::vector<std::jthread> workers;
        for (std::uint64_t i = 0; i < blocks; ++i) workers.emplace_back(work, i, 1);
        return;
    }
    const std::uint64_t half = blocks / 2;
    std::jthread other(work, std::uint64_t(0), half);
    work(half, blocks - half);
}

}  // namespace lanewise::cpu::testing
