"""The mistakes of lab 03, rotation proof: in the proof, in what sines alone leave over, and in the test of wrong tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from encoding_labs import COURSE
from encoding_labs.rotation_proof.letters import expected_letters, letters_of, names_of, tables_of
from encoding_labs.rotation_proof.proof_steps import STEPS, check_step, has_slip
from labkit.judging.diagnosis import mistake
from labkit.judging.observation import Observation, Raised
from labkit.notebook.expected import expected_of

LAB = "03_rotation_proof"


def _proof(observations: Sequence[Observation]) -> tuple | None:
    """The proof, when it has as many steps as are asked for."""
    proof = observations[0].actual
    whole = isinstance(proof, tuple) and proof and proof[0] == "steps" and len(proof) - 1 == len(STEPS)
    return proof if whole else None


@mistake(
    "swapped-sin-cos",
    "proof",
    en="Your step 1 has the cosine above the sine. The rest may follow from that, but it is another table's matrix. "
    "Which of the two stands first in a row of this course's table?",
    es="Tu paso 1 tiene el coseno encima del seno. Lo demás puede seguirse de ello, pero es la matriz de otra tabla. "
    "¿Cuál de los dos va primero en una fila de la tabla de este curso?",
)
def upside_down(observations):
    proof = _proof(observations)
    return {} if proof and has_slip(proof, 1) else None


@mistake(
    "rotation-transposed",
    "proof",
    en="The matrix of step 3 takes the pair at p to p - a. Compare it with step 2 row by row: which sign goes with "
    "sin(a*omega)?",
    es="La matriz del paso 3 lleva el par de p a p - a. Compárala fila a fila con el paso 2: ¿qué signo acompaña a "
    "sin(a*omega)?",
)
def proof_transposed(observations):
    proof = _proof(observations)
    turned = proof and check_step(proof, 3) and has_slip(proof, 3)
    return {} if turned and upside_down(observations) is None else None


@mistake(
    "uses-position",
    "proof",
    en="Step 3 contains p. The point of the proof is one matrix for every position. Which symbols may it know?",
    es="El paso 3 contiene p. Lo que se quiere demostrar es que una matriz vale para toda posición. ¿Qué símbolos "
    "puede conocer?",
)
def proof_uses_position(observations):
    proof = _proof(observations)
    found = check_step(proof, 3) if proof else None
    return {} if found and found.id == "symbols" and "p" in found.facts["seen"] else None


@mistake(
    "numbers-for-symbols",
    "proof",
    en="A sine or cosine that works on numbers was called with a symbol (from NumPy or math?). Where do the sin and cos "
    "for symbols come from? Look at the imports of the first code cell.",
    es="Se llamó con un símbolo a un seno o coseno que trabaja con números (¿de NumPy o math?). ¿De dónde vienen el sin "
    "y el cos para símbolos? Mira las importaciones de la primera celda de código.",
)
def numbers_for_symbols(observations):
    seen = observations[0].actual
    told = str(seen.message) if isinstance(seen, Raised) and seen.error == "TypeError" else ""
    wanted = ("loop of ufunc", "Cannot convert expression to float", "must be real number")
    return {} if any(words in told for words in wanted) else None


def _slip(id: str, en: str, es: str) -> None:
    """A mistake of `sines_alone` that gives, in every call of the check, the number that is stored for it."""

    @mistake(id, "sines_alone", en=en, es=es)
    def recognised(observations):
        stored = expected_of(COURSE, LAB)["sines_alone_slips"][id]
        seen = [each.actual for each in observations]
        if len(seen) != len(stored) or not all(isinstance(each, (int, float, np.number)) for each in seen):
            return None
        near = np.abs(np.array(seen, dtype=np.float64) - stored).max() < 2e-6
        return {"offset": observations[0].args[2]} if near else None


_slip(
    "wrong-measure/largest",
    "Your fit is right; what you measure of it is the largest error. What does root mean square mean, word by word?",
    "Tu ajuste es correcto; lo que mides de él es el error más grande. ¿Qué significa raíz cuadrática media, palabra a "
    "palabra?",
)
_slip(
    "wrong-measure/square",
    "Your fit is right, and so is the mean of the squares. What is still missing of the root mean square?",
    "Tu ajuste es correcto, y también la media de los cuadrados. ¿Qué falta aún de la raíz cuadrática media?",
)
_slip(
    "wrong-measure/norm",
    "Your fit is right; you return the root of the sum of all squares, which grows with the table. Sum or mean?",
    "Tu ajuste es correcto; devuelves la raíz de la suma de todos los cuadrados, que crece con la tabla. ¿Suma o media?",
)
_slip(
    "wrong-measure/absolute",
    "Your fit is right; what you return is the mean of the absolute errors. What is squared in a root mean square?",
    "Tu ajuste es correcto; lo que devuelves es la media de los errores absolutos. ¿Qué se eleva al cuadrado en una raíz "
    "cuadrática media?",
)
_slip(
    "wrong-measure/spread",
    "Your fit is right; a standard deviation takes the mean away first. Does a root mean square?",
    "Tu ajuste es correcto; una desviación típica resta antes la media. ¿Lo hace la raíz cuadrática media?",
)
_slip(
    "wrong-measure/relative",
    "Your fit is right; you divide what is left over by the size of what was to be reached. Is a share asked for?",
    "Tu ajuste es correcto; divides lo que queda por el tamaño de lo que se quería alcanzar. ¿Se pide una proporción?",
)
_slip(
    "wrong-measure/rows",
    "Your fit is right; the mean goes over the T rows only. How many entries has what is left over?",
    "Tu ajuste es correcto; la media va solo sobre las T filas. ¿Cuántas entradas tiene lo que queda?",
)
_slip(
    "rows-lost",
    "You fit T - offset rows. Both arrays are to have T rows: how long must the table be from which you cut them?",
    "Ajustas T - offset filas. Las dos matrices deben tener T filas: ¿cuánto debe medir la tabla de la que las cortas?",
)
_slip(
    "cosines-only",
    "Those are the cosine columns. Which columns of the table hold the sines, counted from 0?",
    "Esas son las columnas de los cosenos. ¿Qué columnas de la tabla contienen los senos, contando desde 0?",
)
_slip(
    "own-sine-only",
    "You reach each sine from its own sine alone. W is a whole matrix: it may use all the sines for each.",
    "Alcanzas cada seno solo desde su propio seno. W es una matriz entera: puede usar todos los senos para cada uno.",
)
_slip(
    "nothing-left",
    "Nothing is left over, and sines alone cannot do that. Which columns does your fit use, are B's rows really {offset} "
    "further on, and does W stand on the right of A, with a row and a column for each sine?",
    "No queda nada, y eso no lo logran los senos solos. ¿Qué columnas usa tu ajuste, están las filas de B de verdad "
    "{offset} más adelante, y va W a la derecha de A, con una fila y una columna por seno?",
)
_slip(
    "circular-roll",
    "Your B ends with the first rows again. After position T - 1 comes position T: how do you get its row?",
    "Tu B termina otra vez con las primeras filas. Tras la posición T - 1 viene la posición T: ¿cómo obtienes su fila?",
)
_slip(
    "backwards",
    "You go from the sines at p + offset back to those at p. Which of the two is given, and which is to be reached?",
    "Vas de los senos en p + offset a los de p. ¿Cuál de los dos se da, y cuál hay que alcanzar?",
)


def _survival(id: str, en: str, es: str) -> None:
    """A mistake of `which_mistakes_survive` that gives, for the lab's own tables, the letters that are stored for it."""

    @mistake(id, "which_mistakes_survive", en=en, es=es)
    def recognised(observations):
        seen, stored = observations[0], expected_of(COURSE, LAB)["which_mistakes_survive_slips"][id][0]
        names = names_of(seen)
        if not seen.public or letters_of(seen.actual) is None:
            return None
        return {} if letters_of(seen.actual) == {name for name, there in zip(names, stored) if there} else None


_survival(
    "any-matrix",
    "Your set holds every table that some fixed matrix shifts. The question is about one matrix only. Which one?",
    "Tu conjunto contiene toda tabla que alguna matriz fija desplaza. La pregunta es por una sola matriz. ¿Cuál?",
)
_survival(
    "rotation-transposed",
    "Your test would not let the right table pass either. Rows are vectors here: on which side does the matrix stand, "
    "and how?",
    "Tu prueba tampoco dejaría pasar la tabla correcta. Aquí los vectores son filas: ¿a qué lado va la matriz, y cómo?",
)
_survival(
    "few-rows",
    "A table passes with you that goes wrong only later. Does your test look at every row?",
    "Contigo pasa una tabla que solo falla más tarde. ¿Mira tu prueba todas las filas?",
)
_survival(
    "few-rows/last",
    "A table passes with you that is wrong only at its beginning. Does your test look at every row?",
    "Contigo pasa una tabla que solo falla al principio. ¿Mira tu prueba todas las filas?",
)


@mistake(
    "too-strict",
    "which_mistakes_survive",
    en="All that you name survives, and you miss some. The tables are float32: print the errors in scientific notation. "
    "Where is the gap between rounding and a mistake?",
    es="Todo lo que nombras sobrevive, y te falta alguna. Las tablas son float32: imprime los errores en notación "
    "científica. ¿Dónde está el hueco entre el redondeo y un error?",
)
def too_strict(observations):
    """The rounding of a table grows with its entries: a tolerance below it loses the largest tables first."""
    lost = False
    for seen in observations:
        letters, right = letters_of(seen.actual), expected_letters(seen)
        if letters is None or letters - right:
            return None
        largest = {name: np.abs(table).max() for name, table in tables_of(seen).items()}
        if letters and letters != right:
            if max(map(largest.get, letters)) > 0.9 * min(map(largest.get, right - letters)):
                return None
            lost = True
    return {} if lost else None


@mistake(
    "answer-inverted",
    "which_mistakes_survive",
    en="Those are the tables that the test finds out. Which ones does it not notice?",
    es="Esas son las tablas que la prueba descubre. ¿Cuáles no nota?",
)
def answer_inverted(observations):
    letters, all_of_them = letters_of(observations[0].actual), set(names_of(observations[0]))
    return {} if letters is not None and letters == all_of_them - expected_letters(observations[0]) else None


@mistake(
    "one-size",
    "which_mistakes_survive",
    en="It works for the tables of the lab, and stops at tables of another width. Which d does your matrix have, and where "
    "can it be read off a table?",
    es="Funciona con las tablas del laboratorio y se detiene con tablas de otro ancho. ¿Qué d tiene tu matriz, y dónde se lee en "
    "una tabla?",
)
def one_size(observations):
    shown, *others = observations
    stopped = any(isinstance(each.actual, Raised) and each.actual.error == "ValueError" for each in others)
    return {} if stopped and letters_of(shown.actual) == expected_letters(shown) else None
