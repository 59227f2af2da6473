"""The mistakes of lab 01 that are in the speeds: they show in `frequencies` and in the table alike."""

from encoding_labs.build_the_table.evidence import BOTH, TABLE, recognised

EN = "{call}: in radians per position the first pair turns by {first:.4g}, the second by {second:.4g}, the last by {last:.4g}. "
ES = (
    "{call}: en radianes por posición, el primer par gira {first:.4g}, el segundo {second:.4g} y el último {last:.4g}. "
)

recognised(
    "exponent-k-over-d",
    *BOTH,
    en=EN
    + "From pair to pair the factor is {ratio:.4g}, as with an exponent k/d, or with base 100, which is the same. "
    "How far apart should the first and the last frequency be?",
    es=ES + "De un par al siguiente el factor es {ratio:.4g}, como con un exponente k/d o, lo que es igual, con base "
    "100. ¿Qué distancia debe haber entre la primera y la última frecuencia?",
)
recognised(
    "exponent-4k-over-d",
    *BOTH,
    en=EN
    + "From pair to pair the factor is {ratio:.4g}, as with an exponent 4k/d, or with base 1e8, which is the same. "
    "Is the 2 already inside your index?",
    es=ES + "De un par al siguiente el factor es {ratio:.4g}, como con un exponente 4k/d o, lo que es igual, con base "
    "1e8. ¿Está ya el 2 dentro de tu índice?",
)
recognised(
    "exponent-d-minus-2",
    *BOTH,
    en=EN + "Your exponents go from 0 to 1, both included. Which value should the last exponent reach, and what is it "
    "divided by?",
    es=ES
    + "Tus exponentes van de 0 a 1, ambos incluidos. ¿Qué valor debe alcanzar el último exponente, y entre qué se "
    "divide?",
)
recognised(
    "exponent-d-minus-1",
    *BOTH,
    en=EN + "There is a 1 too much in your exponent: it is taken from d, or from the whole. What exactly does the "
    "division cover?",
    es=ES + "Sobra un 1 en tu exponente: se resta de d o del total. ¿Qué abarca exactamente la división?",
)
recognised(
    "k-from-one",
    *BOTH,
    en=EN + "All pairs are slower than they should be, by the same factor. What is the first value of k, and what does "
    "that make of the first exponent?",
    es=ES + "Todos los pares son más lentos de lo debido, por el mismo factor. ¿Cuál es el primer valor de k, y qué "
    "exponente da?",
)
recognised(
    "divided-by-T",
    *BOTH,
    en=EN + "The frequencies change with the number of positions. Two sizes are within reach of your exponent: which "
    "belongs there?",
    es=ES + "Las frecuencias cambian con el número de posiciones. Tu exponente tiene dos tamaños a mano: ¿cuál le "
    "corresponde?",
)
recognised(
    "integer-division",
    *BOTH,
    en=EN + "All exponents are whole numbers. Print your exponents before you use them. What does // do to them?",
    es=ES + "Todos los exponentes son números enteros. Imprime tus exponentes antes de usarlos. ¿Qué les hace //?",
)
recognised(
    "missing-minus",
    *BOTH,
    en=EN + "They grow from pair to pair. Should later pairs turn faster or slower, and which sign does that?",
    es=ES + "Crecen de un par a otro. ¿Deben los pares posteriores girar más rápido o más despacio, y qué signo lo "
    "consigue?",
)
recognised(
    "lost-log",
    *BOTH,
    en=EN
    + "The exponential is there, but not the logarithm that belongs to it: none was taken, or one of another base. "
    "Which logarithm undoes exp?",
    es=ES + "Está la exponencial, pero no su logaritmo: no se tomó ninguno, o uno de otra base. ¿Qué logaritmo deshace "
    "exp?",
)
recognised(
    "wrong-base",
    *BOTH,
    en=EN + "The steps from pair to pair are even, as they should be, but they belong to the base {base:.6g}. Recheck "
    "the constant: how many zeros does it have?",
    es=ES + "Los pasos de un par a otro son iguales, como debe ser, pero corresponden a la base {base:.6g}. Revisa la "
    "constante: ¿cuántos ceros tiene?",
)
recognised(
    "frequencies-reversed",
    *BOTH,
    en=EN + "The slow pairs come first. Which end of the row should be the fast one?",
    es=ES + "Los pares lentos van primero. ¿Qué extremo de la fila debe ser el rápido?",
)
recognised(
    "arithmetic-frequencies",
    *BOTH,
    en=EN
    + "From pair to pair the difference is the same. Should the frequencies have equal differences or equal ratios?",
    es=ES + "De un par al siguiente la diferencia es la misma. ¿Deben tener las frecuencias diferencias iguales o "
    "cocientes iguales?",
)
recognised(
    "degrees",
    *BOTH,
    en=EN + "Every angle is multiplied or divided by 180/π: degrees and radians are mixed. What unit do sin and cos "
    "expect?",
    es=ES
    + "Cada ángulo está multiplicado o dividido por 180/π: se mezclan grados y radianes. ¿Qué unidad esperan sin y "
    "cos?",
)
recognised(
    "cycles",
    *BOTH,
    en=EN + "Every angle is multiplied or divided by 2π. Does your formula count cycles or radians?",
    es=ES + "Cada ángulo está multiplicado o dividido por 2π. ¿Cuenta tu fórmula vueltas o radianes?",
)
recognised(
    "scaled-position",
    *TABLE,
    en=EN + "The position was scaled by the size of the table before it was used. Positions count tokens: by how much "
    "does the position grow from one row to the next?",
    es=ES + "La posición se escaló con el tamaño de la tabla antes de usarla. Las posiciones cuentan tokens: ¿cuánto "
    "crece la posición de una fila a la siguiente?",
)
recognised(
    "operator-precedence",
    *BOTH,
    en="{call}: the pair's number multiplies or divides where it should be part of an exponent. In 2**3*4 the exponent "
    "is the 3 alone. What is the exponent in your expression, and does it hold all of 2k/d?",
    es="{call}: el número del par multiplica o divide donde debería formar parte de un exponente. En 2**3*4 el exponente "
    "es solo el 3. ¿Cuál es el exponente en tu expresión, y contiene todo 2k/d?",
)
