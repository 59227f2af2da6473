"""Right positional encodings as other libraries write them, written anew: the paper's, those in other conventions, and rotary ones."""

import math

import numpy as np


def with_a_div_term(d_model, max_len=5000):
    """As in PyTorch's tutorial: a buffer with an axis for the batch in the middle."""
    position = np.arange(max_len)[:, None]
    div_term = np.exp(np.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe = np.zeros((max_len, 1, d_model), dtype=np.float32)
    pe[:, 0, 0::2], pe[:, 0, 1::2] = np.sin(position * div_term), np.cos(position * div_term)
    return pe


class AnnotatedEncoding:
    """As in the Annotated Transformer: a buffer `pe` with the batch first, and dropout."""

    def __init__(self, d_model, dropout, max_len=5000):
        self.pe = with_a_div_term(d_model, max_len).transpose(1, 0, 2)

    def forward(self, x):
        return x + self.pe[:, : x.shape[1]]

    __call__ = forward


class BookEncoding:
    """As in Dive into Deep Learning: the table is called P."""

    def __init__(self, num_hiddens, dropout, max_len=1000):
        self.P = np.zeros((1, max_len, num_hiddens))
        x = np.arange(max_len).reshape(-1, 1) / np.power(10000, np.arange(0, num_hiddens, 2) / num_hiddens)
        self.P[:, :, 0::2], self.P[:, :, 1::2] = np.sin(x), np.cos(x)


class AddedToItsInput:
    """A layer without a stored table: it adds the encoding to embeddings of shape (batch, T, d)."""

    def __call__(self, inputs):
        _, T, d = inputs.shape
        return inputs + with_a_div_term(d, T)[:, 0]


class EncodingOfAShape:
    """As in KerasHub: a layer that returns the encoding for the shape of its input."""

    def __init__(self, max_wavelength=10000):
        self.max_wavelength = max_wavelength

    def __call__(self, inputs, start_index=0):
        T, d = inputs.shape[-2:]
        positions = np.arange(T, dtype=np.float32) + start_index
        timescales = np.float32(1 / self.max_wavelength) ** (2 * (np.arange(d) // 2).astype(np.float32) / d)
        angles = positions[:, None] * timescales[None]
        cos_mask = np.arange(d) % 2
        table = np.sin(angles) * (1 - cos_mask) + np.cos(angles) * cos_mask
        return np.broadcast_to(table, inputs.shape)


class BlockOfAModel:
    """Buffers as in small GPT programs."""

    def __init__(self, n_embd, block_size):
        half = np.arange(0, n_embd, 2)
        self.inv_freq = 1.0 / 10000 ** (half / n_embd)
        self.table = np.empty((block_size, n_embd))
        outer = np.outer(np.arange(block_size), self.inv_freq)
        self.table[:, ::2], self.table[:, 1::2] = np.sin(outer), np.cos(outer)


def positional_encoding_of_old_tutorials(position, d_model):
    """As in an earlier tutorial of TensorFlow: the length is called `position`."""
    rates = 1 / np.power(10000, (2 * (np.arange(d_model)[np.newaxis] // 2)) / np.float32(d_model))
    angles = np.arange(position)[:, np.newaxis] * rates
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles[np.newaxis].astype(np.float32)


def get_sinusoid_encoding_table(n_position, d_hid):
    def angle(position):
        return [position / np.power(10000, 2 * (j // 2) / d_hid) for j in range(d_hid)]

    table = np.array([angle(position) for position in range(n_position)])
    table[:, 0::2], table[:, 1::2] = np.sin(table[:, 0::2]), np.cos(table[:, 1::2])
    return table


def in_plain_lists(n, d):
    return [[(math.cos if j % 2 else math.sin)(p / 10000 ** ((j - j % 2) / d)) for j in range(d)] for p in range(n)]


def of_one_position(pos, d_model):
    """One row for each call."""
    row = np.empty(d_model)
    for i in range(0, d_model, 2):
        row[i], row[i + 1] = math.sin(pos / 10000 ** (i / d_model)), math.cos(pos / 10000 ** (i / d_model))
    return row


def of_given_positions(positions, dim):
    angles = positions[..., None] * np.exp(-np.log(10000.0) * np.arange(dim // 2) * 2 / dim)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(*positions.shape, dim)


def width_first(embedding_dim, seq_len):
    return with_a_div_term(embedding_dim, seq_len)[:, 0]


def names_that_say_nothing(a, b):
    return width_first(b, a)


def a_name_for_the_length_alone(length, size):
    return width_first(size, length)


def powers_of_a_complex_number(T, d):
    z = np.exp(1j * np.outer(np.arange(T), 10000.0 ** (-np.arange(0, d, 2) / d)))
    return np.stack([z.imag, z.real], -1).reshape(T, d)


def in_float16(length, depth):
    return width_first(depth, length).astype(np.float16)


class Device:
    """An array of another library, which NumPy can only read by `__array__`."""

    def __init__(self, values):
        self.values = values

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)


def arrays_of_another_library(max_len, features):
    return Device(width_first(features, max_len))


PAPERS = (
    with_a_div_term,
    AnnotatedEncoding,
    BookEncoding,
    AddedToItsInput,
    EncodingOfAShape,
    BlockOfAModel,
    positional_encoding_of_old_tutorials,
    get_sinusoid_encoding_table,
    in_plain_lists,
    of_one_position,
    of_given_positions,
    width_first,
    names_that_say_nothing,
    a_name_for_the_length_alone,
    powers_of_a_complex_number,
    in_float16,
    arrays_of_another_library,
)


def _halves(angles):
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def positional_encoding_in_halves(length, depth):
    """As in TensorFlow's tutorial today."""
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(depth // 2)[None] / (depth / 2))
    return _halves(angles).astype(np.float32)


def get_timing_signal_1d(length, channels, min_timescale=1.0, max_timescale=1.0e4, start_index=0):
    """As in tensor2tensor; Flax, fairseq and Whisper have the same numbers."""
    count = channels // 2
    increment = math.log(max_timescale / min_timescale) / max(count - 1, 1)
    inverse = min_timescale * np.exp(np.arange(count) * -increment)
    return _halves((np.arange(length) + start_index)[:, None] * inverse[None])[None]


def get_timestep_embedding(timesteps, embedding_dim):
    """As in programs for diffusion."""
    half = embedding_dim // 2
    return _halves(timesteps.astype(np.float32)[:, None] * np.exp(np.arange(half) * -(math.log(10000) / (half - 1))))


def timestep_embedding(timesteps, dim, max_period=10000):
    """As in guided diffusion: cosines first."""
    half = dim // 2
    args = timesteps[:, None].astype(np.float64) * np.exp(-math.log(max_period) * np.arange(half) / half)[None]
    return np.concatenate([np.cos(args), np.sin(args)], axis=-1)


def get_1d_sincos_pos_embed_from_grid(embed_dim, pos):
    """As in masked autoencoders."""
    omega = 1.0 / 10000 ** (np.arange(embed_dim // 2, dtype=float) / (embed_dim / 2.0))
    return _halves(np.einsum("m,d->md", pos.reshape(-1), omega))


class SinusoidalPositionalEmbedding:
    """As in Hugging Face's BART: an embedding whose weight is the table."""

    def __init__(self, num_positions, embedding_dim, padding_idx=None):
        self.weight = positional_encoding_in_halves(num_positions, embedding_dim)


CONVENTIONS = {
    positional_encoding_in_halves: {"halves-layout"},
    get_timing_signal_1d: {"halves-layout", "exponent-d-minus-2"},
    get_timestep_embedding: {"halves-layout", "exponent-d-minus-2"},
    timestep_embedding: {"halves-swapped"},
    get_1d_sincos_pos_embed_from_grid: {"halves-layout"},
    SinusoidalPositionalEmbedding: {"halves-layout"},
}


def _angles(positions, d):
    return np.asarray(positions)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d)


def rotate_every_two(x, positions):
    """As in GPT-J: neighbouring columns."""
    a = _angles(positions, x.shape[-1])
    even, odd = x[..., 0::2], x[..., 1::2]
    return np.stack([even * np.cos(a) - odd * np.sin(a), odd * np.cos(a) + even * np.sin(a)], axis=-1).reshape(x.shape)


def heads_as_complex_numbers(q, position_ids):
    """As in Llama's own code, for q of shape (batch, T, heads, d)."""
    batch, T, heads, d = q.shape
    z = q.reshape(batch, T, heads, d // 2, 2) @ np.array([1, 1j])
    z = z * np.exp(1j * _angles(position_ids, d))[:, None]
    return np.stack([z.real, z.imag], axis=-1).reshape(q.shape).astype(np.float32)


def rotate_half(x, positions):
    """As in GPT-NeoX and Hugging Face's Llama: columns half a row apart."""
    a = np.tile(_angles(positions, x.shape[-1]), 2)
    half = x.shape[-1] // 2
    return x * np.cos(a) + np.concatenate([-x[..., half:], x[..., :half]], axis=-1) * np.sin(a)
