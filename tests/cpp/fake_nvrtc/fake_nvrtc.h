// An NVRTC without a compiler, as libfake_nvrtc.so: its "machine code" is what the fake CUDA driver loads.
//
// Each "__global__ void NAME(" of a text becomes a kernel of 8 parameter bytes. A line "#error TEXT" is an error, a
// line
// "#warning TEXT" a warning, both reported as NVRTC does.
#pragma once

#include <string>
#include <vector>

namespace fake_nvrtc {

struct Settings {
    int major = 12, minor = 8;
    std::vector<int> capabilities = {75, 80, 90};
    /// What nvrtcCompileProgram gives instead of compiling; 0: it compiles.
    int result = 0;
};

struct Compile {
    std::string text, file;
    std::vector<std::string> options, header_names, name_expressions;
};

#define FAKE_NVRTC_EXPORT __attribute__((visibility("default")))

FAKE_NVRTC_EXPORT Settings& settings();
/// The compiles since the last call.
FAKE_NVRTC_EXPORT std::vector<Compile> take_compiles();
/// Programs that are not destroyed.
FAKE_NVRTC_EXPORT int live_programs();

}  // namespace fake_nvrtc
