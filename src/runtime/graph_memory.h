// GraphMemory: the memory allocated while work is captured.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "lanewise/buffer.h"
#include "runtime/pool_blocks.h"

namespace lanewise {

/// Each launch of a graph uses the addresses that were captured, so they are nobody else's while the graph lives.
/// During the capture, freed blocks serve later work of the same stream; the graph's launches repeat that in the same
/// order. Segments come from the pool, unused by any stream. Lives until the graph and all buffers made of it are gone.
/// Thread-safe.
class GraphMemory {
public:
    explicit GraphMemory(Device& device);
    ~GraphMemory();
    GraphMemory(const GraphMemory&) = delete;
    GraphMemory& operator=(const GraphMemory&) = delete;

    /// As MemoryPool's.
    void* allocate(std::size_t bytes, const std::shared_ptr<Stream>& stream);
    void release(void* pointer, const std::shared_ptr<Stream>& stream, std::span<const std::shared_ptr<Stream>> uses);
    /// The capture has ended: blocks are not used again any more.
    void close();
    /// Work on `stream` uses the memory.
    void used_on(const std::shared_ptr<Stream>& stream);
    /// The graph is gone: segments without a buffer go back to the pool.
    void trim();

private:
    struct Released {
        void* pointer;
        const Stream* stream;
        bool used_elsewhere;
    };
    void accept_releases();
    void note_use(const std::shared_ptr<Stream>& stream);
    void give_back(void* segment);

    Device& device_;

    std::mutex incoming_mutex_;  ///< never held across a call of the device
    std::vector<Released> incoming_;
    std::vector<std::shared_ptr<Stream>> uses_;

    std::mutex mutex_;  ///< guards what follows
    bool open_ = true;
    pool::BlockStore store_;
    std::unordered_map<const Stream*, std::unique_ptr<pool::FreeList>> lists_;
    pool::FreeList spent_;
};

}  // namespace lanewise
