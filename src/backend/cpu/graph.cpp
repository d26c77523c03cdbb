#include "backend/cpu/graph.h"

#include <algorithm>

#include "backend/cpu/stream.h"

namespace lanewise::cpu {

void CpuCapture::add(const CpuStream& stream, std::unique_ptr<Command> command) {
    std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
    points_[&stream][&stream] = commands_.size();
}

CapturedPoint CpuCapture::point(const CpuStream& stream) {
    std::lock_guard lock(mutex_);
    return points_[&stream];
}

void CpuCapture::wait(const CpuStream& stream, const CapturedPoint& point) {
    std::lock_guard lock(mutex_);
    CapturedPoint& own = points_[&stream];
    for (const auto& [other, count] : point) {
        std::uint64_t& known = own[other];
        known = std::max(known, count);
    }
}

bool CpuCapture::all_before(const CpuStream& stream) {
    std::lock_guard lock(mutex_);
    const CapturedPoint& own = points_[&stream];
    return std::all_of(points_.begin(), points_.end(), [&](const auto& entry) {
        const auto& [other, point] = entry;
        auto last = point.find(other);
        if (last == point.end()) return true;
        auto known = own.find(other);
        return known != own.end() && known->second >= last->second;
    });
}

std::vector<std::unique_ptr<Command>> CpuCapture::take_commands() {
    std::lock_guard lock(mutex_);
    return std::exchange(commands_, {});
}

struct CpuGraph::Commands {
    std::vector<std::unique_ptr<Command>> all;
    std::shared_ptr<Capture> kept;
    bool needs_runtime_thread = false;
    /// Commands have state of their own: a graph that is part of others may be run by several of them.
    std::mutex running;
    std::mutex mutex;
    QueuePoint last_launch;
};

/// One launch of a graph, in one step of a stream: so a launch costs the same however many commands there are.
class CpuGraph::Replay final : public Command {
public:
    explicit Replay(std::shared_ptr<Commands> commands) : commands_(std::move(commands)) {}
    void run() override {
        // A command that fails does not stop the others, as on a stream.
        std::exception_ptr first;
        std::lock_guard lock(commands_->running);
        for (const std::unique_ptr<Command>& command : commands_->all) {
            try {
                command->run();
            } catch (...) {
                if (!first) first = std::current_exception();
            }
        }
        if (first) std::rethrow_exception(first);
    }
    bool needs_runtime_thread() const override { return commands_->needs_runtime_thread; }

private:
    const std::shared_ptr<Commands> commands_;
};

CpuGraph::CpuGraph(const std::shared_ptr<CpuCapture>& capture)
    : Graph(capture), commands_(std::make_shared<Commands>()) {
    commands_->all = capture->take_commands();
    commands_->kept = capture;
    commands_->needs_runtime_thread =
        std::any_of(commands_->all.begin(), commands_->all.end(),
                    [](const std::unique_ptr<Command>& command) { return command->needs_runtime_thread(); });
}

CpuGraph::~CpuGraph() = default;

std::size_t CpuGraph::size() const {
    return commands_->all.size();
}

void CpuGraph::put_on(Stream& stream) {
    auto& own = static_cast<CpuStream&>(stream);
    auto replay = std::make_unique<Replay>(commands_);
    // Launches of a graph follow each other.
    std::lock_guard lock(commands_->mutex);
    QueuePoint& last = commands_->last_launch;
    if (last.queue && !last.queue->done(last.sequence)) replay->after.push_back(last);
    if (std::optional<QueuePoint> point = own.push_replay(std::move(replay))) last = *point;
}

}  // namespace lanewise::cpu
