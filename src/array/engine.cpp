// Nodes, and when they are computed.
#include "array/engine.h"

#include "array/evaluation.h"
#include "lanewise/allocator.h"
#include "lanewise/graph.h"

namespace lanewise {

namespace detail {
std::atomic<int> pending_nodes{0};
}

namespace {

/// A pending value of more operations than this is computed before more are recorded on top of it.
constexpr std::uint32_t most_weight = 64;
/// With more operations than this recorded, all of the stream are computed.
constexpr int most_pending = 1000;

thread_local bool eager = false;

struct Counters {
    std::atomic<std::uint64_t> nodes{0}, launches{0}, kernels{0};
} counters;

}  // namespace

Node::~Node() {
    if (listed) pending().remove(*this);
    if (!is_done())
        for (const Input& in : inputs)
            if (in.kind == Input::Kind::Node) in.node->consumers.fetch_sub(1, std::memory_order_relaxed);
}

Storage::Storage(NodePtr node) : device_(node->stream->device()), node_(std::move(node)) {
    node_->storages.fetch_add(1, std::memory_order_relaxed);
}
Storage::~Storage() {
    node_->storages.fetch_sub(1, std::memory_order_relaxed);
}
NodePtr Storage::node() const {
    std::lock_guard lock(mutex_);
    return node_;
}
bool Storage::replace(const NodePtr& before, NodePtr after) {
    std::lock_guard lock(mutex_);
    if (node_ != before || before->is_done()) return false;
    after->storages.fetch_add(1, std::memory_order_relaxed);
    node_->storages.fetch_sub(1, std::memory_order_relaxed);
    node_.swap(after);
    return true;
}

namespace engine {

NodePtr make_node(ElementOp op, DType type, DType dtype, const Dims& shape, const std::shared_ptr<Stream>& stream,
                  std::vector<Input> inputs) {
    auto node = std::make_shared<Node>();
    node->op = op;
    node->type = type;
    node->dtype = dtype;
    node->shape = shape;
    node->size = element_count(shape, size_of(dtype));
    node->strides = result_strides(shape, size_of(dtype), inputs);
    node->stream = stream;
    node->inputs = std::move(inputs);
    return node;
}

namespace {

/// Into the list, with its weight.
void enlist(const NodePtr& node) {
    ++counters.nodes;
    std::uint32_t weight = 1;
    for (Input& in : node->inputs) {
        if (in.kind != Input::Kind::Node) continue;
        weight += in.node->is_done() ? 0 : in.node->weight;
    }
    if (weight > most_weight) {
        weight = 1;
        for (Input& in : node->inputs)
            if (in.kind == Input::Kind::Node) realise(in.node);
    }
    node->weight = weight;
    for (Input& in : node->inputs)
        if (in.kind == Input::Kind::Node) in.node->consumers.fetch_add(1, std::memory_order_relaxed);
    pending().add(*node);
}

}  // namespace

Array record(NodePtr node) {
    enlist(node);
    bool now = eager || node->size == 0;
    for (const Input& in : node->inputs) now = now || (in.kind == Input::Kind::Memory && in.buffer->is_shared());
    Array result = ArrayAccess::of(node);
    if (now)
        realise(node);
    else if (detail::pending_nodes.load(std::memory_order_relaxed) > most_pending)
        evaluate(*node->stream);
    return result;
}

void realise(const NodePtr& node) {
    if (node->is_done()) return;
    EvaluationScope scope;
    realise_locked(*node);
}

void realise(const NodePtr& node, Stream& user) {
    if (node->is_done()) return;
    realise(node);
    user.follow(*node->stream);
}

void realise_readers(const Buffer& buffer, Stream& user) {
    if (detail::pending_nodes.load(std::memory_order_relaxed) == 0) return;
    std::vector<NodePtr> readers;  // destroyed after the lock
    EvaluationScope scope;
    readers = pending().select(1 << 30, [&](const Node& node) { return reads(node, buffer); });
    for (const NodePtr& node : readers) realise_locked(*node);
    follow_streams_of(readers, user);
}

void note_host_read(Stream& stream) {
    if (detail::pending_nodes.load(std::memory_order_relaxed) == 0) return;
    pending().for_each([&](Node& node) {
        if (are_ordered(*node.stream, stream)) node.is_late.store(true, std::memory_order_relaxed);
    });
}

struct Exclusive::State {
    EvaluationScope scope;
};
Exclusive::Exclusive() : state_(std::make_unique<State>()) {
    ++evaluation->depth;
}
Exclusive::~Exclusive() = default;

namespace {
std::atomic<int> plan_for{-1};
}

DeviceKind planned_kind(const Device& device) {
    const int given = plan_for.load(std::memory_order_relaxed);
    return given < 0 ? device.kind() : static_cast<DeviceKind>(given);
}
PlanFor::PlanFor(DeviceKind kind) {
    plan_for = static_cast<int>(kind);
}
PlanFor::~PlanFor() {
    plan_for = -1;
}

void count_node() {
    ++counters.nodes;
}
void count_launch() {
    ++counters.launches;
}
void count_kernel() {
    ++counters.kernels;
}

}  // namespace engine

void evaluate(const Array& array) {
    if (const auto& storage = ArrayAccess::storage(array)) engine::realise(storage->node());
}

namespace {
void evaluate_where(auto&& wanted) {
    if (is_allocating()) return;  // what asks for the memory computes already
    // What nobody holds any more is gone from the list already; the oldest first, as the program asked for them.
    std::vector<NodePtr> nodes = pending().select(1 << 30, wanted);
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
        if ((*node)->storages.load(std::memory_order_relaxed) > 0) engine::realise(*node);
}
}  // namespace

void evaluate() {
    evaluate_where([](const Node&) { return true; });
}
void evaluate(Stream& stream) {
    const std::shared_ptr<Capture> capture = stream.capture();
    evaluate_where(
        [&](const Node& node) { return are_ordered(*node.stream, stream) && node.stream->capture() == capture; });
}
void synchronize(Stream& stream) {
    evaluate(stream);
    stream.synchronize();
}

void begin_capture(Stream& stream, CaptureMode mode) {
    evaluate();
    stream.begin_capture(mode);
}

std::shared_ptr<Graph> end_capture(Stream& stream) {
    if (const std::shared_ptr<Capture> capture = stream.capture()) {
        try {
            evaluate_where([&](const Node& node) { return node.stream->capture() == capture; });
        } catch (...) {
            stream.end_capture();
            throw;
        }
    }
    return stream.end_capture();
}

void launch(Graph& graph, const std::shared_ptr<Stream>& stream) {
    if (detail::pending_nodes.load(std::memory_order_relaxed) != 0) {
        const std::vector<NodePtr> nodes =
            pending().select(1 << 30, [&](const Node& node) { return &node.stream->device() == &stream->device(); });
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
            if ((*node)->storages.load(std::memory_order_relaxed) > 0) engine::realise(*node);
        follow_streams_of(nodes, *stream);
    }
    graph.launch(stream);
}

Eager::Eager() : before_(eager) {
    eager = true;
}
Eager::~Eager() {
    eager = before_;
}

EngineStatistics engine_statistics() {
    return {counters.nodes, counters.launches, counters.kernels,
            static_cast<std::uint64_t>(detail::pending_nodes.load(std::memory_order_relaxed))};
}

}  // namespace lanewise
