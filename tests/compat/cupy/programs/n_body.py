"""Bodies that attract each other: broadcasting, einsum, and energies that stay the same."""

import cupy as cp
import numpy as np


def accelerations(xp, positions, masses, softening):
    difference = positions[None, :, :] - positions[:, None, :]
    squared = xp.einsum("ijk,ijk->ij", difference, difference) + softening**2
    return xp.einsum("ijk,ij,j->ik", difference, squared**-1.5, masses)


def energy(xp, positions, velocities, masses, softening):
    kinetic = 0.5 * xp.sum(masses * xp.sum(velocities**2, axis=1))
    difference = positions[None] - positions[:, None]
    distance = xp.sqrt((difference**2).sum(-1) + softening**2)
    potential = -0.5 * xp.sum(masses[:, None] * masses[None] / distance) + 0.5 * xp.sum(masses**2) / softening
    return kinetic + potential


def run(xp, positions, velocities, masses, steps, dt, softening=0.1):
    acceleration = accelerations(xp, positions, masses, softening)
    for _ in range(steps):
        velocities = velocities + 0.5 * dt * acceleration
        positions = positions + dt * velocities
        acceleration = accelerations(xp, positions, masses, softening)
        velocities = velocities + 0.5 * dt * acceleration
    return positions, velocities


angle = np.linspace(0, 2 * np.pi, 32, endpoint=False)
positions = np.stack([np.cos(angle), np.sin(angle), 0.1 * np.sin(3 * angle)], axis=1)
velocities = 0.5 * np.stack([-np.sin(angle), np.cos(angle), 0 * angle], axis=1)
masses = np.full(32, 1 / 32)
arrays = [cp.asarray(a) for a in (positions, velocities, masses)]
before = energy(cp, *arrays, 0.1)
moved = run(cp, *arrays, 50, 0.01)
expected = run(np, positions, velocities, masses, 50, 0.01)
for result, reference in zip(moved, expected):
    np.testing.assert_allclose(result.get(), reference, rtol=1e-9, atol=1e-12)
after = energy(cp, *moved, arrays[2], 0.1)
assert abs(float((after - before) / before)) < 1e-3
print("n-body", float(after))
