// The values of the type traits as variables.
#pragma once

#if __cplusplus >= 201402L
#if __cplusplus >= 201703L
#define __LANEWISE_CONSTANT inline constexpr
#else
#define __LANEWISE_CONSTANT constexpr
#endif

namespace std {

#define __LANEWISE_VALUE(TYPE, NAME) \
    template <class T>               \
    __LANEWISE_CONSTANT TYPE NAME##_v = NAME<T>::value;
__LANEWISE_VALUE(bool, is_void)
__LANEWISE_VALUE(bool, is_integral)
__LANEWISE_VALUE(bool, is_floating_point)
__LANEWISE_VALUE(bool, is_arithmetic)
__LANEWISE_VALUE(bool, is_fundamental)
__LANEWISE_VALUE(bool, is_compound)
__LANEWISE_VALUE(bool, is_scalar)
__LANEWISE_VALUE(bool, is_object)
__LANEWISE_VALUE(bool, is_array)
__LANEWISE_VALUE(bool, is_enum)
__LANEWISE_VALUE(bool, is_class)
__LANEWISE_VALUE(bool, is_union)
__LANEWISE_VALUE(bool, is_function)
__LANEWISE_VALUE(bool, is_pointer)
__LANEWISE_VALUE(bool, is_member_pointer)
__LANEWISE_VALUE(bool, is_member_object_pointer)
__LANEWISE_VALUE(bool, is_member_function_pointer)
__LANEWISE_VALUE(bool, is_reference)
__LANEWISE_VALUE(bool, is_lvalue_reference)
__LANEWISE_VALUE(bool, is_rvalue_reference)
__LANEWISE_VALUE(bool, is_const)
__LANEWISE_VALUE(bool, is_volatile)
__LANEWISE_VALUE(bool, is_signed)
__LANEWISE_VALUE(bool, is_unsigned)
__LANEWISE_VALUE(bool, is_empty)
__LANEWISE_VALUE(bool, is_polymorphic)
__LANEWISE_VALUE(bool, is_abstract)
__LANEWISE_VALUE(bool, is_final)
__LANEWISE_VALUE(bool, is_aggregate)
__LANEWISE_VALUE(bool, is_trivial)
__LANEWISE_VALUE(bool, is_trivially_copyable)
__LANEWISE_VALUE(bool, is_standard_layout)
__LANEWISE_VALUE(bool, is_pod)
__LANEWISE_VALUE(bool, is_literal_type)
__LANEWISE_VALUE(bool, has_virtual_destructor)
__LANEWISE_VALUE(bool, has_unique_object_representations)
__LANEWISE_VALUE(bool, is_default_constructible)
__LANEWISE_VALUE(bool, is_trivially_default_constructible)
__LANEWISE_VALUE(bool, is_destructible)
__LANEWISE_VALUE(bool, is_trivially_destructible)
__LANEWISE_VALUE(bool, is_copy_constructible)
__LANEWISE_VALUE(bool, is_move_constructible)
__LANEWISE_VALUE(bool, is_trivially_copy_constructible)
__LANEWISE_VALUE(bool, is_trivially_move_constructible)
__LANEWISE_VALUE(bool, is_copy_assignable)
__LANEWISE_VALUE(bool, is_move_assignable)
__LANEWISE_VALUE(bool, is_null_pointer)
__LANEWISE_VALUE(size_t, alignment_of)
__LANEWISE_VALUE(size_t, rank)
__LANEWISE_VALUE(bool, negation)
#undef __LANEWISE_VALUE
#define __LANEWISE_VALUE_2(NAME) \
    template <class T, class U>  \
    __LANEWISE_CONSTANT bool NAME##_v = NAME<T, U>::value;
__LANEWISE_VALUE_2(is_same)
__LANEWISE_VALUE_2(is_base_of)
__LANEWISE_VALUE_2(is_convertible)
__LANEWISE_VALUE_2(is_assignable)
__LANEWISE_VALUE_2(is_trivially_assignable)
#undef __LANEWISE_VALUE_2
#define __LANEWISE_VALUES(NAME) \
    template <class... T>       \
    __LANEWISE_CONSTANT bool NAME##_v = NAME<T...>::value;
__LANEWISE_VALUES(is_constructible)
__LANEWISE_VALUES(is_trivially_constructible)
__LANEWISE_VALUES(is_nothrow_constructible)
__LANEWISE_VALUES(is_invocable)
__LANEWISE_VALUES(conjunction)
__LANEWISE_VALUES(disjunction)
#undef __LANEWISE_VALUES
template <class T, unsigned Dimension = 0>
__LANEWISE_CONSTANT size_t extent_v = extent<T, Dimension>::value;

}  // namespace std

#undef __LANEWISE_CONSTANT
#endif
