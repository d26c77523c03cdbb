#include "ir/type.h"

#include <fmt/format.h>

namespace lanewise::ir {

std::string to_string(Type type) {
    if (type.is_void()) return "void";
    if (type.is_pointer()) {
        switch (type.space) {
            case Space::Generic:
                return "ptr";
            case Space::Global:
                return "ptr.global";
            case Space::Shared:
                return "ptr.shared";
            case Space::Constant:
                return "ptr.constant";
            case Space::Local:
                return "ptr.local";
        }
    }
    if (is_bool(type.dtype)) return "bool";
    return fmt::format("{}{}", kind(type.dtype), bits(type.dtype));
}

}  // namespace lanewise::ir
