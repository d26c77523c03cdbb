// Evaluation: the list of pending nodes, the lock, and how groups of nodes are computed under it.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "array/program.h"
#include "base/host_lock.h"
#include "lanewise/array.h"

namespace lanewise {

/// Pending nodes, latest first. Its mutex is held for a few instructions only.
class PendingList {
public:
    void add(Node& node) {
        std::lock_guard lock(mutex_);
        node.next = first_;
        if (first_) first_->previous = &node;
        first_ = &node;
        node.listed = true;
        detail::pending_nodes.fetch_add(1, std::memory_order_relaxed);
    }
    void remove(Node& node) {
        std::lock_guard lock(mutex_);
        if (!node.listed) return;
        (node.previous ? node.previous->next : first_) = node.next;
        if (node.next) node.next->previous = node.previous;
        node.previous = node.next = nullptr;
        node.listed = false;
        detail::pending_nodes.fetch_sub(1, std::memory_order_relaxed);
    }
    /// The nodes that `wanted` accepts, latest first, at most `limit`.
    template <class Wanted>
    std::vector<NodePtr> select(int limit, Wanted&& wanted) {
        std::vector<NodePtr> found;
        std::lock_guard lock(mutex_);
        for (Node* node = first_; node && limit > 0; node = node->next, --limit)
            if (wanted(*node))
                if (NodePtr alive = node->weak_from_this().lock()) found.push_back(std::move(alive));
        return found;
    }

    template <class Visit>
    void for_each(Visit&& visit) {
        std::lock_guard lock(mutex_);
        for (Node* node = first_; node; node = node->next) visit(*node);
    }

    std::mutex& mutex() { return mutex_; }

private:
    std::mutex mutex_;
    Node* first_ = nullptr;
};

PendingList& pending();

/// What one evaluation has finished; emptied when it gives up the lock.
struct Evaluation {
    /// Dropped while the lock is waited for or kernels are compiled, and taken again after the lock was given up.
    HostLockDrop host_lock;
    std::vector<NodePtr> finished;
    std::vector<Input> released;
    int depth = 0;
};
/// Of the thread that holds the lock.
extern Evaluation* evaluation;

/// Holds the evaluation lock. What the evaluation releases is destroyed after the lock: deleters of foreign memory may
/// wait for locks of their own.
class EvaluationScope {
public:
    EvaluationScope();
    ~EvaluationScope();
    EvaluationScope(const EvaluationScope&) = delete;
    EvaluationScope& operator=(const EvaluationScope&) = delete;

private:
    Evaluation state_;
    std::unique_lock<std::mutex> lock_;
};

/// The node's value is in `buffer`, or will be once the stream gets there.
void finish(Node& node, std::shared_ptr<Buffer> buffer);
std::shared_ptr<Buffer> buffer_for(const Node& node);
/// Where the node's value is stored.
Access store_access(const Node& node, const std::shared_ptr<Buffer>& buffer);
/// Tells the buffers which stream works on them.
void note_uses(const Program& program, const std::shared_ptr<Stream>& stream);
/// Later work on `stream` comes after what the nodes' streams have now.
void follow_streams_of(std::span<const NodePtr> nodes, Stream& stream);
/// A pending node reads that memory itself.
bool reads(const Node& node, const Buffer& buffer);
/// A pending node or one that it is made of reads that memory.
bool reads_below(const Node& node, const Buffer& buffer);
/// Whether a node that a group computes on the way is stored too. Values that only a variable holds are mostly dropped
/// unread, so they are stored only when computing them again would cost, or the second time.
bool is_stored_along(const GroupBuilder::Visit& visit);

}  // namespace lanewise
