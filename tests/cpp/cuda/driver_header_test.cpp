// Compares the driver declarations of the backend with the toolkit's cuda.h, where there is one.
#if __has_include(<cuda.h>)

// Before cuda.h, because that makes macros of some of the names.
#include "backend/cuda/driver_types.h"

namespace lanewise::cuda::declared {
#define LANEWISE_CUDA(name, symbol, since, parameters) using name##_type = CUresult(*) parameters;
#include "backend/cuda/driver.def"
#undef LANEWISE_CUDA
}  // namespace lanewise::cuda::declared

// So that it declares every exported symbol under its own name, older versions of functions too.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
#include <cudaProfiler.h>

#include <type_traits>

namespace {

namespace ours = lanewise::cuda;

/// Same machine representation: both pointers, both structs of one size, or both scalars of one size.
template <class A, class B>
constexpr bool same_word() {
    if constexpr (std::is_pointer_v<A> || std::is_pointer_v<B>)
        return std::is_pointer_v<A> && std::is_pointer_v<B>;
    else if constexpr (std::is_class_v<A> || std::is_class_v<B>)
        return std::is_class_v<A> && std::is_class_v<B> && sizeof(A) == sizeof(B);
    else
        return sizeof(A) == sizeof(B) && (std::is_integral_v<A> || std::is_enum_v<A>) &&
               (std::is_integral_v<B> || std::is_enum_v<B>);
}

template <class A, class B>
struct SameCall : std::false_type {};
template <class R, class S, class... A, class... B>
struct SameCall<R (*)(A...), S (*)(B...)> : std::bool_constant<sizeof...(A) == sizeof...(B) && same_word<R, S>() && [] {
    if constexpr (sizeof...(A) == sizeof...(B))
        return (same_word<A, B>() && ...);
    else
        return false;
}()> {};

#define LANEWISE_CUDA(name, symbol, since, parameters) \
    static_assert(since > CUDA_VERSION || SameCall<ours::declared::name##_type, decltype(&symbol)>::value, #symbol);
#include "backend/cuda/driver.def"
#undef LANEWISE_CUDA

#define SAME_VALUE(name) static_assert(long(ours::name) == long(::name), #name);
SAME_VALUE(CUDA_ERROR_OUT_OF_MEMORY)
SAME_VALUE(CUDA_ERROR_DEINITIALIZED)
SAME_VALUE(CUDA_ERROR_STUB_LIBRARY)
SAME_VALUE(CUDA_ERROR_NO_DEVICE)
SAME_VALUE(CUDA_ERROR_INVALID_IMAGE)
SAME_VALUE(CUDA_ERROR_NO_BINARY_FOR_GPU)
SAME_VALUE(CUDA_ERROR_ECC_UNCORRECTABLE)
SAME_VALUE(CUDA_ERROR_UNSUPPORTED_LIMIT)
SAME_VALUE(CUDA_ERROR_INVALID_PTX)
SAME_VALUE(CUDA_ERROR_NVLINK_UNCORRECTABLE)
SAME_VALUE(CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
SAME_VALUE(CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
SAME_VALUE(CUDA_ERROR_JIT_COMPILATION_DISABLED)
SAME_VALUE(CUDA_ERROR_CONTAINED)
SAME_VALUE(CUDA_ERROR_INVALID_SOURCE)
SAME_VALUE(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND)
SAME_VALUE(CUDA_ERROR_INVALID_HANDLE)
SAME_VALUE(CUDA_ERROR_NOT_FOUND)
SAME_VALUE(CUDA_ERROR_NOT_READY)
SAME_VALUE(CUDA_ERROR_ILLEGAL_ADDRESS)
SAME_VALUE(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
SAME_VALUE(CUDA_ERROR_LAUNCH_TIMEOUT)
SAME_VALUE(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
SAME_VALUE(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED)
SAME_VALUE(CUDA_ERROR_CONTEXT_IS_DESTROYED)
SAME_VALUE(CUDA_ERROR_ASSERT)
SAME_VALUE(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
SAME_VALUE(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
SAME_VALUE(CUDA_ERROR_HARDWARE_STACK_ERROR)
SAME_VALUE(CUDA_ERROR_ILLEGAL_INSTRUCTION)
SAME_VALUE(CUDA_ERROR_MISALIGNED_ADDRESS)
SAME_VALUE(CUDA_ERROR_INVALID_ADDRESS_SPACE)
SAME_VALUE(CUDA_ERROR_INVALID_PC)
SAME_VALUE(CUDA_ERROR_LAUNCH_FAILED)
SAME_VALUE(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE)
SAME_VALUE(CUDA_ERROR_SYSTEM_NOT_READY)
SAME_VALUE(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
SAME_VALUE(CUDA_ERROR_EXTERNAL_DEVICE)
SAME_VALUE(CUDA_ERROR_INVALID_CLUSTER_SIZE)
SAME_VALUE(CU_LIMIT_STACK_SIZE)
SAME_VALUE(CU_LIMIT_PRINTF_FIFO_SIZE)
SAME_VALUE(CU_LIMIT_MALLOC_HEAP_SIZE)
SAME_VALUE(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
SAME_VALUE(CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT)
SAME_VALUE(CU_LIMIT_MAX_L2_FETCH_GRANULARITY)
SAME_VALUE(CU_LIMIT_PERSISTING_L2_CACHE_SIZE)
SAME_VALUE(CU_FUNC_CACHE_PREFER_NONE)
SAME_VALUE(CU_FUNC_CACHE_PREFER_SHARED)
SAME_VALUE(CU_FUNC_CACHE_PREFER_L1)
SAME_VALUE(CU_FUNC_CACHE_PREFER_EQUAL)
SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)
SAME_VALUE(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)
SAME_VALUE(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES)
SAME_VALUE(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)
SAME_VALUE(CU_FUNC_ATTRIBUTE_NUM_REGS)
SAME_VALUE(CU_FUNC_ATTRIBUTE_PTX_VERSION)
SAME_VALUE(CU_FUNC_ATTRIBUTE_BINARY_VERSION)
SAME_VALUE(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
SAME_VALUE(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)
SAME_VALUE(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
SAME_VALUE(CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
SAME_VALUE(CU_POINTER_ATTRIBUTE_IS_MANAGED)
SAME_VALUE(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
SAME_VALUE(CU_MEMORYTYPE_HOST)
SAME_VALUE(CU_MEMORYTYPE_DEVICE)
SAME_VALUE(CU_MEMORYTYPE_UNIFIED)
SAME_VALUE(CU_JIT_MAX_REGISTERS)
SAME_VALUE(CU_JIT_INFO_LOG_BUFFER)
SAME_VALUE(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES)
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER)
SAME_VALUE(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
SAME_VALUE(CU_JIT_OPTIMIZATION_LEVEL)
SAME_VALUE(CU_JIT_GENERATE_DEBUG_INFO)
SAME_VALUE(CU_JIT_LOG_VERBOSE)
SAME_VALUE(CU_JIT_GENERATE_LINE_INFO)
SAME_VALUE(CU_JIT_INPUT_CUBIN)
SAME_VALUE(CU_JIT_INPUT_PTX)
SAME_VALUE(CU_JIT_INPUT_FATBINARY)
SAME_VALUE(CU_JIT_INPUT_OBJECT)
SAME_VALUE(CU_JIT_INPUT_LIBRARY)
SAME_VALUE(CU_STREAM_CAPTURE_STATUS_NONE)
SAME_VALUE(CU_STREAM_ADD_CAPTURE_DEPENDENCIES)
SAME_VALUE(CU_STREAM_SET_CAPTURE_DEPENDENCIES)
SAME_VALUE(CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
SAME_VALUE(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
SAME_VALUE(CU_STREAM_NON_BLOCKING)
SAME_VALUE(CU_EVENT_BLOCKING_SYNC)
SAME_VALUE(CU_EVENT_DISABLE_TIMING)
SAME_VALUE(CU_MEM_ATTACH_GLOBAL)
SAME_VALUE(CU_MEM_ATTACH_HOST)
SAME_VALUE(CU_MEM_ATTACH_SINGLE)
SAME_VALUE(CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
#undef SAME_VALUE

// An older toolkit does not have all of them.
#if CUDA_VERSION >= 13000
#define LANEWISE_DEVICE_ATTRIBUTE(id, name, cuda_name, number) \
    static_assert(long(::CU_DEVICE_ATTRIBUTE_##cuda_name) == number, #cuda_name);
#include "lanewise/tables/device_attributes.def"
#undef LANEWISE_DEVICE_ATTRIBUTE
#endif

static_assert(sizeof(ours::CUlaunchAttribute) == sizeof(::CUlaunchAttribute));
static_assert(offsetof(ours::CUlaunchAttribute, value) == offsetof(::CUlaunchAttribute, value));
static_assert(offsetof(ours::CUlaunchAttributeValue, clusterDim) == offsetof(::CUlaunchAttributeValue, clusterDim));
static_assert(sizeof(ours::CUlaunchConfig) == sizeof(::CUlaunchConfig));
static_assert(offsetof(ours::CUlaunchConfig, sharedMemBytes) == offsetof(::CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(ours::CUlaunchConfig, hStream) == offsetof(::CUlaunchConfig, hStream));
static_assert(offsetof(ours::CUlaunchConfig, attrs) == offsetof(::CUlaunchConfig, attrs));
static_assert(offsetof(ours::CUlaunchConfig, numAttrs) == offsetof(::CUlaunchConfig, numAttrs));
static_assert(sizeof(ours::CUuuid) == sizeof(::CUuuid));
static_assert(sizeof(ours::CUipcMemHandle) == sizeof(::CUipcMemHandle));

}  // namespace

#endif
