// The table of elementwise functions, and which types they compute in.
#include <fmt/format.h>

#include <algorithm>

#include "lanewise/ops.h"

namespace lanewise {
namespace {

constexpr UfuncInfo ufunc_table[] = {
#define LANEWISE_UNARY(Id, name, loops, result) {#name, 1, loops, result},
#define LANEWISE_BINARY(Id, name, loops, result) {#name, 2, loops, result},
#include "lanewise/tables/ufuncs.def"
#undef LANEWISE_BINARY
#undef LANEWISE_UNARY
};

[[noreturn]] void no_loop(const UfuncInfo& row, DType common) {
    std::string hint;
    if (is_bool(common) && row.loops.find('!') != std::string_view::npos)
        hint = row.name == "subtract"   ? "; use bitwise_xor or logical_xor"
               : row.name == "negative" ? "; use invert or logical_not"
                                        : "; cast to an integer type first";
    throw Error(ErrorKind::Type, fmt::format("{} is not defined for {}{}", row.name, name(common), hint));
}

DType result_dtype(char rule, DType loop) {
    switch (rule) {
        case 'b':
            return DType::Bool;
        case 'r':
            return real_of(loop);
        case 'B':
            return DType::UInt8;
        case 'i':
            return DType::Int32;
        default:
            return loop;
    }
}

}  // namespace

const UfuncInfo& info(Ufunc ufunc) {
    return ufunc_table[static_cast<int>(ufunc)];
}

std::optional<Ufunc> ufunc_from_name(std::string_view name) {
    for (std::size_t i = 0; i < std::size(ufunc_table); ++i)
        if (ufunc_table[i].name == name) return static_cast<Ufunc>(i);
    return std::nullopt;
}

namespace {

std::pair<DType, DType> find_loop(Ufunc ufunc, std::span<const DType> dtypes) {
    const UfuncInfo& row = info(ufunc);
    const DType common = result_type(dtypes);
    auto has = [&](char kind) { return row.loops.find(kind) != std::string_view::npos; };
    const bool only_bool = is_bool(common);
    const bool any_bfloat = std::find(dtypes.begin(), dtypes.end(), DType::BFloat16) != dtypes.end();
    DType loop = common;
    if (has('D')) {
        loop = is_complex(common) ? DType::Complex128 : DType::Float64;
    } else if (has('d') && (only_bool || is_integer(common))) {
        loop = DType::Float64;
    } else {
        if (only_bool && has('!')) no_loop(row, common);
        auto takes = [&](DType candidate) {
            const char k = kind(candidate);
            // Integers never become bfloat16: where NumPy has a 16-bit float, that is float16. Booleans become int8.
            if (!has(k == 'b'   ? '?'
                     : k == 'u' ? 'i'
                                : k) ||
                (candidate == DType::BFloat16 && !any_bfloat) || (candidate == DType::UInt8 && only_bool))
                return false;
            return std::all_of(dtypes.begin(), dtypes.end(),
                               [&](DType t) { return can_cast(t, candidate, Casting::Safe); });
        };
        const auto* found = std::find_if(std::begin(detail::promotion_order), std::end(detail::promotion_order), takes);
        if (found == std::end(detail::promotion_order)) no_loop(row, common);
        loop = *found;
    }
    return {loop, result_dtype(row.result, loop)};
}

/// What find_loop gives for operands of one dtype, as most calls have them.
struct LoopTable {
    std::optional<std::pair<DType, DType>> loops[std::size(ufunc_table)][dtype_count];
    LoopTable() {
        for (std::size_t u = 0; u < std::size(ufunc_table); ++u)
            for (int t = 0; t < dtype_count; ++t) {
                const auto dtype = static_cast<DType>(t);
                try {
                    loops[u][t] = find_loop(static_cast<Ufunc>(u), {&dtype, 1});
                } catch (const Error&) {
                    // No loop: the call says so itself.
                }
            }
    }
};

}  // namespace

std::pair<DType, DType> resolve(Ufunc ufunc, std::span<const DType> dtypes) {
    static const LoopTable table;
    const bool uniform = dtypes.size() == 1 || (dtypes.size() == 2 && dtypes[0] == dtypes[1]);
    if (uniform)
        if (const auto& known = table.loops[static_cast<int>(ufunc)][static_cast<int>(dtypes[0])]) return *known;
    return find_loop(ufunc, dtypes);
}

}  // namespace lanewise
