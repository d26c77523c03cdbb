// Ends the macros of one 16-bit format.

#undef __LANEWISE_H
#undef __LANEWISE_H2
#undef __LANEWISE_H_RAW
#undef __LANEWISE_H2_RAW
#undef __LANEWISE_H_NAME
#undef __LANEWISE_H_BITS
#undef __LANEWISE_H_FLOAT
#undef __LANEWISE_H_FROM_INTEGER
#undef __LANEWISE_H_VALUE
#undef __LANEWISE_H_PAIR
#undef __LANEWISE_H_LOAD
#undef __LANEWISE_H_STORE
#undef __LANEWISE_H_INFINITY
#undef __LANEWISE_H_IS_NATIVE
