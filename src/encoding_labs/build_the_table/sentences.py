"""Two sentences with the same three words, and attention's output for each word in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labkit.student.notebook.language import deferred
from labkit.student.notebook.language import translated as _

SENTENCES = (deferred("dog bites man"), deferred("man bites dog"))
EMBEDDINGS = {
    deferred("dog"): (0.9, 0.1, -0.4, 0.3),
    deferred("bites"): (-0.2, 0.8, 0.5, -0.6),
    deferred("man"): (0.7, -0.5, 0.2, 0.4),
}


def embedded(sentence: str) -> np.ndarray:
    """The embeddings of a sentence's words, shape (3, 4), without positions."""
    return np.array([EMBEDDINGS[word] for word in sentence.split()])


def tell(attend: Callable, table: Callable | None = None) -> None:
    """Print `attend(x, place)` for each word in both sentences, with `table(T, d)` added to x if given."""
    results = [_results(attend, sentence, table) for sentence in SENTENCES]
    heads = [_("in {sentence!r}", sentence=_(sentence)) for sentence in SENTENCES]
    wide = max(7, *(len(_(word)) + 2 for word in EMBEDDINGS))
    print(f"{'':{wide}}{heads[0]:28}{heads[1]:28}".rstrip())
    for word in EMBEDDINGS:
        one, other = (result[word] for result in results)
        alike = _("the same") if np.allclose(one, other, atol=1e-9) else _("different")
        print(f"{_(word):{wide}}{_text(one):28}{_text(other):28}{alike}")


def _results(attend: Callable, sentence: str, table: Callable | None) -> dict[str, np.ndarray]:
    x = embedded(sentence)
    if table is not None:
        x = x + table(*x.shape)
    return {word: attend(x, place) for place, word in enumerate(sentence.split())}


def _text(row: np.ndarray) -> str:
    return " ".join(f"{number:5.2f}" for number in np.round(row, 2) + 0.0)  # adding 0 turns -0 into 0
