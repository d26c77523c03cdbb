// The functions on packed integers exist with nvcc's types.
#include "same.h"

#define UNARY(NAME)                          \
    SAME(NAME##2(of<unsigned>()), unsigned); \
    SAME(NAME##4(of<unsigned>()), unsigned);
#define BINARY(NAME)                                         \
    SAME(NAME##2(of<unsigned>(), of<unsigned>()), unsigned); \
    SAME(NAME##4(of<unsigned>(), of<unsigned>()), unsigned);
#define COMPARE(NAME)    \
    BINARY(__vcmp##NAME) \
    BINARY(__vset##NAME)
#define THREE(NAME, SUFFIX, T) SAME(NAME##_##SUFFIX(of<T>(), of<T>(), of<T>()), T);
#define THREES(SUFFIX, T)        \
    THREE(__vimax3, SUFFIX, T)   \
    THREE(__vimin3, SUFFIX, T)   \
    THREE(__viaddmax, SUFFIX, T) \
    THREE(__viaddmin, SUFFIX, T)

__device__ void packed() {
    UNARY(__vneg)
    UNARY(__vnegss)
    UNARY(__vabs)
    UNARY(__vabsss)
    BINARY(__vadd)
    BINARY(__vaddss)
    BINARY(__vaddus)
    BINARY(__vsub)
    BINARY(__vsubss)
    BINARY(__vsubus)
    BINARY(__vmaxs)
    BINARY(__vmaxu)
    BINARY(__vmins)
    BINARY(__vminu)
    BINARY(__vabsdiffs)
    BINARY(__vabsdiffu)
    BINARY(__vhaddu)
    BINARY(__vavgs)
    BINARY(__vavgu)
    BINARY(__vsads)
    BINARY(__vsadu)
    COMPARE(eq)
    COMPARE(ne)
    COMPARE(ges)
    COMPARE(gts)
    COMPARE(les)
    COMPARE(lts)
    COMPARE(geu)
    COMPARE(gtu)
    COMPARE(leu)
    COMPARE(ltu)
    THREES(s32, int)
    THREES(u32, unsigned)
    THREES(s16x2, unsigned)
    THREES(u16x2, unsigned)
    THREES(s32_relu, int)
    THREES(s16x2_relu, unsigned)
    SAME(__vimax_s32_relu(of<int>(), of<int>()), int);
    SAME(__vimin_s32_relu(of<int>(), of<int>()), int);
    SAME(__vimax_s16x2_relu(of<unsigned>(), of<unsigned>()), unsigned);
    SAME(__vimin_s16x2_relu(of<unsigned>(), of<unsigned>()), unsigned);
}
