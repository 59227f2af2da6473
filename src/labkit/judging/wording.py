"""An answer that is wrong in no known way, described honestly: what differs first, where, by how much."""

from __future__ import annotations

from labkit.course import StandIn
from labkit.judging.compare import described
from labkit.judging.observation import Finding, Observation, Raised

TEXTS = {
    "en": {
        "raised": "{call} stopped with {error}: {message}",
        "unsendable": "{call} returned {message}; plain numbers are asked for.",
        "should_raise": "{call} should raise {error}, because there is no right value; it returned {seen}.",
        "raised_other": "{call} should raise {error}; it raised {seen}.",
        "container": "{call} returned {seen}; {wanted} is asked for.",
        "shape": "{call} has shape {seen}; the exercise asks for {wanted}.",
        "dtype": "{call} holds {seen}; the exercise asks for {wanted}.",
        "finite": "{call} holds {seen} at {where}.",
        "values": "{call} is first off at {where}: {seen}, which is {error:.2g} away from the right value.{columns}",
        "hidden": "{call} is first off at {where}.{columns}",
        "columns": " Wrong columns: {columns}.",
        "alone": "its value",
        "index": "index {index}",
        "cell": "row {row}, column {column}",
    },
    "es": {
        "raised": "{call} se detuvo con {error}: {message}",
        "unsendable": "{call} devolvió algo que no son números ({message}).",
        "should_raise": "{call} debe lanzar {error}, porque no hay valor correcto; devolvió {seen}.",
        "raised_other": "{call} debe lanzar {error}; lanzó {seen}.",
        "container": "{call} devolvió {seen}; se pide {wanted}.",
        "shape": "{call} tiene forma {seen}; el ejercicio pide {wanted}.",
        "dtype": "{call} contiene {seen}; el ejercicio pide {wanted}.",
        "finite": "{call} contiene {seen} en {where}.",
        "values": "{call} difiere por primera vez en {where}: {seen}, a {error:.2g} del valor correcto.{columns}",
        "hidden": "{call} difiere por primera vez en {where}.{columns}",
        "columns": " Columnas incorrectas: {columns}.",
        "alone": "su valor",
        "a single number": "un solo número",
        "a NumPy array": "un array de NumPy",
        "numbers": "números",
        "index": "el índice {index}",
        "cell": "la fila {row}, columna {column}",
    },
}


def describe(observation: Observation, language: str = "en") -> Finding:
    """The finding for a wrong observation that no mistake of the catalogue explains."""
    texts, actual = TEXTS[language], observation.actual
    call = call_text(observation)
    if isinstance(actual, Raised):
        if observation.raises:
            return Finding(texts["raised_other"].format(call=call, error=observation.raises, seen=actual.error))
        kind = "unsendable" if actual.error == "Unsendable" else "raised"
        return Finding(texts[kind].format(call=call, error=actual.error, message=shortened(actual.message)))
    if observation.raises:
        seen = described(actual, language)
        return Finding(texts["should_raise"].format(call=call, error=observation.raises, seen=seen))
    found = observation.difference
    kind = "hidden" if found.kind == "values" and not observation.public else found.kind
    return Finding(
        texts[kind].format(
            call=call,
            seen=described(actual, language) if kind == "container" else found.seen,
            wanted=texts.get(found.wanted, found.wanted),
            where=place(found.where, texts),
            error=found.error,
            columns=texts["columns"].format(columns=listed(found.columns)) if found.columns else "",
        )
    )


def call_text(observation: Observation) -> str:
    """The call as the student would write it; a table is written by its size."""
    name = observation.exercise.name
    if observation.exercise.kind == "proof":  # its arguments are names of symbols
        return f"{name}({', '.join(observation.args)})"
    return (
        f"{name}({', '.join(map(_argument_text, observation.args))})" if observation.exercise.kind != "value" else name
    )


def _argument_text(arg: object) -> str:
    if isinstance(arg, StandIn):
        return str(arg)
    return f"ndarray{arg.shape}" if hasattr(arg, "shape") else repr(arg)


def place(where: tuple[int, ...], texts: dict[str, str]) -> str:
    """An array index in words."""
    if not where:
        return texts["alone"]
    if len(where) == 2:
        return texts["cell"].format(row=where[0], column=where[1])
    return texts["index"].format(index=", ".join(map(str, where)))


def listed(numbers: tuple[int, ...], most: int = 6) -> str:
    """The first few of a list of columns, and how many there are when that is more."""
    shown = ", ".join(map(str, numbers[:most]))
    return shown if len(numbers) <= most else f"{shown}, … ({len(numbers)})"


def shortened(text: str, most: int = 160) -> str:
    """One line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
