// The part of a cache key that CompileOptions contributes; in the core, so that a cache hit needs no compiler.
#include "ir/options.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace lanewise {

std::string CompileOptions::hash() const {
    return hash128(
        fmt::format("O{} contract={:d} fast={:d} lines={:d} debug={:d} registers={} threads={} blocks={} cluster={}",
                    opt_level, contract, fastmath, line_info, debug, max_registers, max_threads_per_block,
                    min_blocks_per_multiprocessor, max_cluster_blocks));
}

}  // namespace lanewise
