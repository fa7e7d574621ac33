"""How vectors predict ratings, and how they learn from the errors (paper, appendix C).

A user has the vector x, an item the vector y; all share a weight w and a bias b. A rating is
predicted as ReLU(w cos(x, y) + b), as in the published code, or, if `inner_product`, as
b + ReLU(w x.y), as in the paper.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.adam import catch_up, take_step

#: Squared norms below this count as this, so that no vector is divided by 0 (Keras).
_SMALLEST_SQUARE = 1e-12


@njit(nogil=True, cache=True, error_model="numpy")
def _forward(x, y, output, inner_product):
    """Return the prediction, whether ReLU is open, the similarity, and both norms (else 1)."""
    dot = 0.0
    x_squared = 0.0
    y_squared = 0.0
    for d in range(x.size):
        dot += np.float64(x[d]) * np.float64(y[d])
        x_squared += np.float64(x[d]) * np.float64(x[d])
        y_squared += np.float64(y[d]) * np.float64(y[d])
    weight = np.float64(output[0])
    bias = np.float64(output[1])
    if inner_product:
        is_open = weight * dot > 0.0
        return bias + (weight * dot if is_open else 0.0), is_open, dot, 1.0, 1.0
    x_norm = np.sqrt(max(x_squared, _SMALLEST_SQUARE))
    y_norm = np.sqrt(max(y_squared, _SMALLEST_SQUARE))
    cosine = dot / (x_norm * y_norm)
    prediction = weight * cosine + bias
    is_open = prediction > 0.0
    return (prediction if is_open else 0.0), is_open, cosine, x_norm, y_norm


@njit(nogil=True, cache=True, error_model="numpy")
def mean_error(user, item, rating, users, items, output, inner_product):
    """Return the mean absolute error of the predicted ratings; NaN without ratings."""
    summed = 0.0
    for j in range(rating.size):
        prediction, _, _, _, _ = _forward(users[user[j]], items[item[j]], output, inner_product)
        summed += abs(prediction - rating[j])
    return summed / rating.size


@njit(nogil=True, cache=True, error_model="numpy")
def add_gradient(
    x, y, output, inner_product, rating, share, x_gradient, y_gradient, output_gradient
):
    """Add `share` times the gradient of one absolute error; return that error.

    x_gradient, y_gradient: (size,), output_gradient: (2,), for weight and bias.
    """
    prediction, is_open, similarity, x_norm, y_norm = _forward(x, y, output, inner_product)
    error = prediction - rating
    slope = share * np.sign(error)
    if inner_product or is_open:
        output_gradient[1] += slope
    if is_open:
        output_gradient[0] += slope * similarity
        slope *= output[0]
        for d in range(x.size):
            if inner_product:
                x_gradient[d] += slope * y[d]
                y_gradient[d] += slope * x[d]
            else:
                x_unit = x[d] / x_norm
                y_unit = y[d] / y_norm
                x_gradient[d] += slope * (y_unit - similarity * x_unit) / x_norm
                y_gradient[d] += slope * (x_unit - similarity * y_unit) / y_norm
    return abs(error)


@njit(nogil=True, cache=True)
def _list_rows(codes, row_of, listed):
    """List each code once; `row_of` says where it stands. Return how many there are."""
    n = 0
    for code in codes:
        if row_of[code] < 0:
            row_of[code] = n
            listed[n] = code
            n += 1
    return n


@njit(nogil=True, cache=True, error_model="numpy")
def learn(user, item, rating, batch, step, inner_product, users, items, output, sizes):
    """Take an Adam step for each batch of these ratings, in their order.

    `step` is the number of steps taken before, `sizes` as `step_sizes` gives them. The gradient of
    a batch is that of its mean absolute error. Returns the sum of the absolute errors, each before
    the step of its batch.
    """
    length = users.values.shape[1]
    user_row = np.full(users.step.size, -1, dtype=np.int32)
    item_row = np.full(items.step.size, -1, dtype=np.int32)
    batch_users = np.empty(batch, dtype=np.int32)
    batch_items = np.empty(batch, dtype=np.int32)
    user_gradient = np.empty((batch, length), dtype=np.float32)
    item_gradient = np.empty((batch, length), dtype=np.float32)
    output_gradient = np.empty(2, dtype=np.float32)
    summed = 0.0
    for start in range(0, rating.size, batch):
        stop = min(start + batch, rating.size)
        step += 1
        n_users = _list_rows(user[start:stop], user_row, batch_users)
        n_items = _list_rows(item[start:stop], item_row, batch_items)
        for row in range(n_users):
            catch_up(users, batch_users[row], step - 1, sizes)
        for row in range(n_items):
            catch_up(items, batch_items[row], step - 1, sizes)
        user_gradient[:n_users] = 0
        item_gradient[:n_items] = 0
        output_gradient[:] = 0
        for j in range(start, stop):
            u, i = user[j], item[j]
            summed += add_gradient(
                users.values[u], items.values[i], output.values[0], inner_product, rating[j],
                1.0 / (stop - start), user_gradient[user_row[u]], item_gradient[item_row[i]],
                output_gradient,
            )  # fmt: skip
        for row in range(n_users):
            take_step(users, batch_users[row], user_gradient[row], step, sizes)
            user_row[batch_users[row]] = -1
        for row in range(n_items):
            take_step(items, batch_items[row], item_gradient[row], step, sizes)
            item_row[batch_items[row]] = -1
        take_step(output, 0, output_gradient, step, sizes)
    return summed
