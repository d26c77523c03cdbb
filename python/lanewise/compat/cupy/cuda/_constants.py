"""Constants of CUDA's runtime API, as cupy.cuda.runtime has them beside those that its functions need."""

#: Groups of constants that count from a number on.
_COUNTED = {
    0: (
        "cudaMemoryTypeUnregistered cudaMemoryTypeHost cudaMemoryTypeDevice cudaMemoryTypeManaged",
        "cudaLimitStackSize cudaLimitPrintfFifoSize cudaLimitMallocHeapSize cudaLimitDevRuntimeSyncDepth "
        "cudaLimitDevRuntimePendingLaunchCount cudaLimitMaxL2FetchGranularity cudaLimitPersistingL2CacheSize",
        "cudaMemLocationTypeInvalid cudaMemLocationTypeDevice cudaMemLocationTypeHost cudaMemLocationTypeHostNuma "
        "cudaMemLocationTypeHostNumaCurrent",
        "cudaMemHandleTypeNone cudaMemHandleTypePosixFileDescriptor",
        "streamCaptureModeGlobal streamCaptureModeThreadLocal streamCaptureModeRelaxed",
        "streamCaptureStatusNone streamCaptureStatusActive streamCaptureStatusInvalidated",
        "cudaResourceTypeArray cudaResourceTypeMipmappedArray cudaResourceTypeLinear cudaResourceTypePitch2D",
        "cudaAddressModeWrap cudaAddressModeClamp cudaAddressModeMirror cudaAddressModeBorder",
        "cudaFilterModePoint cudaFilterModeLinear",
        "cudaReadModeElementType cudaReadModeNormalizedFloat",
        "cudaChannelFormatKindSigned cudaChannelFormatKindUnsigned cudaChannelFormatKindFloat "
        "cudaChannelFormatKindNone",
        "CUDA_R_32F CUDA_R_64F CUDA_R_16F CUDA_R_8I CUDA_C_32F CUDA_C_64F CUDA_C_16F CUDA_C_8I CUDA_R_8U CUDA_C_8U",
    ),
    1: (
        "cudaMemAdviseSetReadMostly cudaMemAdviseUnsetReadMostly cudaMemAdviseSetPreferredLocation "
        "cudaMemAdviseUnsetPreferredLocation cudaMemAdviseSetAccessedBy cudaMemAdviseUnsetAccessedBy",
        "cudaMemPoolReuseFollowEventDependencies cudaMemPoolReuseAllowOpportunistic "
        "cudaMemPoolReuseAllowInternalDependencies cudaMemPoolAttrReleaseThreshold cudaMemPoolAttrReservedMemCurrent "
        "cudaMemPoolAttrReservedMemHigh cudaMemPoolAttrUsedMemCurrent cudaMemPoolAttrUsedMemHigh",
    ),
}
CONSTANTS = {
    "CUDA_R_16BF": 14,
    "cudaArrayDefault": 0,
    "cudaArraySurfaceLoadStore": 2,
    "cudaCpuDeviceId": -1,
    "cudaInvalidDeviceId": -2,
    "cudaIpcMemLazyEnablePeerAccess": 1,
    "cudaMemAllocationTypePinned": 1,
    "cudaMemAttachGlobal": 1,
    "cudaMemAttachHost": 2,
    "cudaMemAttachSingle": 4,
}
for _first, _groups in _COUNTED.items():
    for _group in _groups:
        CONSTANTS.update({_name: _first + _place for _place, _name in enumerate(_group.split())})
