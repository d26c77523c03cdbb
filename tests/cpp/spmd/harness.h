// Compiles textual NVVM IR, or CUDA C++, with the host target and runs its kernels directly, without the runtime.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/cpu/abi.h"
#include "backend/cpu/target/target.h"

namespace lanewise::cpu::testing {

struct Extent {
    std::uint32_t x = 1, y = 1, z = 1;
};

/// The feature string of the machine the tests run on.
std::string host_target();

/// The text of kernels/`name`.ll beside this file.
std::string kernel_file(const std::string& name);

/// A program in CUDA C++, compiled in process.
struct CudaText {
    std::string text;
};

/// A compiled and loaded module.
class Program {
public:
    explicit Program(const CudaText& cuda);
    explicit Program(const std::string& ir, const CompileOptions& options = {},
                     const std::string& target = host_target());
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const Image& image() const { return image_; }
    const EntryPoint& entry(const std::string& name) const;
    void* symbol(const std::string& name) const;

    /// Runs all blocks of a launch on two threads; dynamic shared memory in bytes.
    template <typename... Arguments>
    void launch(const std::string& name, Extent grid, Extent block, std::uint32_t dynamic_shared,
                Arguments... arguments) {
        const EntryPoint& point = entry(name);
        std::vector<std::byte> packed(point.parameter_bytes + 16);
        std::size_t i = 0;
        (pack(packed, point, i++, &arguments, sizeof(arguments)), ...);
        run(point, grid, block, dynamic_shared, packed);
    }

    /// The error slot after the last launch.
    const ErrorSlot& error() const { return error_; }
    /// What the kernels of the last launch printed, through vsnprintf on the packed arguments.
    const std::string& printed() const;
    /// Whether the last launch reported a barrier that not all threads reached.
    bool barrier_mismatch() const;

private:
    void load();
    static void pack(std::vector<std::byte>& packed, const EntryPoint& point, std::size_t index, const void* value,
                     std::size_t size);
    void run(const EntryPoint& point, Extent grid, Extent block, std::uint32_t dynamic_shared,
             std::span<const std::byte> packed);

    Image image_;
    int file_ = -1;  ///< stays open: dlopen takes two files of one name for the same
    void* handle_ = nullptr;
    ErrorSlot error_{};
};

}  // namespace lanewise::cpu::testing
