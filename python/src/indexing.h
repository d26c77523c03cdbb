// Python's basic indices: x[1, 2:5, ..., None].
#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <vector>

#include "lanewise/array.h"

namespace lanewise::bindings {

/// A slice object; bounds beyond 64 bits become the nearest that fit, since Python clips them.
Index slice_index(PyObject* slice);

class ParsedIndex {
public:
    /// Error(Type) for anything but integers, slices, Ellipsis, None and tuples of them.
    explicit ParsedIndex(nanobind::handle index);
    std::span<const Index> items() const { return items_; }
    /// One integer an axis and nothing else: NumPy gives a scalar for it.
    bool is_full_integer(int ndim) const;

private:
    void add(nanobind::handle item);
    std::vector<Index> items_;
};

}  // namespace lanewise::bindings
