#include "array/evaluation.h"

#include <algorithm>

#include "array/engine.h"
#include "array/launcher.h"
#include "array/reduction.h"
#include "lanewise/allocator.h"
#include "lanewise/error.h"
#include "runtime/fork_handlers.h"

namespace lanewise {

Evaluation* evaluation = nullptr;

namespace {

/// How many of the latest pending nodes are looked at for ones that share a kernel with what is computed.
constexpr int most_siblings = 24;
/// A value of more operations is stored when it is computed, though only a variable may still want it.
constexpr std::uint32_t most_passed_weight = 12;

std::mutex& evaluation_mutex() {
    static auto* mutex = new std::mutex;
    return *mutex;
}

}  // namespace

/// Made with the handlers that keep both locks free in a forked child.
PendingList& pending() {
    static auto* list = [] {
        auto* made = new PendingList;
        ForkHandler handler;
        handler.prepare = [made] {
            evaluation_mutex().lock();
            made->mutex().lock();
        };
        handler.parent = handler.child = [made] {
            made->mutex().unlock();
            evaluation_mutex().unlock();
        };
        add_fork_handler(ForkRank::Arrays, std::move(handler));
        return made;
    }();
    return *list;
}

EvaluationScope::EvaluationScope() : lock_(evaluation_mutex(), std::defer_lock) {
    if (is_allocating())
        throw Error(ErrorKind::Value,
                    "an allocator (or a hook that watches it) needs the elements of an array that is still to be "
                    "computed; memory may be asked for while arrays are computed, so compute it before");
    if (!lock_.try_lock()) {
        state_.host_lock.drop();
        lock_.lock();
    }
    evaluation = &state_;
}
EvaluationScope::~EvaluationScope() {
    for (const NodePtr& node : state_.finished) {
        std::move(node->inputs.begin(), node->inputs.end(), std::back_inserter(state_.released));
        node->inputs = {};
    }
    evaluation = nullptr;
    lock_.unlock();
}

void finish(Node& node, std::shared_ptr<Buffer> buffer) {
    if (node.is_late.load(std::memory_order_relaxed)) buffer->mark_late();
    node.buffer = std::move(buffer);
    for (const Input& in : node.inputs)
        if (in.kind == Input::Kind::Node) in.node->consumers.fetch_sub(1, std::memory_order_relaxed);
    pending().remove(node);
    evaluation->finished.push_back(node.shared_from_this());
    node.done.store(true, std::memory_order_release);
}

Access store_access(const Node& node, const std::shared_ptr<Buffer>& buffer) {
    Access access;
    access.dtype = node.dtype;
    access.address = static_cast<std::byte*>(buffer->data());
    access.strides = node.strides;
    access.buffer = buffer;
    return access;
}

std::shared_ptr<Buffer> buffer_for(const Node& node) {
    return allocate(node.stream, static_cast<std::size_t>(node.size * size_of(node.dtype)));
}

void note_uses(const Program& program, const std::shared_ptr<Stream>& stream) {
    for (const Access& leaf : program.leaves)
        if (leaf.buffer) leaf.buffer->used_on(stream);
    for (const Store& store : program.stores) store.target.buffer->used_on(stream);
}

void follow_streams_of(std::span<const NodePtr> nodes, Stream& stream) {
    std::vector<const Stream*> followed;
    for (const NodePtr& node : nodes) {
        if (std::find(followed.begin(), followed.end(), node->stream.get()) != followed.end()) continue;
        stream.follow(*node->stream);
        followed.push_back(node->stream.get());
    }
}

bool reads(const Node& node, const Buffer& buffer) {
    for (const Input& in : node.inputs) {
        if (in.kind == Input::Kind::Memory && in.buffer.get() == &buffer) return true;
        if (in.kind == Input::Kind::Node && in.node->is_done() && in.node->buffer.get() == &buffer) return true;
    }
    return false;
}

bool reads_below(const Node& node, const Buffer& buffer) {
    if (reads(node, buffer)) return true;
    for (const Input& in : node.inputs)
        if (in.kind == Input::Kind::Node && !in.node->is_done() && reads_below(*in.node, buffer)) return true;
    return false;
}

bool is_stored_along(const GroupBuilder::Visit& visit) {
    Node& node = *visit.node;
    if (node.consumers.load(std::memory_order_relaxed) > visit.uses) return true;
    if (node.storages.load(std::memory_order_relaxed) == 0) return false;
    if (node.passed || node.weight > most_passed_weight) return true;
    node.passed = true;
    return false;
}

namespace {

/// Stores the values of the nodes that others will read, runs the program, and finishes them.
void run_group(GroupBuilder& group, const std::vector<Node*>& targets, const std::shared_ptr<Stream>& stream) {
    Program& program = group.program();
    std::vector<std::pair<Node*, std::shared_ptr<Buffer>>> results;
    for (const GroupBuilder::Visit& visit : group.visited()) {
        Node* node = visit.node;
        const bool is_target = std::find(targets.begin(), targets.end(), node) != targets.end();
        if (node->is_done() || !(is_target || is_stored_along(visit))) continue;
        std::shared_ptr<Buffer> buffer = buffer_for(*node);
        program.stores.push_back({visit.value, store_access(*node, buffer)});
        results.emplace_back(node, std::move(buffer));
    }
    if (program.stores.empty()) return;
    note_uses(program, stream);
    launch_elementwise(program, stream);
    for (auto& [node, buffer] : results) finish(*node, std::move(buffer));
}

void realise_elementwise(Node& node) {
    GroupBuilder group(node.shape, node.stream);
    group.visit(node);
    std::vector<Node*> targets{&node};
    std::vector<NodePtr> siblings;
    if (evaluation->depth == 1) {
        siblings = pending().select(most_siblings, [&](const Node& other) {
            return other.kind == Node::Kind::Elementwise && other.storages.load(std::memory_order_relaxed) > 0 &&
                   other.consumers.load(std::memory_order_relaxed) == 0 && other.stream == node.stream &&
                   other.shape == node.shape;
        });
        for (const NodePtr& sibling : siblings) {
            if (!group.has_room() || sibling->is_done() || !group.shares_input(*sibling)) continue;
            group.visit(*sibling);
            targets.push_back(sibling.get());
        }
    }
    run_group(group, targets, node.stream);
}

}  // namespace

void realise_locked(Node& node) {
    if (node.is_done()) return;
    struct Depth {
        Depth() { ++evaluation->depth; }
        ~Depth() { --evaluation->depth; }
    } depth;
    if (node.size == 0) return finish(node, buffer_for(node));
    if (node.kind == Node::Kind::Elementwise) return realise_elementwise(node);
    std::shared_ptr<Buffer> buffer = buffer_for(node);
    realise_reduction(node, buffer);
    finish(node, std::move(buffer));
}

}  // namespace lanewise
