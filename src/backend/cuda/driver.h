// The CUDA driver: functions found in libcuda.so.1 at run time from the one list driver.def, each checked when called.
#pragma once

#include <string>

#include "backend/cuda/driver_types.h"

namespace lanewise::cuda {

/// Throws the Error for a failed driver call (driver_error.cpp): OutOfMemory or Driver, with the call, the driver's
/// name and text for the code, and what can be done about it.
[[noreturn]] void fail(CUresult result, const char* call);

/// One driver function. Calling it throws on failure; `status` hands the code to the caller instead.
template <class... Parameters>
class Function {
public:
    constexpr explicit Function(const char* name) : name_(name) {}
    void operator()(Parameters... arguments) const {
        CUresult result = pointer_(arguments...);
        if (result != CUDA_SUCCESS) [[unlikely]]
            fail(result, name_);
    }
    CUresult status(Parameters... arguments) const { return pointer_(arguments...); }
    explicit operator bool() const { return pointer_ != nullptr; }
    const char* name() const { return name_; }

private:
    friend class Driver;
    CUresult (*pointer_)(Parameters...) = nullptr;
    const char* name_;
};

template <class Signature>
struct FunctionOf;
template <class... Parameters>
struct FunctionOf<void(Parameters...)> {
    using type = Function<Parameters...>;
};

class Driver {
public:
    /// The oldest driver that works, as cuDriverGetVersion counts: CUDA 12.0.
    static constexpr int minimum_version = 12000;

    /// Opens LANEWISE_CUDA_DRIVER, else libcuda.so.1, and initialises it. "" when it is usable, else one line on why
    /// not. After a success later calls do nothing; after a failure they try again. Not for concurrent calls.
    std::string load();
    /// As the driver counts: 12040 is CUDA 12.4. 0 where load() found no driver; one that cannot be used has a version.
    int version() const { return version_; }
    /// True in a child process forked after load(): the driver refuses every call there.
    bool forked() const;

#define LANEWISE_CUDA(name, symbol, since, parameters) typename FunctionOf<void parameters>::type name{#name};
#include "backend/cuda/driver.def"
#undef LANEWISE_CUDA

private:
    int version_ = 0;
    bool usable_ = false;
    int process_ = 0;
};

/// The process's driver. Its functions may be called once load() has succeeded.
extern Driver driver;

/// "12.4" for 12040.
std::string version_text(int version);

}  // namespace lanewise::cuda
