// ArrayAccess: what the engine may know of an Array and others may not.
#pragma once

#include "array/node.h"
#include "lanewise/array.h"

namespace lanewise {

class ArrayAccess {
public:
    /// The array of a node's value.
    static Array of(NodePtr node);
    static const std::shared_ptr<Storage>& storage(const Array& array) { return array.storage_; }
    /// Null with a storage.
    static const std::shared_ptr<Buffer>& memory(const Array& array) { return array.buffer_; }
    static Array view(const Array& array, std::int64_t offset, Dims shape, Dims strides) {
        return array.view(offset, std::move(shape), std::move(strides));
    }
    /// The real or imaginary part, `at` bytes into each element.
    static Array part(const Array& array, DType dtype, std::int64_t at) {
        return Array(array.buffer_, array.offset_ + at, array.shape_, array.strides_, dtype, array.read_only_,
                     array.storage_);
    }
    static void require_writable(const Array& array, const char* call) { array.require_writable(call); }
    /// The elements as an input of an operation of shape `shape`, which they broadcast to; nothing is computed.
    static Input input(const Array& array, const Dims& shape);
};

}  // namespace lanewise
