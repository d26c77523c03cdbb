// The CUDA headers: each compiles alone, beside all others, in every standard and within extern "C", and what they
// declare has nvcc's types. The programs in headers/ are the list; nvcc compiles them too, where there is one.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compile.h"

namespace lanewise {
namespace {

using namespace test;
namespace fs = std::filesystem;

const fs::path here = fs::path(__FILE__).parent_path();
const fs::path programs = here / "headers";
const fs::path headers = here.parent_path().parent_path().parent_path() / "src/frontend/cuda/headers";

/// What programs can include: all but the headers' own parts.
std::vector<std::string> includable() {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(headers)) {
        const std::string name = entry.path().lexically_relative(headers).string();
        if (entry.is_regular_file() && !contains(name, "__lanewise")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::string include_of(const std::string& name) {
    return "#include <" + name + ">\n";
}

void compile(const std::string& code, int standard, bool extern_c) {
    Request request = text(code);
    request.options.standard = standard;
    request.source.extern_c = extern_c;
    try {
        EXPECT_TRUE(compile_for_cuda(request).warnings.empty());
    } catch (const Error& error) {
        ADD_FAILURE() << "C++" << standard << (extern_c ? " in extern \"C\"" : "") << "\n" << error.what();
    }
}

TEST(CudaHeaders, CompileAlone) {
    for (const std::string& name : includable()) {
        SCOPED_TRACE(name);
        compile(include_of(name) + "__global__ void kernel(int* p) { *p = 1; }", 11, true);
        compile(include_of(name) + "__global__ void kernel(int* p) { *p = 1; }", 20, false);
    }
}

TEST(CudaHeaders, CompileTogetherInAnyOrder) {
    std::string forward, backward;
    for (const std::string& name : includable()) {
        forward += include_of(name);
        backward = include_of(name) + backward;
    }
    for (int standard : {11, 14, 17, 20}) {
        for (const std::string& all : {forward, backward, forward + backward}) {
            compile(all + "__global__ void kernel(int* p) { *p = 1; }", standard, false);
            compile(all + "__global__ void kernel(int* p) { *p = 1; }", standard, true);
        }
    }
}

class CudaHeaderTypes : public testing::TestWithParam<std::string> {};

TEST_P(CudaHeaderTypes, AreAsDeclaredInEveryStandard) {
    std::ifstream file(programs / (GetParam() + ".cu"));
    std::stringstream code;
    code << file.rdbuf();
    for (int standard : {11, 14, 17, 20}) {
        Request request = text(code.str());
        request.options.standard = standard;
        request.options.include_folders = {programs.string()};
        try {
            compile_for_cuda(request);
        } catch (const Error& error) {
            ADD_FAILURE() << "C++" << standard << "\n" << error.what();
        }
    }
}

TEST_P(CudaHeaderTypes, AreNvccs) {
    if (std::system("command -v nvcc > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvcc";
    const std::string command =
        "nvcc -std=c++17 -arch=sm_90 -w -ptx -o /dev/null '" + (programs / (GetParam() + ".cu")).string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

INSTANTIATE_TEST_SUITE_P(Programs, CudaHeaderTypes,
                         testing::Values("device_types", "fp8_types", "half_types", "library_types", "math_types",
                                         "packed_types", "vector_types"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace lanewise
