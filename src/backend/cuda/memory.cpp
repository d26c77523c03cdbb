// CudaDevice's memory below the pool: device, page-locked, mapped and managed memory, and what an address is.
#include <fmt/format.h>

#include <bit>

#include "backend/cuda/capture_mode.h"
#include "backend/cuda/context.h"
#include "backend/cuda/driver_error.h"

namespace lanewise::cuda {

namespace {

const char* text(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::Device:
            return "device memory";
        case MemoryKind::Pinned:
            return "page-locked host memory";
        case MemoryKind::Mapped:
            return "mapped host memory";
        case MemoryKind::Managed:
            return "managed memory";
    }
    return "memory";
}

}  // namespace

void* CudaDevice::allocate(MemoryKind kind, std::size_t bytes) {
    if (bytes == 0) return nullptr;
    ContextScope scope(*this);
    RelaxedCapture relaxed;
    CUdeviceptr device_pointer = 0;
    void* host_pointer = nullptr;
    CUresult result = CUDA_SUCCESS;
    const char* call = "";
    switch (kind) {
        case MemoryKind::Device:
            call = driver.cuMemAlloc.name();
            result = driver.cuMemAlloc.status(&device_pointer, bytes);
            break;
        case MemoryKind::Managed:
            call = driver.cuMemAllocManaged.name();
            result = driver.cuMemAllocManaged.status(&device_pointer, bytes, CU_MEM_ATTACH_GLOBAL);
            break;
        case MemoryKind::Pinned:
        case MemoryKind::Mapped: {
            unsigned flags = CU_MEMHOSTALLOC_PORTABLE | (kind == MemoryKind::Mapped ? CU_MEMHOSTALLOC_DEVICEMAP : 0);
            call = driver.cuMemHostAlloc.name();
            result = driver.cuMemHostAlloc.status(&host_pointer, bytes, flags);
            break;
        }
    }
    if (result == CUDA_SUCCESS) return host_pointer ? host_pointer : reinterpret_cast<void*>(device_pointer);
    if (result != CUDA_ERROR_OUT_OF_MEMORY) fail(result, call);
    MemoryInfo info;
    driver.cuMemGetInfo.status(&info.free, &info.total);
    Error error(
        ErrorKind::OutOfMemory,
        fmt::format("out of memory on {} ({}): {} gave no {} bytes of {}; {} of {} bytes of device memory are free",
                    name_, model_, call, bytes, text(kind), info.free, info.total));
    error.code = result;
    throw error;
}

void CudaDevice::release(MemoryKind kind, void* pointer) {
    if (!pointer) return;
    bool is_host = kind == MemoryKind::Pinned || kind == MemoryKind::Mapped;
    CUresult result = CUDA_SUCCESS;
    const char* call = is_host ? driver.cuMemFreeHost.name() : driver.cuMemFree.name();
    try {
        ContextScope scope(*this);
        RelaxedCapture relaxed;
        result = is_host ? driver.cuMemFreeHost.status(pointer) : driver.cuMemFree.status(address(pointer));
    } catch (const Error& error) {
        result = CUresult(error.code);
    }
    // At the process's end and after a fault the memory is gone with its context: nothing is left to do or to report.
    if (result != CUDA_SUCCESS && !is_shutdown(result)) fail(result, call);
}

void* CudaDevice::device_address(void* mapped_host) {
    ContextScope scope(*this);
    CUdeviceptr device_pointer = 0;
    driver.cuMemHostGetDevicePointer(&device_pointer, mapped_host, 0);
    return reinterpret_cast<void*>(device_pointer);
}

void CudaDevice::register_host(void* pointer, std::size_t bytes) {
    ContextScope scope(*this);
    CUresult result =
        driver.cuMemHostRegister.status(pointer, bytes, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
    if (result == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED)
        throw Error(ErrorKind::Value,
                    fmt::format("register_host: the {} bytes at {} are page-locked already, wholly or in "
                                "part; unregister the other range first",
                                bytes, pointer));
    if (result != CUDA_SUCCESS) fail(result, driver.cuMemHostRegister.name());
}

void CudaDevice::unregister_host(void* pointer) {
    ContextScope scope(*this);
    CUresult result = driver.cuMemHostUnregister.status(pointer);
    if (result == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED)
        throw Error(ErrorKind::Value,
                    fmt::format("unregister_host: the memory at {} is not registered by register_host", pointer));
    if (result != CUDA_SUCCESS && !is_shutdown(result)) fail(result, driver.cuMemHostUnregister.name());
}

bool CudaDevice::owns_address(const void* pointer) {
    if (!pointer) return false;
    ContextScope scope(*this);
    unsigned type = 0;
    if (driver.cuPointerGetAttribute.status(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pointer)) != CUDA_SUCCESS)
        return false;
    // Page-locked host memory is mapped into every context under unified addressing.
    if (type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_UNIFIED) return true;
    unsigned managed = 0;
    if (driver.cuPointerGetAttribute.status(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address(pointer)) ==
            CUDA_SUCCESS &&
        managed)
        return true;
    int owner = -1;
    return driver.cuPointerGetAttribute.status(&owner, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address(pointer)) ==
               CUDA_SUCCESS &&
           owner == ordinal_;
}

MemoryRange CudaDevice::allocation_at(const void* pointer) {
    ContextScope scope(*this);
    CUdeviceptr start = 0;
    MemoryRange range;
    driver.cuMemGetAddressRange(&start, &range.bytes, address(pointer));
    range.start = reinterpret_cast<void*>(start);
    return range;
}

AllocationName CudaDevice::name_allocation(const void* pointer) {
    static_assert(sizeof(CUipcMemHandle) == sizeof(AllocationName));
    // The driver names an allocation by its start.
    void* start = allocation_at(pointer).start;
    ContextScope scope(*this);
    CUipcMemHandle handle{};
    driver.cuIpcGetMemHandle(&handle, address(start));
    return std::bit_cast<AllocationName>(handle);
}

void* CudaDevice::open_allocation(const AllocationName& name) {
    ContextScope scope(*this);
    CUdeviceptr start = 0;
    CUresult result = driver.cuIpcOpenMemHandle.status(&start, std::bit_cast<CUipcMemHandle>(name),
                                                       CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    if (result == CUDA_SUCCESS) return reinterpret_cast<void*>(start);
    if (is_sticky(result)) fail(result, driver.cuIpcOpenMemHandle.name());
    throw driver_error(result,
                       fmt::format("{}: the memory cannot be opened on {}; the handle must come from another process, "
                                   "which still has the memory, of the same machine",
                                   driver.cuIpcOpenMemHandle.name(), name_));
}

void CudaDevice::close_allocation(void* start) {
    ContextScope scope(*this);
    // What that work reports is for whoever synchronises with it.
    driver.cuCtxSynchronize.status();
    CUresult result = driver.cuIpcCloseMemHandle.status(address(start));
    if (result != CUDA_SUCCESS && !is_shutdown(result)) fail(result, driver.cuIpcCloseMemHandle.name());
}

}  // namespace lanewise::cuda
