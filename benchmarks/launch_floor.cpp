// The floor of a kernel launch: cuLaunchKernel called from C++ on an empty kernel with the parameters that the Python
// side passes. Prints microseconds a launch as JSON: for Python kernels, whose arrays are a pointer and an extent each,
// and for CUDA C++ kernels, which take pointers; and of a copy, a fill and a reading of a few bytes.
#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void check(CUresult status, const char* call) {
    if (status == CUDA_SUCCESS) return;
    const char* text = "";
    cuGetErrorString(status, &text);
    std::fprintf(stderr, "%s: %s\n", call, text);
    std::exit(1);
}

/// Of one call, from many calls and one synchronisation.
template <class Call>
static double microseconds(const Call& call) {
    double best = 1e9;
    for (int repeat = 0; repeat < 15; ++repeat) {
        check(cuCtxSynchronize(), "cuCtxSynchronize");
        const int calls = 2000;
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i) call();
        check(cuCtxSynchronize(), "cuCtxSynchronize");
        std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / calls);
    }
    return best;
}

static double launch(CUfunction function, std::vector<void*>& parameters) {
    return microseconds([&] {
        check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters.data(), nullptr), "cuLaunchKernel");
    });
}

/// An empty kernel that takes `scalars` doubles, then `words` of 8 bytes.
static std::string ptx(int scalars, int words) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry empty(";
    for (int i = 0; i < scalars + words; ++i)
        text += std::string(i ? ", " : "") + ".param " + (i < scalars ? ".f64" : ".u64") + " p" + std::to_string(i);
    return text + ") { ret; }\n";
}

int main() {
    check(cuInit(0), "cuInit");
    CUdevice device;
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    CUcontext context;
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    const struct {
        const char* name;
        int scalars, words;
    } cases[] = {
        {"scalar_2_arrays", 1, 4}, {"arrays_16", 0, 32},   {"scalar_2_pointers", 1, 2},
        {"pointers_4", 0, 4},      {"pointers_16", 0, 16},
    };
    std::string results;
    const auto report = [&results](const char* name, double value) {
        results += (results.empty() ? "\"" : ", \"") + std::string(name) + "\": " + std::to_string(value);
    };
    for (const auto& item : cases) {
        CUmodule module;
        check(cuModuleLoadData(&module, ptx(item.scalars, item.words).c_str()), "cuModuleLoadData");
        CUfunction function;
        check(cuModuleGetFunction(&function, module, "empty"), "cuModuleGetFunction");
        std::vector<unsigned long long> values(item.scalars + item.words, 0);
        std::vector<void*> parameters;
        for (auto& value : values) parameters.push_back(&value);
        launch(function, parameters);
        report(item.name, launch(function, parameters));
    }
    CUdeviceptr memory;
    check(cuMemAlloc(&memory, 2048), "cuMemAlloc");
    report("copy_1024",
           microseconds([&] { check(cuMemcpyDtoDAsync(memory, memory + 1024, 1024, nullptr), "cuMemcpyDtoDAsync"); }));
    report("fill_1024", microseconds([&] { check(cuMemsetD32Async(memory, 0, 256, nullptr), "cuMemsetD32Async"); }));
    int element;
    report("read_4", microseconds([&] { check(cuMemcpyDtoH(&element, memory, 4), "cuMemcpyDtoH"); }));
    std::printf("{%s}\n", results.c_str());
}
