// Which dtype the elements of several arrays and Python numbers have in common (NumPy 2, NEP 50), and which casts are
// allowed. Everything follows from the ranges and precisions of the dtypes.
#pragma once

#include <optional>
#include <span>

#include "lanewise/dtype.h"

namespace lanewise {

/// The kinds of Python numbers, which take part in promotion by their kind alone.
enum class WeakKind : std::uint8_t { Bool, Int, Float, Complex };

enum class Casting : std::uint8_t { No, Equiv, Safe, SameKind, Unsafe };

/// Binary digits that every integer of the type (or every integer up to 2**digits, for floats) has exactly.
constexpr int exact_digits(DType t) {
    switch (kind(t)) {
        case 'b':
            return 1;
        case 'i':
            return bits(t) - 1;
        case 'u':
            return bits(t);
        default:
            break;
    }
    if (t == DType::BFloat16) return 8;
    const int part = is_complex(t) ? bits(t) / 2 : bits(t);
    return part == 16 ? 11 : part == 32 ? 24 : 53;
}
constexpr int exponent_bits(DType t) {
    if (t == DType::BFloat16) return 8;
    const int part = is_complex(t) ? bits(t) / 2 : bits(t);
    return part == 16 ? 5 : part == 32 ? 8 : 11;
}

/// The type of the real and imaginary parts; real types: themselves.
constexpr DType real_of(DType t) {
    return t == DType::Complex64 ? DType::Float32 : t == DType::Complex128 ? DType::Float64 : t;
}
/// The complex type whose parts hold the floats of `t`.
constexpr DType complex_of(DType t) {
    return t == DType::Float64 || t == DType::Complex128 ? DType::Complex128 : DType::Complex64;
}

namespace detail {

constexpr bool casts_safely(DType from, DType to) {
    if (from == to || is_bool(from)) return true;
    if (is_bool(to)) return false;
    if (is_integer(to))
        return is_integer(from) && exact_digits(from) <= exact_digits(to) && (is_signed(to) || is_unsigned(from));
    if (is_complex(from) && !is_complex(to)) return false;
    // NumPy calls 64-bit integers to float64 safe, although it rounds.
    if (is_integer(from)) return exact_digits(from) <= exact_digits(to) || real_of(to) == DType::Float64;
    return exact_digits(from) <= exact_digits(to) && exponent_bits(from) <= exponent_bits(to);
}

constexpr int kind_order(DType t) {
    switch (kind(t)) {
        case 'b':
            return 0;
        case 'u':
            return 1;
        case 'i':
            return 2;
        case 'f':
            return 3;
        default:
            return 4;
    }
}

/// All dtypes so that the first one which several cast to safely is their common one.
inline constexpr DType promotion_order[] = {DType::Bool,    DType::UInt8,     DType::Int8,      DType::UInt16,
                                            DType::Int16,   DType::UInt32,    DType::Int32,     DType::UInt64,
                                            DType::Int64,   DType::Float16,   DType::BFloat16,  DType::Float32,
                                            DType::Float64, DType::Complex64, DType::Complex128};
static_assert(sizeof(promotion_order) / sizeof(DType) == dtype_count);

struct PromotionTable {
    DType common[dtype_count][dtype_count];
    constexpr PromotionTable() : common{} {
        for (DType a : promotion_order)
            for (DType b : promotion_order)
                for (DType candidate : promotion_order)
                    if (casts_safely(a, candidate) && casts_safely(b, candidate)) {
                        common[static_cast<int>(a)][static_cast<int>(b)] = candidate;
                        break;
                    }
    }
};
inline constexpr PromotionTable promotion_table;

}  // namespace detail

/// NumPy's can_cast for dtypes.
constexpr bool can_cast(DType from, DType to, Casting casting) {
    switch (casting) {
        case Casting::No:
        case Casting::Equiv:
            return from == to;
        case Casting::Safe:
            return detail::casts_safely(from, to);
        case Casting::SameKind:
            return detail::casts_safely(from, to) || detail::kind_order(from) <= detail::kind_order(to);
        case Casting::Unsafe:
            return true;
    }
    return false;
}

/// NumPy's promote_types. bfloat16 with float16, or with 16-bit integers, gives float32.
constexpr DType promote(DType a, DType b) {
    return detail::promotion_table.common[static_cast<int>(a)][static_cast<int>(b)];
}

/// What a Python number becomes where there is no array.
constexpr DType default_dtype(WeakKind weak) {
    constexpr DType defaults[] = {DType::Bool, DType::Int64, DType::Float64, DType::Complex128};
    return defaults[static_cast<int>(weak)];
}

/// The type of `strong` with a Python number of kind `weak`.
constexpr DType promote(DType strong, WeakKind weak) {
    const WeakKind own = is_complex(strong)   ? WeakKind::Complex
                         : is_float(strong)   ? WeakKind::Float
                         : is_integer(strong) ? WeakKind::Int
                                              : WeakKind::Bool;
    if (own >= weak) return strong;
    if (weak == WeakKind::Complex && own == WeakKind::Float) return complex_of(strong);
    return default_dtype(weak);
}

/// NumPy's result_type of arrays and Python numbers; at least one of either.
constexpr DType result_type(std::span<const DType> strong, std::span<const WeakKind> weak = {}) {
    std::optional<WeakKind> highest;
    for (WeakKind kind : weak)
        if (!highest || kind > *highest) highest = kind;
    if (strong.empty()) return default_dtype(highest.value_or(WeakKind::Float));
    DType common = strong[0];
    for (DType t : strong.subspan(1)) common = promote(common, t);
    return highest ? promote(common, *highest) : common;
}

}  // namespace lanewise
