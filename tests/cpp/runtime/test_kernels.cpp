#include "test_kernels.h"

#include <deque>
#include <fstream>
#include <iterator>
#include <mutex>

namespace lanewise::testing_kernels {

namespace {

EntryPoint entry(const std::string& name, std::uint32_t parameter_bytes) {
    EntryPoint point;
    point.name = name;
    point.display_name = name;
    point.parameter_bytes = parameter_bytes;
    return point;
}

}  // namespace

Image image() {
    Image image;
    image.format = ImageFormat::HostObject;
    image.target = cpu_device().target();
    std::ifstream file(LANEWISE_TEST_KERNELS, std::ios::binary);
    image.bytes.assign(std::istreambuf_iterator<char>(file), {});
    image.entries = {entry("scale", 32),
                     entry("append", 24),
                     entry("count_blocks", 8),
                     entry("wait_for_flag", 8),
                     entry("use_scratch", 8),
                     entry("raise_from", 8),
                     entry("trap_first", 8),
                     entry("mismatch", 0),
                     entry("print_lines", 8),
                     entry("grid_rounds", 16),
                     entry("grid_deserter", 0),
                     entry("float_state", 8),
                     entry("large_parameters", 1032),
                     entry("call_services", 8)};
    for (EntryPoint& point : image.entries) {
        if (point.name == "use_scratch") {
            point.static_shared_bytes = 16;
            point.uses_dynamic_shared = true;
            point.context_bytes_per_thread = 8;
        }
        point.can_raise = point.name == "raise_from";
        point.cooperative = point.name.starts_with("grid_");
    }
    image.files = {SourceFile{"program.py", {"def raise_from(limit):", "    assert cuda.grid(1) < limit"}, 7}};
    image.raise_sites = {RaiseSite{"AssertionError", "thread {0} is too large", {8, 4, 8, 31}, 0}};
    return image;
}

std::shared_ptr<Kernel> kernel(const std::string& name) {
    static auto* const module = new std::shared_ptr<Module>(cpu_device().load(image()));
    return (*module)->kernel(name);
}

int* Gate::new_flag() {
    static auto* const flags = new std::deque<int>;
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    return &flags->emplace_back(0);
}

Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(ErrorKind::Internal, "nothing was thrown");
}

}  // namespace lanewise::testing_kernels
