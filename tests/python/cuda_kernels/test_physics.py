"""Bodies, Fourier transforms and rays: float32 arithmetic against NumPy in float64."""

import numpy as np
import pytest

from lanewise import cuda


@pytest.mark.parametrize("tile", [32, 128, 256])
@pytest.mark.parametrize("n", [1, 2, 33, 256, 1000])
def test_accelerations(compiled, rng, tile, n):
    name = f"accelerations<{tile}>"
    kernel = compiled("nbody", name).get_function(name)
    bodies = np.concatenate([rng.standard_normal((n, 3)), rng.random((n, 1)) + 0.1], axis=1).astype(np.float32)
    out = cuda.device_array((n, 4), np.float32)
    kernel((-(-n // tile),), (tile,), (cuda.to_device(bodies), out, n, 0.01))
    wide = bodies.astype(np.float64)
    delta = wide[None, :, :3] - wide[:, None, :3]
    scale = wide[None, :, 3] / ((delta**2).sum(axis=2) + np.float32(0.01)) ** 1.5
    expected = (delta * scale[..., None]).sum(axis=1)
    result = out.copy_to_host()
    np.testing.assert_allclose(result[:, :3], expected, rtol=1e-4, atol=1e-4 * max(1.0, np.abs(expected).max()))
    assert (result[:, 3] == 0).all()


def test_a_step_of_the_leapfrog(compiled, rng):
    kernel = compiled("nbody").get_function("advance")
    for n in (1, 100):
        p, v, a = (rng.integers(-8, 9, (n, 4)).astype(np.float32) for _ in range(3))
        bodies, velocities = cuda.to_device(p), cuda.to_device(v)
        kernel((-(-n // 64),), (64,), (bodies, velocities, cuda.to_device(a), n, 0.25))
        expected_v, expected_p = v.copy(), p.copy()
        expected_v[:, :3] += a[:, :3] * np.float32(0.25)
        expected_p[:, :3] += expected_v[:, :3] * np.float32(0.25)
        np.testing.assert_array_equal(velocities.copy_to_host(), expected_v)
        np.testing.assert_array_equal(bodies.copy_to_host(), expected_p)


def _signal(rng, *shape):
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


def _transform(x, sign):
    wide = x.astype(np.complex128)
    return np.fft.fft(wide) if sign < 0 else np.fft.ifft(wide) * x.shape[-1]


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("n", [4, 8, 16, 32, 512, 1024, 2048, 4096])
def test_fft_in_shared_memory(compiled, rng, n, sign):
    name = f"fft_shared<{n}>"
    kernel = compiled("fft", name).get_function(name)
    for batch in (1, 5):
        x = _signal(rng, batch, n)
        out = cuda.device_array((batch, n), np.complex64)
        kernel((batch,), (n // 4,), (cuda.to_device(x), out, sign))
        expected = _transform(x, sign)
        np.testing.assert_allclose(out.copy_to_host(), expected, rtol=0, atol=2e-6 * np.abs(expected).max())


@pytest.mark.parametrize("sign", [-1, 1])
@pytest.mark.parametrize("n", [2, 64, 1 << 14])
def test_fft_by_steps(compiled, rng, n, sign):
    kernel = compiled("fft").get_function("fft_step")
    batch = 3
    x = _signal(rng, batch, n)
    source, target = cuda.to_device(x), cuda.device_array((batch, n), np.complex64)
    done = 1
    while done < n:
        kernel((-(-n // 2 // 128), batch), (128,), (source, target, n, done, sign))
        source, target = target, source
        done *= 2
    expected = _transform(x, sign)
    np.testing.assert_allclose(source.copy_to_host(), expected, rtol=0, atol=2e-6 * np.abs(expected).max())
