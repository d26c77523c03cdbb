// The bind functions of arrays of numbers.
#pragma once

#include <nanobind/nanobind.h>

#include "nd_object.h"

namespace lanewise::bindings {

/// ndarray and the submodule `functions`.
void bind_nd_arrays(nanobind::module_& m);

/// Number, comparison, mapping and sequence slots of ndarray, ended by a zero.
PyType_Slot* nd_slots();

void bind_nd_shapes(nanobind::class_<NdArray, Array>& type);
void bind_nd_elements(nanobind::class_<NdArray, Array>& type);
void bind_nd_reductions(nanobind::class_<NdArray, Array>& type, nanobind::module_& functions);
void bind_nd_host(nanobind::module_& m, nanobind::class_<NdArray, Array>& type);
void bind_nd_elementwise(nanobind::module_& functions);
void bind_nd_creation(nanobind::module_& functions);
void bind_nd_moves(nanobind::module_& functions);
void bind_nd_indexing(nanobind::module_& functions);
void bind_nd_types(nanobind::module_& functions);
void bind_nd_engine(nanobind::module_& functions);
void bind_ufuncs(nanobind::module_& m);

}  // namespace lanewise::bindings
