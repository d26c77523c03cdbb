// Array: an n-dimensional strided view of a Buffer on a device, and the host views it is copied from and to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "lanewise/buffer.h"
#include "lanewise/dims.h"
#include "lanewise/dtype.h"

namespace lanewise {

class Storage;

namespace detail {
/// Operations recorded and not computed yet, on all devices.
extern std::atomic<int> pending_nodes;
}  // namespace detail

enum class Order : std::uint8_t {
    C,     ///< last axis fastest
    F,     ///< first axis fastest
    Keep,  ///< as the source lies in memory
};

/// Host memory of somebody else's, laid out like an array.
struct HostView {
    void* data = nullptr;
    DType dtype{};
    Dims shape;
    Dims strides;  ///< bytes
};

/// One item of a basic index.
struct Index {
    enum class Kind : std::uint8_t { Integer, Slice, NewAxis, Ellipsis };
    Kind kind = Kind::Integer;
    std::int64_t value = 0;                         ///< Integer; negative counts from the end
    std::optional<std::int64_t> start, stop, step;  ///< Slice, Python's meaning
};

/// dtype, shape, strides in bytes, and elements in a buffer or still to be computed (ops.h). Views share them.
/// Immutable but for what the elements are; safe to use from several threads as far as the work on its elements is
/// ordered by streams.
class Array {
public:
    /// Uninitialised memory from the pool of `stream`'s device. Error(Value) for negative extents or too many bytes.
    static Array empty(const Dims& shape, DType dtype, const std::shared_ptr<Stream>& stream, Order order = Order::C);
    /// A view of `buffer`; Error(Value) when elements lie outside it.
    static Array over(std::shared_ptr<Buffer> buffer, std::int64_t offset, const Dims& shape, const Dims& strides,
                      DType dtype, bool read_only = false);
    /// A copy of host memory. C and F contiguous sources keep their strides, others become C.
    static Array from_host(const HostView& source, const std::shared_ptr<Stream>& stream);

    DType dtype() const { return dtype_; }
    int ndim() const { return shape_.size(); }
    const Dims& shape() const { return shape_; }
    const Dims& strides() const { return strides_; }
    std::int64_t size() const { return size_; }
    std::int64_t item_bytes() const { return size_of(dtype_); }
    std::int64_t bytes() const { return size_ * item_bytes(); }
    std::int64_t offset() const { return offset_; }
    /// The memory of the elements, for work that is put on `stream` now, be it reads or writes: first what is pending
    /// is computed, of this array and of what reads its memory, and `stream` comes after that.
    const std::shared_ptr<Buffer>& use_on(const std::shared_ptr<Stream>& stream) const {
        const std::shared_ptr<Buffer>& memory = needs_settling() ? settle(*stream) : buffer_;
        memory->used_on(stream);
        return memory;
    }
    /// The memory without a use of it, for work on the current stream. For lasting access from outside call share().
    const std::shared_ptr<Buffer>& buffer() const {
        if (needs_settling()) [[unlikely]]
            return settle(*current_stream(device()));
        return buffer_;
    }
    /// As buffer(): the address of the first element for kernels; null when there is none.
    void* data() const {
        if (needs_settling()) [[unlikely]]
            return settled_data();
        return data_;
    }
    /// From now on others may read and write the memory at any time (DLPack, the CUDA array interface): operations on
    /// it are no longer deferred.
    void share() const { buffer()->mark_shared(); }
    /// True while the elements are still to be computed.
    bool is_pending() const;
    Device& device() const;
    /// The stream that the elements are computed on, or that the memory was allocated on; null for host memory of no
    /// stream. Operations run on the current stream, whichever this is.
    std::shared_ptr<Stream> stream() const;
    bool read_only() const { return read_only_; }
    /// Axes of extent 1 do not count, and an array without elements is contiguous either way.
    bool is_c_contiguous() const { return c_contiguous_; }
    bool is_f_contiguous() const { return f_contiguous_; }

    /// Views. Error(Index) for what is out of bounds or too many indices.
    Array index(std::span<const Index> items) const;
    /// Error(Value) when the sizes differ, Error(NotImplemented) when it takes a copy. One extent may be -1.
    Array reshape(const Dims& shape, Order order = Order::C) const;
    /// Every axis once; negative ones count from the end.
    Array transpose(const Dims& axes) const;
    Array transpose() const;
    /// Without these axes of extent 1; none: all of them.
    Array squeeze(const std::optional<Dims>& axes = std::nullopt) const;
    /// Read-only; Error(Value) when the shapes do not fit.
    Array broadcast_to(const Dims& shape) const;
    /// The same bytes as another dtype; when sizes differ the last axis must be contiguous and divide.
    Array view_as(DType dtype) const;
    Array as_read_only() const;

    /// Copies. `stream` is of this array's device. Error(Value) when shapes do not broadcast, Error(Type) when dtypes
    /// differ, Error(Value) when the target is read-only.
    Array copy(Order order, const std::shared_ptr<Stream>& stream) const;
    void copy_from(const Array& source, const std::shared_ptr<Stream>& stream) const;
    /// After all work that uses the memory, on whichever streams.
    void copy_from_host(const HostView& source, const std::shared_ptr<Stream>& stream) const;
    /// After all work that uses the memory, on whichever streams. Complete on return, but for a contiguous copy into
    /// pinned memory: then it is ordered by the stream.
    void copy_to_host(const HostView& target, const std::shared_ptr<Stream>& stream) const;
    /// `element` points to size_of(dtype()) bytes.
    void fill(const void* element, const std::shared_ptr<Stream>& stream) const;

private:
    friend class ArrayAccess;
    Array(std::shared_ptr<Buffer> buffer, std::int64_t offset, Dims shape, Dims strides, DType dtype, bool read_only,
          std::shared_ptr<Storage> storage = nullptr);
    Array view(std::int64_t offset, Dims shape, Dims strides) const;
    bool needs_settling() const {
        return storage_ != nullptr || detail::pending_nodes.load(std::memory_order_relaxed) != 0;
    }
    const std::shared_ptr<Buffer>& settle(Stream& user) const;
    void* settled_data() const;
    void require_writable(const char* call) const;
    /// Of a C or F contiguous (or Keep-ordered) array: its elements are one run of memory.
    void copy_contiguous_to_host(const HostView& target, const std::shared_ptr<Stream>& stream) const;

    DType dtype_{};
    bool read_only_ = false;
    bool c_contiguous_ = true;
    bool f_contiguous_ = true;
    void* data_ = nullptr;              ///< with `storage_`: unused
    std::shared_ptr<Buffer> buffer_;    ///< with `storage_`: null
    std::shared_ptr<Storage> storage_;  ///< of arrays that began as the result of an operation
    Dims shape_;
    Dims strides_;
    std::int64_t size_ = 0;
    std::int64_t offset_ = 0;
};

/// Strides of a contiguous array.
Dims contiguous_strides(const Dims& shape, std::int64_t item_bytes, Order order);
/// Product of the extents; Error(Value) for negative ones or when `size * item_bytes` exceeds int64.
std::int64_t element_count(const Dims& shape, std::int64_t item_bytes);
bool is_contiguous(const Dims& shape, const Dims& strides, std::int64_t item_bytes, Order order);
/// "(3, 4)", "(3,)".
std::string to_string(const Dims& dims);

}  // namespace lanewise
