"""The mistakes of lab 01, build the table, and what the student is told about each.

How they are told apart is in `readings` and `spectra`; `evidence` puts together what was found in one answer.
"""

from encoding_labs.build_the_table import by_hand_mistakes, vector_mistakes, wrong_frequencies  # noqa: F401  those come first
from encoding_labs.build_the_table.evidence import BOTH, TABLE, recognised

# Where the numbers stand: container, layout, rows

recognised(
    "wrong-container",
    *BOTH,
    en="{call} returned {seen}. {differs}",
    es="{call} devolvió {seen}. {differs}",
)
recognised(
    "integer-table",
    *BOTH,
    en="Every entry of {call} is a whole number: the part after the point was lost. Which dtype has the array that "
    "receives the values?",
    es="Todas las entradas de {call} son números enteros: se perdió la parte decimal. ¿De qué dtype es el array que "
    "recibe los valores?",
)
recognised(
    "position-over-d",
    *TABLE,
    en="{call}: the rows do not count positions; they repeat each other, or there are as many as dimensions. Where does "
    "the row's number enter your angle, and how many positions are there?",
    es="{call}: las filas no cuentan posiciones; se repiten, o hay tantas como dimensiones. ¿Dónde entra el número de la "
    "fila en el ángulo, y cuántas posiciones hay?",
)
recognised(
    "halves-layout",
    *TABLE,
    en="Row 0 of {call} begins {row}, and its second half begins {half}: the first partners of all pairs stand together, "
    "then the second ones. Other programs do so, and it is a valid convention; this course interleaves. Where should the "
    "partner of column 0 stand?",
    es="La fila 0 de {call} empieza con {row} y su segunda mitad con {half}: van juntos los primeros de todos los pares "
    "y después los segundos. Otros programas lo hacen y es una convención válida; este curso intercala. ¿Dónde debe "
    "estar la pareja de la columna 0?",
)
recognised(
    "halves-swapped",
    *TABLE,
    en="Row 0 of {call} begins {row}, and its second half begins {half}: the partners stand in two halves, which this "
    "course interleaves, and they are the other way around. At position 0 every angle is 0: which of sin and cos is 0 "
    "there, and which of the two comes first?",
    es="La fila 0 de {call} empieza con {row} y su segunda mitad con {half}: las parejas están en dos mitades, que este "
    "curso intercala, y además al revés. En la posición 0 todos los ángulos son 0: ¿cuál de sin y cos vale 0 ahí, y cuál "
    "va primero?",
)
recognised(
    "swapped-sin-cos",
    *TABLE,
    en="Row 0 of {call} begins {row}. Look at which function stands first in each pair. At position 0 every angle is 0. "
    "Which of sin and cos is 0 there, and which columns should hold it?",
    es="La fila 0 de {call} empieza con {row}. Mira qué función va primero en cada par. En la posición 0 todos los "
    "ángulos son 0. ¿Cuál de sin y cos vale 0 ahí, y qué columnas deben contenerla?",
)
recognised(
    "wrong-stack-axis",
    *TABLE,
    en="The values of sine and cosine are there in {call}, in other places than they should be: they were stacked or "
    "reshaped along another axis. Trace 2 positions by 4 dimensions on paper: which number stands next to the first sine "
    "in memory?",
    es="En {call} están los valores de seno y coseno, pero en otros lugares: se apilaron o se reordenaron por otro eje. "
    "Sigue en papel el caso de 2 posiciones por 4 dimensiones: ¿qué número está en memoria junto al primer seno?",
)
recognised(
    "padding-row",
    *TABLE,
    en="Row 0 of {call} is all zeros, as some programs keep it for padding. Position 0 is a position like any other "
    "here. Its angles are 0, so what are their cosines?",
    es="La fila 0 de {call} es toda ceros, como la que algunos programas reservan para el relleno. Aquí la posición 0 es "
    "una más. Sus ángulos valen 0, así que ¿cuánto valen sus cosenos?",
)
recognised(
    "rows-reversed",
    *TABLE,
    en="The rows of {call} run backwards: row 0 is where the last position should be. Which row belongs to the first "
    "token?",
    es="Las filas de {call} van hacia atrás: la fila 0 está donde debería estar la última posición. ¿Qué fila es la del "
    "primer token?",
)
recognised(
    "positions-from-one",
    *TABLE,
    en="Row 0 of {call} begins {row}: its pairs have already made one step. What is the position of the first token?",
    es="La fila 0 de {call} empieza con {row}: sus pares ya han dado un paso. ¿Cuál es la posición del primer token?",
)
recognised(
    "negative-position",
    *TABLE,
    en="In {call} every pair turns the other way: the sines have the opposite sign and the cosines are as they should "
    "be. Which sign has the position in your angle?",
    es="En {call} todos los pares giran al revés: los senos tienen el signo contrario y los cosenos no. ¿Qué signo tiene "
    "la posición en tu ángulo?",
)

# What became of a pair: two functions of one angle, of length 1

recognised(
    "same-function-twice",
    *TABLE,
    en="In {call} the two columns of every pair are equal. A pair needs two views of one angle. Which function does each "
    "of your two lines call?",
    es="En {call} las dos columnas de cada par son iguales. Un par necesita dos vistas de un mismo ángulo. ¿A qué "
    "función llama cada una de tus dos líneas?",
)
recognised(
    "columns-unwritten",
    *TABLE,
    en="Some columns of {call} were never written: they keep what the array held when it was made. Row 0 begins {row}. "
    "Which columns does each of your assignments fill?",
    es="Algunas columnas de {call} nunca se escribieron: guardan lo que había en el array al crearlo. La fila 0 empieza "
    "con {row}. ¿Qué columnas llena cada una de tus asignaciones?",
)
recognised(
    "cos-of-sin",
    *TABLE,
    en="In {call} one column of a pair is a function of the other column, not of the angle. Were the angles still there "
    "when the second function was taken, or had the first one overwritten them?",
    es="En {call} una columna del par es función de la otra columna y no del ángulo. ¿Seguían ahí los ángulos al "
    "calcular la segunda función, o la primera ya los había sustituido?",
)
recognised(
    "raw-column-2j",
    *TABLE,
    en="In {call} each column has a speed of its own, and the speeds fall twice as fast as they should: the number of "
    "the column stands where the number of the pair belongs. Should partners turn at different speeds?",
    es="En {call} cada columna tiene su propia velocidad, y las velocidades caen el doble de rápido: se usa el número de "
    "la columna en lugar del número del par, y además duplicado. ¿Deben las parejas girar a velocidades distintas?",
)
recognised(
    "raw-column-j",
    *TABLE,
    en="In {call} one function of each pair has the right speed and its partner a slower one: the speed follows the "
    "number of the column. Compare the speed of each column with its partner's. What should they share?",
    es="En {call} una función de cada par tiene la velocidad correcta y su pareja una más lenta: la velocidad sigue el "
    "número de la columna. Compara la velocidad de cada columna con la de su pareja. ¿Qué deben compartir?",
)
for exponent in ("raw-column-2j", "raw-column-j"):
    recognised(
        exponent,
        "frequencies",
        en="{call} gave {count} numbers, one for each column. A frequency belongs to a pair, and {pairs} pairs need "
        "{pairs} numbers. Over which numbers does your index run?",
        es="{call} dio {count} números, uno por columna. Una frecuencia es de un par, y {pairs} pares necesitan {pairs} "
        "números. ¿Qué números recorre tu índice?",
    )
recognised(
    "last-pair-missing",
    *BOTH,
    en="{call} has nothing in its last pair. How many frequencies does your range give, and where does it stop?",
    es="{call} no tiene nada en el último par. ¿Cuántas frecuencias da tu rango, y dónde se detiene?",
)
recognised(
    "scaled-values",
    *TABLE,
    en="The pairs of {call} have length {radius:.4g}, so sin² + cos² is {square:.4g}: the values are multiplied by "
    "something, or moved to another range. How long should each pair be, and which line changes it?",
    es="Los pares de {call} tienen longitud {radius:.4g}, así que sin² + cos² vale {square:.4g}: los valores están "
    "multiplicados por algo o llevados a otro intervalo. ¿Qué longitud debe tener cada par, y qué línea la cambia?",
)
recognised(
    "floored-angle",
    *TABLE,
    en="The slow columns of {call} stand still for several rows and then jump: every angle is a whole number of radians. "
    "Slow columns should creep. Which division or conversion drops the part after the point?",
    es="Las columnas lentas de {call} se quedan quietas varias filas y luego saltan: todos los ángulos son radianes "
    "enteros. Las columnas lentas deben avanzar poco a poco. ¿Qué división o conversión elimina los decimales?",
)
recognised(
    "low-precision",
    *BOTH,
    en="{call} is right to a few digits only; the largest error is {error:.1g}. Where is precision lost: is something "
    "rounded, or kept in float16?",
    es="{call} es correcto solo en unas pocas cifras; el mayor error es {error:.1g}. ¿Dónde se pierde precisión: se "
    "redondea algo o se guarda en float16?",
)
recognised(
    "accumulated-angle",
    *TABLE,
    en="The angles of {call} drift away as the position grows; the largest error is {error:.1g}. Repeated adding repeats "
    "rounding. How can each angle be made without the one before?",
    es="Los ángulos de {call} se desvían a medida que crece la posición; el mayor error es {error:.1g}. Sumar una y otra "
    "vez repite el redondeo. ¿Cómo obtener cada ángulo sin usar el anterior?",
)

# How the function behaves

recognised(
    "shared-state",
    *TABLE,
    en="Two calls of {call} share one array: after the first result was overwritten, the second call handed the "
    "overwritten numbers out. Is a table kept between calls? Whose array does the caller get?",
    es="Dos llamadas a {call} comparten un mismo array: tras sobrescribir el primer resultado, la segunda devolvió los "
    "números sobrescritos. ¿Se guarda una tabla entre llamadas? ¿De quién es el array que se entrega?",
)
recognised(
    "odd-d-accepted",
    *TABLE,
    en="{call} gave {seen}. With an odd number of dimensions, who is the partner of the last column? The exercise asks "
    "for an error here: which one, and where should it be raised?",
    es="{call} dio {seen}. Con un número impar de dimensiones, ¿quién es la pareja de la última columna? Aquí el "
    "ejercicio pide un error: ¿cuál, y dónde debe lanzarse?",
)
