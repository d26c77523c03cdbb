// Conversion of packed arguments to the types of a declared signature.
#include "jit/repacking.h"

#include <complex>
#include <cstring>

namespace lanewise::jit {
namespace {

int rank(DType dtype) {
    switch (info(dtype).kind) {
        case 'b':
            return 0;
        case 'i':
        case 'u':
            return 1;
        case 'f':
            return 2;
        default:
            return 3;
    }
}

/// No float16 arithmetic on the host is needed: such declared scalars take only their own type.
bool is_plain(DType dtype) {
    return dtype != DType::Float16 && dtype != DType::BFloat16;
}

/// -1: no conversion.
int scalar_cost(DType from, DType to) {
    if (from == to) return 0;
    if (!is_plain(from) || !is_plain(to) || rank(from) > rank(to)) return -1;
    bool narrows = rank(from) == rank(to) && bits(from) > bits(to);
    return 1 + (rank(to) - rank(from)) + (narrows ? 8 : 0) + (rank(from) == rank(to) && kind(from) != kind(to) ? 1 : 0);
}

int array_cost(Code from, Code to) {
    if (dtype(from) != dtype(to) || count(from) != count(to)) return -1;
    if (read_only(from) && !read_only(to)) return -1;
    bool layout_differs = layout(from) != layout(to);
    // One- and zero-dimensional contiguous arrays are C and F alike.
    if (layout_differs && layout(to) != python::Layout::A && (count(from) > 1 || layout(from) == python::Layout::A))
        return -1;
    return (layout_differs ? 1 : 0) + (read_only(from) != read_only(to) ? 1 : 0);
}

std::size_t align_to(std::size_t offset, std::size_t align) {
    return (offset + align - 1) & ~(align - 1);
}

std::size_t bytes_of(Code code) {
    if (kind(code) == CodeKind::Scalar) return static_cast<std::size_t>(size_of(dtype(code)));
    if (kind(code) != CodeKind::Array) return 0;
    return 8 * static_cast<std::size_t>(1 + count(code) * (layout(code) == python::Layout::A ? 2 : 1));
}

std::size_t alignment_of(Code code) {
    if (kind(code) == CodeKind::Scalar) return bytes_of(code) / (is_complex(dtype(code)) ? 2 : 1);
    return kind(code) == CodeKind::Array ? 8 : 1;
}

template <class To, class From>
To convert(From value) {
    if constexpr (std::is_same_v<To, bool>) {
        return value != From(0);
    } else if constexpr (requires { typename To::value_type; }) {
        if constexpr (requires { typename From::value_type; })
            return To(static_cast<typename To::value_type>(value.real()),
                      static_cast<typename To::value_type>(value.imag()));
        else
            return To(static_cast<typename To::value_type>(value), 0);
    } else if constexpr (requires { typename From::value_type; }) {
        return static_cast<To>(value.real());
    } else {
        return static_cast<To>(value);
    }
}

template <class Function>
void with_type(DType dtype, Function&& function) {
    switch (dtype) {
#define LANEWISE_DTYPE(Id, name, storage, ...) \
    case DType::Id:                            \
        return function(storage{});
#include "lanewise/tables/dtypes.def"
#undef LANEWISE_DTYPE
    }
}

void convert_scalar(DType from, DType to, const std::byte* source, std::byte* target) {
    if (from == to) {
        std::memcpy(target, source, static_cast<std::size_t>(size_of(from)));
        return;
    }
    with_type(from, [&]<class From>(From value) {
        std::memcpy(&value, source, sizeof value);
        with_type(to, [&]<class To>(To) {
            To result = convert<To>(value);
            std::memcpy(target, &result, sizeof result);
        });
    });
}

void convert_array(Code from, Code to, const std::byte* source, std::byte* target) {
    std::memcpy(target, source, std::min(bytes_of(from), bytes_of(to)));
    if (layout(from) == python::Layout::A || layout(to) != python::Layout::A) return;
    std::size_t n = static_cast<std::size_t>(count(from));
    std::vector<std::int64_t> extents(n), strides(n);
    std::memcpy(extents.data(), source + 8, 8 * n);
    std::int64_t stride = size_of(dtype(from));
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t axis = layout(from) == python::Layout::C ? n - 1 - i : i;
        strides[axis] = stride;
        stride *= extents[axis];
    }
    std::memcpy(target + 8 + 8 * n, strides.data(), 8 * n);
}

}  // namespace

std::optional<Repacking> Repacking::plan(std::span<const Code> from, std::span<const Code> to) {
    if (from.size() != to.size()) return std::nullopt;
    Repacking plan;
    std::size_t from_end = 0, to_end = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (kind(from[i]) != kind(to[i])) return std::nullopt;
        int cost = 0;
        switch (kind(from[i])) {
            case CodeKind::None:
                break;
            case CodeKind::Tuple:
                cost = count(from[i]) == count(to[i]) ? 0 : -1;
                break;
            case CodeKind::Scalar:
                cost = scalar_cost(dtype(from[i]), dtype(to[i]));
                break;
            case CodeKind::Array:
                cost = array_cost(from[i], to[i]);
                break;
        }
        if (cost < 0) return std::nullopt;
        plan.cost_ += cost;
        if (bytes_of(from[i]) == 0) continue;
        Step step{from[i], to[i], static_cast<std::uint32_t>(align_to(from_end, alignment_of(from[i]))),
                  static_cast<std::uint32_t>(align_to(to_end, alignment_of(to[i])))};
        from_end = step.from_offset + bytes_of(from[i]);
        to_end = step.to_offset + bytes_of(to[i]);
        plan.steps_.push_back(step);
    }
    plan.bytes_ = to_end;
    return plan;
}

void Repacking::apply(const std::byte* from, std::byte* to) const {
    std::size_t end = 0;
    for (const Step& step : steps_) {
        std::memset(to + end, 0, step.to_offset - end);
        end = step.to_offset + bytes_of(step.to);
        if (kind(step.from) == CodeKind::Scalar)
            convert_scalar(dtype(step.from), dtype(step.to), from + step.from_offset, to + step.to_offset);
        else
            convert_array(step.from, step.to, from + step.from_offset, to + step.to_offset);
    }
}

}  // namespace lanewise::jit
