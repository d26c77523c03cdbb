// Options of CUDA C++ compilers: every spelling nvcc and NVRTC document, what it means, and what compilers are given.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "frontend/cuda/option_table.h"
#include "frontend/cuda/options.h"
#include "lanewise/error.h"

namespace lanewise::cuda_cpp {
namespace {

using List = std::vector<std::string>;

struct Case {
    List given;
    std::function<bool(const Options&)> holds;
};

std::string text_of(const List& list) {
    std::string text;
    for (const std::string& item : list) text += "'" + item + "' ";
    return text;
}

std::string error_text(const List& given) {
    try {
        parse_options(given);
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Value);
        return error.what();
    }
    ADD_FAILURE() << "accepted " << text_of(given);
    return "";
}

TEST(CudaOptions, EverySpellingHasItsMeaning) {
    const Case cases[] = {
        {{"-DX=1"}, [](auto& o) { return o.defines == List{"X=1"}; }},
        {{"-D X=1"}, [](auto& o) { return o.defines == List{"X=1"}; }},
        {{"-D", "X=1"}, [](auto& o) { return o.defines == List{"X=1"}; }},
        {{"-D=X"}, [](auto& o) { return o.defines == List{"X"}; }},
        {{"--define-macro=X=f(a,b)"}, [](auto& o) { return o.defines == List{"X=f(a,b)"}; }},
        {{"--define-macro", "X"}, [](auto& o) { return o.defines == List{"X"}; }},
        {{"-UX", "-U Y", "--undefine-macro=Z"}, [](auto& o) { return o.undefines == List{"X", "Y", "Z"}; }},
        {{"-I/a", "-I /b", "-I", "/c", "--include-path=/d", "--include-path", "/e"},
         [](auto& o) { return o.include_folders == List{"/a", "/b", "/c", "/d", "/e"}; }},
        {{"-isystem", "/a", "-isystem=/b", "--system-include=/c"},
         [](auto& o) { return o.include_folders == List{"/a", "/b", "/c"}; }},
        {{"-include=a.h", "-include", "b.h", "--pre-include=c.h"},
         [](auto& o) { return o.forced_includes == List{"a.h", "b.h", "c.h"}; }},
        {{}, [](auto& o) { return o.standard == 17; }},
        {{"-std=c++11"}, [](auto& o) { return o.standard == 11; }},
        {{"--std=c++14"}, [](auto& o) { return o.standard == 14; }},
        {{"--std", "c++20"}, [](auto& o) { return o.standard == 20; }},
        {{"-std c++20"}, [](auto& o) { return o.standard == 20; }},
        {{"-use_fast_math"},
         [](auto& o) {
             return o.fast_math && o.flush_denormals && !o.precise_divide && !o.precise_sqrt && o.contract;
         }},
        {{"--use_fast_math", "--prec-div=true"},
         [](auto& o) { return o.fast_math && o.precise_divide && !o.precise_sqrt; }},
        {{"-ftz=true"}, [](auto& o) { return o.flush_denormals; }},
        {{"--ftz", "true"}, [](auto& o) { return o.flush_denormals; }},
        {{"-ftz"}, [](auto& o) { return o.flush_denormals; }},
        {{"-prec-div=false", "--prec-sqrt=false"}, [](auto& o) { return !o.precise_divide && !o.precise_sqrt; }},
        {{"--fmad=false"}, [](auto& o) { return !o.contract; }},
        {{"-fmad", "false"}, [](auto& o) { return !o.contract; }},
        {{"-maxrregcount=32"}, [](auto& o) { return o.max_registers == 32; }},
        {{"--maxrregcount", "64"}, [](auto& o) { return o.max_registers == 64; }},
        {{"-Xptxas -O2"}, [](auto& o) { return o.opt_level == 2 && o.other == List{"--ptxas-options=-O2"}; }},
        {{"-Xptxas", "-O1,-v"},
         [](auto& o) { return o.opt_level == 1 && o.other == List{"--ptxas-options=-O1", "--ptxas-options=-v"}; }},
        {{"--ptxas-options=-v"}, [](auto& o) { return o.other == List{"--ptxas-options=-v"}; }},
        {{"-Xptxas=-v"}, [](auto& o) { return o.other == List{"--ptxas-options=-v"}; }},
        {{"-lineinfo"}, [](auto& o) { return o.line_info; }},
        {{"--generate-line-info"}, [](auto& o) { return o.line_info; }},
        {{"-G"}, [](auto& o) { return o.debug; }},
        {{"--device-debug"}, [](auto& o) { return o.debug; }},
        {{"-g"}, [](auto& o) { return !o.debug && o.ignored.size() == 1; }},
        {{"-O3"}, [](auto& o) { return o.opt_level == 3 && o.ignored.size() == 1; }},
        {{"-O", "0"}, [](auto& o) { return o.opt_level == 3 && o.ignored.size() == 1; }},
        {{"-arch=sm_80"}, [](auto& o) { return o.architecture == "sm_80"; }},
        {{"-arch", "sm_90a"}, [](auto& o) { return o.architecture == "sm_90a"; }},
        {{"--gpu-architecture=compute_80"}, [](auto& o) { return o.architecture == "compute_80"; }},
        {{"-arch=native"}, [](auto& o) { return o.architecture.empty() && o.architectures.empty(); }},
        {{"-gencode", "arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=[sm_90,compute_90]"},
         [](auto& o) { return o.architectures == List{"sm_80", "sm_90", "compute_90"}; }},
        {{"-arch=compute_75", "-code=sm_75"}, [](auto& o) { return o.architectures == List{"compute_75", "sm_75"}; }},
        {{"-rdc=true"}, [](auto& o) { return o.relocatable; }},
        {{"-rdc", "true"}, [](auto& o) { return o.relocatable; }},
        {{"--relocatable-device-code=false"}, [](auto& o) { return !o.relocatable; }},
        {{"-dc"}, [](auto& o) { return o.relocatable; }},
        {{"--device-c"}, [](auto& o) { return o.relocatable; }},
        {{"-lcudadevrt"}, [](auto& o) { return o.ignored.size() == 1; }},
        {{"-l", "cudart"}, [](auto& o) { return o.ignored.size() == 1; }},
        {{"-w"}, [](auto& o) { return !o.warnings; }},
        {{"--disable-warnings"}, [](auto& o) { return !o.warnings; }},
        {{"-default-device"}, [](auto& o) { return o.default_device; }},
        {{"--device-as-default-execution-space"}, [](auto& o) { return o.default_device; }},
        {{"--restrict"}, [](auto& o) { return o.other == List{"--restrict"}; }},
        {{"-diag-suppress", "177"}, [](auto& o) { return o.other == List{"--diag-suppress=177"}; }},
        {{"--diag-suppress=177,178"}, [](auto& o) { return o.other == List{"--diag-suppress=177,178"}; }},
        {{"-Xcompiler", "-fopenmp"}, [](auto& o) { return o.ignored.size() == 1 && o.other.empty(); }},
        {{"-Xcompiler=-O2", "--compiler-options", "-Wall"}, [](auto& o) { return o.ignored.size() == 2; }},
        {{"-m64", "--machine=64", "-cubin", "--keep", "-o", "x.cubin", "-c"},
         [](auto& o) { return o.ignored.size() == 6 && o.unknown.empty(); }},
        {{"--expt-relaxed-constexpr", "--extended-lambda", "-Wno-deprecated-gpu-targets", "--resource-usage", "-v"},
         [](auto& o) { return o.other.size() == 5 && o.unknown.empty(); }},
        {{"--no-such-option=3"}, [](auto& o) { return o.unknown == List{"--no-such-option=3"}; }},
    };
    for (const Case& one : cases) EXPECT_TRUE(one.holds(parse_options(one.given))) << text_of(one.given);
}

TEST(CudaOptions, EveryNameOfTheTableIsFoundWithOneAndTwoDashes) {
    for (const OptionRow& row : option_table())
        for (std::string_view rest = row.names; !rest.empty();) {
            std::size_t end = std::min(rest.find(' '), rest.size());
            std::string name(rest.substr(0, end));
            for (const std::string& dashed : {"-" + name, "--" + name, "--" + name + "=v"})
                EXPECT_EQ(find_option(dashed).row, &row) << dashed;
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
}

TEST(CudaOptions, RefusedRowsSayWhy) {
    for (const OptionRow& row : option_table()) {
        EXPECT_EQ(row.use == Use::Refused || row.use == Use::Ignored, !row.reason.empty()) << row.names;
        if (row.use != Use::Refused) continue;
        std::string option = long_name(row) + (row.form == Form::Value ? "=x" : "");
        EXPECT_NE(error_text({option}).find(row.reason), std::string::npos) << option;
    }
}

TEST(CudaOptions, WrongValuesAreNamed) {
    for (const auto& [given, parts] :
         std::vector<std::pair<List, List>>{{{"-std=c++98"}, {"-std=c++98", "c++11", "c++20"}},
                                            {{"-ftz=maybe"}, {"-ftz=maybe", "neither true nor false"}},
                                            {{"-maxrregcount=lots"}, {"-maxrregcount=lots", "whole number"}},
                                            {{"-maxrregcount"}, {"-maxrregcount", "needs a value"}},
                                            {{"-I"}, {"-I", "needs a value"}},
                                            {{"-arch=volta"}, {"volta", "sm_90"}},
                                            {{"-gencode=sm_80"}, {"arch=compute_80,code=sm_80"}},
                                            {{"-use_fast_math -G"}, {"string of its own"}},
                                            {{"-m32"}, {"64-bit"}},
                                            {{"-machine=32"}, {"64-bit"}},
                                            {{"-Xptxas", "-O9"}, {"whole number"}}}) {
        std::string text = error_text(given);
        for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
    }
}

TEST(CudaOptions, UnknownOptionsNameTheNearestOne) {
    auto refusal = [](const std::string& given) {
        try {
            refuse_unknown(parse_options(List{given}), "clang");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refusal("--use-fast-math"), "clang has no option '--use-fast-math'; did you mean '--use_fast_math'?");
    EXPECT_EQ(refusal("-maxregcount=3"), "clang has no option '-maxregcount=3'; did you mean '--maxrregcount'?");
    EXPECT_EQ(refusal("--zzzzzzzzzzz"), "clang has no option '--zzzzzzzzzzz'");
    EXPECT_NE(refusal("fast").find("options begin with '-'"), std::string::npos);
    EXPECT_EQ(refusal("-G"), "accepted");
}

TEST(CudaOptions, NvrtcIsGivenItsOwnSpellings) {
    Options options = parse_options(List{
        "-D", "X=f(a,b)", "-I/a", "-include", "b.h", "-O3", "-g", "-Xcompiler", "-Wall", "-use_fast_math", "-ftz=false",
        "-Xptxas", "-v", "-w", "-default-device", "--expt-relaxed-constexpr", "-diag-suppress", "177", "--mystery"});
    EXPECT_EQ(nvrtc_arguments(options),
              (List{"--define-macro=X=f(a,b)", "--include-path=/a", "--pre-include=b.h", "--std=c++17",
                    "--use_fast_math", "--ftz=false", "--disable-warnings", "--ptxas-options=-v", "--diag-suppress=177",
                    "--mystery", "--device-as-default-execution-space"}));
}

TEST(CudaOptions, NvccIsGivenItsOwnSpellings) {
    Options options = parse_options(
        List{"-DX=f(a,b)", "--expt-relaxed-constexpr", "-fmad=false", "--minimal", "-rdc=true", "-maxrregcount=40"});
    EXPECT_EQ(nvcc_arguments(options),
              (List{"--define-macro=X=f(a\\,b)", "--std=c++17", "--fmad=false", "--maxrregcount=40",
                    "--relocatable-device-code=true", "--expt-relaxed-constexpr"}));
    // What would change the meaning is not dropped in silence.
    EXPECT_THROW(nvcc_arguments(parse_options(List{"-default-device"})), Error);
}

TEST(CudaOptions, ArchitectureIsTheHighestThatTheDeviceRuns) {
    Options options = parse_options(List{"-gencode=arch=compute_70,code=sm_70", "-gencode=arch=compute_80,code=sm_80",
                                         "-gencode=arch=compute_100,code=sm_100"});
    EXPECT_EQ(architecture_for(options, 90), "sm_80");
    EXPECT_EQ(architecture_for(options, 120), "sm_100");
    EXPECT_EQ(architecture_for({}, 90), "");
    try {
        architecture_for(parse_options(List{"-arch=sm_90"}), 86);
        FAIL() << "accepted";
    } catch (const Error& error) {
        std::string text = error.what();
        EXPECT_NE(text.find("sm_90"), std::string::npos) << text;
        EXPECT_NE(text.find("8.6"), std::string::npos) << text;
    }
    EXPECT_EQ(capability_of("sm_90a"), 90);
    EXPECT_EQ(capability_of("compute_120f"), 120);
    EXPECT_EQ(capability_of("86"), 86);
    EXPECT_EQ(capability_of("native"), 0);
}

}  // namespace
}  // namespace lanewise::cuda_cpp
