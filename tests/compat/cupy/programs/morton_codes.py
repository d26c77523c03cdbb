"""Morton codes by bit tricks in integer arrays and in a device function; bit operations, shifts, unpackbits."""

import cupy as cp
import numpy as np

spread = r"""
__device__ unsigned int part1by1(unsigned int n) {
    n &= 0xffffu; n = (n ^ (n << 8)) & 0x00ff00ffu; n = (n ^ (n << 4)) & 0x0f0f0f0fu;
    n = (n ^ (n << 2)) & 0x33333333u; return (n ^ (n << 1)) & 0x55555555u;
}"""
morton = cp.ElementwiseKernel(
    "uint32 x, uint32 y", "uint32 code", "code = part1by1(x) | (part1by1(y) << 1)", "morton", preamble=spread
)


def by_arrays(xp, x, y):
    def part(n):
        for shift, mask in ((8, 0x00FF00FF), (4, 0x0F0F0F0F), (2, 0x33333333), (1, 0x55555555)):
            n = (n ^ (n << xp.uint32(shift))) & xp.uint32(mask)
        return n

    return part(x) | (part(y) << xp.uint32(1))


rng = np.random.RandomState(9)
hx, hy = rng.randint(0, 65536, 1000).astype(np.uint32), rng.randint(0, 65536, 1000).astype(np.uint32)
x, y = cp.asarray(hx), cp.asarray(hy)
code = morton(x, y)
assert (code == by_arrays(cp, x, y)).all() and (code.get() == by_arrays(np, hx, hy)).all()
bits = cp.unpackbits(code[:3].view(cp.uint8)).reshape(3, 32)
assert (bits.get() == np.unpackbits(code[:3].get().view(np.uint8)).reshape(3, 32)).all()
packed = cp.packbits(x % 3 == 0)
assert (packed.get() == np.packbits(hx % 3 == 0)).all()
print(code[:5], code.dtype, int(packed.sum()), bits.sum(axis=1))
print(
    cp.bitwise_count(code[:6]),
    cp.invert(cp.array([0, 5], cp.uint8)),
    cp.left_shift(1, cp.arange(5)),
    cp.gcd(x[:4], y[:4]),
    cp.lcm(6, 8),
)
print(cp.right_shift(x, 8)[:3], (x ^ y)[:3], (~x)[:2], cp.floor_divide(x, 7)[:3], divmod(int(x[0]), 10))
