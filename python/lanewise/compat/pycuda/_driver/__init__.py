"""PyCUDA's compiled module: what its tracebacks and some programs call `pycuda._driver`."""

from lanewise.compat.pycuda._driver.boxes import Memcpy2D, Memcpy3D, Memcpy3DPeer
from lanewise.compat.pycuda._driver.contexts import (
    Context,
    Device,
    get_driver_version,
    get_version,
    init,
    initialize_profiler,
    start_profiler,
    stop_profiler,
)
from lanewise.compat.pycuda._driver.copies import (
    memcpy_dtod,
    memcpy_dtod_async,
    memcpy_dtoh,
    memcpy_dtoh_async,
    memcpy_htod,
    memcpy_htod_async,
    memcpy_peer,
    memcpy_peer_async,
    memset_d2d8,
    memset_d2d8_async,
    memset_d2d16,
    memset_d2d16_async,
    memset_d2d32,
    memset_d2d32_async,
    memset_d8,
    memset_d8_async,
    memset_d16,
    memset_d16_async,
    memset_d32,
    memset_d32_async,
)
from lanewise.compat.pycuda._driver.enums import *
from lanewise.compat.pycuda._driver.enums import (
    TR_DEFAULT,
    TRSA_OVERRIDE_FORMAT,
    TRSF_NORMALIZED_COORDINATES,
    TRSF_READ_AS_INTEGER,
)
from lanewise.compat.pycuda._driver.errors import (
    CompileError,
    Error,
    LaunchError,
    LogicError,
    MemoryError,
    RuntimeError,
)
from lanewise.compat.pycuda._driver.functions import Function
from lanewise.compat.pycuda._driver.interprocess import IPCMemoryHandle, mem_get_ipc_handle
from lanewise.compat.pycuda._driver.memory import (
    AlignedHostAllocation,
    DeviceAllocation,
    HostAllocation,
    HostPointer,
    ManagedAllocation,
    PagelockedHostAllocation,
    PointerHolderBase,
    RegisteredHostMemory,
    mem_alloc,
    mem_alloc_pitch,
    mem_get_address_range,
    mem_get_info,
)
from lanewise.compat.pycuda._driver.modules import Linker, Module, module_from_buffer, module_from_file
from lanewise.compat.pycuda._driver.streams import Event, Stream
from lanewise.compat.pycuda._driver.textures import (
    Array,
    ArrayDescriptor,
    ArrayDescriptor3D,
    SurfaceReference,
    TextureReference,
    memcpy_atoa,
    memcpy_atod,
    memcpy_atoh,
    memcpy_atoh_async,
    memcpy_dtoa,
    memcpy_htoa,
    memcpy_htoa_async,
)
