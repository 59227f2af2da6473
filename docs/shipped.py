"""The page "Mistakes that shipped", in each language, and its picture. The data are in tests/autograder/shipped.toml.

python docs/shipped.py    write docs/site/LANGUAGE/mistakes_that_shipped.md, and draw docs/site/mistakes_that_shipped.png
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from autograder.shipped import SHIPPED, Shipped
from autograder.wrong_tables import omega_of, woven
from encoding_labs import COURSE
from labkit.student.judging.words import load, title

SITE = ROOT / "docs" / "site"
NAME = "mistakes_that_shipped"
PICTURE = SITE / f"{NAME}.png"
ROWS, COLUMNS = 40, 16
PAGES = {
    "en": """# Mistakes that shipped

A positional encoding takes five lines, and well-known programs got them wrong. Each mistake below was reported in public. We wrote
its formula anew, and a test expects the name given here. We read all threads but those marked "cited".

To find out [what is wrong with yours](what_is_wrong.md), paste it, or run `python -m encoding_labs.diagnose FILE.py:FUNCTION`. It takes
functions, classes and modules of any library whose arrays NumPy can read, sinusoidal or rotary, and says whether the encoding is
right, right in another convention, or wrong, and how. `--picture FILE` draws it next to the right one.

In the formulas, `p` are the positions, `k` the numbers of the pairs, `j` those of the columns, `d` is the width and `w` are the
right frequencies, `10000 ** (-2 * k / d)`. `woven` puts the sine and the cosine of each angle next to each other, and `columns`
takes an angle for each column. `turned` turns neighbouring columns of `x`, `halved` columns half a row apart, and `repeated` too,
but with the angles for neighbours. The formulas show the mistake alone, without the rest of the program.

![{alt}](../{picture})
""",
    "es": """# Errores publicados

Una codificación posicional ocupa cinco líneas, y programas conocidos se han equivocado en ellas. Cada uno de estos errores se
notificó en público. Hemos escrito de nuevo su
fórmula, y una prueba espera el nombre que se da aquí. Hemos leído todos los hilos salvo los marcados como «citado».

Para saber [qué falla en la tuya](what_is_wrong.md), pégala o ejecuta `python -m encoding_labs.diagnose ARCHIVO.py:FUNCIÓN`. Acepta
funciones, clases y módulos de cualquier biblioteca cuyos arrays pueda leer NumPy, sinusoidales o rotatorios, y dice si la
codificación es correcta, correcta en otra convención, o errónea, y por qué. `--picture ARCHIVO` la dibuja junto a la correcta.

En las fórmulas, `p` son las posiciones, `k` los números de los pares, `j` los de las columnas, `d` es el número de columnas y `w`
son las frecuencias correctas, `10000 ** (-2 * k / d)`. `woven` coloca juntos el seno y el coseno de cada ángulo, y `columns` toma
un ángulo por columna. `turned` gira columnas vecinas de `x`, `halved` columnas separadas media fila, y `repeated` también, pero con
los ángulos para vecinas. Las fórmulas muestran solo el error, sin el resto del programa.

![{alt}](../{picture})
""",
}
ALT = {
    "en": "A numbered pair of heatmaps for each of the {count} mistakes: on the left the right values, on the right the wrong ones. "
    "Rows are positions, columns are dimensions.",
    "es": "Un par numerado de mapas de calor por cada uno de los {count} errores: a la izquierda los valores correctos, a la derecha "
    "los erróneos. Las filas son posiciones, las columnas son dimensiones.",
}
ROW = {
    "en": """
## {number}. {where}

`{formula}`{given}

{did}

labkit: {names} · threads: {threads} · exercise: {exercise}{first}
""",
    "es": """
## {number}. {where}

`{formula}`{given}

{did}

labkit: {names} · hilos: {threads} · ejercicio: {exercise}{first}
""",
}
WORDS = {
    "en": {"given": ", with `{}`", "cited": " (cited)", "first": " · picture from position {}", "none": "no name"},
    "es": {
        "given": ", con `{}`",
        "cited": " (citado)",
        "first": " · imagen desde la posición {}",
        "none": "sin nombre",
    },
}


def path_of(language: str) -> Path:
    return SITE / language / f"{NAME}.md"


def page(language: str) -> str:
    load(COURSE)
    alt = ALT[language].format(count=len(SHIPPED))
    rows = (_row(number, each, language) for number, each in enumerate(SHIPPED, 1))
    made = "<!-- `python docs/shipped.py` makes this page -->\n\n"
    return made + PAGES[language].format(alt=alt, picture=PICTURE.name) + "".join(rows)


def _row(number: int, each: Shipped, language: str) -> str:
    words, lab, where = WORDS[language], COURSE.lab_of(each.teaches), each.words("where", language)
    notebook = "../../../labs/" + ("" if language == "en" else f"{language}/") + f"{lab}.ipynb"
    threads = [_link(thread) for thread in each.threads] + [_link(thread) + words["cited"] for thread in each.cited]
    return ROW[language].format(
        number=number,
        where=where[0].upper() + where[1:] if " " in where else where,
        formula=each.formula,
        given=each.given and words["given"].format(each.given),
        did=each.words("did", language),
        names=", ".join(f"`{name}`" for name in each.mistakes) or words["none"],
        threads=", ".join(threads),
        exercise=f"[{lab[:2]} · {title(each.teaches, language)}]({notebook})",
        first=words["first"].format(f"{each.first:,}" if language == "en" else each.first) if each.first else "",
    )


def _link(thread: str) -> str:
    repository, _, number = thread.partition("#")
    return f"[{thread}](https://github.com/{repository}/issues/{number})"


def pair_of(each: Shipped) -> tuple[np.ndarray, np.ndarray]:
    """The right values and the wrong ones, as in the picture. A rotary encoding turns the row of position 0."""
    positions = each.first + np.arange(ROWS)
    d = COLUMNS - ("odd-d-accepted" in each.mistakes)
    right = woven(positions[:, None] * omega_of(COLUMNS))
    start = np.tile([0.0, 1.0], (ROWS, COLUMNS // 2))
    return right, np.asarray(each.value(positions, d, x=start), dtype=float)


def drawn() -> str:
    """What the stored picture shows: its formulas, one a line."""
    with Image.open(PICTURE) as picture:
        return picture.text.get("Description", "")


def shown() -> str:
    return "\n".join(f"{each.formula}; {each.given}; {each.first}" for each in SHIPPED)


@plt.rc_context()
def draw(path: Path) -> None:
    across = 7
    down = -(-len(SHIPPED) // across)
    widths = ([1, 1, 0.35] * across)[:-1]  # two pictures and a gap for each mistake, without the last gap
    figure, axes = plt.subplots(down, len(widths), figsize=(10, 1.7 * down), width_ratios=widths)
    for ax in axes.flat:
        ax.axis("off")
    for number, each in enumerate(SHIPPED):
        row, column = divmod(number, across)
        for ax, values in zip(axes[row, 3 * column :], pair_of(each)):
            ax.imshow(values, cmap="RdBu_r", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
        axes[row, 3 * column].set_title(str(number + 1), loc="left", fontsize=11)
    figure.subplots_adjust(left=0.01, right=0.99, bottom=0.01, top=0.95, wspace=0.12, hspace=0.2)
    figure.savefig(path, dpi=100, metadata={"Software": None, "Description": shown()})
    plt.close(figure)


if __name__ == "__main__":
    for language in PAGES:
        path_of(language).write_text(page(language), "utf-8")
    draw(PICTURE)
