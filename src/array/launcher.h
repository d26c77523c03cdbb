// From a program to a launched kernel: its layout, its key, the table of kernels.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "array/program.h"
#include "ir/function.h"
#include "lanewise/device.h"

namespace lanewise {

/// Launches the program's stores. No store overlaps a leaf unless it is the same memory with the same strides.
void launch_elementwise(Program& program, const std::shared_ptr<Stream>& stream);

/// The code that launch_elementwise runs on devices of this kind.
std::unique_ptr<ir::Module> elementwise_module(Program& program, DeviceKind kind);

/// The packed 8-byte parameters of a launch.
class ParameterPack {
public:
    void add(const void* pointer) { words_.push_back(reinterpret_cast<std::uintptr_t>(pointer)); }
    void add(std::int64_t value) { words_.push_back(static_cast<std::uint64_t>(value)); }
    void add_word(std::uint64_t value) { words_.push_back(value); }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(words_)); }

private:
    std::vector<std::uint64_t> words_;
};

/// What is known of all launches of a kernel; 0: nothing.
struct LaunchBounds {
    int threads = 0;       ///< of a block
    int blocks = 0;        ///< that are to fit on a multiprocessor
    int shared_bytes = 0;  ///< dynamic, at most
};

/// Kernels of this process by what decides their code. `make` is called once for a key and gives the module, whose only
/// kernel is taken. Engine's lock is held.
class KernelTable {
public:
    static KernelTable& instance();
    template <class Make>
    Kernel& find_or_build(Device& device, std::vector<std::uint32_t>& key, Make&& make, LaunchBounds bounds = {}) {
        add_device(device, key);
        if (Kernel* known = find(key)) return *known;
        return build(device, key, make(), bounds);
    }

    /// `watcher` sees every module that is built from now on; empty: nobody does.
    void watch(std::function<void(const ir::Module&)> watcher);

private:
    static void add_device(Device& device, std::vector<std::uint32_t>& key);
    Kernel* find(const std::vector<std::uint32_t>& key) const;
    Kernel& build(Device& device, const std::vector<std::uint32_t>& key, std::unique_ptr<ir::Module> module,
                  LaunchBounds bounds);
    struct Impl;
    KernelTable();
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanewise
