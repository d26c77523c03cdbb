// threadIdx, blockIdx, blockDim and gridDim: objects without storage whose members read special registers.
#pragma once

template <int Which>
struct __lanewise_index {
    __declspec(property(get = __get_x)) unsigned x;
    __declspec(property(get = __get_y)) unsigned y;
    __declspec(property(get = __get_z)) unsigned z;

#define __LANEWISE_INDEX_MEMBER(D)                               \
    __LANEWISE_DEVICE static unsigned __get_##D() {              \
        return Which == 0   ? __nvvm_read_ptx_sreg_tid_##D()     \
               : Which == 1 ? __nvvm_read_ptx_sreg_ctaid_##D()   \
               : Which == 2 ? __nvvm_read_ptx_sreg_ntid_##D()    \
                            : __nvvm_read_ptx_sreg_nctaid_##D(); \
    }
    __LANEWISE_INDEX_MEMBER(x)
    __LANEWISE_INDEX_MEMBER(y)
    __LANEWISE_INDEX_MEMBER(z)
#undef __LANEWISE_INDEX_MEMBER

    __LANEWISE_DEVICE operator uint3() const { return {x, y, z}; }
};

struct dim3 {
    unsigned x, y, z;

    __LANEWISE_BOTH constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    __LANEWISE_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    template <int Which>
    __LANEWISE_DEVICE dim3(const __lanewise_index<Which>& index) : x(index.x), y(index.y), z(index.z) {}
    __LANEWISE_BOTH constexpr operator uint3() const { return uint3{x, y, z}; }
};

extern const __attribute__((device)) __lanewise_index<0> threadIdx;
extern const __attribute__((device)) __lanewise_index<1> blockIdx;
extern const __attribute__((device)) __lanewise_index<2> blockDim;
extern const __attribute__((device)) __lanewise_index<3> gridDim;
static constexpr int warpSize = 32;
