"""The ray marcher against the same method in NumPy: structs by value, operators, lambdas, variadic templates."""

import numpy as np
import pytest

from lanewise import cuda

CAMERA = np.dtype([("eye", np.float32, 3), ("target", np.float32, 3), ("zoom", np.float32)])
LIMIT = 20.0


def _length(v):
    return np.sqrt((v * v).sum(axis=-1))


def _normalized(v):
    return v / _length(v)[..., None]


def _scene(p, twist):
    sphere = _length(p - (0.0, 1.0, 0.0)) - 1.0
    q = p - (2.2, 0.6, 0.4)
    torus = np.hypot(np.hypot(q[..., 0], q[..., 2]) - 0.8, q[..., 1]) - 0.3
    d = np.abs(p - (-2.2, 0.7, 0.2)) - (0.6, 0.7, 0.5)
    box = _length(np.maximum(d, 0)) + np.minimum(d.max(axis=-1), 0)
    distance = np.minimum.reduce([sphere, torus, box, p[..., 1]])
    return 0.6 * (distance + 0.05 * np.sin(5 * p).prod(axis=-1)) if twist else distance


def _march(origin, direction, steps, limit, twist):
    travelled, running = np.zeros(direction.shape[:-1]), np.ones(direction.shape[:-1], bool)
    for _ in range(steps):
        distance = _scene(origin + direction * travelled[..., None], twist)
        running &= (travelled < limit) & (distance >= 1e-4 * (1 + travelled))
        travelled = np.where(running, travelled + distance, travelled)
    met = _scene(origin + direction * travelled[..., None], twist) < 1e-4 * (1 + travelled)
    return np.where(met & (travelled < limit), travelled, limit)


def _render(width, height, camera, twist):
    eye, target, zoom = (np.asarray(camera[name], np.float64) for name in ("eye", "target", "zoom"))
    forward = _normalized(target - eye)
    right = _normalized(np.cross(forward, (0, 1, 0)))
    up = np.cross(right, forward)
    scale = 2.0 / height
    u = (np.arange(width) + 0.5 - 0.5 * width)[None, :, None] * scale
    v = (0.5 * height - np.arange(height) - 0.5)[:, None, None] * scale
    direction = _normalized(right * u + up * v + forward * zoom)
    depth = _march(eye, direction, 160, LIMIT, twist)
    hit = eye + direction * depth[..., None]
    slopes = [_scene(hit + axis, twist) - _scene(hit - axis, twist) for axis in np.eye(3) * 1e-3]
    n = _normalized(np.stack(slopes, axis=-1))
    sun = _normalized(np.array([0.6, 0.8, -0.4]))
    shadow = _march(hit + n * 0.02, np.broadcast_to(sun, hit.shape), 80, 10.0, twist)
    light = 0.1 + 0.9 * np.where(shadow >= 10, 1.0, 0.3) * np.maximum((n * sun).sum(axis=-1), 0)
    return depth, np.where(depth < LIMIT, light, 0)


@pytest.mark.parametrize("twist", [False, True])
@pytest.mark.parametrize(("width", "height"), [(1, 1), (64, 48), (161, 90)])
def test_image(compiled, twist, width, height):
    name = f"render<{str(twist).lower()}>"
    kernel = compiled("ray_march", name).get_function(name)
    camera = np.array(((1.0, 2.5, -6.0), (0.0, 0.7, 0.0), 1.5), CAMERA)[()]
    depth, light = (cuda.device_array((height, width), np.float32) for _ in range(2))
    kernel((-(-width // 16), -(-height // 8)), (16, 8), (depth, light, width, height, camera))
    expected_depth, expected_light = _render(width, height, camera, twist)
    # Rays that graze a surface, and the edges of shadows, may fall on either side in single precision.
    wrong_depth = ~np.isclose(depth.copy_to_host(), expected_depth, rtol=2e-3)
    wrong_light = ~np.isclose(light.copy_to_host(), expected_light, atol=2e-2)
    assert wrong_depth.mean() < 0.01
    assert (wrong_light & ~wrong_depth).mean() < 0.02
