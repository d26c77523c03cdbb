// Barriers of a block, fences, clocks and traps.
#pragma once

__LANEWISE_DEVICE int __syncthreads_count(int predicate) {
    return __nvvm_bar0_popc(predicate);
}
__LANEWISE_DEVICE int __syncthreads_and(int predicate) {
    return __nvvm_bar0_and(predicate);
}
__LANEWISE_DEVICE int __syncthreads_or(int predicate) {
    return __nvvm_bar0_or(predicate);
}

__LANEWISE_DEVICE void __threadfence() {
    __nvvm_membar_gl();
}
__LANEWISE_DEVICE void __threadfence_block() {
    __nvvm_membar_cta();
}
__LANEWISE_DEVICE void __threadfence_system() {
    __nvvm_membar_sys();
}

__LANEWISE_DEVICE clock_t clock() {
    return __nvvm_read_ptx_sreg_clock();
}
__LANEWISE_DEVICE long long clock64() {
    return __nvvm_read_ptx_sreg_clock64();
}
__LANEWISE_DEVICE void __nanosleep(unsigned nanoseconds) {
    __nvvm_nanosleep(nanoseconds);
}

__LANEWISE_DEVICE void __trap() {
    __builtin_trap();
}
__LANEWISE_DEVICE void __brkpt() {
    __builtin_debugtrap();
}
