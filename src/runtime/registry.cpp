// The process's devices and what is current in each thread.
#include <fmt/format.h>

#include <charconv>
#include <deque>
#include <mutex>
#include <utility>

#include "base/env.h"
#include "base/log.h"
#include "lanewise/device.h"
#include "runtime/backend.h"
#include "runtime/fork_handlers.h"

namespace lanewise {

namespace {

/// Devices are never destroyed, so that work pending at exit always finds them.
struct Registry {
    std::vector<Device*> devices;
    std::string cuda_unavailable_reason;
};

Registry* discover() {
    auto registry = std::make_unique<Registry>();
    for (std::unique_ptr<Device>& device : backend::cuda_devices(registry->cuda_unavailable_reason))
        registry->devices.push_back(device.release());
    if (registry->devices.empty()) {
        if (registry->cuda_unavailable_reason.empty()) registry->cuda_unavailable_reason = "no CUDA device was found";
    } else {
        registry->cuda_unavailable_reason.clear();
    }
    registry->devices.push_back(&cpu_device());
    for (Device* device : registry->devices)
        log(LogLevel::Info, [&] { return fmt::format("device {}: {}", device->name(), device->model()); });
    if (!registry->cuda_unavailable_reason.empty())
        log(LogLevel::Info, [&] { return "no CUDA device: " + registry->cuda_unavailable_reason; });
    return registry.release();
}

const Registry& registry() {
    static MadeAtFirstUse<Registry, FirstUse::Devices> found;
    return found.get(discover);
}

struct CurrentStream {
    Device* device;
    std::shared_ptr<Stream> stream;
};

struct ThreadState {
    Device* device = nullptr;
    /// At most one entry a device. Entries stay where they are: current_stream() gives references to them.
    std::deque<CurrentStream> streams;
};

ThreadState& thread_state() {
    thread_local ThreadState state;
    return state;
}

[[noreturn]] void no_such_device(const std::string& name) {
    const Registry& found = registry();
    std::string there;
    for (Device* device : found.devices) there += (there.empty() ? "" : ", ") + device->name();
    std::string why;
    if (name.starts_with("cuda") && !found.cuda_unavailable_reason.empty())
        why = fmt::format("; no CUDA device is usable: {}", found.cuda_unavailable_reason);
    throw Error(ErrorKind::DeviceUnavailable, fmt::format("no device '{}'; there is {}{}", name, there, why));
}

Device& initial_device() {
    std::optional<std::string> wanted = env::text("LANEWISE_DEVICE");
    if (!wanted) return *registry().devices.front();
    try {
        return device_by_name(*wanted);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("LANEWISE_DEVICE={}: {}", *wanted, error.what()));
    }
}

}  // namespace

const std::vector<Device*>& devices() {
    return registry().devices;
}

Device& cpu_device() {
    // Made apart from the others: a process that uses only the cpu device never touches the CUDA driver.
    static MadeAtFirstUse<Device, FirstUse::CpuDevice> device;
    return device.get([] { return backend::cpu_device().release(); });
}

void finish_background_work() {
    backend::finish_cuda_background_work();
}

std::string cuda_unavailable_reason() {
    return registry().cuda_unavailable_reason;
}

int cuda_driver_version() {
    registry();
    return backend::cuda_driver_version();
}

std::string cuda_error_text(int code) {
    registry();
    std::string text = backend::cuda_error_text(code);
    return text.empty() ? fmt::format("error {}", code) : text;
}

Device& device_by_name(const std::string& name) {
    if (name == "cpu") return cpu_device();
    std::string full = name == "cuda" ? "cuda:0" : name;
    for (Device* device : registry().devices)
        if (device->name() == full) return *device;
    if (name == "cuda" || name.starts_with("cuda:")) {
        unsigned ordinal = 0;
        const char* end = full.data() + full.size();
        auto [rest, problem] = std::from_chars(full.data() + 5, end, ordinal);
        if (problem == std::errc() && rest == end) no_such_device(name);
    }
    throw Error(ErrorKind::DeviceUnavailable,
                fmt::format("unknown device name '{}'; expected \"cpu\", \"cuda\" or \"cuda:N\"", name));
}

Device& current_device() {
    ThreadState& state = thread_state();
    if (!state.device) set_current_device(initial_device());
    return *state.device;
}

void set_current_device(Device& device) {
    device.make_current();
    thread_state().device = &device;
}

const std::shared_ptr<Stream>& current_stream(Device& device) {
    std::deque<CurrentStream>& streams = thread_state().streams;
    for (const CurrentStream& current : streams)
        if (current.device == &device) return current.stream;
    return streams.emplace_back(&device, device.default_stream()).stream;
}

void set_current_stream(std::shared_ptr<Stream> stream) {
    if (!stream) throw Error(ErrorKind::Value, "set_current_stream: null stream");
    Device& device = stream->device();
    for (CurrentStream& current : thread_state().streams) {
        if (current.device != &device) continue;
        current.stream.swap(stream);
        return;
    }
    thread_state().streams.emplace_back(&device, std::move(stream));
}

}  // namespace lanewise
