// The engine: records nodes, and computes them when their values are needed.
#pragma once

#include "array/array_access.h"
#include "array/node.h"
#include "ir/op.h"
#include "lanewise/ops.h"

namespace lanewise::engine {

/// Completes a node whose op, types, shape, strides, stream and inputs are set, and gives the array of its value.
Array record(NodePtr node);
/// Computes a node's value, on the node's stream.
void realise(const NodePtr& node);
/// As above; later work on `user` comes after that.
void realise(const NodePtr& node, Stream& user);
/// Computes what is pending and reads `buffer`, so that work on `user` may write to the buffer. True for the calls
/// below.
void realise_readers(const Buffer& buffer, Stream& user);
/// The host is about to wait for the work on `stream`. What is pending there stays pending, though the program takes it
/// for done from then on.
void note_host_read(Stream& stream);
/// Puts an elementwise node's value into the target's elements, without memory of its own where the target does not
/// overlap what the node reads. The node is not recorded; shape and dtype are the target's.
void write(const Array& target, const NodePtr& node);

/// A new node; `inputs` have the strides for `shape`.
NodePtr make_node(ElementOp op, DType type, DType dtype, const Dims& shape, const std::shared_ptr<Stream>& stream,
                  std::vector<Input> inputs);
/// The strides NumPy's elementwise functions give their results: axes in the order in which the inputs have them.
Dims result_strides(const Dims& shape, std::int64_t item_bytes, std::span<const Input> inputs);

/// The evaluation lock, for operations that form programs of their own and run them at once.
class Exclusive {
public:
    Exclusive();
    ~Exclusive();
    Exclusive(const Exclusive&) = delete;
    Exclusive& operator=(const Exclusive&) = delete;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// target[index...] = value, elementwise over the node's shape: the target's strides are for that shape, and each of
/// `indices` adds its value times a stride. With `update` the elements are updated atomically instead.
void scatter(const Array& target, std::int64_t offset, const Dims& strides, const NodePtr& node,
             std::span<const Input> indices, std::span<const IndexedAxis> axes, IndexMode mode,
             std::optional<ir::AtomicOp> update = std::nullopt);
/// As set_items, but that each element is updated with all values that its indices are given, in any order. The value
/// is of the array's dtype, one that atomics take; there is an array among the items.
void update_items(const Array& x, std::span<const AdvancedIndex> items, const Operand& value, ir::AtomicOp update);

/// The kind of device that kernels are planned for: the device's own, unless a PlanFor says otherwise. Kernels planned
/// for one kind run on the other too, only not as fast.
DeviceKind planned_kind(const Device& device);
class PlanFor {
public:
    explicit PlanFor(DeviceKind kind);
    ~PlanFor();
    PlanFor(const PlanFor&) = delete;
    PlanFor& operator=(const PlanFor&) = delete;
};

void count_node();
void count_launch();
void count_kernel();

}  // namespace lanewise::engine
