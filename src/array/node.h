// Node: a value that an array has but that is not computed yet. Storage: what several views of such an array share.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "array/element_op.h"
#include "lanewise/buffer.h"
#include "lanewise/dims.h"
#include "lanewise/promotion.h"

namespace lanewise {

struct Node;

/// What a node reads, seen with the shape of the node.
struct Input {
    enum class Kind : std::uint8_t {
        Memory,  ///< `buffer`
        Node,    ///< the value of `node`, as if in memory with the node's strides
        Iota,    ///< int64: offset + sum of index * stride
        Scalar,  ///< `bits`
    };
    Kind kind = Kind::Scalar;
    DType dtype{};
    std::shared_ptr<Buffer> buffer;
    std::shared_ptr<Node> node;
    std::int64_t offset = 0;  ///< bytes; of Iota its first value
    Dims strides;             ///< bytes; 0 along broadcast axes
    std::uint64_t bits[2] = {0, 0};
};

/// How a Gather node addresses the elements of its first input: beside the strides, by an index each.
struct IndexedAxis {
    std::int64_t stride;  ///< bytes
    std::int64_t extent;
    int axis;  ///< of the array that was indexed, for messages
};

/// Immutable but for its evaluation, which one thread at a time does, holding Engine's lock.
struct Node : std::enable_shared_from_this<Node> {
    enum class Kind : std::uint8_t { Elementwise, Reduce };
    Kind kind = Kind::Elementwise;
    ElementOp op{};
    DType type{};   ///< inputs are cast to it (but see input_type)
    DType dtype{};  ///< of the result
    Dims shape, strides;
    std::int64_t size = 1;
    std::shared_ptr<Stream> stream;
    std::vector<Input> inputs;
    std::vector<IndexedAxis> indexed;  ///< Gather: of inputs 1, 2, ...
    IndexMode mode{};                  ///< Gather
    // Reduce: of inputs[0], whose strides are those over `full_shape`; axes as bits.
    Reduction reduction{};
    Dims full_shape;
    std::uint64_t axes = 0;

    std::uint32_t weight = 1;  ///< pending operations it takes, counted as a tree
    std::atomic<int> storages{0};
    std::atomic<int> consumers{0};  ///< pending nodes that read this one

    /// True once `buffer` holds the value; `inputs` are empty then.
    bool is_done() const { return done.load(std::memory_order_acquire); }
    std::atomic<bool> done{false};
    std::shared_ptr<Buffer> buffer;

    /// The program takes the value for computed: see engine::note_host_read().
    std::atomic<bool> is_late{false};

    /// Computed once within a group that did not store it.
    bool passed = false;

    // Of the group that visited the node last: which one, and the number of the visit.
    std::uint64_t mark = 0;
    std::size_t visit = 0;

    // Of Engine's list of pending nodes.
    Node *previous = nullptr, *next = nullptr;
    bool listed = false;

    Node() = default;
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
};
using NodePtr = std::shared_ptr<Node>;

/// The current value of an array that began as a node. In-place operations on a value still pending replace the node;
/// once it is computed they write to its buffer.
class Storage {
public:
    explicit Storage(NodePtr node);
    ~Storage();
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;

    NodePtr node() const;
    Device& device() const { return device_; }
    /// Replaces `before` by `after`, of equal layout and dtype; false when the value is another by now or computed.
    bool replace(const NodePtr& before, NodePtr after);

private:
    Device& device_;
    mutable std::mutex mutex_;
    NodePtr node_;
};

}  // namespace lanewise
