// The C exchange table of DLPack 1.3 by which other libraries take and make our arrays.
#pragma once

#include <nanobind/nanobind.h>

namespace lanewise::bindings {

/// Sets `__dlpack_c_exchange_api__` of a class of arrays; what the table makes has the class that functions of lanewise
/// make: of numbers (_core.ndarray and below), or of Array alone.
void bind_exchange_table(nanobind::handle array_class, bool of_numbers);

}  // namespace lanewise::bindings
