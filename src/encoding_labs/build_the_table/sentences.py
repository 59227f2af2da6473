"""Two sentences with the same three words, and attention's result for each word in them."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np

from labkit.notebook import show
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


def draw(attend: Callable, table: Callable) -> None:
    """Draw `attend(x, place)` for each word in both sentences, as x is and with `table(T, d)` added to it."""
    ways = {_("Without your table"): None, _("With your table"): table}
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), sharey=True)
    told = []
    for ax, (title, added) in zip(axes, ways.items()):
        one, other = (results(attend, sentence, added) for sentence in SENTENCES)
        alike = [_("same") if np.allclose(one[word], other[word], atol=1e-9) else _("different") for word in EMBEDDINGS]
        columns = np.array([each for word in EMBEDDINGS for each in (one[word], other[word], np.full(4, np.nan))]).T
        image = ax.imshow(columns[:, :-1], cmap="RdBu_r", vmin=-1.5, vmax=1.5, aspect="auto")
        ax.set_title(title, pad=26)
        ax.set_xticks([0, 1, 3, 4, 6, 7], ["1", "2"] * 3)
        ax.set(yticks=range(4), xlabel=_("1: in “{one}”   2: in “{other}”", one=_(SENTENCES[0]), other=_(SENTENCES[1])))
        ax.grid(False)
        for place, (word, verdict) in enumerate(zip(EMBEDDINGS, alike)):
            ax.text(3 * place + 0.5, -0.62, f"{_(word)}: {verdict}", ha="center", va="bottom", size=11)
        told.append(f"{title}: " + ", ".join(f"{_(word)} {verdict}" for word, verdict in zip(EMBEDDINGS, alike)))
    axes[0].set_ylabel(_("column of the result"))
    figure.colorbar(image, ax=axes, ticks=(-1, 0, 1))
    alt = _(
        "Attention's result for each of the three words, as two stacks of four coloured cells side by side: on the left in “{one}”, "
        "on the right in “{other}”. {first}. {second}.",
        one=_(SENTENCES[0]),
        other=_(SENTENCES[1]),
        first=told[0],
        second=told[1],
    )
    show(figure, alt=alt)


def results(attend: Callable, sentence: str, table: Callable | None = None) -> dict[str, np.ndarray]:
    """Attention's result for each word of a sentence, with `table(T, d)` added to the words' vectors if given."""
    x = embedded(sentence)
    if table is not None:
        x = x + table(*x.shape)
    return {word: attend(x, place) for place, word in enumerate(sentence.split())}
