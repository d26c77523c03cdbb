"""How many threads share the work of a reduction, and which neighbours read which elements."""

from lanewise.expressions import layout
from lanewise.expressions.reduction_code import Tree

THREADS = 256
#: Shared memory that every device has for a block.
SHARED_BYTES = 48 * 1024
#: Of a block whose threads go in step.
CPU_THREADS = 1024
PACK_BYTES = 16
MAX_PACK = 8


def choose_tree(out_shape, reduced_shape, walked, device, *, packs, narrow_sizes, value_bytes):
    """(tree, elements of a piece along the reduced axes, pieces, (packed, single) for each input).

    `walked`: for each input its element's size and its strides over the outputs' axes and over the reduced axes;
    `value_bytes`: the size of what is folded."""
    out_size, length = layout.size(out_shape), layout.size(reduced_shape)
    fast = _fast(out_size, length, walked)
    on_gpu = device.kind == "cuda"
    kinds, pack = _packs(len(reduced_shape), walked, fast, packs and on_gpu)
    processors = device.attribute("multiprocessor_count")
    unroll = max(4, min(8, 32 // min(itemsize for itemsize, *_ in walked))) if pack == 1 else 4
    if on_gpu:
        columns, lanes = _gpu_block(out_size, length, fast, pack, processors)
        in_step = False
    else:
        columns, lanes, in_step = _cpu_block(out_size, length, fast)
    while columns * lanes * value_bytes > SHARED_BYTES and columns * lanes > 32:
        columns, lanes = (columns, lanes // 2) if lanes > 2 else (columns // 2, lanes)
    blocks = -(-out_size // columns)
    step = lanes * pack
    least = step * unroll * (4 if lanes > 1 else 16)
    pieces = max(1, min((16 if on_gpu else 4) * processors // blocks, length // least, 4096))
    chunk = -(-length // pieces)
    if pieces > 1:
        chunk = -(-chunk // (step * unroll)) * step * unroll
        pieces = -(-length // chunk)
    tree = Tree(
        reduce_rank=len(reduced_shape),
        out_rank=len(out_shape),
        narrow=max(out_size * length, *narrow_sizes, 0) < layout.NARROW_LIMIT,
        columns=columns,
        lanes=lanes,
        fast=fast,
        pack=pack,
        unroll=unroll,
        in_step=in_step,
        split=pieces > 1,
        combine_lanes=min(columns * lanes, _power_of_two(pieces)) if pieces > 1 else 1,
    )
    return tree, chunk, pieces, kinds


def _gpu_block(out_size, length, fast, pack, processors):
    """Columns and lanes of a block."""
    if fast == "lanes":
        lanes = min(THREADS, _power_of_two(-(-length // (pack * 4))))
        return THREADS // lanes, lanes
    if out_size >= 4 * THREADS * processors:
        return THREADS, 1
    columns = min(64, _power_of_two(out_size))
    lanes = min(THREADS // columns, _power_of_two(-(-length // 4)))
    return THREADS // lanes, lanes


def _cpu_block(out_size, length, fast):
    """Columns and lanes of a block, and whether its threads go in step."""
    if fast == "columns":
        columns = min(CPU_THREADS, _power_of_two(out_size))
        return columns, CPU_THREADS // columns, length >= 4
    if length < 64 or (out_size >= 1024 and length < 2**15):
        return THREADS, 1, False
    return 1, THREADS, True


def _fast(out_size, length, walked):
    """Whether neighbouring threads go along the reduced axes ("lanes") or the outputs' ("columns"): what the largest
    input has closer together in memory."""
    if out_size == 1 or not length:
        return "lanes"
    steps = []
    for itemsize, along_out, along_reduced in walked:
        inner = [abs(strides[-1]) if strides else 0 for strides in (along_out, along_reduced)]
        steps.append((all(inner), itemsize, inner[1] and (not inner[0] or inner[1] <= inner[0])))
    return "lanes" if max(steps)[2] else "columns"


def _packs(reduce_rank, walked, fast, packs):
    """((packed, single) for each input, elements that a thread takes at once)."""
    kinds = []
    for itemsize, _, along_reduced in walked:
        single = not any(along_reduced)
        kinds.append((not single and along_reduced == (itemsize,), single))
    widest = max((itemsize for (itemsize, *_), (_, single) in zip(walked, kinds, strict=True) if not single), default=0)
    if not packs or fast != "lanes" or reduce_rank != 1 or not widest or not all(map(any, kinds)):
        return kinds, 1
    if any(
        stride % PACK_BYTES
        for (_, along_out, _), (_, single) in zip(walked, kinds, strict=True)
        if not single
        for stride in along_out
    ):
        return kinds, 1
    return kinds, max(1, min(MAX_PACK, PACK_BYTES // widest))


def _power_of_two(number):
    """The smallest one that is not less."""
    return 1 << max(0, number - 1).bit_length()
