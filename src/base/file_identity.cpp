#include "base/file_identity.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace lanewise {

std::string file_identity(const std::string& path) {
    struct stat status{};
    if (path.empty() || ::stat(path.c_str(), &status) != 0) return "absent";
    return fmt::format("{}:{}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

}  // namespace lanewise
