// The hand-written kernels of kernels/kernels.cpp, loaded on the cpu device, and short ways to launch them.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "lanewise/buffer.h"
#include "lanewise/device.h"

namespace lanewise::testing_kernels {

/// An image with all of them; each call reads the file again.
Image image();
/// One of them, from a module that stays loaded.
std::shared_ptr<Kernel> kernel(const std::string& name);

/// The packed buffer of parameters at natural alignment.
template <class... Ts>
std::vector<std::byte> pack(Ts... values) {
    std::vector<std::byte> bytes;
    auto add = [&](auto value) {
        bytes.resize((bytes.size() + alignof(decltype(value)) - 1) / alignof(decltype(value)) *
                     alignof(decltype(value)));
        std::size_t at = bytes.size();
        bytes.resize(at + sizeof value);
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    (add(values), ...);
    return bytes;
}

template <class... Ts>
void launch(Stream& stream, const std::string& name, Dim3 grid, Dim3 block, Ts... parameters) {
    stream.launch(*kernel(name), LaunchConfig{grid, block}, pack(parameters...));
}

/// Holds a stream back until opened.
class Gate {
public:
    explicit Gate(Stream& stream) : flag_(new_flag()) { launch(stream, "wait_for_flag", {1}, {1}, flag_); }
    ~Gate() { open(); }
    Gate(const Gate&) = delete;
    void open() { __atomic_store_n(flag_, 1, __ATOMIC_RELEASE); }

private:
    /// Kernels may look at it after the gate is gone.
    static int* new_flag();
    int* flag_;
};

/// What `call` throws; fails the test if nothing.
Error error_of(const std::function<void()>& call);

}  // namespace lanewise::testing_kernels
