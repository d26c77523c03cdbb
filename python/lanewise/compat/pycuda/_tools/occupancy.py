"""How many blocks of a kernel run at once, from the limits of the device."""

from lanewise.compat.pycuda import driver as cuda


class DeviceData:
    """Facts about a device, by PyCUDA's names."""

    __module__ = "pycuda.tools"

    def __init__(self, dev=None):
        dev = dev or cuda.Context.get_device()
        self.device = dev
        self.max_threads = dev.max_threads_per_block
        self.warp_size = dev.warp_size
        self.warps_per_mp = dev.max_threads_per_multiprocessor // self.warp_size
        self.thread_blocks_per_mp = dev.max_blocks_per_multiprocessor
        self.registers = dev.max_registers_per_multiprocessor
        self.shared_memory = dev.max_shared_memory_per_multiprocessor
        self.shared_memory_per_block = dev.max_shared_memory_per_block_optin or dev.max_shared_memory_per_block
        self.reserved_shared_memory = dev.reserved_shared_memory_per_block
        # Shared memory and registers are handed out in units: 128 bytes since compute capability 8, 256 registers for
        # each warp since 3.
        self.smem_alloc_granularity = 128 if dev.compute_capability() >= (8, 0) else 256
        self.smem_granularity = 16
        self.register_alloc_unit = 256
        self.register_allocation_unit = "warp"

    def align_bytes(self, word_size=4):
        """The alignment at which reads of this size are coalesced."""
        if word_size not in (4, 8, 16):
            raise ValueError(f"no alignment for words of {word_size} bytes")
        return word_size * 16 if word_size < 16 else 128

    def coalesce(self, thread_count):
        return -(-thread_count // 16) * 16

    @staticmethod
    def make_valid_tex_channel_count(size):
        return {1: 1, 2: 2, 3: 4, 4: 4}[size]


class OccupancyRecord:
    """Occupancy of blocks of `threads` threads: tb_per_mp blocks and warps_per_mp warps run on a multiprocessor at
    once, the share `occupancy` of what fits, limited by `limited_by`."""

    __module__ = "pycuda.tools"

    def __init__(self, devdata, threads, shared_mem=0, registers=0):
        if threads > devdata.max_threads:
            raise ValueError(f"too many threads: {threads} of at most {devdata.max_threads} in a block")
        if shared_mem > devdata.shared_memory_per_block:
            raise ValueError(
                f"too much shared memory: {shared_mem} of at most {devdata.shared_memory_per_block} bytes in a block"
            )
        warps = -(-threads // devdata.warp_size)
        unit = devdata.register_alloc_unit
        registers_per_warp = -(-registers * devdata.warp_size // unit) * unit
        if registers_per_warp * warps > devdata.registers:
            raise ValueError(f"too many registers: {registers} in each of {threads} threads")
        unit = devdata.smem_alloc_granularity
        shared = -(-(shared_mem + devdata.reserved_shared_memory) // unit) * unit if shared_mem else 0
        limits = [(devdata.thread_blocks_per_mp, "device"), (devdata.warps_per_mp // warps, "warps")]
        if registers:
            limits.append((devdata.registers // registers_per_warp // warps, "regs"))
        if shared:
            limits.append((devdata.shared_memory // shared, "smem"))
        self.tb_per_mp, self.limited_by = min(limits)
        self.warps_per_mp = self.tb_per_mp * warps
        self.occupancy = self.warps_per_mp / devdata.warps_per_mp
