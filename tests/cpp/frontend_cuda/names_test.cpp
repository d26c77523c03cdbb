// Name expressions, and what is said of kernels and their parameters.
#include <chrono>

#include "compile.h"

namespace lanewise {
namespace {

using namespace test;

const char scaled[] = R"(
namespace ns {
template <class T, int N> __global__ void scale(T* p) { p[threadIdx.x] *= N; }
__device__ float table[4];
__constant__ int limit;
}
__global__ void over(int* p) { *p = 1; }
__global__ void over(float* p) { *p = 2; }
template <class T> __device__ T zero;
enum class Kind { A, B };
template <Kind K> __global__ void kind(int* p) { *p = int(K); }
)";

/// The symbols are those of the Itanium C++ ABI, as NVRTC gives them.
TEST(NameExpressions, BecomeSymbols) {
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"ns::scale<float, 3>", "_ZN2ns5scaleIfLi3EEEvPT_"},
        {"&ns::scale<double, 1 + 1>", "_ZN2ns5scaleIdLi2EEEvPT_"},
        {"&ns::table", "_ZN2ns5tableE"},
        {"ns::limit", "_ZN2ns5limitE"},
        {"(void (*)(float*))over", "_Z4overPf"},
        {"static_cast<void (*)(int*)>(&over)", "_Z4overPi"},
        {"kind<Kind::B>", "_Z4kindIL4Kind1EEvPi"},
        {"&zero<int>", "_Z4zeroIiE"},
    };
    std::vector<std::string> names;
    for (const auto& [name, symbol] : expected) names.push_back(name);
    const Image image = compile_for_cuda(text(scaled, names));
    EXPECT_EQ(image.names, expected);
    EXPECT_TRUE(image.warnings.empty());
    for (const auto& [name, symbol] : expected)
        EXPECT_TRUE(contains(image.assembly, symbol)) << symbol << image.assembly;
    EXPECT_EQ(describe(text(scaled, names)).names, expected);
    EXPECT_EQ(compile_for_cpu(text(scaled, names)).names, expected);
}

TEST(NameExpressions, NameInstancesThatRun) {
    const auto module = load(text(scaled, {"ns::scale<int, 5>"}));
    std::vector<int> p = {1, 2, 3};
    run(*module, module->image().names.at(0).second, {1}, {3}, 0, p.data());
    EXPECT_EQ(p, (std::vector<int>{5, 10, 15}));
    EXPECT_EQ(module->kernel(module->image().names.at(0).second)->entry().display_name, "ns::scale<int, 5>");
}

TEST(NameExpressions, WorkInsideExternC) {
    Request request = text("__global__ void k(int* p) { *p = 1; }\n__device__ int v;", {"k", "&v"});
    request.source.extern_c = true;
    EXPECT_EQ(compile_for_cuda(request).names,
              (std::vector<std::pair<std::string, std::string>>{{"k", "k"}, {"&v", "v"}}));
}

TEST(NameExpressions, BadOnesAreNamed) {
    EXPECT_TRUE(contains(error_of(text(scaled, {"ns::scal<float, 3>"})).what(),
                         "name expression 'ns::scal<float, 3>':1:5: error: no template named 'scal' in namespace 'ns'; "
                         "did you mean 'scale'?"));
    EXPECT_TRUE(contains(error_of(text(scaled, {"over"})).what(),
                         "name expression 'over':1:1: error: it names several functions; a cast to the type of the one "
                         "that is meant chooses"));
    EXPECT_TRUE(contains(error_of(text(scaled, {"1 + 2"})).what(),
                         "name expression '1 + 2' names no kernel and no __device__ or __constant__ variable"));
    EXPECT_TRUE(describe(text(scaled, {"nothing"})).names.empty());
}

TEST(Describe, ListsKernelsAsCompilingDoes) {
    const Request request = text(R"(
#include "missing/header.cuh"
struct Pair { int a; double b; };
extern "C" __global__ void first(float*, const double*, int, Pair, bool);
__global__ void only_declared(int* p);
extern "C" __global__ void first(float* x, const double* __restrict__ y, int n, Pair pair, bool flag) { missing(); }
namespace ns { template <class T> __global__ void second(T value, unsigned long long count) {} }
__device__ void no_kernel(int x);
typedef unknown::Type Type;
__global__ void third(Type x) {}
)",
                                 {"ns::second<short>"});
    const Image image = describe(request);
    ASSERT_EQ(image.entries.size(), 2u);
    EXPECT_TRUE(image.bytes.empty());
    const EntryPoint& first = image.entries[0];
    EXPECT_EQ(first.name, "first");
    EXPECT_EQ(first.parameter_offsets, (std::vector<std::uint32_t>{0, 8, 16, 24, 40}));
    EXPECT_EQ(first.parameter_sizes, (std::vector<std::uint32_t>{8, 8, 4, 16, 1}));
    EXPECT_EQ(first.parameter_bytes, 41u);
    EXPECT_EQ(first.parameters[1].name, "y");
    EXPECT_EQ(image.entries[1].name, "_ZN2ns6secondIsEEvT_y");
    EXPECT_EQ(image.entries[1].display_name, "ns::second<short>");
    EXPECT_EQ(image.entries[1].parameters[0].dtype, DType::Int16);
}

TEST(Describe, NeverThrowsForBadCode) {
    for (const char* code : {"", "}}}}", "#error no", "__global__ void k(", "template <", "\xff\xfe", "#include \"a.h"})
        EXPECT_NO_THROW(describe(text(code, {"k", "<", ")"}))) << code;
}

struct Fact {
    const char* declaration;
    ParameterKind kind;
    DType dtype;
    bool pointee_known;
    bool read_only;
};

TEST(Parameters, AreDescribedByTheirTypes) {
    using enum ParameterKind;
    const Fact facts[] = {
        {"bool x", Scalar, DType::Bool, false, false},
        {"char x", Scalar, DType::Int8, false, false},
        {"unsigned char x", Scalar, DType::UInt8, false, false},
        {"short x", Scalar, DType::Int16, false, false},
        {"const unsigned x", Scalar, DType::UInt32, false, false},
        {"long x", Scalar, DType::Int64, false, false},
        {"unsigned long long x", Scalar, DType::UInt64, false, false},
        {"float x", Scalar, DType::Float32, false, false},
        {"double x", Scalar, DType::Float64, false, false},
        {"__half x", Scalar, DType::Float16, false, false},
        {"nv_bfloat16 x", Scalar, DType::BFloat16, false, false},
        {"Colour x", Scalar, DType::UInt8, false, false},
        {"size_t x", Scalar, DType::UInt64, false, false},
        {"Real x", Scalar, DType::Float64, false, false},
        {"float2 x", Struct, DType::Int8, false, false},
        {"Record x", Struct, DType::Int8, false, false},
        {"cuComplex x", Scalar, DType::Complex64, false, false},
        {"cuDoubleComplex x", Scalar, DType::Complex128, false, false},
        {"float* x", Pointer, DType::Float32, true, false},
        {"const double* __restrict__ x", Pointer, DType::Float64, true, true},
        {"const Real* x", Pointer, DType::Float64, true, true},
        {"bool* x", Pointer, DType::Bool, true, false},
        {"signed char* x", Pointer, DType::Int8, true, false},
        {"const __half* x", Pointer, DType::Float16, true, true},
        {"nv_bfloat16* x", Pointer, DType::BFloat16, true, false},
        {"cuFloatComplex* x", Pointer, DType::Complex64, true, false},
        {"const complex<double>* x", Pointer, DType::Complex128, true, true},
        {"thrust::complex<float>* x", Pointer, DType::Complex64, true, false},
        {"float2* x", Pointer, DType::Int8, false, false},
        {"void* x", Pointer, DType::Int8, false, false},
        {"const char* x", Pointer, DType::Int8, false, true},
        {"Record* x", Pointer, DType::Int8, false, false},
        {"float** x", Pointer, DType::Int8, false, false},
        {"int x[]", Pointer, DType::Int32, true, false},
        {"const float& x", Pointer, DType::Float32, true, true},
    };
    for (const Fact& fact : facts) {
        const Request request = text(std::string(R"(
struct __half { unsigned short bits; };
struct __nv_bfloat16 { unsigned short bits; };
typedef __nv_bfloat16 nv_bfloat16;
typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;
template <class T> struct complex { T re, im; };
namespace thrust { template <class T> struct complex { T re, im; }; }
enum Colour : unsigned char { Red };
struct Record { int a[3]; };
using Real = double;
__global__ void k()") + fact.declaration +
                                     ") {}\n");
        const Image described = describe(request);
        ASSERT_EQ(described.entries.size(), 1u) << fact.declaration;
        const Parameter& parameter = described.entries[0].parameters.at(0);
        EXPECT_EQ(parameter.name, "x");
        EXPECT_EQ(parameter.kind, fact.kind) << fact.declaration;
        EXPECT_EQ(parameter.dtype, fact.dtype) << fact.declaration;
        EXPECT_EQ(parameter.pointee_known, fact.pointee_known) << fact.declaration;
        EXPECT_EQ(parameter.read_only, fact.read_only) << fact.declaration;
    }
}

TEST(Parameters, AreSpelledAsInTheSource) {
    const Image image =
        describe(text("struct Grid { int n; };\n__global__ void k(const Grid grid, float const* x, size_t) {}"));
    ASSERT_EQ(image.entries.size(), 1u);
    const auto& parameters = image.entries[0].parameters;
    EXPECT_EQ(parameters.at(0).type, "const Grid");
    EXPECT_EQ(parameters.at(1).type, "const float *");
    EXPECT_EQ(parameters.at(2).type, "size_t");
    EXPECT_EQ(parameters.at(2).name, "");
}

}  // namespace
}  // namespace lanewise
