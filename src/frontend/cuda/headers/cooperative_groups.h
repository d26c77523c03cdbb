// Groups of threads that work together: blocks, tiles, grids, clusters.
#pragma once

extern "C++" {
// clang-format off: in the order of need
#include "__lanewise/group_exchange.h"
#include "__lanewise/group_block.h"
#include "__lanewise/group_warp.h"
#include "__lanewise/group_partition.h"
// clang-format on
}
