// The services that running kernels get from the cpu device.
#pragma once

#include "backend/cpu/abi.h"

namespace lanewise::cpu {

extern const Services kernel_services;

/// Makes `site` the launch's report unless it has one already; whether it did.
bool claim(ErrorSlot& error, std::uint32_t site);
/// The report's site if there is one and it ends the launch at once: no further blocks start.
bool ends_launch(const ErrorSlot& error);

}  // namespace lanewise::cpu
