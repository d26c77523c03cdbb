#include "backend/cuda/nvrtc_headers.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>

namespace lanewise::cuda {

namespace {

/// Other names of the files of nvrtc_headers.
constexpr std::pair<const char*, const char*> other_names[] = {
    {"cfloat", "float.h"},   {"cinttypes", "stdint.h"}, {"climits", "limits.h"},  {"cmath", "math.h"},
    {"cstddef", "stddef.h"}, {"cstdint", "stdint.h"},   {"cstdio", "stdio.h"},    {"cstdlib", "stdlib.h"},
    {"cstring", "string.h"}, {"ctime", "time.h"},       {"memory.h", "string.h"}, {"inttypes.h", "stdint.h"},
};

/// What NVRTC has built in, or what has no part in device code: there NVRTC says which name it does not know.
constexpr const char* empty_headers[] = {
    "assert.h",   "cassert", "cerrno",   "chrono",    "cstdarg",   "errno.h",
    "exception",  "fstream", "iomanip",  "iostream",  "istream",   "map",
    "memory",     "mutex",   "new",      "ostream",   "random",    "set",
    "signal.h",   "sstream", "stdarg.h", "stdbool.h", "stdexcept", "string",
    "sys/time.h", "thread",  "typeinfo", "unistd.h",  "vector",    "initializer_list",
};

/// The toolkit's, built into NVRTC in the main: given where the toolkit's own are not found.
constexpr const char* toolkit_headers[] = {
    "builtin_types.h",
    "cuda.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "device_atomic_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_types.h",
    "host_defines.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_30_intrinsics.h",
    "vector_functions.h",
    "vector_types.h",
};

/// In std:: what CUDA's C++ libraries (CCCL) have in cuda::std::.
constexpr const char* cccl_headers[] = {
    "array",   "atomic",   "bit",  "concepts", "functional",  "iterator", "limits",
    "numeric", "optional", "span", "tuple",    "type_traits", "utility",  "variant",
};

std::string cccl_text(const char* name) {
    return fmt::format(
        "#pragma once\n#if __has_include(<cuda/std/{0}>)\nextern \"C++\" {{\n#include <cuda/std/{0}>\n"
        "namespace std {{\nusing namespace cuda::std;\n}}\n}}\n#else\n#error \"<{0}> in device code is cuda/std/{0} of "
        "CUDA's C++ libraries (CCCL), which were not found: set CUDA_HOME or install the wheel nvidia-cuda-cccl\"\n"
        "#endif\n",
        name);
}

bool in(const std::vector<std::string>& folders, const std::string& name) {
    return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
        struct stat status{};
        return ::stat((folder + "/" + name).c_str(), &status) == 0;
    });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> headers_for(const std::vector<std::string>& user_folders,
                                                             const std::vector<std::string>& cuda_folders) {
    std::vector<std::pair<std::string, std::string>> given;
    auto give = [&](std::string name, std::string text) {
        if (!in(user_folders, name)) given.emplace_back(std::move(name), std::move(text));
    };
    for (const cuda_cpp::EmbeddedHeader& header : cuda_cpp::nvrtc_headers())
        give(std::string(header.path), std::string(header.text));
    for (const cuda_cpp::EmbeddedHeader& header : cuda_cpp::shared_headers()) {
        std::string text(header.text);
        if (header.path == "__lanewise/complex.h") text.insert(0, "#include <__lanewise/complex_needs.h>\n");
        give(std::string(header.path), std::move(text));
    }
    for (auto [name, file] : other_names) give(name, fmt::format("#pragma once\n#include <{}>\n", file));
    for (const char* name : empty_headers) give(name, "#pragma once\n");
    for (const char* name : cccl_headers) give(name, cccl_text(name));
    for (const char* name : toolkit_headers)
        if (!in(cuda_folders, name)) give(name, "#pragma once\n");
    return given;
}

}  // namespace lanewise::cuda
