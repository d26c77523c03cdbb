// The heap path of ArgumentWriter.
#include "jit/arguments.h"

#include <algorithm>

namespace lanewise::jit {

void ArgumentWriter::grow_codes() {
    std::unique_ptr<Code[]> larger(new Code[code_capacity_ * 2]);
    std::copy_n(codes_, code_count_, larger.get());
    heap_codes_ = std::move(larger);
    codes_ = heap_codes_.get();
    code_capacity_ *= 2;
}

void ArgumentWriter::grow_bytes(std::size_t needed) {
    std::size_t capacity = std::max(needed, byte_capacity_ * 2);
    std::unique_ptr<std::byte[]> larger(new std::byte[capacity]);
    std::copy_n(bytes_, byte_count_, larger.get());
    heap_bytes_ = std::move(larger);
    bytes_ = heap_bytes_.get();
    byte_capacity_ = capacity;
}

}  // namespace lanewise::jit
