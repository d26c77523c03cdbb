"""The driver's enumerations: integers with names, by PyCUDA's spellings. The numbers are those of CUDA's headers."""

import enum

from lanewise import _core


class _Meta(enum.EnumMeta):
    """Adds the two tables that enumerations of a compiled PyCUDA have."""

    @property
    def names(cls):
        return dict(cls.__members__)

    @property
    def values(cls):
        return {int(member): member for member in cls}


class Enumeration(enum.IntEnum, metaclass=_Meta):
    def __str__(self):
        return self.name

    def __repr__(self):
        return f"pycuda._driver.{type(self).__name__}.{self.name}"

    __format__ = int.__format__


def _enumeration(name, members):
    made = Enumeration(name, members)
    made.__module__ = "pycuda._driver"
    made.__qualname__ = name
    return made


#: PyCUDA's older names of attributes.
_ATTRIBUTE_ALIASES = {
    "SHARED_MEMORY_PER_BLOCK": "MAX_SHARED_MEMORY_PER_BLOCK",
    "REGISTERS_PER_BLOCK": "MAX_REGISTERS_PER_BLOCK",
    "MAXIMUM_TEXTURE2D_ARRAY_WIDTH": "MAXIMUM_TEXTURE2D_LAYERED_WIDTH",
    "MAXIMUM_TEXTURE2D_ARRAY_HEIGHT": "MAXIMUM_TEXTURE2D_LAYERED_HEIGHT",
    "MAXIMUM_TEXTURE2D_ARRAY_NUMSLICES": "MAXIMUM_TEXTURE2D_LAYERED_LAYERS",
    "VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED": "VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED",
}
_ATTRIBUTES = _core.Device.cuda_attributes
device_attribute = _enumeration(
    "device_attribute",
    {**_ATTRIBUTES, **{alias: _ATTRIBUTES[name] for alias, name in _ATTRIBUTE_ALIASES.items()}},
)
ctx_flags = _enumeration(
    "ctx_flags",
    {
        "SCHED_AUTO": 0,
        "SCHED_SPIN": 1,
        "SCHED_YIELD": 2,
        "SCHED_BLOCKING_SYNC": 4,
        "BLOCKING_SYNC": 4,
        "SCHED_MASK": 7,
        "MAP_HOST": 8,
        "LMEM_RESIZE_TO_MAX": 16,
        "FLAGS_MASK": 255,
    },
)
event_flags = _enumeration("event_flags", {"DEFAULT": 0, "BLOCKING_SYNC": 1, "DISABLE_TIMING": 2, "INTERPROCESS": 4})
stream_flags = _enumeration("stream_flags", {"DEFAULT": 0, "NON_BLOCKING": 1})
host_alloc_flags = _enumeration("host_alloc_flags", {"PORTABLE": 1, "DEVICEMAP": 2, "WRITECOMBINED": 4})
mem_host_register_flags = _enumeration("mem_host_register_flags", {"PORTABLE": 1, "DEVICEMAP": 2})
mem_peer_register_flags = _enumeration("mem_peer_register_flags", {"DEVICEMAP": 2})
mem_attach_flags = _enumeration("mem_attach_flags", {"GLOBAL": 1, "HOST": 2, "SINGLE": 4})
ipc_mem_flags = _enumeration("ipc_mem_flags", {"LAZY_ENABLE_PEER_ACCESS": 1})
memory_type = _enumeration("memory_type", {"HOST": 1, "DEVICE": 2, "ARRAY": 3, "UNIFIED": 4})
compute_mode = _enumeration("compute_mode", {"DEFAULT": 0, "EXCLUSIVE": 1, "PROHIBITED": 2, "EXCLUSIVE_PROCESS": 3})
func_cache = _enumeration("func_cache", {"PREFER_NONE": 0, "PREFER_SHARED": 1, "PREFER_L1": 2, "PREFER_EQUAL": 3})
shared_config = _enumeration(
    "shared_config", {"DEFAULT_BANK_SIZE": 0, "FOUR_BYTE_BANK_SIZE": 1, "EIGHT_BYTE_BANK_SIZE": 2}
)
limit = _enumeration(
    "limit",
    {
        "STACK_SIZE": 0,
        "PRINTF_FIFO_SIZE": 1,
        "MALLOC_HEAP_SIZE": 2,
        "DEV_RUNTIME_SYNC_DEPTH": 3,
        "DEV_RUNTIME_PENDING_LAUNCH_COUNT": 4,
        "MAX_L2_FETCH_GRANULARITY": 5,
        "PERSISTING_L2_CACHE_SIZE": 6,
    },
)
function_attribute = _enumeration(
    "function_attribute",
    {
        "MAX_THREADS_PER_BLOCK": 0,
        "SHARED_SIZE_BYTES": 1,
        "CONST_SIZE_BYTES": 2,
        "LOCAL_SIZE_BYTES": 3,
        "NUM_REGS": 4,
        "PTX_VERSION": 5,
        "BINARY_VERSION": 6,
        "CACHE_MODE_CA": 7,
        "MAX_DYNAMIC_SHARED_SIZE_BYTES": 8,
        "PREFERRED_SHARED_MEMORY_CARVEOUT": 9,
    },
)
_JIT_OPTIONS = (
    "MAX_REGISTERS",
    "THREADS_PER_BLOCK",
    "WALL_TIME",
    "INFO_LOG_BUFFER",
    "INFO_LOG_BUFFER_SIZE_BYTES",
    "ERROR_LOG_BUFFER",
    "ERROR_LOG_BUFFER_SIZE_BYTES",
    "OPTIMIZATION_LEVEL",
    "TARGET_FROM_CUCONTEXT",
    "TARGET",
    "FALLBACK_STRATEGY",
    "GENERATE_DEBUG_INFO",
    "LOG_VERBOSE",
    "GENERATE_LINE_INFO",
    "CACHE_MODE",
)
jit_option = _enumeration(
    "jit_option",
    {name: number for number, name in enumerate(_JIT_OPTIONS)},
)
jit_input_type = _enumeration(
    "jit_input_type", {"CUBIN": 0, "PTX": 1, "FATBINARY": 2, "OBJECT": 3, "LIBRARY": 4, "NVVM": 5}
)
jit_fallback = _enumeration("jit_fallback", {"PREFER_PTX": 0, "PREFER_BINARY": 1})
jit_target = _enumeration(
    "jit_target",
    {
        **{
            f"COMPUTE_{number}": number
            for number in (30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 110)
        },
        **{f"COMPUTE_{number}": number for number in (120, 121)},
        "COMPUTE_90A": 0x10000 + 90,
    },
)
array_format = _enumeration(
    "array_format",
    {
        "UNSIGNED_INT8": 0x01,
        "UNSIGNED_INT16": 0x02,
        "UNSIGNED_INT32": 0x03,
        "SIGNED_INT8": 0x08,
        "SIGNED_INT16": 0x09,
        "SIGNED_INT32": 0x0A,
        "HALF": 0x10,
        "FLOAT": 0x20,
    },
)
array3d_flags = _enumeration(
    "array3d_flags",
    {
        "LAYERED": 1,
        "ARRAY3D_2DARRAY": 1,
        "SURFACE_LDST": 2,
        "ARRAY3D_SURFACE_LDST": 2,
        "CUBEMAP": 4,
        "TEXTURE_GATHER": 8,
    },
)
address_mode = _enumeration("address_mode", {"WRAP": 0, "CLAMP": 1, "MIRROR": 2, "BORDER": 3})
filter_mode = _enumeration("filter_mode", {"POINT": 0, "LINEAR": 1})
profiler_output_mode = _enumeration("profiler_output_mode", {"KEY_VALUE_PAIR": 0, "CSV": 1})

TRSA_OVERRIDE_FORMAT = 1
TRSF_READ_AS_INTEGER = 1
TRSF_NORMALIZED_COORDINATES = 2
TR_DEFAULT = -1
