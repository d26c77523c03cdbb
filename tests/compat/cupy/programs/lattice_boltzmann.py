"""Lattice Boltzmann flow around a disc: roll, tensordot, fancy and boolean assignment."""

import cupy as cp
import numpy as np


def simulate(xp, nx=60, ny=30, steps=60):
    v = xp.array([[1, 1], [1, 0], [1, -1], [0, 1], [0, 0], [0, -1], [-1, 1], [-1, 0], [-1, -1]])
    t = xp.array([1 / 36, 1 / 9, 1 / 36, 1 / 9, 4 / 9, 1 / 9, 1 / 36, 1 / 9, 1 / 36])
    opposite = xp.array([8, 7, 6, 5, 4, 3, 2, 1, 0])
    X, Y = xp.meshgrid(xp.arange(nx), xp.arange(ny), indexing="ij")
    obstacle = (X - 15) ** 2 + (Y - 15) ** 2 < 16
    u0 = 0.05 * (1 + 1e-3 * xp.sin(Y / (ny - 1) * 2 * np.pi))
    vel = xp.stack([u0, xp.zeros_like(u0)])

    def equilibrium(rho, u):
        cu = 3 * xp.tensordot(v.astype(float), u, axes=(1, 0))
        usqr = 1.5 * (u[0] ** 2 + u[1] ** 2)
        return rho * t[:, None, None] * (1 + cu + 0.5 * cu**2 - usqr)

    fin = equilibrium(xp.ones((nx, ny)), vel)
    hv = [(int(a), int(b)) for a, b in v.tolist()]
    for _ in range(steps):
        fin[6:, -1, :] = fin[6:, -2, :]
        rho = fin.sum(axis=0)
        u = xp.tensordot(v.T.astype(float), fin, axes=(1, 0)) / rho
        u[:, 0, :] = vel[:, 0, :]
        rho[0, :] = (fin[3:6, 0, :].sum(axis=0) + 2 * fin[6:, 0, :].sum(axis=0)) / (1 - u[0, 0, :])
        feq = equilibrium(rho, u)
        fin[:3, 0, :] = feq[:3, 0, :] + fin[opposite[:3], 0, :] - feq[opposite[:3], 0, :]
        fout = fin - 1.2 * (fin - feq)
        fout[:, obstacle] = fin[opposite][:, obstacle]
        for i, (dx, dy) in enumerate(hv):
            fin[i] = xp.roll(xp.roll(fout[i], dx, axis=0), dy, axis=1)
    return u, rho


u, rho = simulate(cp)
uh, rhoh = simulate(np)
cp.testing.assert_allclose(u, uh, rtol=1e-6, atol=1e-9)
cp.testing.assert_allclose(rho, rhoh, rtol=1e-8)
speed = cp.sqrt(u[0] ** 2 + u[1] ** 2)
print(
    speed.shape,
    f"{float(speed.max()):.6f}",
    cp.unravel_index(int(speed.argmax()), speed.shape)[0],
    f"{float(rho.mean()):.8f}",
)
