// CUDA C++ texts to loaded modules on a GPU: which compiler, which cache; on a driver and an NVRTC without a GPU.
#include "jit/cuda_build.h"

#include "base/process.h"
#include "fake_nvrtc.h"
#include "fixture.h"
#include "jit/disk_cache.h"
#include "jit/statistics.h"
#include "nvrtc_fixture.h"

namespace lanewise {
namespace {

using cuda_cpp::Backend;
using jit::build_cuda;
using jit::CudaBuilt;

class CudaBuild : public CudaTest {
protected:
    void SetUp() override {
        CudaTest::SetUp();
        environment_.set("LANEWISE_NVRTC", FAKE_NVRTC);
        fake_nvrtc::settings() = {};
        fake_nvrtc::take_compiles();
        jit::DiskCache::instance().clear();
    }
    CudaBuilt build(const cuda_cpp::Source& source, const jit::CudaBuildSettings& settings = {}) {
        return build_cuda(source, *device_, settings);
    }
    std::size_t compiles() const { return fake_nvrtc::take_compiles().size(); }

    ScopedFolder folder_;
    ScopedEnvironment environment_;
};

const char* const text = "extern \"C\" __global__ void scale(float* x) { x[0] *= 2; }\n";

TEST_F(CudaBuild, CompilesOnceThenComesFromTheProcessThenFromTheDisk) {
    CudaBuilt first = build(source_of(text));
    EXPECT_EQ(first.backend, Backend::Nvrtc);
    EXPECT_FALSE(first.from_disk || first.from_process);
    EXPECT_NO_THROW(first.module->kernel("scale"));
    CudaBuilt second = build(source_of(text));
    EXPECT_TRUE(second.from_process);
    EXPECT_EQ(second.module, first.module);
    first = second = {};
    CudaBuilt third = build(source_of(text));
    EXPECT_TRUE(third.from_disk);
    EXPECT_EQ(third.module->kernel("scale")->entry().parameter_bytes, 8u);
    EXPECT_EQ(compiles(), 1u);
}

TEST_F(CudaBuild, ParametersComeFromTheDeclarations) {
    std::shared_ptr<Kernel> kernel = build(source_of(text)).module->kernel("scale");
    ASSERT_EQ(kernel->entry().parameters.size(), 1u);
    EXPECT_EQ(kernel->entry().parameters[0].name, "x");
    EXPECT_EQ(kernel->entry().parameters[0].kind, ParameterKind::Pointer);
    EXPECT_EQ(kernel->entry().parameters[0].dtype, DType::Float32);
}

TEST_F(CudaBuild, AKernelThatIsNotDescribedIsDescribedByTheDriver) {
    auto module = build(source_of("#include \"missing_for_clang.h\"\nBROKEN __global__ void odd(int x) {}\n")).module;
    EXPECT_EQ(module->kernel("odd")->entry().parameter_sizes, std::vector<std::uint32_t>{8});
    EXPECT_TRUE(module->kernel("odd")->entry().parameters.empty());
}

TEST_F(CudaBuild, TheCodeCountsWhereADescriptionDiffersFromIt) {
    // The fake compiler makes one parameter of 8 bytes of everything.
    auto module = build(source_of("extern \"C\" __global__ void two(int a, int b) {}\n")).module;
    EXPECT_EQ(module->kernel("two")->entry().parameter_sizes, std::vector<std::uint32_t>{8});
    EXPECT_TRUE(module->kernel("two")->entry().parameters.empty());
}

TEST_F(CudaBuild, WhatDecidesTheCodeHasEntriesOfItsOwn) {
    std::vector<std::shared_ptr<Module>> kept;
    auto is_new = [&](const cuda_cpp::Source& source) {
        CudaBuilt built = build(source);
        kept.push_back(built.module);
        return compiles() == 1;
    };
    EXPECT_TRUE(is_new(source_of(text)));
    EXPECT_FALSE(is_new(source_of(text)));
    EXPECT_TRUE(is_new(source_of(std::string(text) + " ")));
    EXPECT_TRUE(is_new(source_of(text, {"-DX"})));
    EXPECT_TRUE(is_new(source_of(text, {"-DY"})));
    EXPECT_TRUE(is_new(source_of(text, {"-DX", "-DY"})));
    EXPECT_TRUE(is_new(source_of(text, {"--unknown-to-us"})));
    cuda_cpp::Source source = source_of(text);
    source.extern_c = true;
    EXPECT_TRUE(is_new(source));
    source = source_of(text);
    source.file = "other.cu";
    EXPECT_TRUE(is_new(source));
    source = source_of(text);
    source.name_expressions = {"scale"};
    EXPECT_TRUE(is_new(source));
    EXPECT_FALSE(is_new(source));
}

TEST_F(CudaBuild, AnotherNvrtcHasEntriesOfItsOwn) {
    build(source_of(text));
    std::filesystem::path other = std::filesystem::path(folder_.path()) / "libnvrtc.so.12";
    std::filesystem::copy_file(FAKE_NVRTC, other);
    environment_.set("LANEWISE_NVRTC", other.string());
    EXPECT_FALSE(build(source_of(text)).from_disk);
}

TEST_F(CudaBuild, EditsOfIncludedFilesAreSeen) {
    std::string include = "#include <size.h>\n";
    folder_.put("size.h", "#define N 1\n");
    auto source = source_of(include + text, {"-I" + folder_.path()});
    build(source);
    build(source);
    EXPECT_EQ(compiles(), 1u);
    folder_.put("size.h", "#define N 2\n");
    EXPECT_FALSE(build(source).from_disk);
    EXPECT_EQ(compiles(), 1u);
    folder_.put("size.h", "#define N 1\n");
    EXPECT_TRUE(build(source).from_disk);
}

TEST_F(CudaBuild, ComputedIncludesAreCompiledEachTime) {
    auto source = source_of(std::string("#ifdef NEVER\n#include MACRO\n#endif\n") + text);
    build(source);
    std::shared_ptr<Module> kept = build(source).module;
    build(source);
    EXPECT_EQ(compiles(), 3u);
}

TEST_F(CudaBuild, ModulesOfTheirOwnShareTheDiskCacheOnly) {
    CudaBuilt first = build(source_of(text), {.share_loaded = false});
    CudaBuilt second = build(source_of(text), {.share_loaded = false});
    EXPECT_NE(first.module, second.module);
    EXPECT_TRUE(second.from_disk);
}

TEST_F(CudaBuild, TheDiskCacheCanBeLeftOut) {
    build(source_of(text), {.use_disk_cache = false});
    EXPECT_FALSE(build(source_of(text), {.use_disk_cache = false}).from_disk);
    EXPECT_EQ(compiles(), 2u);
}

TEST_F(CudaBuild, AnotherArchitectureIsLinkedByTheDriver) {
    fake_cuda::take_calls();
    CudaBuilt built = build(source_of(text, {"-arch=sm_80", "-Xptxas", "-O1", "-maxrregcount=32"}));
    EXPECT_TRUE(called(fake_cuda::take_calls(), "cuLinkComplete"));
    EXPECT_EQ(built.module->image().format, ImageFormat::Cubin);
    EXPECT_EQ(fake_cuda::link_options().at(cuda::CU_JIT_OPTIMIZATION_LEVEL), 1u);
    EXPECT_EQ(fake_cuda::link_options().at(cuda::CU_JIT_MAX_REGISTERS), 32u);
    EXPECT_EQ(built.module->kernel("scale")->entry().parameters.size(), 1u);
    Error error = error_of([&] { build(source_of(text, {"-arch=sm_100"})); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "sm_100", "9.0");
}

TEST_F(CudaBuild, WarningsAndNamesComeWithTheModule) {
    auto source = source_of(std::string("#warning mind the gap\n") + text);
    source.name_expressions = {"scale"};
    for (int i = 0; i < 2; ++i) {
        std::shared_ptr<Module> module = build(source).module;
        ASSERT_EQ(module->image().warnings.size(), 1u);
        EXPECT_NE(module->image().warnings[0].find("mind the gap"), std::string::npos);
        ASSERT_FALSE(module->image().names.empty());
        EXPECT_EQ(module->image().names[0].first, "scale");
    }
}

TEST_F(CudaBuild, CompileErrorsStoreNothing) {
    for (int i = 0; i < 2; ++i) {
        Error error = error_of([&] { build(source_of("#error no good\n")); });
        EXPECT_EQ(error.kind(), ErrorKind::Compile);
        EXPECT_SAYS(error, "NVRTC", "no good");
        EXPECT_NE(error.log.find("no good"), std::string::npos);
    }
    EXPECT_EQ(compiles(), 2u);
}

TEST_F(CudaBuild, BackendsThatAreMissingOrDoNotServeAreRefused) {
    environment_.set("LANEWISE_NVRTC", folder_.path() + "/none.so");
    environment_.set("LANEWISE_NVCC", folder_.path() + "/none");
    Error error = error_of([&] { build(source_of(text, {}, Backend::Nvrtc)); });
    EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
    EXPECT_SAYS(error, "backend=\"nvrtc\"", "none.so", "backend=\"clang\"");
    error = error_of([&] { build(source_of(text, {}, Backend::Nvcc)); });
    EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
    EXPECT_SAYS(error, "LANEWISE_NVCC", "backend=\"nvrtc\"");
    EXPECT_EQ(jit::choose_backend(source_of(text), *device_), Backend::Clang);
    for (Backend backend : {Backend::Nvrtc, Backend::Nvcc}) {
        error = error_of([&] { build_cuda(source_of(text, {}, backend), cpu_device()); });
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        EXPECT_SAYS(error, "the device is cpu", "backend=\"clang\"");
    }
    EXPECT_EQ(jit::choose_backend(source_of(text), cpu_device()), Backend::Clang);
}

TEST_F(CudaBuild, StatisticsCount) {
    std::uint64_t compiles = jit::statistics().compiles, shared = jit::statistics().shared_modules;
    CudaBuilt kept = build(source_of(text));
    build(source_of(text));
    EXPECT_EQ(jit::statistics().compiles, compiles + 1);
    EXPECT_EQ(jit::statistics().shared_modules, shared + 1);
}

TEST_F(CudaBuild, TheSameTextComesFromTheCaches) {
    folder_.put("size.h", "#define N 1\n");
    auto source = source_of("#include <size.h>\n" + std::string(text), {"-I" + folder_.path()});
    build(source);
    jit::CudaBuilt again = build(source, {.share_loaded = false});
    EXPECT_TRUE(again.from_disk);
    jit::CudaBuilt kept = build(source);
    EXPECT_TRUE(build(source).from_process);
}

// Run by the test below in a process of its own.
TEST(CudaBuildProcess, DISABLED_Child) {
    setenv("LANEWISE_CACHE_DIR", std::getenv("LANEWISE_TEST_SHARED_CACHE"), 1);
    setenv("LANEWISE_CUDA_DRIVER", FAKE_CUDA_DRIVER, 1);
    setenv("LANEWISE_NVRTC", FAKE_NVRTC, 1);
    setenv("LANEWISE_LOG", "info", 1);
    std::string reason;
    std::vector<std::unique_ptr<Device>> devices = backend::cuda_devices(reason);
    ASSERT_FALSE(devices.empty()) << reason;
    CudaBuilt built = build_cuda(source_of(text), *devices[0]);
    printf("from_disk=%d compiles=%d\n", int(built.from_disk), int(fake_nvrtc::take_compiles().size()));
}

TEST(CudaBuildProcess, ASecondProcessLoadsNeitherCompiler) {
    ScopedFolder cache;
    auto child = [&] {
        return run_process(
            {"/proc/self/exe", "--gtest_also_run_disabled_tests", "--gtest_filter=CudaBuildProcess.DISABLED_Child"},
            {{"LANEWISE_TEST_SHARED_CACHE", cache.path()}});
    };
    ProcessResult first = child();
    EXPECT_EQ(first.status, 0) << first.output;
    EXPECT_NE(first.output.find("from_disk=0 compiles=1"), std::string::npos) << first.output;
    EXPECT_NE(first.output.find("NVRTC 12.8 loaded"), std::string::npos) << first.output;
    ProcessResult second = child();
    EXPECT_NE(second.output.find("from_disk=1 compiles=0"), std::string::npos) << second.output;
    EXPECT_EQ(second.output.find("NVRTC 12.8 loaded"), std::string::npos) << second.output;
    EXPECT_EQ(second.output.find("code generator loaded"), std::string::npos) << second.output;
}

}  // namespace
}  // namespace lanewise
