// The CUDA built-ins the test kernels use, in terms of clang's; see regenerate.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define KERNEL extern "C" __global__ void

#define TID_X __nvvm_read_ptx_sreg_tid_x()
#define TID_Y __nvvm_read_ptx_sreg_tid_y()
#define TID_Z __nvvm_read_ptx_sreg_tid_z()
#define BLOCK_X __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_Y __nvvm_read_ptx_sreg_ctaid_y()
#define BLOCK_Z __nvvm_read_ptx_sreg_ctaid_z()
#define DIM_X __nvvm_read_ptx_sreg_ntid_x()
#define DIM_Y __nvvm_read_ptx_sreg_ntid_y()
#define DIM_Z __nvvm_read_ptx_sreg_ntid_z()
#define GRID_X __nvvm_read_ptx_sreg_nctaid_x()
#define GRID_Y __nvvm_read_ptx_sreg_nctaid_y()
#define GLOBAL_X (BLOCK_X * DIM_X + TID_X)
#define LANE (TID_X & 31)
#define FULL 0xffffffffu
