// Errors and warnings: where they point and what they say.
#include "compile.h"

namespace lanewise {
namespace {

using namespace test;

TEST(CudaCppErrors, ShowTheLineWithACaret) {
    const Error error = error_of(text("__global__ void k(int* p) {\n    p[0] = frobnicated + 1;\n}\n"));
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_STREQ(error.what(),
                 "kernel.cu does not compile as CUDA C++:\n"
                 "kernel.cu:2:12: error: use of undeclared identifier 'frobnicated'\n"
                 "    2 |     p[0] = frobnicated + 1;\n"
                 "      |            ^");
}

TEST(CudaCppErrors, CountTheOthersAndLogAll) {
    const Error error = error_of(text("__global__ void k(int* p) {\n    p[0] = a;\n    p[1] = b\n    p[2] = c;\n}\n"));
    EXPECT_TRUE(contains(error.what(), "kernel.cu:2:12: error: use of undeclared identifier 'a'")) << error.what();
    EXPECT_TRUE(contains(error.what(), "(3 more errors)")) << error.what();
    for (const char* part : {"'a'", "'b'", "'c'", "kernel.cu:3:13: error: expected ';' after expression"})
        EXPECT_TRUE(contains(error.log, part)) << part << error.log;
}

TEST(CudaCppErrors, LinesAreTheUsersWhateverStandsAround) {
    Request request = text("__global__ void k(int* p) { *p = missing; }\n", {"k"});
    request.source.file = "a \"b\".cu";
    request.source.extern_c = true;
    request.options.default_device = true;
    EXPECT_TRUE(contains(error_of(request).what(), "a \"b\".cu:1:34: error: use of undeclared"))
        << error_of(request).what();
}

TEST(CudaCppErrors, AMissingBraceIsAtTheEndOfTheText) {
    Request request = text("__global__ void k(int* p) {\n    if (*p) {\n    *p = 1;\n}\n", {"k"});
    EXPECT_TRUE(contains(error_of(request).what(), "kernel.cu:4:2: error: expected '}'")) << error_of(request).what();
    EXPECT_TRUE(contains(error_of(request).what(), "kernel.cu:1:27: note: to match this '{'"));
    request.source.extern_c = true;
    EXPECT_TRUE(contains(error_of(request).what(), "kernel.cu:4:2: error: expected '}'")) << error_of(request).what();
}

TEST(CudaCppErrors, AHostFunctionCalledOnTheDeviceIsExplained) {
    for (const char* code : {"int f(int x) { return x; }\n__global__ void k(int* p) { *p = f(1); }",
                             "int f(int x) { return x; }\n__device__ int g() { return f(1); }\n"
                             "__global__ void k(int* p) { *p = g(); }",
                             "template <class T> T f(T x) { return x; }\n__global__ void k(int* p) { *p = f(1); }"}) {
        const Error error = error_of(text(code));
        EXPECT_TRUE(contains(error.what(), "__host__ function")) << error.what();
        EXPECT_TRUE(
            contains(error.what(), "declare it __device__, or compile with --device-as-default-execution-space"))
            << error.what();
        EXPECT_TRUE(contains(error.what(), "kernel.cu:2:")) << error.what();
    }
}

TEST(CudaCppErrors, ALaunchFromAKernelNamesWhatWouldWork) {
    const Error error =
        error_of(text("__global__ void child(int* p) { *p = 1; }\n"
                      "__global__ void parent(int* p) { child<<<1, 1>>>(p); }"));
    EXPECT_TRUE(contains(error.what(), "kernel.cu:2:34: error: ")) << error.what();
    EXPECT_TRUE(contains(error.what(), "the backends nvrtc and nvcc do")) << error.what();
}

TEST(CudaCppErrors, AnyNameOfTheFileWillDo) {
    for (const char* name : {"-", "", "-O3.cu", "a folder/a b.cu", "<string>", "/no/such/folder/x.cu"}) {
        Request request = text("__global__ void k(int* p) { *p = missing; }");
        request.source.file = name;
        EXPECT_TRUE(contains(error_of(request).what(), std::string(name).size() > 1 ? name : "kernel.cu:1:34"));
    }
}

TEST(CudaCppErrors, AFunctionThatNobodyDefinesIsNamed) {
    const Error error =
        error_of(text("namespace n { __device__ float f(float); }\n"
                      "__global__ void k(float* p) { *p = n::f(1); }"));
    EXPECT_TRUE(contains(error.what(),
                         "kernel.cu:1:32: error: 'n::f' is used on the device and declared, but nowhere "
                         "defined"))
        << error.what();
}

TEST(CudaCppErrors, AMissingHeaderSaysWhereItWasSearched) {
    Request request = text("#include <nothing/here.h>\n__global__ void k() {}\n");
    request.options.include_folders = {"/usr/include"};
    const Error error = error_of(request);
    EXPECT_TRUE(contains(error.what(), "kernel.cu:1:10: fatal error: 'nothing/here.h' file not found")) << error.what();
    EXPECT_TRUE(contains(error.what(),
                         "searched: the folder of the file, /usr/include, the headers that come with "
                         "lanewise"))
        << error.what();
    EXPECT_TRUE(contains(error.what(), "-I adds a folder")) << error.what();
}

TEST(CudaCppErrors, AVariableOfTheHostIsOneOnTheDevice) {
    const Error error =
        error_of(text("int table[3] = {1, 2, 3};\n"
                      "__global__ void k(int* p) { *p = table[*p] + table[0]; }"));
    EXPECT_TRUE(contains(error.what(), "kernel.cu:2:34: error: ")) << error.what();
    const std::string what = error.what(), hint = "declare it one of them, or constexpr.";
    ASSERT_NE(what.find(hint), std::string::npos) << what;
    EXPECT_EQ(what.find(hint), what.rfind(hint)) << what;
}

TEST(CudaCppErrors, TexturesAreSaidNotToBeThere) {
    for (const char* code : {"texture<float, 2> t;\n__global__ void k(float* p) { *p = 1; }",
                             "__global__ void k(float* p, cudaTextureObject_t t) { *p = tex2D<float>(t, 0, 0); }"})
        EXPECT_TRUE(contains(error_of(text(code)).what(), "There are no textures and surfaces: pass a pointer"));
    EXPECT_FALSE(contains(error_of(text("__global__ void k(int* p) { *p = texture; }")).what(), "no textures"));
}

TEST(CudaCppErrors, TemplatesAndMacrosAreTracedBack) {
    const Error error =
        error_of(text("template <class T> __device__ T get(T x) { return x.value; }\n"
                      "#define GET(x) get(x)\n"
                      "__global__ void k(int* p) { *p = GET(1); }"));
    EXPECT_TRUE(contains(error.what(), "kernel.cu:1:52: error: member reference base type 'int'")) << error.what();
    EXPECT_TRUE(contains(error.what(),
                         "kernel.cu:3:34: note: in instantiation of function template specialization "
                         "'get<int>' requested here"))
        << error.what();
    EXPECT_TRUE(contains(error.what(), "expanded from macro 'GET'")) << error.what();
}

TEST(CudaCppErrors, ShowFixes) {
    const Error error = error_of(text("__global__ void k(int* p) {\n    *p = theradIdx.x;\n}"));
    EXPECT_TRUE(contains(error.what(), "did you mean 'threadIdx'?")) << error.what();
    EXPECT_TRUE(contains(error.what(), "      |          threadIdx")) << error.what();
}

TEST(CudaCppErrors, AnErrorDirectiveIsOne) {
    EXPECT_TRUE(contains(error_of(text("#error not today\n")).what(), "kernel.cu:1:2: error: not today"));
}

TEST(CudaCppErrors, AGoodTextCompilesAfterABadOne) {
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(error_of(text("__global__ void k(int* p) { template")).kind(), ErrorKind::Compile);
        EXPECT_NO_THROW(compile_for_cuda(text("__global__ void k(int* p) { *p = 1; }")));
    }
}

TEST(CudaCppErrors, NestingTooDeepIsAnErrorNotACrash) {
    std::string code = "__global__ void k(int* p) { *p = ";
    code += std::string(100000, '(') + "1" + std::string(100000, ')') + "; }";
    EXPECT_TRUE(contains(error_of(text(code)).what(), "nesting level")) << error_of(text(code)).what();
    EXPECT_TRUE(contains(error_of(text("template <int N> struct S { static const int v = S<N + 1>::v; };\n"
                                       "__global__ void k(int* p) { *p = S<0>::v; }"))
                             .log,
                         "recursive template instantiation exceeded maximum depth"));
}

TEST(CudaCppWarnings, ComeWithTheImage) {
    Request request = text("__global__ void k(int* p) {\n    *p = 1 / 0;\n}\n", {"k"});
    const Image image = compile_for_cuda(request);
    ASSERT_EQ(image.warnings.size(), 1u);
    EXPECT_EQ(image.warnings[0],
              "kernel.cu:2:12: warning: division by zero is undefined [-Wdivision-by-zero]\n"
              "    2 |     *p = 1 / 0;\n"
              "      |            ^ ~");
    request.options.warnings = false;
    EXPECT_TRUE(compile_for_cuda(request).warnings.empty());
}

}  // namespace
}  // namespace lanewise
