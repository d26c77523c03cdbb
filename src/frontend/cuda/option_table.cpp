#include "frontend/cuda/option_table.h"

#include <fmt/format.h>

#include <charconv>

#include "lanewise/error.h"

namespace lanewise::cuda_cpp {

namespace {

bool truth(const std::string& value) {
    if (value == "true" || value == "1" || value.empty()) return true;
    if (value == "false" || value == "0") return false;
    throw Error(ErrorKind::Value, fmt::format("'{}' is neither true nor false", value));
}

int number(const std::string& value, int least, int most) {
    int result = 0;
    auto [rest, problem] = std::from_chars(value.data(), value.data() + value.size(), result);
    if (problem != std::errc() || rest != value.data() + value.size() || result < least || result > most)
        throw Error(ErrorKind::Value, fmt::format("'{}' is no whole number from {} to {}", value, least, most));
    return result;
}

void set_standard(Options& options, const std::string& value) {
    for (int standard : {11, 14, 17, 20})
        if (value == fmt::format("c++{}", standard)) {
            options.standard = standard;
            return;
        }
    throw Error(ErrorKind::Value, fmt::format("'{}' is none of c++11, c++14, c++17, c++20", value));
}

void set_fast_math(Options& options, const std::string&) {
    options.fast_math = options.flush_denormals = options.contract = true;
    options.precise_divide = options.precise_sqrt = false;
}

void add_architecture(Options& options, const std::string& value) {
    // The device's own architecture serves whatever all of them would.
    if (value == "native" || value == "all" || value == "all-major") return;
    if (capability_of(value) == 0)
        throw Error(ErrorKind::Value, fmt::format("'{}' is no architecture such as sm_90 or compute_80", value));
    options.architecture = value;
    options.architectures.push_back(value);
}

/// "sm_80,compute_80", perhaps in brackets.
void add_architectures(Options& options, const std::string& list) {
    std::string item;
    for (char c : list + ",") {
        if (c != ',' && c != '[' && c != ']' && c != '"' && c != ' ') {
            item += c;
        } else if (!item.empty()) {
            add_architecture(options, item);
            item.clear();
        }
    }
}

/// "arch=compute_80,code=sm_80": the code is what runs.
void add_generated_code(Options& options, const std::string& value) {
    std::size_t code = value.find("code=");
    std::size_t arch = value.find("arch=");
    if (code != std::string::npos)
        add_architectures(options, value.substr(code + 5));
    else if (arch != std::string::npos)
        add_architectures(options, value.substr(arch + 5));
    else
        throw Error(ErrorKind::Value, fmt::format("'{}' is not of the form arch=compute_80,code=sm_80", value));
}

/// The optimisation level and the bound on registers are ours to know; all of it is handed on.
void read_ptxas_options(Options& options, const std::string& value) {
    auto set = [&](const std::string& option) {
        if (option.starts_with("-O")) options.opt_level = number(option.substr(2), 0, 4);
        for (std::string_view name : {"--opt-level=", "-opt-level="})
            if (option.starts_with(name)) options.opt_level = number(option.substr(name.size()), 0, 4);
        for (std::string_view name : {"--maxrregcount=", "-maxrregcount="})
            if (option.starts_with(name)) options.max_registers = number(option.substr(name.size()), 0, 1024);
        options.other.push_back("--ptxas-options=" + option);
    };
    std::string item;
    for (char c : value + ",") {
        if (c != ',' && c != ' ') {
            item += c;
        } else if (!item.empty()) {
            set(item);
            item.clear();
        }
    }
}

#define EFFECT [](Options & o, const std::string& v)

constexpr const char* host = "is for the host compiler, which is not run";
constexpr const char* output = "is decided here: the code is compiled to be loaded";
constexpr const char* library = "is for host programs; CUDA's device runtime is linked where code calls it";
constexpr const char* driver = "is for nvcc's own run, which has no counterpart here";

// clang-format off
const OptionRow rows[] = {
    // The preprocessor
    {"define-macro D", Form::Joined, Use::Parsed, EFFECT { o.defines.push_back(v); }, ""},
    {"undefine-macro U", Form::Joined, Use::Parsed, EFFECT { o.undefines.push_back(v); }, ""},
    {"include-path I", Form::Joined, Use::Parsed, EFFECT { o.include_folders.push_back(v); }, ""},
    {"system-include isystem", Form::Value, Use::Parsed, EFFECT { o.include_folders.push_back(v); }, ""},
    {"pre-include include", Form::Value, Use::Parsed, EFFECT { o.forced_includes.push_back(v); }, ""},
    {"no-source-include", Form::Flag, Use::Nvrtc, nullptr, ""},

    // The language
    {"std", Form::Value, Use::Parsed, set_standard, ""},
    {"device-as-default-execution-space default-device", Form::Flag, Use::Parsed, EFFECT { o.default_device = true; }, ""},
    {"restrict", Form::Flag, Use::Both, nullptr, ""},
    {"expt-relaxed-constexpr", Form::Flag, Use::Nvcc, nullptr, ""},
    {"extended-lambda expt-extended-lambda", Form::Flag, Use::Nvcc, nullptr, ""},
    {"device-int128", Form::Flag, Use::Nvrtc, nullptr, ""},
    {"device-float128", Form::Flag, Use::Nvrtc, nullptr, ""},
    {"builtin-move-forward", Form::Boolean, Use::Nvrtc, nullptr, ""},
    {"builtin-initializer-list", Form::Boolean, Use::Nvrtc, nullptr, ""},
    {"no-host-device-initializer-list nohdinitlist", Form::Flag, Use::Nvcc, nullptr, ""},
    {"no-host-device-move-forward nohdmoveforward", Form::Flag, Use::Nvcc, nullptr, ""},
    {"ftemplate-depth", Form::Value, Use::Nvcc, nullptr, ""},
    {"ftemplate-backtrace-limit", Form::Value, Use::Nvcc, nullptr, ""},
    {"default-stream", Form::Value, Use::Nvcc, nullptr, ""},

    // Arithmetic
    {"use_fast_math", Form::Flag, Use::Parsed, set_fast_math, ""},
    {"ftz", Form::Boolean, Use::Parsed, EFFECT { o.flush_denormals = truth(v); }, ""},
    {"prec-div", Form::Boolean, Use::Parsed, EFFECT { o.precise_divide = truth(v); }, ""},
    {"prec-sqrt", Form::Boolean, Use::Parsed, EFFECT { o.precise_sqrt = truth(v); }, ""},
    {"fmad", Form::Boolean, Use::Parsed, EFFECT { o.contract = truth(v); }, ""},

    // Code generation
    {"gpu-architecture arch", Form::Value, Use::Parsed, add_architectures, ""},
    {"gpu-code code", Form::Value, Use::Parsed, add_architectures, ""},
    {"generate-code gencode", Form::Value, Use::Parsed, add_generated_code, ""},
    {"maxrregcount", Form::Value, Use::Parsed, EFFECT { o.max_registers = number(v, 0, 1024); }, ""},
    {"ptxas-options Xptxas", Form::Value, Use::Parsed, read_ptxas_options, ""},
    {"generate-line-info lineinfo", Form::Flag, Use::Parsed, EFFECT { o.line_info = true; }, ""},
    {"device-debug G", Form::Flag, Use::Parsed, EFFECT { o.debug = true; }, ""},
    {"relocatable-device-code rdc", Form::Boolean, Use::Parsed, EFFECT { o.relocatable = truth(v); }, ""},
    {"device-c dc", Form::Flag, Use::Parsed, EFFECT { o.relocatable = true; }, ""},
    {"device-w dw", Form::Flag, Use::Parsed, EFFECT { o.relocatable = false; }, ""},
    {"extensible-whole-program ewp", Form::Flag, Use::Both, nullptr, ""},
    {"dopt", Form::Value, Use::Both, nullptr, ""},
    {"extra-device-vectorization", Form::Flag, Use::Both, nullptr, ""},
    {"Ofast-compile Ofc", Form::Value, Use::Both, nullptr, ""},
    {"split-compile", Form::Value, Use::Both, nullptr, ""},
    {"modify-stack-limit", Form::Boolean, Use::Nvrtc, nullptr, ""},
    {"device-stack-protector", Form::Boolean, Use::Both, nullptr, ""},
    {"frandom-seed", Form::Value, Use::Both, nullptr, ""},
    {"jump-table-density jtd", Form::Value, Use::Nvcc, nullptr, ""},
    {"keep-device-functions", Form::Flag, Use::Nvcc, nullptr, ""},
    {"source-in-ptx src-in-ptx", Form::Flag, Use::Nvcc, nullptr, ""},
    {"no-align-double", Form::Flag, Use::Nvcc, nullptr, ""},
    {"libdevice-directory ldir", Form::Value, Use::Nvcc, nullptr, ""},
    {"library l", Form::Joined, Use::Ignored, nullptr, library},
    {"cudadevrt", Form::Value, Use::Ignored, nullptr, library},

    // Messages
    {"disable-warnings w", Form::Flag, Use::Parsed, EFFECT { o.warnings = false; }, ""},
    {"Werror", Form::Value, Use::Nvcc, nullptr, ""},
    {"Wreorder", Form::Flag, Use::Nvcc, nullptr, ""},
    {"Wdefault-stream-launch", Form::Flag, Use::Nvcc, nullptr, ""},
    {"Wmissing-launch-bounds", Form::Flag, Use::Nvcc, nullptr, ""},
    {"Wext-lambda-captures-this", Form::Flag, Use::Nvcc, nullptr, ""},
    {"Wno-deprecated-declarations", Form::Flag, Use::Nvcc, nullptr, ""},
    {"Wno-deprecated-gpu-targets", Form::Flag, Use::Nvcc, nullptr, ""},
    {"display-error-number err-no", Form::Flag, Use::Both, nullptr, ""},
    {"no-display-error-number no-err-no", Form::Flag, Use::Both, nullptr, ""},
    {"diag-error", Form::Value, Use::Both, nullptr, ""},
    {"diag-suppress", Form::Value, Use::Both, nullptr, ""},
    {"diag-warn", Form::Value, Use::Both, nullptr, ""},
    {"brief-diagnostics brief-diag", Form::Boolean, Use::Both, nullptr, ""},
    {"optimization-info opt-info", Form::Value, Use::Both, nullptr, ""},
    {"resource-usage res-usage", Form::Flag, Use::Nvcc, nullptr, ""},
    {"verbose v", Form::Flag, Use::Nvcc, nullptr, ""},
    {"Xcudafe", Form::Value, Use::Nvcc, nullptr, ""},

    // How compilers work
    {"minimal", Form::Flag, Use::Nvrtc, nullptr, ""},
    {"no-cache", Form::Flag, Use::Nvrtc, nullptr, ""},
    {"pch", Form::Flag, Use::Nvrtc, nullptr, ""},
    {"create-pch", Form::Value, Use::Nvrtc, nullptr, ""},
    {"use-pch", Form::Value, Use::Nvrtc, nullptr, ""},
    {"pch-dir", Form::Value, Use::Nvrtc, nullptr, ""},
    {"pch-verbose", Form::Boolean, Use::Nvrtc, nullptr, ""},
    {"pch-messages", Form::Boolean, Use::Nvrtc, nullptr, ""},
    {"instantiate-templates-in-pch", Form::Boolean, Use::Nvrtc, nullptr, ""},
    {"time", Form::Value, Use::Both, nullptr, ""},
    {"fdevice-time-trace", Form::Value, Use::Both, nullptr, ""},
    {"threads t", Form::Value, Use::Nvcc, nullptr, ""},
    {"compiler-bindir ccbin", Form::Value, Use::Nvcc, nullptr, ""},
    {"allow-unsupported-compiler", Form::Flag, Use::Nvcc, nullptr, ""},
    {"target-directory target-dir", Form::Value, Use::Nvcc, nullptr, ""},
    {"use-local-env", Form::Flag, Use::Nvcc, nullptr, ""},

    // Without effect
    {"compiler-options Xcompiler", Form::Value, Use::Ignored, nullptr, host},
    {"linker-options Xlinker", Form::Value, Use::Ignored, nullptr, "is for the host linker, which is not run"},
    {"archive-options Xarchive", Form::Value, Use::Ignored, nullptr, "is for the archiver, which is not run"},
    {"nvlink-options Xnvlink", Form::Value, Use::Ignored, nullptr, "is for nvlink, which is not run: the driver links"},
    {"forward-unknown-to-host-compiler forward-unknown-opts", Form::Flag, Use::Ignored, nullptr, host},
    {"forward-unknown-to-host-linker", Form::Flag, Use::Ignored, nullptr, "is for the host linker, which is not run"},
    {"optimize O", Form::Joined, Use::Ignored, EFFECT { number(v, 0, 4); },
     "is for host code; -Xptxas -O2 sets the level of device code"},
    {"debug g", Form::Flag, Use::Ignored, nullptr, "is for host code; -G and -lineinfo are for device code"},
    {"profile pg", Form::Flag, Use::Ignored, nullptr, host},
    {"no-exceptions noeh", Form::Flag, Use::Ignored, nullptr, host},
    {"machine m", Form::Value, Use::Ignored,
     EFFECT { if (v != "64") throw Error(ErrorKind::Value, "only 64-bit code can be loaded"); }, "is the only one there is"},
    {"m64", Form::Flag, Use::Ignored, nullptr, "is the only one there is"},
    {"m32", Form::Flag, Use::Refused, nullptr, "makes code for 32-bit programs; only 64-bit code can be loaded"},
    {"cudart", Form::Value, Use::Ignored, nullptr, "is for programs that link CUDA's run-time library"},
    {"library-path L", Form::Joined, Use::Ignored, nullptr, "is for the host linker, which is not run"},
    {"x", Form::Value, Use::Ignored, nullptr, "is decided here: the text is CUDA C++"},
    {"cubin", Form::Flag, Use::Ignored, nullptr, output},
    {"fatbin", Form::Flag, Use::Ignored, nullptr, output},
    {"ptx", Form::Flag, Use::Ignored, nullptr, output},
    {"compile c", Form::Flag, Use::Ignored, nullptr, output},
    {"output-file o", Form::Value, Use::Ignored, nullptr, output},
    {"output-directory odir", Form::Value, Use::Ignored, nullptr, output},
    {"objdir-as-tempdir objtemp", Form::Flag, Use::Ignored, nullptr, driver},
    {"keep", Form::Flag, Use::Ignored, nullptr, "is a setting of its own: a folder to keep nvcc's files in"},
    {"save-temps", Form::Flag, Use::Ignored, nullptr, "is a setting of its own: a folder to keep nvcc's files in"},
    {"keep-dir", Form::Value, Use::Ignored, nullptr, "is a setting of its own: a folder to keep nvcc's files in"},
    {"no-compress", Form::Flag, Use::Ignored, nullptr, "is for fatbins; a cubin is loaded"},
    {"compress-mode", Form::Value, Use::Ignored, nullptr, "is for fatbins; a cubin is loaded"},
    {"Xfatbin", Form::Value, Use::Ignored, nullptr, "is for fatbins; a cubin is loaded"},

    // Refused
    {"preprocess E", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"generate-dependencies M", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"generate-nonsystem-dependencies MM", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"fdevice-syntax-only", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"dryrun", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"optix-ir", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"ltoir", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"dlink-time-opt dlto", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"gen-opt-lto", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"cuda", Form::Flag, Use::Refused, nullptr, "gives no code to load"},
    {"device-link dlink", Form::Flag, Use::Refused, nullptr, "takes object files; there is one text here"},
    {"link", Form::Flag, Use::Refused, nullptr, "makes a program; there is one text of device code here"},
    {"shared", Form::Flag, Use::Refused, nullptr, "makes a library; there is one text of device code here"},
    {"lib", Form::Flag, Use::Refused, nullptr, "makes a library; there is one text of device code here"},
    {"run", Form::Flag, Use::Refused, nullptr, "runs a program; there is one text of device code here"},
    {"options-file optf", Form::Value, Use::Refused, nullptr, "is not read here: give its options one by one"},
};
// clang-format on
#undef EFFECT

bool has_name(const OptionRow& row, std::string_view name) {
    std::string_view rest = row.names;
    while (!rest.empty()) {
        std::size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == name) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

}  // namespace

std::span<const OptionRow> option_table() {
    return rows;
}

FoundOption find_option(std::string_view text) {
    if (!text.starts_with('-')) return {};
    std::string_view body = text.substr(text.starts_with("--") ? 2 : 1);
    std::size_t end = std::min(body.find_first_of("= \t"), body.size());
    std::string_view name = body.substr(0, end);
    for (const OptionRow& row : rows)
        if (has_name(row, name)) {
            if (end == body.size()) return {&row, false, ""};
            std::string_view value = body.substr(end + 1);
            if (body[end] != '=') value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
            return {&row, true, std::string(value)};
        }
    if (text.starts_with("--") || body.size() < 2) return {};
    for (const OptionRow& row : rows)
        if (row.form == Form::Joined && has_name(row, body.substr(0, 1)))
            return {&row, true, std::string(body.substr(1))};
    return {};
}

std::string long_name(const OptionRow& row) {
    return fmt::format("--{}", row.names.substr(0, row.names.find(' ')));
}

}  // namespace lanewise::cuda_cpp
