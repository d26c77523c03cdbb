// Bindings of what only some devices have: attributes by number, limits, preferences, peers, and what other processes
// and tools see of a device.
#include <fmt/format.h>
#include <nanobind/stl/pair.h>

#include "bindings.h"
#include "device_object.h"
#include "lanewise/ops.h"

namespace lanewise::bindings {
namespace {

using namespace nb::literals;

struct AttributeRow {
    const char* name;
    const char* cuda_name;
    DeviceAttribute attribute;
};
constexpr AttributeRow attribute_rows[] = {
#define LANEWISE_DEVICE_ATTRIBUTE(id, name, cuda_name, number) {#name, #cuda_name, DeviceAttribute::id},
#include "lanewise/tables/device_attributes.def"
#undef LANEWISE_DEVICE_ATTRIBUTE
};

constexpr const char* limit_names[] = {
    "stack_size",
    "printf_fifo_size",
    "malloc_heap_size",
    "runtime_sync_depth",
    "runtime_pending_launches",
    "max_l2_fetch_granularity",
    "persisting_l2_cache_size",
};
static_assert(std::size(limit_names) == device_limit_count);

constexpr const char* cache_names[] = {"none", "shared", "l1", "equal"};

/// The position of `name` in `names`; Error(Value) that lists them.
template <std::size_t count>
std::size_t position(const char* const (&names)[count], std::string_view name, const char* what) {
    for (std::size_t i = 0; i < count; ++i)
        if (name == names[i]) return i;
    throw Error(ErrorKind::Value, fmt::format("there is no {} '{}'; there are {}", what, name, fmt::join(names, ", ")));
}

DeviceAttribute to_attribute(nb::handle which) {
    if (PyLong_Check(which.ptr())) return static_cast<DeviceAttribute>(nb::cast<std::int16_t>(which));
    const auto name = nb::cast<std::string_view>(which);
    for (const AttributeRow& row : attribute_rows)
        if (name == row.name) return row.attribute;
    throw Error(ErrorKind::Value, fmt::format("there is no device attribute '{}'; see Device.attribute_names", name));
}

DeviceLimit to_limit(nb::handle which) {
    if (!PyLong_Check(which.ptr()))
        return static_cast<DeviceLimit>(position(limit_names, nb::cast<std::string_view>(which), "device limit"));
    const auto number = nb::cast<std::int64_t>(which);
    if (number < 0 || number >= device_limit_count)
        throw Error(ErrorKind::Value,
                    fmt::format("there is no device limit {}; they are 0 to {}", number, device_limit_count - 1));
    return static_cast<DeviceLimit>(number);
}

}  // namespace

void bind_device_settings(nb::class_<Device>& device) {
    device.def(
              "attribute", [](Device& d, nb::handle which) { return d.attribute(to_attribute(which)); }, "which"_a)
        .def(
            "limit", [](Device& d, nb::handle which) { return d.limit(to_limit(which)); }, "which"_a)
        .def(
            "set_limit", [](Device& d, nb::handle which, std::size_t value) { d.set_limit(to_limit(which), value); },
            "which"_a, "value"_a)
        .def_prop_rw(
            "cache_preference", [](Device& d) { return cache_names[static_cast<std::size_t>(d.cache_preference())]; },
            [](Device& d, std::string_view name) {
                d.set_cache_preference(static_cast<CachePreference>(position(cache_names, name, "cache preference")));
            })
        .def_prop_ro("stream_priorities", &Device::stream_priorities)
        .def_prop_ro("context_handle", &Device::context_handle)
        .def_prop_ro("context_version", &Device::context_version)
        .def("can_access_peer", &Device::can_access_peer, "peer"_a)
        .def("enable_peer_access", &Device::enable_peer_access, "peer"_a)
        .def("disable_peer_access", &Device::disable_peer_access, "peer"_a)
        .def(
            "allocation_at",
            [](Device& d, std::uintptr_t pointer) {
                MemoryRange range = d.allocation_at(reinterpret_cast<const void*>(pointer));
                return std::pair(reinterpret_cast<std::uintptr_t>(range.start), range.bytes);
            },
            "pointer"_a)
        .def("start_profiler", &Device::start_profiler)
        .def("stop_profiler", &Device::stop_profiler);

    nb::list names;
    nb::dict numbers;
    for (const AttributeRow& row : attribute_rows) {
        names.append(row.name);
        numbers[row.cuda_name] = static_cast<int>(row.attribute);
    }
    device.attr("attribute_names") = nb::tuple(names);
    device.attr("cuda_attributes") = numbers;
}

}  // namespace lanewise::bindings
