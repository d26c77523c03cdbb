// A test's GPU: the backend's first device on the fake driver.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fake_cuda.h"
#include "lanewise/device.h"
#include "runtime/backend.h"

namespace lanewise {

class CudaTest : public testing::Test {
protected:
    void SetUp() override {
        fake_cuda::settings() = {};
        setenv("LANEWISE_CUDA_DRIVER", FAKE_CUDA_DRIVER, 1);
        std::string reason;
        devices_ = backend::cuda_devices(reason);
        ASSERT_EQ(reason, "");
        ASSERT_EQ(devices_.size(), 2u);
        device_ = devices_[0].get();
        stream_ = device_->create_stream();
        fake_cuda::take_calls();
    }
    void TearDown() override {
        fake_cuda::settings().failures.clear();
        fake_cuda::settings().fault = {};
        fake_cuda::settings().capturing = false;
        device_->synchronize();
        fake_cuda::settings().kernels.clear();
        stream_.reset();
    }

    /// A module whose text is `text`; entries describe the kernels "NAME_symbol" under the display name "NAME".
    static Image image(const std::string& text, std::vector<EntryPoint> entries = {}) {
        Image image;
        image.format = ImageFormat::Ptx;
        image.target = "sm_90a";
        image.bytes.assign(text.begin(), text.end());
        image.bytes.push_back(0);
        image.entries = std::move(entries);
        return image;
    }
    static EntryPoint entry(const std::string& name, std::uint32_t parameter_bytes = 0) {
        EntryPoint entry;
        entry.name = name + "_symbol";
        entry.display_name = name;
        entry.parameter_bytes = parameter_bytes;
        return entry;
    }
    std::shared_ptr<Kernel> kernel(const std::string& name, std::uint32_t parameter_bytes = 0,
                                   std::uint32_t static_shared = 0) {
        std::string text = "kernel " + name + "_symbol " + std::to_string(parameter_bytes) + " " +
                           std::to_string(static_shared) + "\n";
        EntryPoint described = entry(name, parameter_bytes);
        described.static_shared_bytes = static_shared;
        return device_->load(image(text, {described}))->kernel(name + "_symbol");
    }
    static bool called(const std::vector<std::string>& calls, const std::string& name) {
        for (const std::string& call : calls)
            if (call == name) return true;
        return false;
    }

    std::vector<std::unique_ptr<Device>> devices_;
    Device* device_ = nullptr;
    std::shared_ptr<Stream> stream_;
};

/// The error that `f` throws; fails the test when it throws none.
template <class F>
Error error_of(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(ErrorKind::Internal, "");
}

#define EXPECT_SAYS(error, ...)                                          \
    for (const char* part : {__VA_ARGS__})                               \
    EXPECT_NE(std::string((error).what()).find(part), std::string::npos) \
        << "no \"" << part << "\" in: " << (error).what()

}  // namespace lanewise
