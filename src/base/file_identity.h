// file_identity: a text that changes when a file does, without reading it.
#pragma once

#include <string>

namespace lanewise {

/// Size and time of change; "absent" when there is no such file.
std::string file_identity(const std::string& path);

}  // namespace lanewise
