// What the binding files share: nanobind, and one bind function a file.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace lanewise::bindings {

void bind_errors(nb::module_& m);
void bind_types(nb::module_& m);
void bind_devices(nb::module_& m);
void bind_graphs(nb::module_& m);
void bind_buffers(nb::module_& m);
void bind_allocators(nb::module_& m);
void bind_raw_memory(nb::module_& m);
void bind_arrays(nb::module_& m);
void bind_nd_arrays(nb::module_& m);
void bind_compiling(nb::module_& m);
void bind_kernels(nb::module_& m);
void bind_raw_kernels(nb::module_& m);
void bind_raw_images(nb::module_& m);
void bind_linker(nb::module_& m);
void bind_cache(nb::module_& m);

}  // namespace lanewise::bindings
