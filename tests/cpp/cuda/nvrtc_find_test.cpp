// Where NVRTC is looked for, and what is said when it is not there or is none; on a library without a compiler.
#include <filesystem>

#include "backend/cuda/nvrtc.h"
#include "fake_nvrtc.h"
#include "fixture.h"
#include "nvrtc_fixture.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

class FindNvrtc : public CudaTest {
protected:
    void SetUp() override {
        CudaTest::SetUp();
        for (const char* variable : {"LANEWISE_NVRTC", "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "VIRTUAL_ENV",
                                     "CONDA_PREFIX", "LANEWISE_NVIDIA_PACKAGES", "LD_LIBRARY_PATH"})
            environment_.set(variable, std::nullopt);
        fake_nvrtc::settings() = {};
    }
    /// A link to the fake library.
    std::string install(const std::string& name) {
        fs::path path = fs::path(folder_.path()) / name;
        fs::create_directories(path.parent_path());
        fs::create_symlink(FAKE_NVRTC, path);
        return path.string();
    }
    std::string in(const std::string& name) const { return folder_.path() + "/" + name; }

    ScopedFolder folder_;
    ScopedEnvironment environment_;
};

TEST_F(FindNvrtc, TheVariableDecides) {
    environment_.set("LANEWISE_NVRTC", FAKE_NVRTC);
    EXPECT_EQ(cuda::find_nvrtc().path, FAKE_NVRTC);
    std::string path = install("mine/libnvrtc.so.12");
    environment_.set("LANEWISE_NVRTC", in("mine"));
    EXPECT_EQ(cuda::find_nvrtc().path, path);
    environment_.set("LANEWISE_NVRTC", in("nowhere.so"));
    cuda::NvrtcFile file = cuda::find_nvrtc();
    EXPECT_EQ(file.path, "");
    Error error = error_of([&] { cuda::fail_without_nvrtc(file, "the call"); });
    EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
    EXPECT_SAYS(error, "the call", "nowhere.so", "backend=\"clang\"");
    // It may be put there later.
    install("nowhere.so");
    EXPECT_NE(cuda::find_nvrtc().path, "");
}

TEST_F(FindNvrtc, ToolkitsAndWheelsAreLookedThrough) {
    std::string toolkit = install("toolkit/lib64/libnvrtc.so.12");
    std::string wheel = install("site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    std::string environment = install("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    environment_.set("VIRTUAL_ENV", in("venv"));
    EXPECT_EQ(cuda::find_nvrtc().path, environment);
    environment_.set("LANEWISE_NVIDIA_PACKAGES", in("other") + ":" + in("site-packages/nvidia"));
    EXPECT_EQ(cuda::find_nvrtc().path, wheel);
    environment_.set("CUDA_PATH", in("toolkit"));
    EXPECT_EQ(cuda::find_nvrtc().path, toolkit);
    std::string listed = install("listed/libnvrtc.so.12");
    environment_.set("LD_LIBRARY_PATH", in("empty") + ":" + in("listed"));
    EXPECT_EQ(cuda::find_nvrtc().path, listed);
}

TEST_F(FindNvrtc, OneNewerThanTheDriverComesLast) {
    // The driver says 12.8.
    std::string newer = install("new/lib64/libnvrtc.so.13");
    std::string fitting = install("site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    environment_.set("CUDA_HOME", in("new"));
    environment_.set("LANEWISE_NVIDIA_PACKAGES", in("site-packages/nvidia"));
    EXPECT_EQ(cuda::find_nvrtc().path, fitting);
    environment_.set("LANEWISE_NVRTC", newer);
    EXPECT_EQ(cuda::find_nvrtc().path, newer);
}

TEST_F(FindNvrtc, HeadersComeFromTheToolkitOrTheWheelsBesideIt) {
    install("toolkit/lib64/libnvrtc.so.12");
    for (const char* name : {"include/cuda_runtime.h", "include/cuda_runtime_api.h", "include/cccl/cuda/std/version"})
        folder_.put(std::string("toolkit/") + name, "");
    environment_.set("CUDA_HOME", in("toolkit"));
    EXPECT_EQ(cuda::find_nvrtc().include_folders,
              (std::vector<std::string>{in("toolkit/include/cccl"), in("toolkit/include")}));

    install("site/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    folder_.put("site/nvidia/cuda_runtime/include/cuda_runtime.h", "");
    folder_.put("site/nvidia/cuda_runtime/include/cuda_runtime_api.h", "");
    folder_.put("site/nvidia/cuda_cccl/include/cuda/std/version", "");
    environment_.set("CUDA_HOME", std::nullopt);
    environment_.set("LANEWISE_NVIDIA_PACKAGES", in("site/nvidia"));
    EXPECT_EQ(cuda::find_nvrtc().include_folders,
              (std::vector<std::string>{in("site/nvidia/cuda_runtime/include"), in("site/nvidia/cuda_cccl/include")}));
}

TEST_F(FindNvrtc, TheIdentityFollowsTheFile) {
    std::string path = folder_.put("libnvrtc.so.12", "one");
    environment_.set("LANEWISE_NVRTC", path);
    std::string before = cuda::find_nvrtc().identity;
    EXPECT_EQ(cuda::find_nvrtc().identity, before);
    folder_.put("libnvrtc.so.12", "another");
    EXPECT_NE(cuda::find_nvrtc().identity, before);
}

TEST_F(FindNvrtc, WhatIsNoNvrtcIsRefused) {
    Error error = error_of([] { cuda::Nvrtc::open("libm.so.6"); });
    EXPECT_EQ(error.kind(), ErrorKind::DeviceUnavailable);
    EXPECT_SAYS(error, "libm.so.6", "is no NVRTC");
    EXPECT_SAYS(error_of([&] { cuda::Nvrtc::open(folder_.put("libnvrtc.so", "text")); }), "does not load");
    fake_nvrtc::settings().major = 10;
    std::string old = install("old/libnvrtc.so");
    EXPECT_SAYS(error_of([&] { cuda::Nvrtc::open(old); }), "10.8", "too old");
}

TEST_F(FindNvrtc, ProgramsAreDestroyedOnAllPaths) {
    environment_.set("LANEWISE_NVRTC", FAKE_NVRTC);
    cuda::NvrtcFile file = cuda::find_nvrtc();
    const cuda::Nvrtc& nvrtc = cuda::Nvrtc::open(file.path);
    auto compile = [&](cuda_cpp::Source source) {
        return nvrtc.compile(source, cuda_cpp::parse_options(source.options), file, "sm_90a", false);
    };
    compile(source_of("__global__ void f() {}"));
    Error error = error_of([&] { compile(source_of("\n#error no good\n")); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    // Old compilers give no source line: it comes from the text.
    EXPECT_SAYS(error, "kernel.cu(2): error: no good", "#error no good");
    cuda_cpp::Source named = source_of("__global__ void f() {}");
    named.name_expressions = {"missing"};
    EXPECT_SAYS(error_of([&] { compile(named); }), "'missing'");
    fake_nvrtc::settings().result = 7;
    EXPECT_SAYS(error_of([&] { compile(source_of("")); }), "libnvrtc-builtins");
    fake_nvrtc::settings().result = 1;
    EXPECT_SAYS(error_of([&] { compile(source_of("")); }), "nvrtcCompileProgram");
    EXPECT_EQ(fake_nvrtc::live_programs(), 0);
}

}  // namespace
}  // namespace lanewise
