"""The mistakes of `landmarks`: the first local minimum and the first offset where the sum is not positive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from encoding_labs import COURSE
from encoding_labs.dot_product_decay.exercises import pair_of, single_number
from encoding_labs.dot_product_decay.wrong_numbers import FREQUENCIES, LAB
from encoding_labs.known_numbers import LEAST
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation
from labkit.model.course import Probe
from labkit.notebook.expected import expected_of

NOWHERE = (0, -1, None)  # what a search says that ends without a crossing


def law_of(observations: Sequence[Observation]) -> str | None:
    """The wrong frequencies by whose sums both landmarks are right in every call."""
    claimed = [pair_of(seen.actual) for seen in observations]
    if len(observations) < LEAST or None in claimed:
        return None
    for id in FREQUENCIES:
        stored = expected_of(COURSE, LAB)[f"landmarks: {id}"]
        pairs = [pair_of(stored.get(Probe(seen.args).key)) for seen in observations]
        if all(pair and same_landmarks(seen, pair) for seen, pair in zip(claimed, pairs)):
            return id
    return None


def same_landmarks(seen: tuple, pair: tuple) -> bool:
    low, crossing = pair
    found = isinstance(seen[1], int) or seen[1] is None
    return found and seen[0] == low and (seen[1] == crossing or crossing == 0 and seen[1] in NOWHERE)


def _of_wrong_frequencies(id: str, en: str, es: str) -> None:
    en, es = (
        f"Both your landmarks are those of other frequencies. {en}",
        f"Tus dos puntos son los de otras frecuencias. {es}",
    )

    @mistake(id, "landmarks", en=en, es=es)
    def recognise(observations):
        return {} if law_of(observations) == id else None


for id, words in FREQUENCIES.items():
    _of_wrong_frequencies(id, *words)


def claims(observations: Sequence[Observation]) -> Iterator[tuple[int, tuple, tuple]]:
    """d, the two landmarks that were claimed and the right ones.

    None where they are only in the wrong order, or right by wrong frequencies.
    """
    if law_of(observations):
        return
    for seen in observations:
        pair, right = pair_of(seen.actual), pair_of(seen.expected)
        if pair and None not in right and pair != right[::-1]:
            yield seen.args[0], pair, right


@mistake(
    "claims-monotone",
    "landmarks",
    en="For d = {d} your first local minimum is {seen}: as if the sum fell all the way until then. Yet at d = 32, 29 "
    "of the first 63 steps rise. Print the successive differences of the first dozen offsets. What do their signs do?",
    es="Para d = {d} tu primer mínimo local es {seen}: como si la suma bajara sin parar hasta ahí. Pero con d = 32, "
    "29 de los primeros 63 pasos suben. Imprime las diferencias sucesivas de la primera docena. ¿Qué hacen sus "
    "signos?",
)
def claims_monotone(observations):
    for d, (minimum, _), _ in claims(observations):
        none_at_all = single_number(minimum) is None or minimum == -1
        # The lab's sizes all have several lows within the table that it draws, so the first is not at its end or beyond.
        if none_at_all or isinstance(minimum, int) and minimum >= 63:
            return {"d": d, "seen": minimum}


@mistake(
    "claims-zero",
    "landmarks",
    en="For d = {d} you say that the sum is no longer positive at offset {seen}. At d = 32 it stays above 5 for all "
    "offsets up to 63: read the vertical axis of your first figure. Is a low point, or a value near its smallest, a "
    "zero?",
    es="Para d = {d} dices que la suma deja de ser positiva en el desplazamiento {seen}. Con d = 32 se mantiene por "
    "encima de 5 hasta el 63: lee el eje vertical de tu primera figura. ¿Es un cero un punto bajo, o un valor "
    "cercano al menor?",
)
def claims_zero(observations):
    for d, (_, crossing), _ in claims(observations):
        if d == 32 and isinstance(crossing, int) and 0 < crossing <= 63:
            return {"d": d, "seen": crossing}


@mistake(
    "nothing-found",
    "landmarks",
    en="For d = {d} you say {seen} for the second landmark: your search found none. An argmax over answers that are all "
    "False is 0 as well. Does your search go far enough, and does it look whether it found anything?",
    es="Para d = {d} das {seen} como segundo punto: tu búsqueda no encontró ninguno. Un argmax sobre respuestas que son "
    "todas False también da 0. ¿Llega tu búsqueda lo bastante lejos, y comprueba si encontró algo?",
)
def nothing_found(observations):
    crossings = [(d, pair[1]) for d, pair, _ in claims(observations)]
    lost = [(d, seen) for d, seen in crossings if seen is None or isinstance(seen, int) and seen in (-1, 0)]
    if not lost or all(seen == 0 for _, seen in crossings):  # a search for sums above 0 gives that too
        return None
    return {"d": lost[0][0], "seen": str(lost[0][1])}


APART_EN = (
    "An index counts places in an array. Which offset does index 0 of your sums stand for, and between which offsets does "
    "step 0 of np.diff lead?"
)
APART_ES = (
    "Un índice cuenta lugares en un array. ¿Qué desplazamiento corresponde al índice 0 de tus sumas, y entre cuáles lleva "
    "el paso 0 de np.diff?"
)


def _index_for_offset(id: str, which: tuple[bool, bool], en: str, es: str) -> None:
    """An index in place of an offset, in the landmarks of these two that are off: by one step, the same for every d."""

    @mistake(id, "landmarks", en=f"{en} {APART_EN}", es=f"{es} {APART_ES}")
    def recognise(observations):
        apart = [
            tuple(seen - wanted if isinstance(seen, int) else None for seen, wanted in zip(pair, right))
            for _, pair, right in claims(observations)
        ]
        if len(apart) < max(2, len(observations)) or len(set(apart)) > 1 or not set(apart[0]) <= {-1, 0, 1}:
            return None
        return {} if tuple(map(bool, apart[0])) == which else None


_index_for_offset(
    "index-for-offset",
    (True, True),
    "For every d your two landmarks are one offset away from the right ones.",
    "Para todo d, tus dos puntos están a un desplazamiento de los correctos.",
)
_index_for_offset(
    "index-for-offset/minimum",
    (True, False),
    "For every d your first landmark is one offset away from the right one, and the second is right.",
    "Para todo d, tu primer punto está a un desplazamiento del correcto, y el segundo es correcto.",
)
_index_for_offset(
    "index-for-offset/crossing",
    (False, True),
    "For every d your second landmark is one offset away from the right one, and the first is right.",
    "Para todo d, tu segundo punto está a un desplazamiento del correcto, y el primero es correcto.",
)
