"""k-means clustering by broadcasting: distances, argmin, masks."""

import cupy as cp
import numpy as np


def fit(xp, points, centers, steps):
    for _ in range(steps):
        distances = xp.sqrt(((points[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2))
        labels = xp.argmin(distances, axis=1)
        masks = labels[:, None] == xp.arange(len(centers))
        sums = (points[:, None, :] * masks[:, :, None]).sum(axis=0)
        centers = sums / masks.sum(axis=0)[:, None]
    return labels, centers


generator = np.random.default_rng(3)
blobs = [generator.normal(center, 0.3, (200, 2)) for center in ((0, 0), (4, 0), (2, 3))]
points = np.concatenate(blobs)
start = points[[0, 200, 400]]
labels, centers = fit(cp, cp.asarray(points), cp.asarray(start), 10)
expected_labels, expected_centers = fit(np, points, start, 10)
np.testing.assert_array_equal(cp.asnumpy(labels), expected_labels)
np.testing.assert_allclose(cp.asnumpy(centers), expected_centers, rtol=1e-10)
print("k-means", np.round(centers.get(), 1).tolist())
