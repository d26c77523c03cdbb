// A kernel lowered from a syntax tree and run by one thread on host arrays.
#pragma once

#include <string>
#include <vector>

#include "frontend/python/frontend.h"
#include "ir_evaluator.h"
#include "tree.h"

namespace lanewise::testing {

/// A NumPy-like host array that a kernel reads and writes.
template <class T>
struct HostArray {
    std::vector<T> data;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< bytes; empty: C order
    HostArray(std::vector<T> values) : data(std::move(values)), shape{static_cast<std::int64_t>(data.size())} {}
    HostArray(std::vector<T> values, std::vector<std::int64_t> extents)
        : data(std::move(values)), shape(std::move(extents)) {}
};

template <class T>
constexpr DType dtype_of() {
    if constexpr (std::is_same_v<T, float>)
        return DType::Float32;
    else if constexpr (std::is_same_v<T, double>)
        return DType::Float64;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return DType::Int64;
    else if constexpr (std::is_same_v<T, std::int32_t>)
        return DType::Int32;
    else if constexpr (std::is_same_v<T, std::uint64_t>)
        return DType::UInt64;
    else if constexpr (std::is_same_v<T, std::uint8_t>)
        return DType::UInt8;
    else
        return DType::Bool;
}

/// Collects argument types and bits.
class Arguments {
public:
    template <class T>
    Arguments& array(HostArray<T>& a, python::Layout layout = python::Layout::C) {
        types.push_back(python::array_type(dtype_of<T>(), static_cast<int>(a.shape.size()), layout));
        bits.push_back(reinterpret_cast<std::uint64_t>(a.data.data()));
        for (std::int64_t extent : a.shape) bits.push_back(static_cast<std::uint64_t>(extent));
        if (layout == python::Layout::A)
            for (std::int64_t stride : a.strides) bits.push_back(static_cast<std::uint64_t>(stride));
        return *this;
    }
    Arguments& integer(std::int64_t value, DType dtype = DType::Int64) {
        types.push_back(python::scalar_type(dtype));
        bits.push_back(static_cast<std::uint64_t>(value) &
                       (size_of(dtype) == 8 ? ~0ull : (1ull << bits_of(dtype)) - 1));
        return *this;
    }
    Arguments& real(double value) {
        types.push_back(python::scalar_type(DType::Float64));
        bits.push_back(std::bit_cast<std::uint64_t>(value));
        return *this;
    }

    std::vector<python::TypePtr> types;
    std::vector<std::uint64_t> bits;

private:
    static int bits_of(DType dtype) { return lanewise::bits(dtype); }
};

inline python::Lowered lower(const syntax::Function& function, std::vector<python::TypePtr> types,
                             const python::Options& options = {}, bool kernel = true) {
    return python::lower(python::Request{function, std::move(types), options, kernel, nullptr, {}});
}

/// Lowers and runs.
inline Outcome launch(const syntax::Function& function, const Arguments& arguments,
                      const python::Options& options = {}) {
    const python::Lowered lowered = lower(function, arguments.types, options);
    return run_thread(*lowered.module->functions[0], arguments.bits);
}

/// The text of the error that lowering ends with; empty: it lowers.
inline std::string refusal(const syntax::Function& function, std::vector<python::TypePtr> types,
                           const python::Options& options = {}, bool kernel = true) {
    try {
        lower(function, std::move(types), options, kernel);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// Lowers a device function: its result type as Numba spells it.
inline std::string result_of(const syntax::Function& function, std::vector<python::TypePtr> types,
                             const python::Options& options = {}) {
    return python::to_string(lower(function, std::move(types), options, false).result);
}

}  // namespace lanewise::testing
