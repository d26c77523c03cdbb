// How messages call a kernel.
#pragma once

#include <string>

#include "lanewise/image.h"

namespace lanewise {

/// What the user called it; the symbol where there is no such name.
inline const std::string& shown_name(const EntryPoint& entry) {
    return entry.display_name.empty() ? entry.name : entry.display_name;
}

}  // namespace lanewise
