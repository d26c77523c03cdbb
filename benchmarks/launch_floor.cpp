// The floor of a kernel launch: cuLaunchKernel called from C++ on an empty kernel with the parameters that the Python
// side passes. Prints microseconds a launch as JSON, for 1 scalar + 2 arrays and for 16 arrays (pointer and extent
// each).
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

static double microseconds(CUfunction function, std::vector<void*>& parameters) {
    double best = 1e9;
    for (int repeat = 0; repeat < 15; ++repeat) {
        check(cuCtxSynchronize(), "cuCtxSynchronize");
        const int launches = 2000;
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < launches; ++i)
            check(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters.data(), nullptr),
                  "cuLaunchKernel");
        check(cuCtxSynchronize(), "cuCtxSynchronize");
        std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / launches);
    }
    return best;
}

static std::string ptx(int arrays, bool scalar) {
    std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry empty(";
    std::string separator;
    if (scalar) text += ".param .f64 s", separator = ", ";
    for (int i = 0; i < 2 * arrays; ++i) text += separator + ".param .u64 p" + std::to_string(i), separator = ", ";
    return text + ") { ret; }\n";
}

int main() {
    check(cuInit(0), "cuInit");
    CUdevice device;
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    CUcontext context;
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    double results[2];
    struct {
        int arrays;
        bool scalar;
    } cases[2] = {{2, true}, {16, false}};
    for (int c = 0; c < 2; ++c) {
        CUmodule module;
        check(cuModuleLoadData(&module, ptx(cases[c].arrays, cases[c].scalar).c_str()), "cuModuleLoadData");
        CUfunction function;
        check(cuModuleGetFunction(&function, module, "empty"), "cuModuleGetFunction");
        std::vector<unsigned long long> values(2 * cases[c].arrays + 1, 0);
        std::vector<void*> parameters;
        for (auto& value : values) parameters.push_back(&value);
        microseconds(function, parameters);
        results[c] = microseconds(function, parameters);
    }
    std::printf("{\"scalar_2_arrays\": %.4f, \"arrays_16\": %.4f}\n", results[0], results[1]);
}
