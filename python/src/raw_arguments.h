// Python objects as arguments of CUDA C++ kernels: packed by the types that the kernel declares.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "argument_classes.h"
#include "array_arguments.h"
#include "lanewise/raw.h"
#include "raw_numbers.h"

namespace lanewise::bindings {

/// The packed parameters of one launch. Lives on the stack; numbers and arrays of ours touch neither the heap (up to
/// `inline_bytes`) nor Python code.
class RawArguments {
public:
    static constexpr std::size_t inline_bytes = 1024;
    /// The strictest that a vector type or a class with alignas asks for; what the device reads is a copy of the buffer
    /// with this alignment.
    static constexpr std::size_t alignment = 64;

    RawArguments(const RawKernel& kernel, const RawKernel::Loaded& loaded, bool lenient, Device& device,
                 const std::shared_ptr<Stream>& stream)
        : kernel_(kernel), parameters_(loaded.parameters), lenient_(lenient), arrays_(device, &stream) {}
    RawArguments(const RawArguments&) = delete;
    RawArguments& operator=(const RawArguments&) = delete;

    /// Error(Type, Value, Overflow) naming kernel, parameter and type.
    void read(PyObject* const* args, std::size_t count);
    /// By PyCUDA's rules (RawKernel.launch_loose).
    void read_loose(PyObject* const* args, std::size_t count);

    std::span<const std::byte> bytes() const { return {data_, size_}; }
    /// Null when the launch needs nothing besides.
    LaunchExtras* extras() const { return arrays_.extras(); }

private:
    struct AlignedDelete {
        void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t(alignment)); }
    };
    void start(std::size_t bytes);
    void require_count(std::size_t count) const;
    [[noreturn]] void rethrow(const Error& error, std::size_t index) const;

    void store(const RawParameter& parameter, PyObject* object, std::byte* at);
    void store_scalar(const RawParameter& parameter, PyObject* object, std::byte* at);
    void store_pointer(const RawParameter& parameter, PyObject* object, std::byte* at);
    void store_struct(const RawParameter& parameter, PyObject* object, std::byte* at);
    void store_opaque(const RawParameter& parameter, PyObject* object, std::byte* at);
    void store_adopted(const RawParameter& parameter, nanobind::handle object, std::byte* at);
    void store_other_pointer(const RawParameter& parameter, nanobind::handle object, std::byte* at);
    void store_host_array(const RawParameter& parameter, nanobind::handle ndarray, std::byte* at);
    void store_vector(const RawParameter& parameter, nanobind::handle items, std::byte* at);
    void store_array(const RawParameter& parameter, DType dtype, bool read_only, const void* data, std::byte* at);
    /// True when `object` stood for another value (an enumerator, `__lanewise_argument__`), which has been stored.
    bool store_replaced(const RawParameter& parameter, PyObject* object, ArgumentClass kind, std::byte* at);
    void check_elements(const RawParameter& parameter, DType dtype) const;
    void check_writable(const RawParameter& parameter, bool read_only) const;

    /// For kernels whose parameters are unknown: after what is there, by the type of the argument.
    void append(PyObject* object);
    void append_bytes(const void* bytes, std::size_t size, std::size_t align);
    /// Into `parameter`, or appended when it is null. False for what PyCUDA does not take.
    bool store_loose(const RawParameter* parameter, PyObject* object);
    void place_loose(const RawParameter* parameter, nanobind::handle object, const void* bytes, std::size_t size,
                     std::size_t align);
    /// The address that an object stands for; none when it is no pointer.
    std::optional<const void*> loose_address(nanobind::handle object);

    const RawKernel& kernel_;
    const RawParameters& parameters_;
    const bool lenient_;
    ArrayArguments arrays_;
    int depth_ = 0;
    std::byte* data_ = inline_;
    std::size_t size_ = 0;
    std::unique_ptr<std::byte[], AlignedDelete> heap_;
    alignas(alignment) std::byte inline_[inline_bytes];
};

}  // namespace lanewise::bindings
