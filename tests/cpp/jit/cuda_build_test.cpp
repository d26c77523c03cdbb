// CUDA C++ texts to loaded modules on the cpu device, by clang, through the caches.
#include "jit/cuda_build.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jit/statistics.h"
#include "lanewise/device.h"

namespace lanewise::jit {
namespace {

namespace fs = std::filesystem;

cuda_cpp::Source source_of(const std::string& text, std::vector<std::string> options = {}) {
    cuda_cpp::Source source;
    source.text = text;
    source.options = std::move(options);
    return source;
}

/// Texts of one test share no cache entry with those of another.
std::string scale(int number, const std::string& factor = "FACTOR") {
    return "// " + std::to_string(number) + "\nextern \"C\" __global__ void scale(int* x) { x[0] *= " + factor +
           "; }\n";
}

int run(const CudaBuilt& built, int value) {
    std::shared_ptr<Stream> stream = cpu_device().default_stream();
    int* pointer = &value;
    std::byte parameters[sizeof pointer];
    std::memcpy(parameters, &pointer, sizeof pointer);
    stream->launch(*built.module->kernel("scale"), {}, parameters);
    stream->synchronize();
    return value;
}

TEST(CudaBuildOnCpu, OptionsReachTheCompiler) {
    CudaBuilt three = build_cuda(source_of(scale(1), {"-D", "FACTOR=3", "-O3", "-arch=sm_80"}), cpu_device());
    CudaBuilt four = build_cuda(source_of(scale(1), {"--define-macro=FACTOR=4"}), cpu_device());
    EXPECT_EQ(three.backend, cuda_cpp::Backend::Clang);
    EXPECT_EQ(run(three, 5), 15);
    EXPECT_EQ(run(four, 5), 20);
}

TEST(CudaBuildOnCpu, TheDiskCacheServesWhatTheProcessHasForgotten) {
    cuda_cpp::Source source = source_of(scale(2, "2"));
    std::uint64_t compiles = statistics().compiles;
    {
        CudaBuilt first = build_cuda(source, cpu_device());
        EXPECT_FALSE(first.from_disk || first.from_process);
        EXPECT_TRUE(build_cuda(source, cpu_device()).from_process);
    }
    CudaBuilt again = build_cuda(source, cpu_device());
    EXPECT_TRUE(again.from_disk);
    EXPECT_EQ(run(again, 21), 42);
    EXPECT_EQ(again.module->kernel("scale")->entry().parameters.size(), 1u);
    EXPECT_EQ(statistics().compiles, compiles + 1);
}

TEST(CudaBuildOnCpu, EditsOfIncludedFilesChangeTheResult) {
    std::string pattern = fs::temp_directory_path() / "lanewise-build-XXXXXX";
    std::string folder = ::mkdtemp(pattern.data());
    cuda_cpp::Source source = source_of("#include <factor.h>\n" + scale(3), {"-I" + folder});
    for (int factor : {2, 3, 2}) {
        std::ofstream(folder + "/factor.h") << "#define FACTOR " << factor << "\n";
        EXPECT_EQ(run(build_cuda(source, cpu_device()), 10), 10 * factor);
    }
    fs::remove_all(folder);
}

TEST(CudaBuildOnCpu, OptionsThatClangDoesNotHaveAreRefused) {
    try {
        build_cuda(source_of(scale(4, "1"), {"--use-fast-math"}), cpu_device());
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        EXPECT_NE(std::string(error.what()).find("did you mean '--use_fast_math'"), std::string::npos) << error.what();
    }
}

TEST(CudaBuildOnCpu, CompileErrorsHaveTheLineAndTheLog) {
    for (int i = 0; i < 2; ++i) try {
            build_cuda(source_of(scale(5, "missing")), cpu_device());
            FAIL() << "accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Compile);
            EXPECT_NE(std::string(error.what()).find("kernel.cu:2"), std::string::npos) << error.what();
            EXPECT_NE(error.log.find("missing"), std::string::npos) << error.log;
        }
}

TEST(CudaBuildOnCpu, ModulesOfTheirOwnHaveVariablesOfTheirOwn) {
    cuda_cpp::Source source =
        source_of("__device__ int counter = 1;\nextern \"C\" __global__ void k() { ++counter; }\n");
    CudaBuildSettings settings;
    settings.share_loaded = false;
    CudaBuilt first = build_cuda(source, cpu_device(), settings), second = build_cuda(source, cpu_device(), settings);
    EXPECT_TRUE(second.from_disk);
    EXPECT_NE(first.module->global("counter").first, second.module->global("counter").first);
}

TEST(CudaBuildOnCpu, TextsAreGivenWhenAskedFor) {
    Image image = compile_cuda_with_text(source_of(scale(6, "7")), cpu_device());
    EXPECT_NE(image.llvm_ir.find("scale"), std::string::npos);
    EXPECT_FALSE(image.assembly.empty());
    EXPECT_TRUE(compile_cuda(source_of(scale(6, "7")), cpu_device()).assembly.empty());
}

TEST(CudaBuildOnCpu, TheSameTextIsNotCompiledAgain) {
    cuda_cpp::Source source = source_of(scale(7, "7"));
    CudaBuilt kept = build_cuda(source, cpu_device());
    const std::uint64_t compiles = statistics().compiles;
    CudaBuilt again = build_cuda(source, cpu_device());
    EXPECT_TRUE(again.from_process);
    EXPECT_EQ(again.module, kept.module);
    EXPECT_EQ(statistics().compiles, compiles);
}

}  // namespace
}  // namespace lanewise::jit
