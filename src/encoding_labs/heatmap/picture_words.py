"""What the rules for a picture say, by the id of their findings."""

from labkit.judging.words import register

ELSEWHERE = {
    "en": {
        "elsewhere": "Something is drawn beside the Axes that was handed in. `plt.plot`, `plt.xlabel` and the like draw on "
        "the current Axes, which may be another one. Does each of your lines draw on `ax`?",
    },
    "es": {
        "elsewhere": "Algo se dibuja fuera de los Axes recibidos. `plt.plot`, `plt.xlabel` y similares dibujan en los Axes "
        "actuales, que pueden ser otros. ¿Dibuja cada una de tus líneas en `ax`?",
    },
}
register(ELSEWHERE, "draw_heatmap", "draw_columns")

TEXTS = {
    "en": {
        "none": "No picture of the table is on the Axes that was passed in.",
        "many": "{count} pictures lie on the Axes; one is asked for.",
        "other": "The picture has {rows} rows and {columns} columns to be seen, and they are not the values of the table "
        "of {T} positions and {d} dimensions.",
        "swapped": "Each row of the picture is a dimension; each row should be a position.",
        "rows": "The rows of the picture run from position {last} at the top to position 0 at the bottom.",
        "columns": "The columns of the picture run from dimension {right} on the left to dimension 0 on the right.",
        "numbers": "The first row of the picture reads {y:g} on the y axis, its first column {x:g} on the x axis, the "
        "last ones {y_last:g} and {x_last:g}: these do not count positions and dimensions from 0.",
        "limits": "The colours run from {low:.3g} to {high:.3g}, so the middle colour does not stand for 0.",
        "off-centre": "The colour of 0 is not the neutral one: your norm puts that at another value. Which value does it get as "
        "its centre?",
        "clipped": "The colours end at ±{high:.3g}, but the table holds values up to {largest:.3g} in size: all beyond the "
        "ends look alike.",
        "washed": "The colours run to {high:.3g}, but no entry is larger than 1: most of the colours are never used.",
        "map": "The colour map is not a diverging one: a neutral middle, and two sides that grow away from it in "
        "different hues.",
        "smooth": "The picture is smoothed (interpolation {interpolation!r}): it shows colours between those of the "
        "table.",
        "labels": "Missing: {missing}.",
        "bars": "{count} colour bars are drawn; one is enough.",
        "other-bar": "The colour bar explains other colours, or other limits, than those of the picture. Which of your objects "
        "does it get?",
        "exchanged": "The x axis says {xlabel!r} and the y axis {ylabel!r}; the picture has it the other way round.",
    },
    "es": {
        "none": "En los Axes recibidos no hay ninguna imagen de la tabla.",
        "many": "Hay {count} imágenes en los Axes; se pide una.",
        "other": "En la imagen se ven {rows} filas y {columns} columnas, y no son los valores de la tabla de {T} "
        "posiciones y {d} dimensiones.",
        "swapped": "Cada fila de la imagen es una dimensión; cada fila debería ser una posición.",
        "rows": "Las filas de la imagen van de la posición {last}, arriba, a la posición 0, abajo.",
        "columns": "Las columnas de la imagen van de la dimensión {right}, a la izquierda, a la dimensión 0, a la derecha.",
        "numbers": "La primera fila de la imagen marca {y:g} en el eje y, su primera columna {x:g} en el eje x, y las "
        "últimas {y_last:g} y {x_last:g}: no cuentan posiciones y dimensiones desde 0.",
        "limits": "Los colores van de {low:.3g} a {high:.3g}; el color central no representa el 0.",
        "off-centre": "El color del 0 no es el neutro: tu norma lo pone en otro valor. ¿Qué valor recibe como centro?",
        "clipped": "Los colores terminan en ±{high:.3g}, pero la tabla tiene valores de hasta {largest:.3g} en valor absoluto: "
        "todos los que quedan fuera se ven iguales.",
        "washed": "Los colores llegan a {high:.3g}, pero ningún valor pasa de 1: la mayoría de los colores no se usa nunca.",
        "map": "El mapa de colores no es divergente: un centro neutro y dos lados que se alejan de él con tonos distintos.",
        "smooth": "La imagen está suavizada (interpolación {interpolation!r}): muestra colores intermedios entre los "
        "de la tabla.",
        "labels": "Falta: {missing}.",
        "bars": "Hay {count} barras de color; con una basta.",
        "other-bar": "La barra de color explica otros colores, u otros límites, que los de la imagen. ¿Cuál de tus objetos "
        "recibe?",
        "exchanged": "El eje x dice {xlabel!r} y el eje y {ylabel!r}; en la imagen es al revés.",
    },
}
register(TEXTS, "draw_heatmap")
