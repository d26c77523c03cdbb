// Graph: work captured from streams, to be launched as a whole as often as wanted.
#pragma once

#include <cstddef>
#include <memory>

#include "lanewise/device.h"

namespace lanewise {

class Capture;

/// Made by Stream::end_capture(). It keeps what its work uses: kernels, the memory of arrays, and the memory that was
/// allocated while it was captured, which nobody else gets as long as the graph lives. Thread-safe.
class Graph : public std::enable_shared_from_this<Graph> {
public:
    virtual ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    Device& device() const;
    /// The number of operations.
    virtual std::size_t size() const = 0;
    /// Puts the work on `stream`, behind the graph's launch before; on a stream that is being captured it becomes part
    /// of that graph.
    void launch(const std::shared_ptr<Stream>& stream);
    /// Does what the first launch would do besides, on `stream`.
    virtual void upload(const std::shared_ptr<Stream>& stream) = 0;

protected:
    explicit Graph(std::shared_ptr<Capture> capture);
    Capture& capture() const { return *capture_; }

private:
    virtual void put_on(Stream& stream) = 0;

    const std::shared_ptr<Capture> capture_;
};

}  // namespace lanewise
