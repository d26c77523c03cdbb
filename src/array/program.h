// Program: a group of operations as straight code over one iteration space, and the memory it is run on. Its words are
// the key of the kernels built from it; addresses, extents, strides and scalar values are no part of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "array/element_op.h"
#include "array/node.h"
#include "ir/op.h"

namespace lanewise {

using ValueId = std::uint16_t;

struct Instruction {
    ElementOp op{};
    DType type{};  ///< computed in
    DType result{};
    ValueId args[3] = {0, 0, 0};  ///< values; Load, Parameter: a number (then `divisor_parameter` or 0); Gather: leaf,
                                  ///< first of `extra`, count
    friend bool operator==(const Instruction&, const Instruction&) = default;
};
static_assert(sizeof(Instruction) == 10);
/// The second argument of a Parameter that integers are divided by: its divisor_words are the next parameters.
constexpr ValueId divisor_parameter = 1;

/// Memory that is read or written, or the numbers start + sum of position * stride.
struct Access {
    bool is_iota = false;
    DType dtype{};
    std::byte* address = nullptr;
    std::int64_t start = 0;
    Dims strides;  ///< over Program::shape; bytes, or steps of an iota
    std::shared_ptr<Buffer> buffer;
    std::int64_t item() const { return is_iota ? 1 : size_of(dtype); }
};

/// How indices that are values address elements; kernels take a stride and an extent of each as parameters.
struct GatherMode {
    IndexMode mode{};
    std::vector<IndexedAxis> axes;
};

struct Store {
    ValueId value = 0;
    Access target;
    std::vector<ValueId> indices = {};  ///< of a scatter
    GatherMode scatter = {};
    std::optional<ir::AtomicOp> update = {};  ///< of a scatter: what is there is updated with the value
};

struct Program {
    Dims shape;
    std::vector<Instruction> code;
    std::vector<Access> leaves;
    std::vector<std::uint64_t> scalars;  ///< two words each for complex types
    std::vector<ValueId> extra;
    std::vector<GatherMode> gathers;  ///< in the order of their instructions
    std::vector<Store> stores;

    /// Words of parameters that are no strides.
    std::size_t scalar_words() const { return scalars.size(); }
    /// Appends what decides code, but for how memory is addressed.
    void append_key(std::vector<std::uint32_t>& words) const;
};

/// What an instruction's argument number `k` is cast to.
DType argument_type(ElementOp op, DType type, int k);

/// Forms a program out of nodes. What cannot be part of it is computed first.
class GroupBuilder {
public:
    /// Inputs with the strides over `shape` are read in this iteration space.
    GroupBuilder(const Dims& shape, const std::shared_ptr<Stream>& stream);

    Program& program() { return program_; }
    /// The value of a pending elementwise node of this shape.
    ValueId visit(Node& node);
    /// The value of an input, cast to `wanted`.
    ValueId input(const Input& input, DType wanted);
    /// A node computed along the way, and the value that it is in this program.
    struct Visit {
        Node* node;
        ValueId value;
        int uses;  ///< by nodes of this group
    };
    const std::vector<Visit>& visited() const { return visited_; }
    bool has_visited(const Node& node) const { return find(node) != nullptr; }
    /// Whether a pending node of the same shape shares an input with the group.
    bool shares_input(const Node& node) const;
    bool has_room() const;
    /// Number of leaves and stores a kernel has parameters for.
    static std::size_t max_accesses(int ndim);

private:
    struct Map;
    /// A scalar that integers are divided by.
    ValueId divisor(const Input& input);
    ValueId input_at(const Input& input, std::int64_t offset, const Dims& strides, DType wanted);
    /// The value as part of the group; none where it has to be computed first.
    std::optional<ValueId> node_at(const NodePtr& node, std::int64_t offset, const Dims& strides);
    ValueId compute(Node& node, const Map* map);
    /// Computes what cannot be part of the group and puts the group after it.
    const std::shared_ptr<Buffer>& computed(const Input& input);
    ValueId append(const Instruction& instruction);
    ValueId cast(ValueId value, DType to);
    ValueId load(DType dtype, const std::shared_ptr<Buffer>& buffer, std::int64_t offset, const Dims& strides);
    std::uint16_t leaf(Access access);
    Visit* find(const Node& node);
    const Visit* find(const Node& node) const { return const_cast<GroupBuilder*>(this)->find(node); }
    bool can_reshape(const Node& node) const;
    std::optional<Map> decode(const Node& node, std::int64_t offset, const Dims& strides) const;

    Program program_;
    std::shared_ptr<Stream> stream_;
    std::vector<const Stream*> followed_;
    std::int64_t size_ = 1;
    std::uint64_t epoch_;
    std::vector<Visit> visited_;
    struct MappedValue {
        Node* node;
        std::int64_t offset;
        Dims strides;
        ValueId value;
    };
    std::vector<MappedValue> mapped_;
};

/// Computes a node, and with it what its group includes. The evaluation lock is held.
void realise_locked(Node& node);

}  // namespace lanewise
