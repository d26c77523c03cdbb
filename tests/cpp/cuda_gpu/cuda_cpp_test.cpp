// CUDA C++ by NVRTC, nvcc and clang on a real GPU, and code from elsewhere; every test is skipped where there is none.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "backend/cuda/nvcc.h"
#include "backend/cuda/nvrtc.h"
#include "jit/cuda_build.h"
#include "lanewise/device.h"

namespace lanewise {
namespace {

using cuda_cpp::Backend;

class CudaCppOnGpu : public testing::TestWithParam<Backend> {
protected:
    void SetUp() override {
        device_ = devices().front();
        if (device_->kind() != DeviceKind::Cuda) GTEST_SKIP() << cuda_unavailable_reason();
        if (GetParam() == Backend::Nvrtc && cuda::find_nvrtc().path.empty()) GTEST_SKIP() << "no NVRTC";
        if (GetParam() == Backend::Nvcc && cuda::find_nvcc().path.empty()) GTEST_SKIP() << "no nvcc";
        stream_ = device_->create_stream();
    }
    cuda_cpp::Source source(const std::string& text, std::vector<std::string> options = {}) {
        cuda_cpp::Source made;
        made.text = text;
        made.options = std::move(options);
        made.backend = GetParam();
        return made;
    }
    jit::CudaBuilt build(const cuda_cpp::Source& made) {
        // Every test compiles.
        return jit::build_cuda(made, *device_, {.use_disk_cache = false, .share_loaded = false});
    }
    /// x after kernel(x) on one block.
    std::vector<int> run(Module& module, const std::string& kernel, std::vector<int> x, unsigned threads) {
        auto memory = static_cast<int*>(device_->allocate(MemoryKind::Device, x.size() * sizeof(int)));
        stream_->copy_to_device(memory, x.data(), x.size() * sizeof(int));
        std::byte parameters[sizeof memory];
        std::memcpy(parameters, &memory, sizeof memory);
        LaunchConfig config;
        config.block.x = threads;
        stream_->launch(*module.kernel(kernel), config, parameters);
        stream_->copy_to_host(x.data(), memory, x.size() * sizeof(int));
        stream_->synchronize();
        device_->release(MemoryKind::Device, memory);
        return x;
    }

    Device* device_ = nullptr;
    std::shared_ptr<Stream> stream_;
};

const char* const twice = "extern \"C\" __global__ void twice(int* x) { x[threadIdx.x] *= 2; }\n";

TEST_P(CudaCppOnGpu, CompilesAndRuns) {
    jit::CudaBuilt built = build(source(twice));
    EXPECT_EQ(built.backend, GetParam());
    EXPECT_EQ(run(*built.module, "twice", {1, 2, 3}, 3), (std::vector<int>{2, 4, 6}));
    EXPECT_EQ(built.module->kernel("twice")->entry().parameter_sizes, std::vector<std::uint32_t>{8});
}

TEST_P(CudaCppOnGpu, CodeForAnOlderArchitectureRuns) {
    auto made =
        source("extern \"C\" __global__ void arch(int* x) {\n#ifdef __CUDA_ARCH__\nx[0] = __CUDA_ARCH__;\n#endif\n}\n",
               {"-arch=sm_80"});
    EXPECT_EQ(run(*build(made).module, "arch", {0}, 1), std::vector<int>{800});
}

TEST_P(CudaCppOnGpu, TemplatesAndVariablesHaveNames) {
    if (GetParam() == Backend::Nvcc) GTEST_SKIP() << "nvcc has no name expressions";
    auto made = source(
        "namespace ns { __constant__ int factor; }\n"
        "template <class T> __global__ void scale(T* x) { x[threadIdx.x] *= ns::factor; }\n");
    made.name_expressions = {"scale<int>", "&ns::factor"};
    jit::CudaBuilt built = build(made);
    std::string kernel, variable;
    for (const auto& [expression, symbol] : built.module->image().names)
        (expression == "scale<int>" ? kernel : variable) = symbol;
    auto [address, bytes] = built.module->global(variable);
    ASSERT_EQ(bytes, sizeof(int));
    int factor = 7;
    stream_->copy_to_device(address, &factor, sizeof factor);
    EXPECT_EQ(run(*built.module, kernel, {1, 2}, 2), (std::vector<int>{7, 14}));
}

TEST_P(CudaCppOnGpu, KernelsLaunchKernels) {
    if (GetParam() == Backend::Clang) GTEST_SKIP() << "clang's path launches no kernels from kernels";
    auto made = source(
        "__global__ void child(int* x) { atomicAdd(x, 1); }\n"
        "extern \"C\" __global__ void parent(int* x) { child<<<2, 32>>>(x); }\n",
        {"-rdc=true", "-lcudadevrt"});
    EXPECT_EQ(run(*build(made).module, "parent", {5}, 1), std::vector<int>{5 + 64});
}

TEST_P(CudaCppOnGpu, CodeFromElsewhereLoads) {
    Image image = jit::compile_cuda_with_text(source(twice), *device_);
    ASSERT_FALSE(image.assembly.empty());
    std::span<const std::uint8_t> ptx(reinterpret_cast<const std::uint8_t*>(image.assembly.data()),
                                      image.assembly.size());
    EXPECT_EQ(run(*jit::load_image(ptx, "twice.ptx", *device_), "twice", {4}, 1), std::vector<int>{8});
    EXPECT_EQ(run(*jit::load_image(image.bytes, "twice.cubin", *device_), "twice", {4}, 1), std::vector<int>{8});
}

TEST_P(CudaCppOnGpu, HitsComeFromTheCaches) {
    auto made = source(std::string("// a text of its own\n") + twice);
    jit::CudaBuilt kept = jit::build_cuda(made, *device_, {.share_loaded = false});
    EXPECT_TRUE(jit::build_cuda(made, *device_, {.share_loaded = false}).from_disk);
    kept = jit::build_cuda(made, *device_, {.share_loaded = true});
    EXPECT_TRUE(kept.from_disk || kept.from_process);
    EXPECT_TRUE(jit::build_cuda(made, *device_, {.share_loaded = true}).from_process);
}

INSTANTIATE_TEST_SUITE_P(Compilers, CudaCppOnGpu, testing::Values(Backend::Nvrtc, Backend::Clang, Backend::Nvcc),
                         [](const auto& info) {
                             return info.param == Backend::Nvrtc   ? "nvrtc"
                                    : info.param == Backend::Clang ? "clang"
                                                                   : "nvcc";
                         });

}  // namespace
}  // namespace lanewise
