"""The mistakes of `full_cycles`, known by the counts that they give for the public calls."""

from encoding_labs.known_numbers import known

LAB, EXERCISE = "02_heatmap", "full_cycles"

known(
    LAB,
    "cycles",
    EXERCISE,
    en="For T = {given} you count {seen:.5g}: the pairs that turn by at least 1 radian within the table. How many radians "
    "are a full turn?",
    es="Para T = {given} cuentas {seen:.5g}: los pares que giran al menos 1 radián a lo largo de la tabla. ¿Cuántos "
    "radianes tiene una vuelta completa?",
)
known(
    LAB,
    "exponent-k-over-d",
    EXERCISE,
    en="For T = {given} you count {seen:.5g}, as with an exponent k/d, or with base 100, which is the same: your wavelengths "
    "grow too slowly. Which two columns belong to pair k, and what does that make of its exponent?",
    es="Para T = {given} cuentas {seen:.5g}, como con un exponente k/d o, lo que es igual, con base 100: tus longitudes de "
    "onda crecen demasiado despacio. ¿Qué dos columnas son del par k, y qué exponente da eso?",
)
known(
    LAB,
    "columns-for-pairs",
    EXERCISE,
    en="For T = {given} you count {seen:.5g}: both columns of every pair. The exercise counts pairs. How many columns does "
    "one have?",
    es="Para T = {given} cuentas {seen:.5g}: las dos columnas de cada par. El ejercicio cuenta pares. ¿Cuántas columnas "
    "tiene uno?",
)
known(
    LAB,
    "raw-column-j",
    EXERCISE,
    en="For T = {given} you count {seen:.5g}: columns, each with a wavelength of its own. What do the two columns of a pair "
    "share, and how many pairs are there?",
    es="Para T = {given} cuentas {seen:.5g}: columnas, cada una con su propia longitud de onda. ¿Qué comparten las dos "
    "columnas de un par, y cuántos pares hay?",
)
known(
    LAB,
    "turns-added-up",
    EXERCISE,
    "turns-added-up/all",
    "turns-added-up/cut-off",
    "turns-added-up/rounded",
    "turns-added-up/whole",
    en="For T = {given} you get {seen:.5g}: the turns of all pairs, added up. The exercise counts pairs. By how much does a "
    "pair with ten turns raise the count?",
    es="Para T = {given} obtienes {seen:.5g}: la suma de las vueltas de todos los pares. El ejercicio cuenta pares. ¿En "
    "cuánto aumenta la cuenta un par que da diez vueltas?",
    close=0.02,
)
