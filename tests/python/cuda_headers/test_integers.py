"""Integer functions: of one word, and of its packed halves and bytes."""

import numpy as np
import pytest

from .evaluate import evaluate

pytestmark = pytest.mark.usefixtures("device")

EDGES = [0, 1, 2, 3, 31, 32, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]


def words(seed, dtype=np.uint32):
    """Each pair of edges, and random words; the seed decides which operand is the slower one."""
    slow, fast = np.repeat(EDGES, len(EDGES)), np.tile(EDGES, len(EDGES))
    random = np.random.default_rng(seed).integers(0, 2**32, 400)
    return np.concatenate([fast if seed % 2 else slow, random]).astype(np.uint32).view(dtype)


A, B, C = words(1), words(2), words(4)[::-1].copy()
WIDE = (A.astype(np.uint64) << np.uint64(32)) | B
WIDE_B = (B.astype(np.uint64) << np.uint64(32)) | C


def signed(x, bits=32):
    x = int(x) & ((1 << bits) - 1)
    return x - (1 << bits) if x >> (bits - 1) else x


def lowest(x, bits=32):
    return (x & -x).bit_length()


UNARY = {
    "__popc(a)": lambda a: bin(a).count("1"),
    "__clz((int)a)": lambda a: 32 - a.bit_length(),
    "__ffs((int)a)": lambda a: lowest(a),
    "__brev(a)": lambda a: int(f"{a:032b}"[::-1], 2),
}
UNARY_WIDE = {
    "__popcll(a)": lambda a: bin(a).count("1"),
    "__clzll((long long)a)": lambda a: 64 - a.bit_length(),
    "__ffsll((long long)a)": lambda a: lowest(a, 64),
    "__brevll(a)": lambda a: int(f"{a:064b}"[::-1], 2),
}
BINARY = {
    "__umulhi(a, b)": lambda a, b: a * b >> 32,
    "__mulhi((int)a, (int)b)": lambda a, b: signed(a) * signed(b) >> 32,
    "__mul24((int)a, (int)b)": lambda a, b: signed(a, 24) * signed(b, 24),
    "__umul24(a, b)": lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "__hadd((int)a, (int)b)": lambda a, b: (signed(a) + signed(b)) >> 1,
    "__rhadd((int)a, (int)b)": lambda a, b: (signed(a) + signed(b) + 1) >> 1,
    "__uhadd(a, b)": lambda a, b: (a + b) >> 1,
    "__urhadd(a, b)": lambda a, b: (a + b + 1) >> 1,
    "min(a, b)": min,
    "max(a, b)": max,
    "min((int)a, (int)b)": lambda a, b: min(signed(a), signed(b)),
    "max((int)a, b)": max,
}
TERNARY = {
    "__sad((int)a, (int)b, c)": lambda a, b, c: abs(signed(a) - signed(b)) + c,
    "__usad(a, b, c)": lambda a, b, c: abs(a - b) + c,
    "__funnelshift_l(a, b, c)": lambda a, b, c: ((b << 32 | a) << (c & 31)) >> 32,
    "__funnelshift_r(a, b, c)": lambda a, b, c: (b << 32 | a) >> (c & 31),
    "__funnelshift_lc(a, b, c)": lambda a, b, c: ((b << 32 | a) << min(c, 32)) >> 32,
    "__funnelshift_rc(a, b, c)": lambda a, b, c: (b << 32 | a) >> min(c, 32),
    "__byte_perm(a, b, c & 0x7777)": lambda a, b, c: sum(
        ((b << 32 | a) >> 8 * (c >> 4 * i & 7) & 255) << 8 * i for i in range(4)
    ),
    "__dp4a((int)a, (int)b, (int)c)": lambda a, b, c: (
        c + sum(signed(a >> 8 * i, 8) * signed(b >> 8 * i, 8) for i in range(4))
    ),
    "__dp4a(a, b, c)": lambda a, b, c: c + sum((a >> 8 * i & 255) * (b >> 8 * i & 255) for i in range(4)),
    "__dp2a_lo((int)a, (int)b, (int)c)": lambda a, b, c: (
        c + sum(signed(a >> 16 * i, 16) * signed(b >> 8 * i, 8) for i in range(2))
    ),
    "__dp2a_hi(a, b, c)": lambda a, b, c: c + sum((a >> 16 * i & 65535) * (b >> 8 * i + 16 & 255) for i in range(2)),
    "__vimax3_s32((int)a, (int)b, (int)c)": lambda a, b, c: max(signed(a), signed(b), signed(c)),
    "__viaddmin_u32(a, b, c)": lambda a, b, c: min((a + b) % 2**32, c),
    "__viaddmax_s32_relu((int)a, (int)b, (int)c)": lambda a, b, c: max(signed(a + b), signed(c), 0),
}


def check(expression, expected, *operands, bits=32):
    dtype = np.dtype(f"uint{bits}")
    got = evaluate(expression, dtype, *operands)
    wanted = [expected(*map(int, row)) % 2**bits for row in zip(*operands, strict=True)]
    np.testing.assert_array_equal(got, np.array(wanted, dtype))


@pytest.mark.parametrize("expression", UNARY)
def test_functions_of_a_word(expression):
    check(expression, UNARY[expression], A)


@pytest.mark.parametrize("expression", UNARY_WIDE)
def test_functions_of_a_long_word(expression):
    check(expression, UNARY_WIDE[expression], WIDE, bits=64)


@pytest.mark.parametrize("expression", BINARY)
def test_functions_of_two_words(expression):
    check(expression, BINARY[expression], A, B)


@pytest.mark.parametrize("expression", TERNARY)
def test_functions_of_three_words(expression):
    check(expression, TERNARY[expression], A, B, C)


def test_high_halves_of_long_products():
    check("__umul64hi(a, b)", lambda a, b: a * b >> 64, WIDE, WIDE_B, bits=64)
    check(
        "__mul64hi((long long)a, (long long)b)",
        lambda a, b: signed(a, 64) * signed(b, 64) >> 64,
        WIDE,
        WIDE_B,
        bits=64,
    )


def saturated(x, bits, is_signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(x, low), high)


# name: (whether elements are signed, the function of the elements and their bits)
PACKED = {
    "__vadd": (False, lambda x, y, n: x + y),
    "__vaddss": (True, lambda x, y, n: saturated(x + y, n, True)),
    "__vaddus": (False, lambda x, y, n: saturated(x + y, n, False)),
    "__vsub": (False, lambda x, y, n: x - y),
    "__vsubss": (True, lambda x, y, n: saturated(x - y, n, True)),
    "__vsubus": (False, lambda x, y, n: saturated(x - y, n, False)),
    "__vmaxs": (True, lambda x, y, n: max(x, y)),
    "__vmaxu": (False, lambda x, y, n: max(x, y)),
    "__vmins": (True, lambda x, y, n: min(x, y)),
    "__vminu": (False, lambda x, y, n: min(x, y)),
    "__vabsdiffs": (True, lambda x, y, n: abs(x - y)),
    "__vabsdiffu": (False, lambda x, y, n: abs(x - y)),
    "__vhaddu": (False, lambda x, y, n: (x + y) >> 1),
    "__vavgu": (False, lambda x, y, n: (x + y + 1) >> 1),
    "__vcmpeq": (False, lambda x, y, n: -(x == y)),
    "__vcmpgts": (True, lambda x, y, n: -(x > y)),
    "__vcmpleu": (False, lambda x, y, n: -(x <= y)),
    "__vsetne": (False, lambda x, y, n: x != y),
    "__vsetges": (True, lambda x, y, n: x >= y),
    "__vsetltu": (False, lambda x, y, n: x < y),
}


@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("name", PACKED)
def test_packed_elements(name, count):
    bits, (is_signed, function) = 32 // count, PACKED[name]

    def element(word, i):
        return signed(word >> bits * i, bits) if is_signed else word >> bits * i & (1 << bits) - 1

    check(
        f"{name}{count}(a, b)",
        lambda a, b: sum(
            (int(function(element(a, i), element(b, i), bits)) & (1 << bits) - 1) << bits * i for i in range(count)
        ),
        A,
        B,
    )
