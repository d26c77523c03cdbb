#include "base/dump.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace lanewise {

bool dump_requested(std::string_view form) {
    const char* variable = std::getenv("LANEWISE_DUMP");
    if (!variable) return false;
    for (std::string_view rest = variable; !rest.empty();) {
        const std::size_t comma = rest.find(',');
        if (rest.substr(0, comma) == form) return true;
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    return false;
}

void dump(std::string_view title, std::string_view text) {
    const std::string whole = fmt::format("; {}\n{}{}", title, text, text.ends_with('\n') ? "" : "\n");
    std::fwrite(whole.data(), 1, whole.size(), stderr);
}

}  // namespace lanewise
