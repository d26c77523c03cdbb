// The NVRTC of this machine, which needs no GPU: what programs written for nvcc or NVRTC give. Skipped where there is
// none.
#include "backend/cuda/nvrtc.h"

#include <algorithm>

#include "fixture.h"
#include "nvrtc_fixture.h"

namespace lanewise {
namespace {

using List = std::vector<std::string>;

class RealNvrtc : public testing::Test {
protected:
    void SetUp() override {
        environment_.set("LANEWISE_NVRTC", std::nullopt);
        file_ = cuda::find_nvrtc();
        if (file_.path.empty()) GTEST_SKIP() << "no NVRTC found in " << file_.searched;
    }

    Image compile(const cuda_cpp::Source& source, bool with_text = false, const std::string& target = "sm_90a") {
        return cuda::Nvrtc::open(file_.path)
            .compile(source, cuda_cpp::parse_options(source.options), file_, target, with_text);
    }
    Image compile(const std::string& text, List options = {}) { return compile(source_of(text, std::move(options))); }
    void needs_headers() {
        if (file_.include_folders.empty()) GTEST_SKIP() << "no CUDA headers found";
    }
    static bool has(const Image& image, const std::string& text) {
        return std::search(image.bytes.begin(), image.bytes.end(), text.begin(), text.end()) != image.bytes.end();
    }
    static bool is_elf(const Image& image) {
        return has(image,
                   "\x7f"
                   "ELF");
    }

    ScopedEnvironment environment_;
    cuda::NvrtcFile file_;
};

const char* const scale_text = "extern \"C\" __global__ void scale(float* x, float a) { x[threadIdx.x] *= a; }\n";

TEST_F(RealNvrtc, MakesMachineCodeForTheDevice) {
    Image image = compile(scale_text);
    EXPECT_EQ(image.format, ImageFormat::Cubin);
    EXPECT_EQ(image.target, "sm_90a");
    EXPECT_TRUE(is_elf(image));
    EXPECT_TRUE(has(image, ".text.scale"));
    EXPECT_TRUE(image.warnings.empty());
    EXPECT_TRUE(image.assembly.empty());
}

TEST_F(RealNvrtc, GivesTheTextWhenAskedFor) {
    EXPECT_NE(compile(source_of(scale_text), true).assembly.find(".entry scale"), std::string::npos);
}

TEST_F(RealNvrtc, AnotherArchitectureIsPtx) {
    Image image = compile(scale_text, {"-arch=sm_80"});
    EXPECT_EQ(image.format, ImageFormat::Ptx);
    EXPECT_TRUE(has(image, ".target sm_80"));
    EXPECT_EQ(image.bytes.back(), 0);
    // A GPU that is newer than the compiler.
    EXPECT_EQ(compile(source_of(scale_text), false, "sm_999a").format, ImageFormat::Ptx);
    Error error = error_of([&] { compile(source_of(scale_text), false, "sm_30"); });
    EXPECT_SAYS(error, "3.0", "LANEWISE_NVRTC");
}

TEST_F(RealNvrtc, RelocatableCodeIsPtxForTheDriverToLink) {
    Image image = compile(
        "extern \"C\" __global__ void child(int* x) { atomicAdd(x, 1); }\n"
        "extern \"C\" __global__ void parent(int* x) { child<<<1, 32>>>(x); }\n",
        {"-rdc=true", "-lcudadevrt"});
    EXPECT_EQ(image.format, ImageFormat::Ptx);
    EXPECT_TRUE(has(image, ".target sm_90a"));
    EXPECT_TRUE(has(image, "LaunchDevice"));
}

TEST_F(RealNvrtc, OptionsOfNvccAreUnderstood) {
    Image image = compile(source_of("extern \"C\" __global__ void f(float* x) { x[0] = x[1] / x[N] + LOW; }\n",
                                    {"-O3", "-g", "-DN=3", "-D", "LOW=0.5f", "--expt-relaxed-constexpr", "-Xcompiler",
                                     "-fopenmp", "-use_fast_math", "-Xptxas", "-O2,-v", "-std=c++14", "-lineinfo",
                                     "-maxrregcount=32", "-diag-suppress", "177", "-Wno-deprecated-gpu-targets"}),
                          true);
    EXPECT_NE(image.assembly.find("div.approx.ftz.f32"), std::string::npos);
    EXPECT_NE(image.assembly.find("\t.loc"), std::string::npos);
}

TEST_F(RealNvrtc, UnknownOptionsAreNamed) {
    Error error = error_of([&] { compile(scale_text, {"--use-fast-math"}); });
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_SAYS(error, "--use-fast-math", "did you mean '--use_fast_math'");
}

TEST_F(RealNvrtc, NameExpressionsAreLowered) {
    cuda_cpp::Source source = source_of(
        "template <class T> __global__ void scale(T* x) { x[0] *= 2; }\n"
        "namespace ns { __constant__ int table[4]; }\n");
    source.name_expressions = {"scale<float>", "&ns::table"};
    Image image = compile(source);
    EXPECT_EQ(image.names, (std::vector<std::pair<std::string, std::string>>{{"scale<float>", "_Z5scaleIfEvPT_"},
                                                                             {"&ns::table", "_ZN2ns5tableE"}}));
    EXPECT_TRUE(has(image, ".text._Z5scaleIfEvPT_"));
}

TEST_F(RealNvrtc, ExternCKeepsTheLines) {
    cuda_cpp::Source source = source_of("__global__ void f(int* x) {\n  x[0] = y;\n}\n");
    source.extern_c = true;
    Error error = error_of([&] { compile(source); });
    EXPECT_SAYS(error, "kernel.cu(2): error");
    source.text = "__global__ void f(int* x) { x[0] = 1; }\n";
    EXPECT_TRUE(has(compile(source), ".text.f"));
}

TEST_F(RealNvrtc, TheFirstErrorIsShownWithItsLine) {
    Error error =
        error_of([&] { compile("__global__ void f(float* x) {\n    y = 2;\n    z = 1;\n    int unused;\n}\n"); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_SAYS(error, "NVRTC", "kernel.cu(2): error: identifier \"y\" is undefined", "    y = 2;", "(1 more error");
    EXPECT_EQ(std::string(error.what()).find("unused"), std::string::npos) << error.what();
    EXPECT_NE(error.log.find("\"z\" is undefined"), std::string::npos);
}

TEST_F(RealNvrtc, AMissingHeaderSaysWhereItWasLookedFor) {
    Error error = error_of([&] { compile("#include \"nowhere.h\"\n"); });
    EXPECT_SAYS(error, "nowhere.h", "-I");
}

TEST_F(RealNvrtc, WarningsAreKeptAndCanBeTurnedOff) {
    const char* text = "__global__ void f() { int never_used = 3; }\n";
    Image image = compile(text);
    ASSERT_EQ(image.warnings.size(), 1u);
    EXPECT_NE(image.warnings[0].find("never_used"), std::string::npos);
    EXPECT_TRUE(compile(text, {"-w"}).warnings.empty());
}

TEST_F(RealNvrtc, HostHeadersThatProgramsForNvccIncludeAreThere) {
    compile(R"(
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
#include <float.h>
#include <limits.h>
#include <string.h>
#include <assert.h>
#include <time.h>
#include <cstdio>
#include <cstdint>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <algorithm>
#include <iostream>
#include <vector>
__global__ void f(float* x, uint8_t* b, int64_t n, std::uint32_t m) {
    assert(n > 0);
    x[0] = std::sqrt(x[1]) + sinf(float(M_PI)) + FLT_MAX + INT_MAX + INFINITY + std::fabs(x[2]);
    constexpr float inf = INFINITY;
    x[1] = std::min(x[1], inf) + std::max(1, 2) + NAN;
    memcpy(b, x, sizeof(std::size_t));
    printf("%d\n", int(offsetof(float4, y)));
    static_assert(sizeof(int64_t) == 8 && sizeof(uint32_t) == 4 && UINT32_MAX == 0xffffffffu, "");
}
)");
}

TEST_F(RealNvrtc, EachInMemoryHeaderCompilesByItselfInBothLinkages) {
    needs_headers();
    if (IsSkipped()) return;
    for (const char* name :
         {"assert.h", "cstdint", "cstddef", "climits", "cfloat", "cmath", "cstdlib", "cstring", "cstdio", "ctime",
          "sys/types.h", "algorithm", "type_traits", "limits", "lanewise/nvcc_prelude.h"})
        for (bool extern_c : {false, true}) {
            cuda_cpp::Source source = source_of(std::string("#include <") + name + ">\n__global__ void f() {}\n");
            source.extern_c = extern_c;
            EXPECT_NO_THROW(compile(source)) << name;
        }
}

TEST_F(RealNvrtc, MathFunctionsTakeIntegersAndMixedTypesAsInTheStandard) {
    compile(R"(
#include <cmath>
template <class T, class U> struct same { static constexpr bool value = false; };
template <class T> struct same<T, T> { static constexpr bool value = true; };
#define IS(type, expression) static_assert(same<type, decltype(expression)>::value, #expression)
__global__ void f(double* x, int n, unsigned long long m, float a, double b) {
    IS(double, sqrt(n)); IS(double, std::exp(m)); IS(float, sqrt(a)); IS(double, std::sqrt(b));
    IS(double, pow(n, n)); IS(double, std::pow(b, a)); IS(float, pow(a, a)); IS(double, fmax(n, b)); IS(float, fmin(a, a));
    IS(double, atan2(n, 2)); IS(double, floor(n)); IS(double, fabs(m)); IS(int, abs(n));
    x[0] = sqrt(n) + std::exp(m) + pow(n, 2) + std::pow(a, b) + fmax(n, b) + atan2(n, 2) + pow(b, 2) + pow(a, 2);
}
)");
}

TEST_F(RealNvrtc, TheNamesThatNvccBringsUnaskedAreThere) {
    cuda_cpp::Source source = source_of(
        "__global__ void f(uint* x, ulong n) { x[0] = std::min(x[1], 3u) + M_PI + INT_MAX + sqrt(int(n)); }\n");
    for (bool extern_c : {false, true}) {
        source.extern_c = extern_c;
        EXPECT_NO_THROW(compile(source));
    }
    // Programs that bring their own do not meet them.
    EXPECT_TRUE(
        compile("#define M_PI 3\ntypedef float uint;\n__global__ void f(uint* x) { x[0] = M_PI; }\n").warnings.empty());
    // Of a program that is wrong as well, that is the error.
    Error error = error_of([&] { compile("__global__ void f(float* x) {\n  x[0] = M_PI;\n  x[1] = typo;\n}\n"); });
    EXPECT_SAYS(error, "kernel.cu(3): error", "\"typo\"");
    // Where they would be in the way, the first errors stand.
    error = error_of([&] {
        compile(
            "struct uint { int x; };\nstruct ulong {};\nstruct ushort {};\n__global__ void f(uint* x) {\n  x[0] = "
            "typo;\n}\n");
    });
    EXPECT_SAYS(error, "kernel.cu(5): error", "\"typo\"");
}

TEST_F(RealNvrtc, ComplexNumbersOfAllThreeLibraries) {
    const std::pair<const char*, const char*> headers[] = {{"pycuda-complex.hpp", "pycuda::complex<float>"},
                                                           {"pycuda-helpers.hpp", "pycuda::complex<double>"},
                                                           {"cupy/complex.cuh", "complex<float>"},
                                                           {"thrust/complex.h", "thrust::complex<double>"},
                                                           {"complex", "std::complex<float>"}};
    for (bool with_cuda : {true, false}) {
        if (!with_cuda) file_.include_folders.clear();
        for (auto [header, type] : headers)
            for (bool extern_c : {false, true}) {
                cuda_cpp::Source source =
                    source_of(std::string("#include <") + header + ">\n__global__ void f(" + type +
                              "* x) { x[0] = x[1] * x[2] + exp(x[3]) / x[4] * 2.0f - sqrt(x[5]) + 1; }\n");
                source.extern_c = extern_c;
                EXPECT_NO_THROW(compile(source)) << header << with_cuda;
            }
    }
}

TEST_F(RealNvrtc, AUsersHeaderOfAHostHeadersNameWins) {
    ScopedFolder folder;
    folder.put("math.h", "#define MINE 1\n");
    compile("#include <math.h>\n__global__ void f(int* x) { x[0] = MINE; }\n", {"-I" + folder.path()});
}

TEST_F(RealNvrtc, HeadersOfTheToolkitAreFound) {
    needs_headers();
    if (IsSkipped()) return;
    compile(
        "#include <cuda_runtime.h>\n#include <cuda_fp16.h>\n__global__ void f(__half* x) { x[0] = __hadd(x[1], x[2]); "
        "}\n");
    compile("#include <cooperative_groups.h>\n__global__ void f() { cooperative_groups::this_grid().sync(); }\n");
    compile(
        "#include <curand_kernel.h>\n__global__ void f(float* x) { curandState s; curand_init(1, 2, 3, &s);\n"
        "x[0] = curand_uniform(&s); }\n");
    compile(
        "#include <cub/block/block_reduce.cuh>\n__global__ void f(float* x) { using R = cub::BlockReduce<float, 128>;\n"
        "__shared__ typename R::TempStorage t; x[0] = R(t).Sum(x[threadIdx.x]); }\n");
    compile(
        "#include <type_traits>\n#include <limits>\n#include <utility>\n__global__ void f(float* x) {\n"
        "if (std::is_same<float, float>::value) x[0] = std::numeric_limits<float>::max(); auto y = std::move(x); }\n");
}

TEST_F(RealNvrtc, BareNvrtcCompilesProgramsThatIncludeTheRuntime) {
    file_.include_folders.clear();
    compile(
        "#include <cuda_runtime.h>\n#include <device_launch_parameters.h>\n#include <stdint.h>\n"
        "__global__ void f(uint32_t* x) { x[0] = threadIdx.x; }\n");
    Error error = error_of([&] { compile("#include <cuda_fp16.h>\n"); });
    EXPECT_SAYS(error, "cuda_fp16.h", "nvidia-cuda-runtime", "CUDA_HOME");
    EXPECT_SAYS(error_of([&] { compile("#include <type_traits>\n"); }), "cuda/std/type_traits", "nvidia-cuda-cccl");
}

}  // namespace
}  // namespace lanewise
