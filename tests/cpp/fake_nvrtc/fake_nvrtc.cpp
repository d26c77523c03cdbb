#include "fake_nvrtc.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <sstream>
#include <utility>

struct NvrtcProgramState {
    fake_nvrtc::Compile compile;
    std::string log, ptx, cubin;
};

namespace fake_nvrtc {
namespace {

struct State {
    Settings settings;
    std::vector<Compile> compiles;
    int live = 0;
    std::mutex mutex;
};

State& state() {
    static State* state = new State;
    return *state;
}

/// "__global__ void NAME(" of the text.
std::vector<std::string> kernels(const std::string& text) {
    std::vector<std::string> names;
    const std::string mark = "__global__ void ";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
        std::size_t begin = at + mark.size();
        names.push_back(text.substr(begin, text.find('(', begin) - begin));
    }
    return names;
}

}  // namespace

Settings& settings() {
    return state().settings;
}
std::vector<Compile> take_compiles() {
    std::lock_guard lock(state().mutex);
    return std::exchange(state().compiles, {});
}
int live_programs() {
    return state().live;
}

}  // namespace fake_nvrtc

using namespace fake_nvrtc;
using Program = NvrtcProgramState*;

extern "C" {

FAKE_NVRTC_EXPORT int nvrtcVersion(int* major, int* minor) {
    *major = settings().major;
    *minor = settings().minor;
    return 0;
}
FAKE_NVRTC_EXPORT const char* nvrtcGetErrorString(int result) {
    return result == 5 ? "NVRTC_ERROR_INVALID_OPTION" : "NVRTC_ERROR";
}
FAKE_NVRTC_EXPORT int nvrtcGetNumSupportedArchs(int* count) {
    *count = int(settings().capabilities.size());
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetSupportedArchs(int* capabilities) {
    std::copy(settings().capabilities.begin(), settings().capabilities.end(), capabilities);
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcCreateProgram(Program* program, const char* text, const char* name, int headers,
                                         const char* const*, const char* const* names) {
    *program = new NvrtcProgramState;
    (*program)->compile.text = text;
    (*program)->compile.file = name;
    (*program)->compile.header_names.assign(names, names + headers);
    ++state().live;
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcDestroyProgram(Program* program) {
    delete *program;
    *program = nullptr;
    --state().live;
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcAddNameExpression(Program program, const char* expression) {
    program->compile.name_expressions.emplace_back(expression);
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcCompileProgram(Program program, int count, const char* const* options) {
    program->compile.options.assign(options, options + count);
    {
        std::lock_guard lock(state().mutex);
        state().compiles.push_back(program->compile);
    }
    if (settings().result == 5) program->log = "nvrtc: error: unrecognized option\n";
    if (settings().result != 0) return settings().result;
    std::istringstream lines(program->compile.text);
    int number = 0;
    bool failed = false;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        for (const char* kind : {"error", "warning"})
            if (std::string mark = std::string("#") + kind + " "; line.starts_with(mark)) {
                program->log += program->compile.file + "(" + std::to_string(number) + "): " + kind + ": " +
                                line.substr(mark.size()) + "\n\n";
                failed = failed || kind == std::string("error");
            }
    }
    if (failed) return 6;
    std::string code, entries, sections;
    for (const std::string& kernel : kernels(program->compile.text)) {
        code += "kernel " + kernel + " 8 0 8\n";
        entries += ".entry " + kernel + "(\n";
        sections += ".text." + kernel + '\0';
    }
    program->ptx = code + entries + '\0';
    bool machine_code = false;
    for (const std::string& option : program->compile.options)
        machine_code = machine_code || option.starts_with("--gpu-architecture=sm_");
    if (machine_code) program->cubin = "cubin\n" + code + '\0' + sections;
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetProgramLogSize(Program program, std::size_t* size) {
    *size = program->log.size() + 1;
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetProgramLog(Program program, char* log) {
    std::memcpy(log, program->log.c_str(), program->log.size() + 1);
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetLoweredName(Program program, const char* expression, const char** name) {
    static std::map<std::string, std::string> lowered;
    if (std::string(expression) == "missing") return 10;
    *name = (lowered[expression] = "lowered_" + std::to_string(std::strlen(expression))).c_str();
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetPTXSize(Program program, std::size_t* size) {
    *size = program->ptx.size();
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetPTX(Program program, char* text) {
    std::copy(program->ptx.begin(), program->ptx.end(), text);
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetCUBINSize(Program program, std::size_t* size) {
    *size = program->cubin.size();
    return 0;
}
FAKE_NVRTC_EXPORT int nvrtcGetCUBIN(Program program, char* code) {
    std::copy(program->cubin.begin(), program->cubin.end(), code);
    return 0;
}
}
