// clang-format off: a list of macros
// The integer types a small float converts to, and the conversion of float that is wide enough for each. Included inside
// classes, which define __LANEWISE_TO(T, WIDE).
__LANEWISE_TO(char, int)
__LANEWISE_TO(signed char, int)
__LANEWISE_TO(unsigned char, int)
__LANEWISE_TO(short, int)
__LANEWISE_TO(unsigned short, int)
__LANEWISE_TO(int, int)
__LANEWISE_TO(unsigned, uint)
__LANEWISE_TO(long, ll)
__LANEWISE_TO(unsigned long, ull)
__LANEWISE_TO(long long, ll)
__LANEWISE_TO(unsigned long long, ull)
#undef __LANEWISE_TO
