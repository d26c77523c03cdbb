// The groups whose threads meet at barriers: a block, a cluster and a grid.
#pragma once

extern "C" __attribute__((device)) void __lanewise_grid_barrier();

namespace cooperative_groups {

class thread_block {
public:
    __LANEWISE_DEVICE static void sync() { __syncthreads(); }
    __LANEWISE_DEVICE static unsigned thread_rank() { return __lanewise::block_rank(); }
    __LANEWISE_DEVICE static unsigned size() { return __lanewise::block_size(); }
    __LANEWISE_DEVICE static unsigned num_threads() { return size(); }
    __LANEWISE_DEVICE static dim3 group_index() { return blockIdx; }
    __LANEWISE_DEVICE static dim3 thread_index() { return threadIdx; }
    __LANEWISE_DEVICE static dim3 group_dim() { return blockDim; }
    __LANEWISE_DEVICE static dim3 dim_threads() { return blockDim; }
    struct arrival_token {};
    __LANEWISE_DEVICE static arrival_token barrier_arrive() { return {}; }
    __LANEWISE_DEVICE static void barrier_wait(arrival_token&&) { sync(); }

private:
    friend thread_block this_thread_block();
};
__LANEWISE_DEVICE thread_block this_thread_block() {
    return {};
}

class grid_group {
public:
    /// All threads of a cooperative launch.
    __LANEWISE_DEVICE void sync() const { __lanewise_grid_barrier(); }
    __LANEWISE_DEVICE static bool is_valid() { return true; }
    __LANEWISE_DEVICE static unsigned long long block_rank() {
        return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __LANEWISE_DEVICE static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.z) * gridDim.y * gridDim.x;
    }
    __LANEWISE_DEVICE static unsigned long long thread_rank() {
        return block_rank() * __lanewise::block_size() + __lanewise::block_rank();
    }
    __LANEWISE_DEVICE static unsigned long long size() { return num_blocks() * __lanewise::block_size(); }
    __LANEWISE_DEVICE static unsigned long long num_threads() { return size(); }
    __LANEWISE_DEVICE static dim3 group_dim() { return gridDim; }
    __LANEWISE_DEVICE static dim3 dim_blocks() { return gridDim; }
    __LANEWISE_DEVICE static dim3 block_index() { return blockIdx; }
    __LANEWISE_DEVICE static dim3 thread_index() { return threadIdx; }
    struct arrival_token {};
    __LANEWISE_DEVICE arrival_token barrier_arrive() const { return {}; }
    __LANEWISE_DEVICE void barrier_wait(arrival_token&&) const { sync(); }
};
__LANEWISE_DEVICE grid_group this_grid() {
    return {};
}

class cluster_group {
public:
    struct arrival_token {};
    __LANEWISE_DEVICE static arrival_token barrier_arrive() {
        __nvvm_barrier_cluster_arrive();
        return {};
    }
    __LANEWISE_DEVICE static void barrier_wait() { __nvvm_barrier_cluster_wait(); }
    __LANEWISE_DEVICE static void barrier_wait(arrival_token&&) { barrier_wait(); }
    __LANEWISE_DEVICE static void sync() {
        barrier_arrive();
        barrier_wait();
    }
    __LANEWISE_DEVICE static unsigned block_rank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
    __LANEWISE_DEVICE static unsigned num_blocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
    __LANEWISE_DEVICE static dim3 block_index() {
        return {static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_ctaid_x()),
                static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_ctaid_y()),
                static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_ctaid_z())};
    }
    __LANEWISE_DEVICE static dim3 dim_blocks() {
        return {static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_nctaid_x()),
                static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_nctaid_y()),
                static_cast<unsigned>(__nvvm_read_ptx_sreg_cluster_nctaid_z())};
    }
    __LANEWISE_DEVICE static unsigned thread_rank() {
        return block_rank() * __lanewise::block_size() + __lanewise::block_rank();
    }
    __LANEWISE_DEVICE static unsigned size() { return num_threads(); }
    __LANEWISE_DEVICE static unsigned num_threads() { return num_blocks() * __lanewise::block_size(); }
    /// The address, in the block of rank `rank`, of what `address` is in this one.
    template <class T>
    __LANEWISE_DEVICE static T* map_shared_rank(T* address, int rank) {
        return static_cast<T*>(__nvvm_mapa(const_cast<void*>(static_cast<const void*>(address)), rank));
    }
    __LANEWISE_DEVICE static unsigned query_shared_rank(const void* address) {
        return __nvvm_getctarank(const_cast<void*>(address));
    }
};
__LANEWISE_DEVICE cluster_group this_cluster() {
    return {};
}

}  // namespace cooperative_groups
