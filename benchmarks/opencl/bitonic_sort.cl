// The kernels of examples/cuda/bitonic_sort.cu for int; ORDER stands at the end of each name.
#define CONCATENATED(name, order) name##_##order
#define NAMED(name, order) CONCATENATED(name, order)
#define PASTED(name) NAMED(name, ORDER)

#define ORDER Less
#define BEFORE(a, b) ((a) < (b))
#include "bitonic_steps.h"
#undef ORDER
#undef BEFORE
#define ORDER Greater
#define BEFORE(a, b) ((b) < (a))
#include "bitonic_steps.h"
