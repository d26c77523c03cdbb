// Object file -> shared object, in process.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

namespace lanewise::cpu {

/// Links one ELF relocatable object into a shared object that needs nothing but the C library's libm (and libmvec, when
/// `object` calls it). Thread-safe. Error(Internal) with the linker's messages.
std::vector<std::uint8_t> link_shared_object(llvm::ArrayRef<char> object, bool uses_libmvec);

/// Whether this host has libmvec, the vector forms of libm.
bool has_libmvec();

}  // namespace lanewise::cpu
