// What CUDA C++ becomes: PTX for a GPU, and code that runs on the cpu device.
#include "compile.h"

#include <numeric>
#include <thread>

namespace lanewise {
namespace {

using namespace test;

const char saxpy[] = R"(
extern "C" __global__ void saxpy(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

std::vector<float> counted(int n) {
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 0.0f);
    return values;
}

TEST(CudaCpp, CompilesToPtxLikeNvccs) {
    const Image image = compile_for_cuda(text(saxpy));
    EXPECT_EQ(image.format, ImageFormat::Ptx);
    EXPECT_EQ(image.target, "sm_90");
    EXPECT_TRUE(contains(image.assembly, ".visible .entry saxpy(")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "ld.global.nc.f32")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "fma.rn.f32")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "st.global.f32")) << image.assembly;
    EXPECT_TRUE(image.warnings.empty());
}

TEST(CudaCpp, RunsOnTheCpuDevice) {
    const auto module = load(text(saxpy));
    std::vector<float> x = counted(1000), y(1000, 1.0f);
    run(*module, "saxpy", {4}, {256}, 0, 2.0f, x.data(), y.data(), 1000);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(y[i], 2.0f * i + 1.0f);
}

TEST(CudaCpp, KeepsFunctionsOutOfThePtxThatKernelsDoNotNeed) {
    const Image image = compile_for_cuda(text(R"(
__device__ float twice(float x) { return x + x; }
__device__ float unused(float x) { return x * x; }
template <class T> __device__ __noinline__ T kept(T x) { return x * x; }
__global__ void k(float* p) { p[0] = twice(p[1]) + kept(p[2]); }
)"));
    EXPECT_FALSE(contains(image.assembly, "twice")) << image.assembly;
    EXPECT_FALSE(contains(image.assembly, "unused")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, ".func  (.param .b32")) << image.assembly;
    EXPECT_FALSE(contains(image.assembly, ".extern")) << image.assembly;
}

TEST(CudaCpp, CopiesStructuresBySixteenBytes) {
    const Image image = compile_for_cuda(text(R"(
struct __align__(16) Item { double position[3]; float mass, charge; };
__global__ void k(float4* p, Item* q) { p[1] = p[0]; q[1] = q[0]; }
)"));
    EXPECT_FALSE(contains(image.assembly, "ld.global.u64")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "ld.global.v4.u32")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, "st.global.v4.u32")) << image.assembly;
}

TEST(CudaCpp, ComparesPackedElementsAsNumbersForEveryGpu) {
    std::string code = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n";
    for (const char* width : {"2", "4"})
        for (const char* kind : {"vcmp", "vset"})
            for (const char* order : {"eq", "ne", "lts", "les", "gts", "ges", "ltu", "leu", "gtu", "geu"}) {
                const std::string name = std::string("__") + kind + order + width;
                code += "extern \"C\" __global__ void k" + name + "(unsigned* a, unsigned* b) { a[0] = " + name +
                        "(a[0], b[0]); }\n";
            }
    for (const char* type : {"__half2", "__nv_bfloat162"})
        for (const char* name : {"__heq2", "__hne2", "__hlt2", "__hgeu2", "__heq2_mask", "__hgt2_mask"}) {
            const bool mask = std::string(name).ends_with("_mask");
            code += std::string("__global__ void k") + name + "(" + type + "* a, " + (mask ? "unsigned" : type) +
                    "* b) { b[0] = " + name + "(a[0], a[1]); }\n";
        }
    for (const char* target : {"sm_70", "sm_80", "sm_90a"}) {
        Request request = text(code);
        request.target = target;
        const Image image = compile_for_cuda(request);
        EXPECT_TRUE(contains(image.assembly, "k__vcmpgts2")) << target;
    }
}

TEST(CudaCpp, TakesBothSpellingsOfRegistersInInlineAssembly) {
    const std::string code = R"(
#define LANE(x) asm volatile("mov.u32 %0, " /* "%nothing" : */ "%laneid;" : "=r"(x))
// asm("mov.u32 %0, %laneid;" : it's a comment
extern "C" __global__ void k(unsigned* out, const char* text) {
    unsigned lane, both, counted = sizeof("%laneid: asm(\"%tid\" : ") + sizeof(R"x(asm("%tid" :)x");
    LANE(lane);
    asm("{ .reg .u32 t; mov.u32 t, %%laneid; add.u32 %0, t, %laneid; }" : "=r"(both));
    asm("");
    out[2 * threadIdx.x] = lane;
    out[2 * threadIdx.x + 1] = both + (counted == sizeof("%laneid: asm(\"%tid\" : ") + 13 ? 0 : 1000);
}
)";
    const Image image = compile_for_cuda(text(code));
    EXPECT_TRUE(contains(image.assembly, "%laneid")) << image.assembly;
    EXPECT_FALSE(contains(image.assembly, "%%laneid")) << image.assembly;
    const auto module = load(text(code));
    std::vector<unsigned> out(128);
    run(*module, "k", {1}, {64}, 0, out.data(), "");
    for (unsigned i = 0; i < 64; ++i) {
        ASSERT_EQ(out[2 * i], i % 32);
        ASSERT_EQ(out[2 * i + 1], i % 32 * 2);
    }
}

TEST(CudaCpp, StatesLaunchBounds) {
    const Image image = compile_for_cuda(text("__global__ void __launch_bounds__(128, 4) k(int* p) { *p = 1; }"));
    EXPECT_TRUE(contains(image.assembly, ".maxntid 128")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, ".minnctapersm 4")) << image.assembly;
}

TEST(CudaCpp, EntriesTellTheirLaunchBounds) {
    const Request request = text(R"(
extern "C" __global__ void __launch_bounds__(96) bounded(int* p) { *p = 1; }
extern "C" __global__ void open(int* p) { *p = 2; })");
    for (const Image& image : {compile_for_cuda(request), compile_for_cpu(request)}) {
        ASSERT_EQ(image.entries.size(), 2u);
        for (const EntryPoint& entry : image.entries)
            EXPECT_EQ(entry.max_threads, entry.name == "bounded" ? 96u : 0u) << entry.name;
    }
}

TEST(CudaCpp, ParametersHaveALimit) {
    auto kernel = [](int bytes) {
        return text("struct Large { char bytes[" + std::to_string(bytes) +
                    "]; };\n__global__ void k(Large large, char* out) { *out = large.bytes[0]; }");
    };
    // With the pointer behind it, 32760 and 32768 bytes; CUDA documents 32764.
    EXPECT_EQ(compile_for_cpu(kernel(32752)).entries[0].parameter_bytes, 32760u);
    EXPECT_EQ(compile_for_cuda(kernel(32752)).entries[0].parameter_bytes, 32760u);
    for (auto compile : {compile_for_cpu, compile_for_cuda}) {
        Error error = error_of([&] { compile(kernel(32760)); });
        EXPECT_EQ(error.kind(), ErrorKind::Lowering);
        EXPECT_TRUE(contains(error.what(), "32768 bytes of parameters")) << error.what();
        EXPECT_TRUE(contains(error.what(), "32764")) << error.what();
    }
}

TEST(CudaCpp, StaticSharedMemoryServesABlock) {
    const Request request = text(R"(
extern "C" __global__ void reverse(int* p) {
    __shared__ int values[64];
    values[threadIdx.x] = p[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    p[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x];
}
)");
    EXPECT_EQ(compile_for_cuda(request).entries.at(0).static_shared_bytes, 256u);
    std::vector<int> p(128);
    std::iota(p.begin(), p.end(), 0);
    run(*load(request), "reverse", {2}, {64}, 0, p.data());
    for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(p[i], 63 - i);
        ASSERT_EQ(p[64 + i], 127 - i);
    }
}

TEST(CudaCpp, DynamicSharedMemoryHasTheSizeOfTheLaunch) {
    const Request request = text(R"(
extern "C" __global__ void rotate(float* p) {
    extern __shared__ float values[];
    values[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];
}
)");
    EXPECT_TRUE(compile_for_cuda(request).entries.at(0).uses_dynamic_shared);
    std::vector<float> p = counted(96);
    run(*load(request), "rotate", {1}, {96}, 96 * sizeof(float), p.data());
    for (int i = 0; i < 96; ++i) ASSERT_EQ(p[i], (i + 1) % 96);
}

TEST(CudaCpp, GlobalVariablesCanBeSetFromOutside) {
    const Request request = text(R"(
__constant__ float weights[4];
__device__ int counter = 5;
extern "C" __global__ void weigh(float* p) { p[threadIdx.x] *= weights[threadIdx.x]; if (threadIdx.x == 0) counter += 1; }
)");
    const Image image = compile_for_cuda(request);
    EXPECT_TRUE(contains(image.assembly, ".visible .const .align 4 .b8 weights[16]")) << image.assembly;
    EXPECT_TRUE(contains(image.assembly, ".visible .global .align 4 .u32 counter = 5")) << image.assembly;
    const auto module = load(request);
    const auto [weights, bytes] = module->global("weights");
    ASSERT_EQ(bytes, 16u);
    for (int i = 0; i < 4; ++i) static_cast<float*>(weights)[i] = 10.0f * (i + 1);
    std::vector<float> p(4, 1.0f);
    run(*module, "weigh", {1}, {4}, 0, p.data());
    EXPECT_EQ(p, (std::vector<float>{10, 20, 30, 40}));
    EXPECT_EQ(*static_cast<int*>(module->global("counter").first), 6);
}

TEST(CudaCpp, ClassesAreParameters) {
    const Request request = text(R"(
struct Shape { double scale; char flag; short count; };
extern "C" __global__ void k(bool on, Shape shape, float* p, char last) {
    if (on) p[0] = shape.scale * shape.count + shape.flag + last;
}
)");
    const Image image = compile_for_cuda(request);
    const EntryPoint& entry = image.entries.at(0);
    EXPECT_EQ(entry.parameter_offsets, (std::vector<std::uint32_t>{0, 8, 24, 32}));
    EXPECT_EQ(entry.parameter_sizes, (std::vector<std::uint32_t>{1, 16, 8, 1}));
    struct Shape {
        double scale;
        char flag;
        short count;
    };
    float result = 0;
    run(*load(request), "k", {1}, {1}, 0, true, Shape{2.5, 1, 4}, &result, char(3));
    EXPECT_EQ(result, 14.0f);
}

TEST(CudaCpp, HostCodeIsPassedOver) {
    const Request request = text(R"(#include <stdio.h>
template <class T> void launch(T x) { undeclared_api(x); k<<<1, 32>>>(x); }
struct Owner { Owner() { cudaMalloc(&p, 4); } ~Owner() { cudaFree(p); } float* p; };
extern "C" __global__ void k(float* p) { p[0] = 1; }
cudaError_t run(cudaStream_t stream, cudaMemcpyKind kind, const cudaDeviceProp& device, cudaExtent extent, FILE* log);
class Timer { cudaEvent_t start, stop; cudaArray_t pixels; cudaArray* more; cudaPitchedPtr rows; };
int main() { float* p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); launch(p); return 0; }
)");
    EXPECT_TRUE(contains(compile_for_cuda(request).assembly, ".entry k"));
    EXPECT_EQ(compile_for_cpu(request).entries.size(), 1u);
}

TEST(CudaCpp, CodeForTheCpuDeviceIsThatOfComputeCapability9) {
    int architecture = 0;
    run(*load(text(R"(extern "C" __global__ void k(int* p) { *p = __CUDA_ARCH__; })")), "k", {1}, {1}, 0,
        &architecture);
    EXPECT_EQ(architecture, 900);
}

TEST(CudaCpp, CompilesSideBySide) {
    std::vector<std::thread> threads;
    std::vector<int> results(4, 0);
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t, &results] {
            for (int round = 0; round < 3; ++round) {
                Request request = text("template <class T> __global__ void k(T* p) { *p = VALUE; }", {"k<int>"});
                request.options.defines = {"VALUE=" + std::to_string(10 * t + round)};
                if (round == 1) compile_for_cuda(request);
                const auto module = load(request);
                run(*module, module->image().names.at(0).second, {1}, {1}, 0, &results[t]);
                if (results[t] != 10 * t + round) results[t] = -1000;
            }
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(results, (std::vector<int>{2, 12, 22, 32}));
}

TEST(CudaCpp, NothingOfACompileStaysForTheNext) {
    Request first = text("#define N 3\nstruct S { int a; };\n__global__ void k(S s, int* p) { *p = N; }");
    compile_for_cuda(first);
    EXPECT_TRUE(contains(error_of(text("__global__ void k(int* p) { *p = N; }")).what(), "undeclared identifier 'N'"));
    EXPECT_NO_THROW(compile_for_cuda(text("struct S { float b; };\n__global__ void k(S s, float* p) { *p = s.b; }")));
}

TEST(CudaCpp, TheCompilerNamesItsClang) {
    EXPECT_TRUE(contains(lanewise_compiler()->description(), "clang 19."));
}

}  // namespace
}  // namespace lanewise
