// What options and the fields of a source change.
#include <filesystem>
#include <fstream>

#include "compile.h"

namespace lanewise {
namespace {

using namespace test;

/// A folder with files that goes away at the end.
class Folder {
public:
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "lanewise_XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    void write(const std::string& name, const std::string& contents) { std::ofstream(path_ / name) << contents; }
    std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

int result_of(const Request& request) {
    int result = -1;
    run(*load(request), "k", {1}, {1}, 0, &result);
    return result;
}

Request kernel(const std::string& expression, const std::string& before = "") {
    return text(before + "\nextern \"C\" __global__ void k(int* p) { *p = " + expression + "; }\n");
}

TEST(Options, DefineAndUndefineMacros) {
    Request request = kernel("A * 10 + B");
    request.options.defines = {"A=4", "B"};
    EXPECT_EQ(result_of(request), 41);
    request.options.undefines = {"B"};
    EXPECT_TRUE(contains(error_of(request).what(), "undeclared identifier 'B'"));
}

TEST(Options, IncludeFoldersAreSearchedInOrder) {
    Folder first, second;
    first.write("value.h", "#define VALUE 1\n");
    second.write("value.h", "#define VALUE 2\n");
    Request request = kernel("VALUE", "#include \"value.h\"");
    request.options.include_folders = {first.path(), second.path()};
    EXPECT_EQ(result_of(request), 1);
    request.options.include_folders = {second.path(), first.path()};
    EXPECT_EQ(result_of(request), 2);
}

TEST(Options, HeadersOfTheUserComeBeforeOurs) {
    Folder folder;
    folder.write("cuda_fp16.h", "#define VALUE 3\nstruct __half { int x; };\n");
    Request request = kernel("VALUE", "#include <cuda_fp16.h>");
    request.options.include_folders = {folder.path()};
    EXPECT_EQ(result_of(request), 3);
    EXPECT_TRUE(contains(error_of(kernel("VALUE", "#include <cuda_fp16.h>")).what(), "undeclared identifier 'VALUE'"));
}

TEST(Options, HeadersOfAToolkitComeAfterOurs) {
    Folder folder;
    std::filesystem::create_directory(folder.path() + "/crt");
    folder.write("crt/host_config.h", "");
    folder.write("cuda_fp16.h", "#error \"for nvcc\"\n");
    folder.write("only_there.h", "#define VALUE 4\n");
    Request request =
        kernel("VALUE + int(__half2float(__float2half(2.0f)))", "#include <cuda_fp16.h>\n#include \"only_there.h\"");
    request.options.include_folders = {folder.path()};
    EXPECT_EQ(result_of(request), 6);
}

TEST(Options, HeadersAreSeenOnlyWhereTheyAreIncluded) {
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(result_of(kernel("sizeof(__half)", "struct __half { char bytes[9]; };")), 9);
        EXPECT_EQ(result_of(kernel("sizeof(__half)", "  #  include <cuda_fp16.h>")), 2);
        EXPECT_EQ(result_of(kernel("sizeof(__half) + sizeof(__nv_bfloat162)",
                                   "#include \"cuda_fp16.h\"\n#include \"cuda_bf16.h\"")),
                  6);
    }
}

TEST(Options, AFileOnDiskFindsItsNeighbours) {
    Folder folder;
    folder.write("value.h", "#pragma once\n__device__ inline int value() { return 7; }\n");
    Request request = kernel("value()", "#include \"value.h\"\n#include \"value.h\"");
    request.source.file = folder.path() + "/kernel.cu";
    EXPECT_EQ(result_of(request), 7);
}

TEST(Options, ForcedIncludesComeBeforeTheText) {
    Folder folder;
    folder.write("before.h", "#define VALUE 9\n");
    Request request = kernel("VALUE");
    request.options.forced_includes = {folder.path() + "/before.h"};
    EXPECT_EQ(result_of(request), 9);
}

/// The precompiled prelude, where there is one, is that of other options.
TEST(Options, PredefinedMacrosCanBeReplaced) {
    for (int round = 0; round < 3; ++round) {
        Request request = kernel("CUDART_VERSION");
        request.options.defines = {"CUDART_VERSION=12040"};
        EXPECT_EQ(result_of(request), 12040);
        request = kernel("0", "#ifdef __CUDACC_RTC__\n#error defined\n#endif");
        request.options.undefines = {"__CUDACC_RTC__"};
        EXPECT_EQ(result_of(request), 0);
        request = kernel("1", "#include <assert.h>\n__device__ void f() { assert(undeclared); }");
        request.options.defines = {"NDEBUG"};
        EXPECT_EQ(result_of(request), 1);
        request.options.defines = {"min=9"};
        request.source.text = kernel("min").source.text;
        EXPECT_EQ(result_of(request), 9);
    }
}

TEST(Options, TheStandardIsChosen) {
    for (int standard : {11, 14, 17, 20}) {
        Request request = kernel("__cplusplus / 100");
        request.options.standard = standard;
        EXPECT_EQ(result_of(request), 2000 + standard);
    }
    Request request = kernel("add(1, 2)", "__device__ auto add(auto a, auto b) { return a + b; }");
    request.options.standard = 20;
    EXPECT_EQ(result_of(request), 3);
}

TEST(Options, TextStandsInsideExternCWhenAskedFor) {
    Request request = text("__global__ void k(int* p) { *p = 1; }\n");
    EXPECT_EQ(compile_for_cuda(request).entries.at(0).name, "_Z1kPi");
    request.source.extern_c = true;
    EXPECT_EQ(compile_for_cuda(request).entries.at(0).name, "k");
    EXPECT_EQ(describe(request).entries.at(0).name, "k");
}

TEST(Options, FunctionsWithoutAnnotationCanBeDeviceFunctions) {
    Request request = kernel("helper(2)", "int helper(int x) { return x * 21; }");
    EXPECT_EQ(error_of(request).kind(), ErrorKind::Compile);
    request.options.default_device = true;
    EXPECT_EQ(result_of(request), 42);
    EXPECT_EQ(describe(request).entries.size(), 1u);
}

TEST(Options, TheArchitectureDecidesTheMacros) {
    Request request = text("#if __CUDA_ARCH__ != 700\n#error other\n#endif\n__global__ void k(int* p) { *p = 1; }");
    EXPECT_TRUE(contains(error_of(request).what(), "other"));
    request.options.architecture = "compute_70";
    EXPECT_NO_THROW(compile_for_cuda(request));
    request.options.architecture = "gfx90a";
    const Error error = error_of(request);
    EXPECT_EQ(error.kind(), ErrorKind::Value);
    EXPECT_TRUE(contains(error.what(), "'gfx90a' is no CUDA architecture")) << error.what();
}

TEST(Options, ArchitectureSpecificFeaturesAreThoseOfTheTarget) {
    Request request =
        text("#ifndef __CUDA_ARCH_FEAT_SM90_ALL\n#error no\n#endif\n__global__ void k(int* p) { *p = 1; }");
    EXPECT_EQ(error_of(request).kind(), ErrorKind::Compile);
    request.target = "sm_90a";
    EXPECT_TRUE(contains(compile_for_cuda(request).assembly, ".target sm_90a"));
}

/// The macros and values of NVRTC 13.0.
TEST(Options, PredefinesWhatNvrtcDoes) {
    const char macros[] = R"(
static_assert(__CUDACC__ == 1 && __CUDACC_RTC__ == 1 && __CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0);
static_assert(__CUDA_API_VER_MAJOR__ == 13 && __CUDA_API_VER_MINOR__ == 0 && CUDART_VERSION == 13000);
static_assert(__CUDA_ARCH__ == 900 && __LP64__ == 1 && sizeof(long) == 8 && __cplusplus == 201703L);
static_assert(__USE_FAST_MATH__ == FAST && __CUDA_FTZ == FAST && __CUDA_PREC_DIV == !FAST && __CUDA_PREC_SQRT == !FAST);
#ifdef __linux__
#error "NVRTC has no host"
#endif
__global__ void k(int* p) { *p = __LANEWISE__; }
)";
    Request request = text(macros);
    request.options.defines = {"FAST=0"};
    EXPECT_NO_THROW(compile_for_cuda(request));
    request.options.defines = {"FAST=1"};
    request.options.fast_math = request.options.flush_denormals = true;
    request.options.precise_divide = request.options.precise_sqrt = false;
    EXPECT_NO_THROW(compile_for_cuda(request));
}

const char arithmetic[] = R"(
extern "C" __global__ void k(float* p) { p[0] = p[1] / p[2]; p[3] = sqrtf(p[4]); p[5] = 1.0f / p[6]; p[7] = p[8] * p[9] + p[10]; }
)";

/// The instructions that nvcc 13.0 chooses for the same text and options.
TEST(Options, ArithmeticIsAsPreciseAsAskedFor) {
    struct Row {
        const char* name;
        void (*set)(cuda_cpp::Options&);
        std::vector<const char*> instructions;
    };
    const Row rows[] = {
        {"default", [](cuda_cpp::Options&) {}, {"div.rn.f32", "sqrt.rn.f32", "rcp.rn.f32", "fma.rn.f32"}},
        {"-fmad=false", [](cuda_cpp::Options& o) { o.contract = false; }, {"mul.rn.f32", "add.rn.f32"}},
        {"-prec-div=false",
         [](cuda_cpp::Options& o) { o.precise_divide = false; },
         {"div.full.f32", "sqrt.rn.f32", "rcp.approx.f32"}},
        {"-prec-sqrt=false", [](cuda_cpp::Options& o) { o.precise_sqrt = false; }, {"div.rn.f32", "sqrt.approx.f32"}},
        {"-ftz=true",
         [](cuda_cpp::Options& o) { o.flush_denormals = true; },
         {"div.rn.ftz.f32", "sqrt.rn.ftz.f32", "rcp.rn.ftz.f32", "fma.rn.ftz.f32"}},
        {"-use_fast_math",
         [](cuda_cpp::Options& o) {
             o.fast_math = o.flush_denormals = true;
             o.precise_divide = o.precise_sqrt = false;
         },
         {"div.approx.ftz.f32", "sqrt.approx.ftz.f32", "rcp.approx.ftz.f32", "fma.rn.ftz.f32"}},
    };
    for (const Row& row : rows) {
        Request request = text(arithmetic);
        row.set(request.options);
        const Image image = compile_for_cuda(request);
        for (const char* instruction : row.instructions)
            EXPECT_TRUE(contains(image.assembly, instruction)) << row.name << " " << instruction << image.assembly;
    }
}

TEST(Options, LineInformationNamesTheFile) {
    Request request = kernel("1");
    request.source.file = "some/place.cu";
    EXPECT_FALSE(contains(compile_for_cuda(request).assembly, ".loc"));
    request.options.line_info = true;
    const std::string assembly = compile_for_cuda(request).assembly;
    EXPECT_TRUE(contains(assembly, "some/place.cu")) << assembly;
    EXPECT_TRUE(contains(assembly, ".loc\t1 2")) << assembly;
    request.options.debug = true;
    EXPECT_TRUE(contains(compile_for_cuda(request).assembly, ".target sm_90, debug"));
}

TEST(Options, RestrictHoldsForAllPointersOfKernels) {
    Request request = text("__global__ void k(const float* x, float* y) { y[threadIdx.x] = x[threadIdx.x]; }");
    EXPECT_FALSE(contains(compile_for_cuda(request).assembly, "ld.global.nc"));
    request.options.other = {"--restrict"};
    EXPECT_TRUE(contains(compile_for_cuda(request).assembly, "ld.global.nc"));
}

TEST(Options, RelocatableCodeKeepsItsFunctions) {
    Request request = text("__device__ int other(int);\n__device__ int mine(int x) { return other(x) + 1; }");
    request.options.relocatable = true;
    const std::string assembly = compile_for_cuda(request).assembly;
    EXPECT_TRUE(contains(assembly, ".visible .func")) << assembly;
    EXPECT_TRUE(contains(assembly, ".extern .func")) << assembly;
}

}  // namespace
}  // namespace lanewise
