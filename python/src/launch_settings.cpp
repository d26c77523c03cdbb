// Reading launch configurations.
#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "device_object.h"
#include "launcher.h"

namespace nb = nanobind;

namespace lanewise::bindings {
namespace {

std::uint32_t read_extent(nb::handle object, const char* what, nb::handle whole) {
    if (!PyIndex_Check(object.ptr()) || PyBool_Check(object.ptr()))
        throw Error(ErrorKind::Type,
                    fmt::format("{} must be an int or a sequence of up to three ints, got {} of type {}", what,
                                nb::cast<std::string>(nb::repr(whole)), Py_TYPE(object.ptr())->tp_name));
    Py_ssize_t value = PyNumber_AsSsize_t(object.ptr(), nullptr);
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    if (value < 0 || value > Py_ssize_t(0xffffffff))
        throw Error(ErrorKind::Value, fmt::format("{} {}: extents are from 0 to 2**32 - 1", what,
                                                  nb::cast<std::string>(nb::repr(whole))));
    return static_cast<std::uint32_t>(value);
}

bool same(const Dim3& a, const Dim3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

}  // namespace

Dim3 read_dim3(nb::handle object, const char* what) {
    Dim3 dim;
    if (PyIndex_Check(object.ptr())) {
        dim.x = read_extent(object, what, object);
        return dim;
    }
    if (!PySequence_Check(object.ptr()) || PyUnicode_Check(object.ptr())) read_extent(object, what, object);
    nb::object items = nb::steal(PySequence_Tuple(object.ptr()));
    if (!items.is_valid()) throw nb::python_error();
    Py_ssize_t count = PyTuple_GET_SIZE(items.ptr());
    if (count < 1 || count > 3)
        throw Error(ErrorKind::Value, fmt::format("{} must be a sequence of 1, 2 or 3 integers, got {}", what,
                                                  nb::cast<std::string>(nb::repr(object))));
    std::uint32_t* extents[] = {&dim.x, &dim.y, &dim.z};
    for (Py_ssize_t i = 0; i < count; ++i) *extents[i] = read_extent(PyTuple_GET_ITEM(items.ptr(), i), what, object);
    return dim;
}

std::uint32_t read_shared_bytes(nb::handle shared) {
    return shared.is_none() ? 0 : read_extent(shared, "the size of dynamic shared memory", shared);
}

bool LaunchSettings::operator==(const LaunchSettings& other) const {
    return same(config.grid, other.config.grid) && same(config.block, other.config.block) && stream == other.stream &&
           config.dynamic_shared_bytes == other.config.dynamic_shared_bytes &&
           same(config.cluster, other.config.cluster) && config.cooperative == other.config.cooperative;
}

LaunchSettings read_settings(nb::handle grid, nb::handle block, nb::handle stream, nb::handle shared,
                             nb::handle cluster, bool cooperative) {
    LaunchSettings settings;
    settings.config.grid = read_dim3(grid, "grid");
    settings.config.block = read_dim3(block, "block");
    settings.stream = find_stream(stream);
    settings.config.dynamic_shared_bytes = read_shared_bytes(shared);
    if (!cluster.is_none()) settings.config.cluster = read_dim3(cluster, "cluster");
    settings.config.cooperative = cooperative;
    return settings;
}

LaunchSettings read_settings(nb::handle config) {
    Py_ssize_t count = PyTuple_Check(config.ptr()) ? PyTuple_GET_SIZE(config.ptr()) : 1;
    if (count < 2 || count > 5)
        throw Error(ErrorKind::Value,
                    fmt::format("a launch configuration is kernel[grid, block], [grid, block, stream], [grid, block, "
                                "stream, shared] or [grid, block, stream, shared, cluster]; got {} item{}",
                                count, count == 1 ? "" : "s"));
    auto item = [&](Py_ssize_t i) { return nb::handle(i < count ? PyTuple_GET_ITEM(config.ptr(), i) : Py_None); };
    return read_settings(item(0), item(1), item(2), item(3), item(4), false);
}

}  // namespace lanewise::bindings
