// Unevaluated sums of two doubles: what keeps the rounding of intermediate results out of a function's value.
#pragma once

#include "backend/cpu/target/formula.h"

namespace lanewise::cpu {

/// high + low, where |low| is at most about half an ulp of high.
struct Pair {
    Formula high, low;
    Formula value() const { return high + low; }
};

inline Pair exactly(Formula x) {
    return {x, x.constant(0)};
}
inline Pair two_sum(Formula a, Formula b) {
    const Formula sum = a + b, of_b = sum - a;
    return {sum, (a - (sum - of_b)) + (b - of_b)};
}
/// As two_sum, for |a| >= |b| or a = 0.
inline Pair quick_sum(Formula a, Formula b) {
    const Formula sum = a + b;
    return {sum, b - (sum - a)};
}
inline Pair product(Formula a, Formula b) {
    const Formula high = a * b;
    return {high, a.times_plus(b, -high)};
}
inline Pair quotient(Pair a, Pair b) {
    const Formula inverse = 1.0 / b.high, high = a.high * inverse;
    const Formula rest = (-high).times_plus(b.high, a.high) + (a.low - high * b.low);
    return {high, rest * inverse};
}
/// Of a number that is not 0.
inline Pair root(Pair x) {
    const Formula high = x.high.sqrt();
    return {high, ((-high).times_plus(high, x.high) + x.low) / (high + high)};
}

}  // namespace lanewise::cpu
