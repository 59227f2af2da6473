"""A mistake of all functions of lab 06: an argument that is not left as it came."""

from labkit.judging.diagnosis import mistake
from labkit.judging.observation import judge


@mistake(
    "input-overwritten",
    "attention",
    "add_positions",
    "score_parts",
    "look_back",
    "rope",
    en="The first call is right; a second one with the same array is off. An argument is to be left as it came, and a result "
    "is to be an array of its own. Print what you were given before and after a call: which line writes into it?",
    es="La primera llamada es correcta; la segunda, con el mismo array, ya no. Un argumento debe quedar como llegó, y el "
    "resultado debe ser un array propio. Imprime lo recibido antes y después de una llamada: ¿qué línea escribe en ello?",
)
def input_overwritten(observations):
    """The call that differs is the second of two with the same arguments, and alone they give what is right."""
    off = [seen for seen in observations if judge(seen) is not None]
    alone = [seen for seen in observations if not seen.twice and off and seen.args == off[0].args]
    return {} if alone and all(seen.twice for seen in off) else None
