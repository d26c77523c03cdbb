// Memory by raw address: who may still use a block whose users are known by address alone.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "lanewise/buffer.h"

namespace lanewise::bindings {

/// Device memory that is used by its address: kernels and copies do not tell it about their streams, so that it goes
/// back to the pool behind the work that the default stream and all tracked streams of its device have then.
std::shared_ptr<Buffer> create_raw_buffer(const std::shared_ptr<Stream>& stream, std::size_t bytes);

/// The address that `object` stands for: a Buffer, an Array, or anything with `__index__`. Error(Type) otherwise;
/// Error(Driver) with CUDA_ERROR_INVALID_VALUE for a null address and when a Buffer has fewer than `bytes` bytes.
void* to_address(nanobind::handle object, std::size_t bytes, const char* call);

}  // namespace lanewise::bindings
