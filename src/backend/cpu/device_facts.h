// The numbers by which the cpu device presents itself: those of an NVIDIA GPU of compute capability 9.0 with one
// multiprocessor a core, so that programs written for one find what they ask for.
#pragma once

#include <array>
#include <cstdint>

#include "lanewise/device.h"

namespace lanewise::cpu {

inline constexpr int compute_capability_major = 9;
inline constexpr int compute_capability_minor = 0;
inline constexpr int max_threads_per_block = 1024;
inline constexpr int max_block_z = 64;
inline constexpr int max_grid_x = 0x7fffffff;
inline constexpr int max_grid_yz = 0xffff;
inline constexpr int max_threads_per_multiprocessor = 2048;
inline constexpr int max_blocks_per_multiprocessor = 32;
inline constexpr int shared_per_block = 48 << 10;
inline constexpr int shared_per_block_optin = 227 << 10;
inline constexpr int shared_per_multiprocessor = 228 << 10;
inline constexpr int shared_reserved_per_block = 1 << 10;
inline constexpr int registers_per_block = 64 << 10;
inline constexpr int registers_per_multiprocessor = 64 << 10;
inline constexpr int registers_per_thread = 32;
inline constexpr int max_pitch = 0x7fffffff;
inline constexpr int texture_alignment = 512;
inline constexpr int texture_pitch_alignment = 32;
inline constexpr int single_to_double_ratio = 2;
inline constexpr int greatest_stream_priority = -5;

/// What DeviceLimit's members answer until something else is set, in their order.
inline constexpr std::array<std::size_t, device_limit_count> default_limits = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};

}  // namespace lanewise::cpu
