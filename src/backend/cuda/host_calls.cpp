#include "backend/cuda/host_calls.h"

namespace lanewise::cuda {

struct HostCalls::Call {
    HostCalls& calls;
    const void* owner;
    std::function<void()> f;
    bool repeats;
};

void HostCalls::run(void* argument) {
    auto* call = static_cast<Call*>(argument);
    HostCalls& calls = call->calls;
    std::exception_ptr error;
    try {
        call->f();
    } catch (...) {
        error = std::current_exception();
    }
    std::lock_guard lock(calls.mutex_);
    if (error) calls.errors_.emplace_back(call->owner, error);
    if (call->repeats) return;
    calls.spent_.push_back(std::move(call->f));
    delete call;
}

std::shared_ptr<const void> HostCalls::enqueue(const void* owner, CUstream stream, std::function<void()> f,
                                               bool repeats) {
    auto call = std::make_unique<Call>(Call{*this, owner, std::move(f), repeats});
    driver.cuLaunchHostFunc(stream, run, call.get());
    if (repeats) return call;
    // From here on run() owns it.
    call.release();
    return nullptr;
}

void HostCalls::keep(std::shared_ptr<const void> repeated) {
    std::lock_guard lock(mutex_);
    kept_.push_back(std::move(repeated));
}

void HostCalls::collect(const void* owner) {
    std::vector<std::function<void()>> spent;
    std::exception_ptr error;
    {
        std::lock_guard lock(mutex_);
        spent.swap(spent_);
        for (auto i = errors_.begin(); i != errors_.end(); ++i) {
            if (owner && i->first != owner) continue;
            error = i->second;
            errors_.erase(i);
            break;
        }
    }
    spent.clear();
    if (error) std::rethrow_exception(error);
}

}  // namespace lanewise::cuda
