// std::min and std::max of two.
#pragma once

namespace std {

template <class T>
__LANEWISE_BOTH constexpr const T& min(const T& x, const T& y) {
    return y < x ? y : x;
}
template <class T>
__LANEWISE_BOTH constexpr const T& max(const T& x, const T& y) {
    return x < y ? y : x;
}
template <class T, class Less>
__LANEWISE_BOTH constexpr const T& min(const T& x, const T& y, Less less) {
    return less(y, x) ? y : x;
}
template <class T, class Less>
__LANEWISE_BOTH constexpr const T& max(const T& x, const T& y, Less less) {
    return less(x, y) ? y : x;
}

}  // namespace std
