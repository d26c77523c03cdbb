"""pycuda.tools: memory pools, occupancy, names of types in C, default contexts."""

from lanewise.compat.pycuda._tools.ctypes_names import (
    Argument,
    DtypedArgument,
    ScalarArg,
    VectorArg,
    dtype_to_ctype,
    get_arg_type,
    get_or_register_dtype,
    parse_arguments,
    parse_c_arg,
    parse_c_arg_backend,
    register_dtype,
)
from lanewise.compat.pycuda._tools.defaults import (
    clear_context_caches,
    context_dependent_memoize,
    get_default_device,
    init_cuda_context_fixture,
    make_default_context,
    mark_cuda_test,
)
from lanewise.compat.pycuda._tools.occupancy import DeviceData, OccupancyRecord
from lanewise.compat.pycuda._tools.pools import (
    DebugMemoryPool,
    DeviceMemoryPool,
    PageLockedAllocator,
    PageLockedMemoryPool,
    PooledDeviceAllocation,
    PooledHostAllocation,
    bitlog2,
)
