// ArgumentWriter: writes a launch's argument codes, their hash and the packed parameter buffer in one pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include "jit/signature.h"

namespace lanewise::jit {

/// Packs by the rule of python::parameters_of: natural alignment, arrays as pointer, extents, and strides for layout A.
/// Lives on the stack; touches the heap only beyond `inline_codes` codes or `inline_bytes` bytes.
class ArgumentWriter {
public:
    static constexpr std::size_t inline_codes = 96;
    static constexpr std::size_t inline_bytes = 1536;

    explicit ArgumentWriter(const void* device) : hash_(hash_seed(device)) {}
    ArgumentWriter(const ArgumentWriter&) = delete;
    ArgumentWriter& operator=(const ArgumentWriter&) = delete;

    void none() { code(none_code()); }
    void tuple(int items) { code(tuple_code(items)); }

    template <class T>
    void scalar(DType dtype, T value) {
        code(scalar_code(dtype));
        put(value);
    }
    /// From the bytes of one element; complex numbers are two parameters.
    void scalar_bytes(DType dtype, const void* bytes) {
        code(scalar_code(dtype));
        std::size_t size = static_cast<std::size_t>(size_of(dtype));
        std::memcpy(reserve(size, is_complex(dtype) ? size / 2 : size), bytes, size);
    }

    void array(DType dtype, int ndim, python::Layout layout, bool read_only, const void* data,
               const std::int64_t* shape, const std::int64_t* strides) {
        code(array_code(dtype, ndim, layout, read_only));
        bool with_strides = layout == python::Layout::A;
        std::size_t extents = static_cast<std::size_t>(ndim) * sizeof(std::int64_t);
        std::byte* at = reserve(sizeof(void*) + (with_strides ? 2 : 1) * extents, 8);
        std::memcpy(at, &data, sizeof(void*));
        // ndim is small: loops beat calls of memcpy.
        auto* out = reinterpret_cast<std::int64_t*>(at + sizeof(void*));
        for (int i = 0; i < ndim; ++i) out[i] = shape[i];
        if (with_strides)
            for (int i = 0; i < ndim; ++i) out[ndim + i] = strides[i];
    }

    std::span<const Code> codes() const { return {codes_, code_count_}; }
    std::span<const std::byte> parameters() const { return {bytes_, byte_count_}; }
    std::uint64_t hash() const { return hash_; }

private:
    void code(Code value) {
        if (code_count_ == code_capacity_) [[unlikely]]
            grow_codes();
        codes_[code_count_++] = value;
        hash_ = hash_step(hash_, value);
    }
    template <class T>
    void put(T value) {
        std::memcpy(reserve(sizeof(T), sizeof(T)), &value, sizeof(T));
    }
    /// Room for `size` bytes at the next multiple of `align` (at most 8); the gap is zero.
    std::byte* reserve(std::size_t size, std::size_t align) {
        std::size_t start = (byte_count_ + align - 1) & ~(align - 1);
        if (start + size > byte_capacity_) [[unlikely]]
            grow_bytes(start + size);
        while (byte_count_ < start) bytes_[byte_count_++] = std::byte{0};
        byte_count_ = start + size;
        return bytes_ + start;
    }
    void grow_codes();
    void grow_bytes(std::size_t needed);

    std::uint64_t hash_;
    std::size_t code_count_ = 0, code_capacity_ = inline_codes;
    std::size_t byte_count_ = 0, byte_capacity_ = inline_bytes;
    Code* codes_ = inline_codes_;
    std::byte* bytes_ = inline_bytes_;
    std::unique_ptr<Code[]> heap_codes_;
    std::unique_ptr<std::byte[]> heap_bytes_;
    Code inline_codes_[inline_codes];
    alignas(8) std::byte inline_bytes_[inline_bytes];
};

}  // namespace lanewise::jit
