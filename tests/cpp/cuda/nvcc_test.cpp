// nvcc as a process: this machine's where there is one (it needs no GPU), and scripts in its place.
#include "backend/cuda/nvcc.h"

#include <sys/stat.h>

#include <algorithm>

#include "fixture.h"
#include "nvrtc_fixture.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

class Nvcc : public testing::Test {
protected:
    void SetUp() override {
        environment_.set("LANEWISE_NVCC", std::nullopt);
        environment_.set("TMPDIR", folder_.put("tmp/.keep", "").substr(0, folder_.path().size() + 4));
    }
    /// A script in place of nvcc.
    void use_script(const std::string& body) {
        std::string path = folder_.put("nvcc", "#!/bin/sh\n" + body);
        ::chmod(path.c_str(), 0700);
        environment_.set("LANEWISE_NVCC", path);
    }
    bool use_real() { return !cuda::find_nvcc().path.empty(); }
    Image compile(const cuda_cpp::Source& source, const std::string& keep = "") {
        return cuda::compile_with_nvcc(source, cuda_cpp::parse_options(source.options), cuda::find_nvcc(), "sm_90a",
                                       keep, false);
    }
    std::size_t temporary_files() const {
        return std::size_t(std::distance(fs::directory_iterator(folder_.path() + "/tmp"), fs::directory_iterator())) -
               1;
    }
    static std::string text_of(const Image& image) { return {image.bytes.begin(), image.bytes.end()}; }

    ScopedFolder folder_;
    ScopedEnvironment environment_;
};

/// Writes its arguments, one a line, to the file behind --output-file=.
const char* const echo_arguments =
    "for a in \"$@\"; do case \"$a\" in --output-file=*) out=\"${a#--output-file=}\";; esac; done\n"
    "printf '%s\\n' \"$@\" > \"$out\"\n";

TEST_F(Nvcc, IsGivenTheOptionsInItsSpelling) {
    use_script(echo_arguments);
    Image image = compile(source_of("", {"-DX=1", "-O3", "--resource-usage", "-lineinfo"}));
    EXPECT_EQ(image.format, ImageFormat::Cubin);
    std::string text = text_of(image);
    for (const char* part : {"--define-macro=X=1\n", "--resource-usage\n", "--generate-line-info\n", "--cubin\n",
                             "--gpu-architecture=sm_90a\n", "/kernel.cu\n"})
        EXPECT_NE(text.find(part), std::string::npos) << text;
    image = compile(source_of("", {"-arch=compute_80"}));
    EXPECT_EQ(image.format, ImageFormat::Ptx);
    EXPECT_NE(text_of(image).find("--gpu-architecture=compute_80\n"), std::string::npos);
    EXPECT_EQ(temporary_files(), 0u);
}

TEST_F(Nvcc, NoShellReadsTheOptions) {
    use_script(echo_arguments);
    std::string text = text_of(compile(source_of("", {"-DX=$(touch " + folder_.path() + "/made); `id` 'a b'"})));
    EXPECT_NE(text.find("--define-macro=X=$(touch "), std::string::npos) << text;
    EXPECT_FALSE(fs::exists(folder_.path() + "/made"));
}

TEST_F(Nvcc, WorksInAFolderThatOnlyTheUserEnters) {
    use_script("stat -c 'mode %a' \"$TMPDIR\" >&2\nexit 3\n");
    Error error = error_of([&] { compile(source_of("")); });
    EXPECT_EQ(error.kind(), ErrorKind::Compile);
    EXPECT_NE(error.log.find("mode 700"), std::string::npos) << error.log;
    EXPECT_EQ(temporary_files(), 0u);
}

TEST_F(Nvcc, FailuresCarryTheOutput) {
    use_script("echo 'kernel.cu(2): error: no good'\necho more >&2\nexit 1\n");
    Error error = error_of([&] { compile(source_of("one\ntwo\n")); });
    EXPECT_SAYS(error, "nvcc cannot compile kernel.cu", "kernel.cu(2): error: no good");
    EXPECT_NE(error.log.find("more"), std::string::npos);
    use_script("kill -9 $$\n");
    EXPECT_EQ(error_of([&] { compile(source_of("")); }).kind(), ErrorKind::Compile);
    use_script("exit 0\n");
    EXPECT_SAYS(error_of([&] { compile(source_of("")); }), "nvcc has left no");
    EXPECT_EQ(temporary_files(), 0u);
}

TEST_F(Nvcc, KeepsItsFilesWhereAsked) {
    use_script(echo_arguments);
    std::string keep = folder_.path() + "/kept/here";
    EXPECT_NE(text_of(compile(source_of("// text\n"), keep)).find("--keep-dir=" + keep), std::string::npos);
    EXPECT_TRUE(fs::exists(keep + "/kernel.cu"));
    EXPECT_EQ(temporary_files(), 0u);
}

TEST_F(Nvcc, NameExpressionsInstantiateTemplatesAndKeepVariables) {
    if (!use_real()) GTEST_SKIP() << "no nvcc found in " << cuda::find_nvcc().searched;
    cuda_cpp::Source source = source_of(
        "template <class T> __global__ void scale(T* x) { x[0] *= 2; }\n"
        "__global__ void both(int*) {}\n__global__ void both(float*) {}\n"
        "namespace ns { __device__ float table[4]; static __constant__ int kept; }");
    for (const char* standard : {"-std=c++11", "-std=c++17", "-std=c++20"}) {
        source.options = {standard};
        source.name_expressions = {"scale<float>", "&ns::table", "ns::kept", "(void (*)(int*))both"};
        std::string code = text_of(compile(source));
        for (const char* symbol : {".text._Z5scaleIfEvPT_", "_ZN2ns5tableE", "4keptE", ".text._Z4bothPi"})
            EXPECT_NE(code.find(symbol), std::string::npos) << symbol;
        EXPECT_EQ(code.find("_Z5scaleIdEvPT_"), std::string::npos);
    }
    source.name_expressions = {"scale<float>", "scal<double>"};
    EXPECT_SAYS(error_of([&] { compile(source); }), "name expression 'scal<double>'(1): error", "scal");
}

TEST_F(Nvcc, TheRealOneCompilesAndReportsInTheUsersWords) {
    if (!use_real()) GTEST_SKIP() << "no nvcc found in " << cuda::find_nvcc().searched;
    folder_.put("size.h", "#define N 4\n");
    cuda_cpp::Source source = source_of(
        "#include \"size.h\"\n#include <vector>\n#include <cuda_fp16.h>\n"
        "extern \"C\" __global__ void f(float* x) { int unused; x[0] = N; }\n");
    source.file = folder_.path() + "/mine.cu";
    Image image = compile(source);
    std::string mark = ".text.f";
    EXPECT_NE(std::search(image.bytes.begin(), image.bytes.end(), mark.begin(), mark.end()), image.bytes.end());
    ASSERT_FALSE(image.warnings.empty());
    EXPECT_NE(image.warnings[0].find("mine.cu(4): warning"), std::string::npos) << image.warnings[0];
    source.text = "__global__ void f() {\n    y = 1;\n}\n";
    EXPECT_SAYS(error_of([&] { compile(source); }), "mine.cu(2): error", "y = 1;");
    EXPECT_EQ(temporary_files(), 0u);
}

}  // namespace
}  // namespace lanewise
