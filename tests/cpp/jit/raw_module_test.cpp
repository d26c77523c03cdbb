#include <gtest/gtest.h>

#include <cstring>

#include "lanewise/raw.h"

namespace lanewise {
namespace {

constexpr const char* saxpy_text = R"(
__device__ int launches = 3;
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) ++launches;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

cuda_cpp::Source source_of(const char* text) {
    cuda_cpp::Source source;
    source.text = text;
    return source;
}

ErrorKind kind_of(const std::function<void()>& f, std::string* text = nullptr) {
    try {
        f();
    } catch (const Error& error) {
        if (text) *text = error.what();
        return error.kind();
    }
    ADD_FAILURE() << "no error";
    return ErrorKind::Internal;
}

TEST(RawModule, RunsWithoutPython) {
    auto module = RawModule::from_source(source_of(saxpy_text));
    auto kernel = module->function("saxpy");
    EXPECT_EQ(kernel->find(cpu_device()), nullptr);
    const RawKernel::Loaded& loaded = kernel->on(cpu_device());
    EXPECT_EQ(kernel->find(cpu_device()), &loaded);
    EXPECT_EQ(to_string(loaded.parameters), "float a, const float *x, float *y, int n");
    EXPECT_EQ(loaded.parameters.items[0].dtype, DType::Float32);
    EXPECT_TRUE(loaded.parameters.items[1].read_only);
    EXPECT_FALSE(loaded.parameters.items[2].read_only);
    EXPECT_TRUE(loaded.parameters.items[2].pointee_known);

    float x[2] = {1, 2}, y[2] = {10, 20};
    struct {
        float a = 2;
        const float* x;
        float* y;
        int n = 2;
    } packed;
    packed.x = x;
    packed.y = y;
    auto stream = cpu_device().create_stream();
    LaunchConfig config;
    config.block.x = 2;
    std::span bytes = std::as_bytes(std::span(&packed, 1)).first(loaded.parameters.bytes);
    kernel->launch(*stream, config, bytes);
    stream->synchronize();
    EXPECT_EQ(y[0], 12);
    EXPECT_EQ(y[1], 24);
    EXPECT_EQ(kind_of([&] { kernel->launch(*stream, config, bytes.first(4)); }), ErrorKind::Value);

    std::shared_ptr<Buffer> launches = module->global("launches", cpu_device());
    ASSERT_EQ(launches->bytes(), sizeof(int));
    module.reset();
    kernel.reset();
    EXPECT_EQ(*static_cast<int*>(launches->data()), 4);
}

TEST(RawModule, HasVariablesOfItsOwnUnlessItShares) {
    auto value = [](const RawModule::BuildSettings& settings, int add) {
        auto module = RawModule::from_source(source_of(saxpy_text), settings);
        auto launches = module->global("launches", cpu_device());
        int* data = static_cast<int*>(launches->data());
        return std::pair(module, *data += add);
    };
    RawModule::BuildSettings own, shared;
    shared.share_loaded = true;
    auto first = value(own, 1), second = value(own, 1);
    EXPECT_EQ(second.second, 4);
    auto third = value(shared, 1), fourth = value(shared, 1);
    EXPECT_EQ(fourth.second, 5);
}

TEST(RawModule, ErrorsComeWhenItIsFirstNeeded) {
    auto module = RawModule::from_source(source_of("nonsense"));
    EXPECT_EQ(kind_of([&] { module->on(cpu_device()); }), ErrorKind::Compile);
    EXPECT_EQ(kind_of([&] { module->function("f")->on(cpu_device()); }), ErrorKind::Compile);
    EXPECT_EQ(module->find(cpu_device()), nullptr);

    std::string text;
    auto good = RawModule::from_source(source_of(saxpy_text));
    EXPECT_EQ(kind_of([&] { good->function("saxyp")->on(cpu_device()); }, &text), ErrorKind::Value);
    EXPECT_NE(text.find("did you mean 'saxpy'?"), std::string::npos) << text;
    EXPECT_EQ(kind_of([&] { good->global("nothing", cpu_device()); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([] { RawModule::from_file("/nowhere/module.cubin")->on(cpu_device()); }), ErrorKind::Value);
    EXPECT_EQ(kind_of([] { RawModule::from_image({1, 2, 3})->on(cpu_device()); }), ErrorKind::Value);
}

}  // namespace
}  // namespace lanewise
