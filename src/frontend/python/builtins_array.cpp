// Methods of arrays that make views or read one element: reshape, ravel, view, transpose, item. What would need new
// memory does not exist in kernels.
#include <fmt/format.h>

#include "frontend/python/attribute.h"
#include "frontend/python/builtin_arguments.h"
#include "frontend/python/builtin_groups.h"
#include "frontend/python/index.h"

namespace lanewise::python {

using ir::ScalarOp;
using ir::Value;

namespace {

Operand contiguous_view(Call& c, const Operand& array, const std::vector<Value*>& extents, std::size_t ndim) {
    Operand view;
    view.type =
        array_type(array.type->dtype, static_cast<int>(ndim), Layout::C, array.type->read_only, array.type->space);
    view.spelling = array.spelling;
    if (c.e.dry()) return view;
    const std::vector<Value*> strides = contiguous_strides(c.e, extents, size_of(array.type->dtype), true);
    view.parts = {array.parts[0]};
    view.parts.insert(view.parts.end(), extents.begin(), extents.end());
    view.parts.insert(view.parts.end(), strides.begin(), strides.end());
    return view;
}

void require_c_order(const Call& c, const Operand& array) {
    if (array.type->layout == Layout::C) return;
    c.fail_argument(0, "must be C-contiguous: a view of another order would need a copy, which kernels cannot make");
}

Value* size_of_array(Call& c, const Operand& array) {
    return attribute(c.e, array, "size").value();
}

/// reshape(2, 3), reshape((2, 3)), reshape(-1, 3); np.reshape(a, shape).
Operand call_reshape(Call& c) {
    if (!c.keywords.empty()) c.fail(fmt::format("takes no keyword `{}` in kernels", c.keywords[0].first));
    const Operand& array = array_argument(c, 0);
    require_c_order(c, array);
    std::vector<Operand> shape(c.args.begin() + 1, c.args.end());
    if (shape.size() == 1 && shape[0].type->is_tuple()) {
        const Operand tuple = shape[0];
        shape.clear();
        for (std::size_t i = 0; i < tuple.type->items.size(); ++i) shape.push_back(c.e.item(tuple, i));
    }
    if (shape.empty()) c.fail("needs the new shape: integers or a tuple of them");
    std::optional<std::size_t> inferred;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (!shape[i].type->is_integer()) c.fail("the new shape must be integers or a tuple of them");
        const auto extent = constant_integer(shape[i]);
        if (!extent || *extent >= 0) continue;
        if (*extent != -1 || inferred) c.fail("extents must not be negative; one may be -1, to be inferred");
        inferred = i;
    }
    std::vector<Value*> extents(shape.size());
    if (!c.e.dry()) {
        ir::Builder& b = c.e.builder();
        Value* known = b.i64(1);
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (i == inferred) continue;
            extents[i] = b.cast(shape[i].value(), DType::Int64);
            known = b.mul(known, extents[i]);
        }
        if (inferred) extents[*inferred] = b.scalar(ScalarOp::FloorDiv, size_of_array(c, array), known);
        if (c.e.options().debug || c.e.options().bounds_check) {
            Value* size = size_of_array(c, array);
            Value* total = inferred ? b.mul(known, extents[*inferred]) : known;
            c.e.raise_if(b.scalar(ScalarOp::Ne, size, total), "ValueError",
                         "cannot reshape array of size {0} into a shape of {1} elements", {size, total});
        }
    }
    return contiguous_view(c, array, extents, shape.size());
}

Operand call_ravel(Call& c) {
    c.bind({"self"}, 1);
    const Operand& array = array_argument(c, 0);
    require_c_order(c, array);
    std::vector<Value*> extents(1);
    if (!c.e.dry()) extents[0] = size_of_array(c, array);
    return contiguous_view(c, array, extents, 1);
}

Operand call_flatten(Call& c) {
    c.fail("makes a copy, which kernels cannot; ravel() gives a view");
}

Operand call_transpose(Call& c) {
    c.bind({"self"}, 1);
    return attribute(c.e, array_argument(c, 0), "T");
}

/// The same memory as another dtype; the last axis takes up a change of item size.
Operand call_view(Call& c) {
    c.bind({"self", "dtype"}, 2);
    const Operand& array = array_argument(c, 0);
    const DType to = c.dtype(1);
    require_kernel_scalar(c.e, to);
    const Type& from = *array.type;
    const bool same_size = size_of(to) == size_of(from.dtype);
    if (!same_size && (from.ndim == 0 || from.layout != Layout::C)) {
        c.fail_argument(
            0, fmt::format("must be C-contiguous to be viewed as {}, whose items have another size", name(to)));
    }
    Operand view = array;
    view.type = array_type(to, from.ndim, from.layout, from.read_only, from.space);
    view.constant = nullptr;
    if (same_size || c.e.dry()) return view;
    ir::Builder& b = c.e.builder();
    Value*& last = view.parts[from.ndim];
    last = b.scalar(ScalarOp::FloorDiv, b.mul(last, b.i64(size_of(from.dtype))), b.i64(size_of(to)));
    view.parts[2 * std::size_t{from.ndim}] = b.i64(size_of(to));
    return view;
}

/// item() of an array of one element, item(i, j, ...) of any.
Operand call_item(Call& c) {
    if (!c.keywords.empty()) c.fail("takes no keywords");
    const Operand array = array_argument(c, 0);
    std::vector<Operand> indices(c.args.begin() + 1, c.args.end());
    if (indices.size() == 1 && indices[0].type->is_tuple()) indices = index_list(c.e, array, indices[0]);
    if (indices.empty()) indices.assign(array.type->ndim, c.e.integer(0));
    if (indices.size() != array.type->ndim) {
        c.fail(
            fmt::format("takes {} indices, one for each axis, or none for an array of one element", array.type->ndim));
    }
    for (const Operand& index : indices) {
        if (!index.type->is_integer()) c.fail("the indices must be integers");
    }
    return load_element(c.e, array.type, c.e.dry() ? nullptr : element_pointer(c.e, array, indices));
}

template <const char* property>
Operand call_property(Call& c) {
    c.bind({"a"}, 1);
    return attribute(c.e, array_argument(c, 0), property);
}
constexpr char shape[] = "shape", size[] = "size", ndim[] = "ndim";

constexpr Builtin table[] = {
    {"array.reshape", call_reshape},       {"numpy.reshape", call_reshape},     {"array.ravel", call_ravel},
    {"numpy.ravel", call_ravel},           {"array.flatten", call_flatten},     {"array.transpose", call_transpose},
    {"numpy.transpose", call_transpose},   {"array.view", call_view},           {"array.item", call_item},
    {"numpy.shape", call_property<shape>}, {"numpy.size", call_property<size>}, {"numpy.ndim", call_property<ndim>},
};

}  // namespace

std::span<const Builtin> array_builtins() {
    return table;
}

}  // namespace lanewise::python
