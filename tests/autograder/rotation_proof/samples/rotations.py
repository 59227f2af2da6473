"""Lab 03, rotation proof: right and wrong answers to `rotations`."""

import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


@ANSWERS.sample("rotations")
def a_loop_over_blocks(M):
    out = np.zeros_like(M)
    for i in range(0, M.shape[0], 2):
        (a, b), (c, d) = M[i : i + 2, i : i + 2]
        out[i : i + 2, i : i + 2] = [[a + d, b - c], [c - b, a + d]]
    return out


@ANSWERS.sample("rotations")
def a_quarter_turn_on_both_sides(M):
    """M + J M J' with a quarter turn J, limited to the blocks."""
    turn = np.kron(np.eye(len(M) // 2), [[0, 1], [-1, 0]])
    inside = np.kron(np.eye(len(M) // 2), np.ones((2, 2)))
    return (M + turn @ M @ turn.T) * inside


@ANSWERS.sample("rotations")
def diagonals(M):
    d = np.diag(M)
    s = np.repeat(d[0::2] + d[1::2], 2)
    t = (np.diag(M, 1) - np.diag(M, -1)) * (np.arange(len(M) - 1) % 2 == 0)
    return np.diag(s) + np.diag(t, 1) - np.diag(t, -1)


@ANSWERS.sample("rotations")
def blocks_in_four_axes(M):
    k = np.arange(len(M) // 2)
    each = M.reshape(len(k), 2, len(k), 2)[k, :, k, :]
    out = np.zeros((len(k), 2, len(k), 2))
    out[k, :, k, :] = each + np.array([[0, 1], [-1, 0]]) @ each @ np.array([[0, -1], [1, 0]])
    return out.reshape(M.shape)


@ANSWERS.sample("rotations", "slices-for-cells")
def every_other_row_and_column(M):
    out = np.zeros(M.shape)
    s, t = M[::2, ::2] + M[1::2, 1::2], M[::2, 1::2] - M[1::2, ::2]
    out[::2, ::2], out[1::2, 1::2], out[::2, 1::2], out[1::2, ::2] = s, s, t, -t
    return out


ANSWERS.several("rotations", "halved", the_nearest_rotation=lambda M: a_loop_over_blocks(M) / 2)


@ANSWERS.sample("rotations", "outside-kept")
def written_into_a_copy(M):
    out = M.copy()
    for i in range(0, len(M), 2):
        s, t = M[i, i] + M[i + 1, i + 1], M[i, i + 1] - M[i + 1, i]
        out[i, i] = out[i + 1, i + 1] = s
        out[i, i + 1], out[i + 1, i] = t, -t
    return out


ANSWERS.several("rotations", "rotation-transposed", the_minus_above=lambda M: a_loop_over_blocks(M).T)
