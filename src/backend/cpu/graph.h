// Captures and graphs of the cpu device: commands in the order in which they were captured.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/cpu/work_queue.h"
#include "lanewise/graph.h"
#include "runtime/capture.h"

namespace lanewise::cpu {

class CpuStream;

/// How many of the captured commands of each stream come before a point.
using CapturedPoint = std::map<const CpuStream*, std::uint64_t>;

/// The order of capture is an order in which all that streams and events ask for holds. What is before what is kept
/// besides, to know whether other streams have come back to the first one. Thread-safe.
class CpuCapture final : public Capture {
public:
    using Capture::Capture;

    void add(const CpuStream& stream, std::unique_ptr<Command> command);
    /// Where the stream's commands are now.
    CapturedPoint point(const CpuStream& stream);
    /// Later commands of the stream come after `point`.
    void wait(const CpuStream& stream, const CapturedPoint& point);
    /// Every stream's last command comes before later ones of this stream.
    bool all_before(const CpuStream& stream);

    std::vector<std::unique_ptr<Command>> take_commands();

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Command>> commands_;
    std::map<const CpuStream*, CapturedPoint> points_;
};

class CpuGraph final : public Graph {
public:
    explicit CpuGraph(const std::shared_ptr<CpuCapture>& capture);
    ~CpuGraph() override;

    std::size_t size() const override;
    /// Nothing has to be done before a launch.
    void upload(const std::shared_ptr<Stream>& stream) override {}

private:
    struct Commands;
    class Replay;
    void put_on(Stream& stream) override;

    /// Outlives the graph as long as launches are pending.
    const std::shared_ptr<Commands> commands_;
};

}  // namespace lanewise::cpu
