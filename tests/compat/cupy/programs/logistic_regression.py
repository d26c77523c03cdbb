"""Gradient descent for logistic regression, on either library."""

import cupy as cp
import numpy as np


def train(xp, x, y, steps, rate):
    weights = xp.zeros(x.shape[1], dtype=x.dtype)
    losses = []
    for _ in range(steps):
        scores = xp.dot(x, weights)
        probabilities = 1 / (1 + xp.exp(-scores))
        gradient = xp.dot(x.T, probabilities - y) / len(y)
        weights -= rate * gradient
        losses.append(float(-xp.mean(y * xp.log(probabilities) + (1 - y) * xp.log(1 - probabilities))))
    return weights, losses


generator = np.random.default_rng(0)
x = np.concatenate([generator.normal(-1, 1, (300, 3)), generator.normal(1, 1, (300, 3))])
x = np.hstack([x, np.ones((600, 1))])
y = np.repeat([0.0, 1.0], 300)
weights, losses = train(cp, cp.asarray(x), cp.asarray(y), 40, 0.5)
expected, host_losses = train(np, x, y, 40, 0.5)
np.testing.assert_allclose(weights.get(), expected, rtol=1e-9)
np.testing.assert_allclose(losses, host_losses, rtol=1e-9)
assert losses[-1] < losses[0]
accuracy = cp.mean((cp.asarray(x) @ weights > 0) == cp.asarray(y, dtype=cp.bool_))
assert float(accuracy) > 0.9
print("logistic", round(losses[-1], 4), accuracy)
