// Additions of many values to few elements.
#pragma once

#include <memory>

#include "array/program.h"
#include "lanewise/device.h"

namespace lanewise {

/// Runs a program whose only store adds, by one index each, to a contiguous array: blocks of a GPU, or threads of the
/// cpu device, add to tables of their own, which are added up then. False, with nothing done, where elements are too
/// many for tables or values too few to be worth it.
bool launch_scatter_tables(Program& program, const std::shared_ptr<Stream>& stream);

}  // namespace lanewise
