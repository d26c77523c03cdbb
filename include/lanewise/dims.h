// Dims: the extents or strides of an array, held inline for up to six dimensions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>

namespace lanewise {

/// A short list of int64. Copies are deep.
class Dims {
public:
    /// NumPy's limit.
    static constexpr int max_size = 64;
    static constexpr int inline_size = 6;

    Dims() = default;
    /// `size` values, all `value`. Error(Value) above max_size.
    explicit Dims(int size, std::int64_t value = 0);
    Dims(std::span<const std::int64_t> values);
    Dims(std::initializer_list<std::int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
    Dims(const Dims& other) : Dims(std::span<const std::int64_t>(other)) {}
    Dims(Dims&& other) noexcept : size_(other.size_), heap_(std::move(other.heap_)) {
        std::copy_n(other.inline_, inline_size, inline_);
        other.size_ = 0;
    }
    Dims& operator=(Dims other) noexcept {
        size_ = other.size_;
        heap_ = std::move(other.heap_);
        std::copy_n(other.inline_, inline_size, inline_);
        return *this;
    }

    int size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::int64_t* data() { return heap_ ? heap_.get() : inline_; }
    const std::int64_t* data() const { return heap_ ? heap_.get() : inline_; }
    std::int64_t& operator[](int i) { return data()[i]; }
    std::int64_t operator[](int i) const { return data()[i]; }
    std::int64_t* begin() { return data(); }
    std::int64_t* end() { return data() + size_; }
    const std::int64_t* begin() const { return data(); }
    const std::int64_t* end() const { return data() + size_; }
    std::int64_t& back() { return data()[size_ - 1]; }
    std::int64_t back() const { return data()[size_ - 1]; }
    void push_back(std::int64_t value);
    operator std::span<const std::int64_t>() const { return {data(), static_cast<std::size_t>(size_)}; }
    friend bool operator==(const Dims& a, const Dims& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

private:
    int size_ = 0;
    std::int64_t inline_[inline_size] = {};
    /// max_size values when there are more than fit inline.
    std::unique_ptr<std::int64_t[]> heap_;
};

}  // namespace lanewise
