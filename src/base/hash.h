// 128-bit content hashes (XXH3) of byte strings: cache keys, not cryptography.
#pragma once

#include <string>
#include <string_view>

namespace lanewise {

/// 32 lowercase hexadecimal digits; stable across processes, machines and releases.
std::string hash128(std::string_view bytes);

}  // namespace lanewise
