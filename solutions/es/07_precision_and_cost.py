# %% [markdown] name="title" english="29f69f"
# # 07 · Precisión y costo
#
# **Tiempo** 70 minutos · **Dificultad** ★★★ · **Necesitas** [03 · Demostración de la rotación](03_rotation_proof.ipynb)
#
# Después de este laboratorio sabrás
#
# 1. medir cuánto desvía float32 los elementos de la tabla, y encontrar la posición desde la que eso importa;
# 2. construir la tabla girando las filas que ya tienes, para que las posiciones lejanas conserven su precisión;
# 3. decir cómo crece el costo de una tabla con $T$ y $d$, y cronometrar de forma justa su construcción.

# %% [markdown] name="why" english="49fdd2"
# ## Por qué
#
# Las tablas de los laboratorios anteriores tenían unos cientos de filas. Los modelos leen textos de 100 000 tokens y más.
# ¿Sigue siendo correcta la fila de la posición 100 000, y cuánto cuesta una tabla de ese tamaño?
#
# **La fórmula protegida** es el código de `minimodel.positional.sinusoidal`. Calcula cada paso en **float32**:
#
# $$\omega_k = \frac{1}{10000^{2k/d}}, \quad \theta = p\,\omega_k, \quad PE[p, 2k] = \sin\theta, \quad
# PE[p, 2k+1] = \cos\theta.$$
#
# Así que la posición, la frecuencia, el ángulo, el seno y el coseno son todos números float32. Un número así tiene 24 bits
# significativos: redondear a float32 mueve un número cercano a 1 como máximo $6\cdot 10^{-8}$, y uno cercano a 100 000 hasta
# $0.004$.
#
# *Símbolos*: $T$ posiciones, $d$ dimensiones (par), $p$ la posición, desde 0, $k$ el índice del par, de 0 a $d/2 - 1$,
# $\omega_k$ en radianes por posición.

# %% [markdown] name="predict" english="1944f3"
# ## Predice
#
# Las apuestas no se califican, y cada una tiene su respuesta más adelante en el laboratorio.
#
# 1. Con $d = 32$, ¿cuál es la primera posición cuya fila, según la fórmula protegida, tiene un elemento que se desvía más de
#    0.001?
# 2. ¿Qué gráfica muestra cómo depende de la posición el error de una fila? Las gráficas son esbozos; los dos
#    ejes son logarítmicos.
# 3. Tienes la fila 0. Un paso gira todas las filas que tienes el mismo número de posiciones, y añade los resultados al final.
#    ¿Cuántos pasos hacen falta para llegar a 131 072 filas?

# %% name="predict_guesses" english="575757"
predict(guesses.GROWTH)
guess_first_bad = None  # 1: tu apuesta, una posición
guess_growth = None  # 2: tu apuesta: "A", "B", "C" o "D"
guess_steps = None  # 3: tu apuesta, un número de pasos

# %% [markdown] name="float32_error_task" english="b58760"
# ## Construye: el error de float32
#
# ●●○ · esencial · 12 minutos · 2 puntos
#
# Escribe `float32_error(positions, d)`. Calcula dos veces la fila de cada posición: una según la fórmula protegida, con
# todos los pasos en float32, y otra según la misma fórmula, con todos los pasos en float64. Devuelve la **mayor diferencia en
# valor absoluto** entre los elementos de las dos filas: un error por posición, en un array de forma `(n,)`.
#
# `positions` es un array int64 de forma `(n,)`. Las posiciones vienen en cualquier orden y llegan hasta cerca de $10^9$.
# Una tabla con todas las filas hasta la mayor no cabría en la memoria, así que calcula solo las filas que te piden. Puedes
# escribir las frecuencias en float32 como quieras: las potencias en float32 cambian un poco de una máquina a otra, y la
# comprobación lo tiene en cuenta.
#
# <details><summary>Pista</summary>
# Escribe una función que calcule las filas en un dtype dado, y llámala dos veces. ¿Qué dtype tiene un array int64 multiplicado
# por un array float32? Imprímelo.
# </details>
# <details><summary>Pista más grande</summary>
# Empieza con <code>positions.astype(np.float32)</code>. La diferencia de un array float32 y uno float64 es float64. Después
# toma el máximo a lo largo del eje que no cuenta posiciones.
# </details>

# %% name="float32_error" english="8032b7"
def float32_error(positions, d):
    """El mayor error de cada fila: el máximo de |fila float32 - fila float64|.

    positions: un array int64 de forma (n,). d: un número par de dimensiones.
    Devuelve un array de forma (n,).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_errors_text" english="ad27bf"
# ### Míralo
#
# Aquí están los errores en 100 posiciones, de 1 a 100 millones, para tres valores de $d$. Compáralos con la gráfica que
# elegiste.

# %% [markdown] name="first_bad_position_task" english="77dafb"
# ## Construye: la primera posición mala
#
# ●○○ · esencial · 8 minutos · 2 puntos
#
# Escribe `first_bad_position(d, tolerance)`. Devuelve la primera posición, contando desde 0, donde tu `float32_error` es mayor que
# `tolerance`, como número entero; todas las respuestas son menores que 200 000. El error sube y baja de una fila a
# otra, así que mira todas las posiciones.
#
# Una de las llamadas de la comprobación usa $d = 2$. Ahí todos los ángulos son exactos hasta $2^{24}$. ¿Qué números se
# redondean todavía?
#
# La primera posición mala depende de la máquina. La comprobación acepta toda posición que sea correcta en alguna máquina, así
# que una búsqueda que se salta posiciones puede pasarla. La calificación es más estricta: además le da a tu búsqueda errores
# inventados en lugar de `float32_error`, con la primera posición mala en cualquier lugar por debajo de 200 000.
#
# <details><summary>Pista</summary>
# Una llamada a <code>float32_error</code> admite muchas posiciones. Las 200 000 de una vez pueden necesitar más memoria de
# la que tienes, así que toma bloques de unos miles.
# </details>
# <details><summary>Pista más grande</summary>
# <code>np.argmax</code> de un array de True y False es el índice del primer True, pero también es 0 si no hay ningún True.
# Y un índice dentro de un bloque no es todavía una posición.
# </details>

# %% name="first_bad_position" english="c813ee"
def first_bad_position(d, tolerance):
    """La primera posición p cuyo float32_error es mayor que la tolerancia.

    d: un número par de dimensiones. tolerance: por ejemplo 1e-3.
    Devuelve un número entero.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_gap_text" english="30fe06"
# ### Míralo: se acaban las posiciones
#
# Con $d = 2$ la única frecuencia es 1, así que el ángulo es la posición. Float32 puede representar todos los enteros hasta
# $2^{24} = 16\,777\,216$. ¿Qué pasa con el entero siguiente? La celda también te dice lo cerca que estuvo tu primera apuesta.

# %% [markdown] name="double_task" english="cee8af"
# ## Construye: el doble de filas
#
# ●●● · esencial · 22 minutos · 4 puntos
#
# El laboratorio 03 demostró que una misma rotación hace avanzar $n$ posiciones a cualquier fila. Por eso, si giras $n$
# posiciones las primeras $n$ filas, obtienes las $n$ filas siguientes. Con números complejos un giro es una sola multiplicación.
# Para un par con el ángulo $\theta$, y con $i^2 = -1$,
#
# $$\sin\theta + i\cos\theta = i\,e^{-i\theta}, \qquad\text{así que girar } n \text{ posiciones es multiplicar por } e^{-i n\omega_k}.$$
#
# Escribe `double(rows, omega)`. `rows` es un array float32 de forma $(n, 2m)$: $n \ge 1$ filas de $m$ pares intercalados.
# `omega` es un array float64 con la frecuencia de cada par. Al girar una fila una posición se obtiene la siguiente. Pero la
# fila 0 puede tener pares cualesquiera, de longitud 1 como máximo, así que no puedes calcular las filas con la fórmula del
# laboratorio 01.
#
# Devuelve un array **float32** nuevo de forma $(2n, 2m)$: las filas recibidas, sin cambios, y debajo las mismas filas giradas
# $n$ posiciones. Cada elemento debe quedar a menos de $10^{-6}$ del valor exacto, con $n$ hasta 65 536. No escribas en `rows`.
# Tu función no necesita ser rápida. Los números complejos son opcionales: la matriz del laboratorio 03 también gira filas.
#
# `look("double")` dibuja tus filas junto a las correctas.

# %% [markdown] name="double_hints" english="a9482a"
# <details><summary>Pista</summary>
# Todas las filas comparten un mismo giro, que tiene m ángulos. Calcúlalos en float64: son tan pocos que no cuesta casi
# nada. Los productos pueden ser complex64.
# </details>
# <details><summary>Pista más grande</summary>
# Un número complex64 son dos números float32 seguidos: la parte real y después la imaginaria. Por eso
# <code>rows.view(np.complex64)</code> lee la misma memoria como números complejos, con forma (n, m), y
# <code>.view(np.float32)</code> hace el camino de vuelta.
# </details>

# %% name="double" english="920201"
def double(rows, omega):
    """Las filas 0 a n - 1 sin cambios y, debajo, las mismas filas giradas n posiciones.

    z[p + n, k] = z[p, k] * exp(-1j * n * omega[k])
    con z[p, k] = rows[p, 2k] + 1j * rows[p, 2k+1].
    rows: float32, forma (n, 2m). omega: float64, forma (m,).
    Devuelve float32, forma (2n, 2m).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_exactness_text" english="fbb492"
# ### Míralo: qué precisión tiene
#
# La celda construye dos tablas con $d = 32$: una según la fórmula protegida, y otra a partir de la fila 0, con
# `rows = double(rows, omega)` una y otra vez hasta que la tabla es lo bastante larga. La figura muestra el mayor error de cada
# fila. ¿Por qué la duplicación no pierde más precisión con cada posición? Cuenta los redondeos que hay entre la fila 0
# y la fila 16 383. Debajo de la figura verás lo cerca que estuvo tu tercera apuesta.

# %% [markdown] name="see_speed_text" english="8d009f"
# ### Míralo: qué rapidez tiene
#
# ¿Cuánto cuesta un elemento, en una tabla pequeña y en una grande? La celda mide en tu máquina tres maneras de construir una
# tabla: la fórmula protegida, tu duplicación y llenar la memoria de unos, que es lo mínimo que hace cualquier construcción.
# Para que la comparación sea justa, la primera llamada de cada construcción no cuenta, porque paga cosas que ocurren una sola
# vez. Las construcciones se turnan, para que los demás programas las frenen a todas por igual. Y cuenta la más rápida de seis
# rondas. Ejecuta la celda otra vez: ¿qué cifras no cambian?
#
# Si todos los elementos cuestan lo mismo, ¿qué línea siguen los puntos, y se distinguen $d = 32$ y $d = 128$? ¿Dónde se
# apartan de esa línea los puntos de tu duplicación, y por qué? Encima de la figura verás si fue más rápida la duplicación o la
# fórmula.

# %% [markdown] name="speed_text" english="a70281"
# Cuanto más grande es la tabla, menos depende de su tamaño lo que cuesta un elemento, con cualquiera de los dos $d$. Así que el
# costo de una tabla larga es **lineal en $T$ y lineal en $d$**. Ninguna construcción puede hacerlo mejor, porque tiene que
# escribir todos los $T \cdot d$ elementos. La atención compara cada posición con todas las demás, y eso es cuadrático en $T$:
# cuanto más largo es el texto, menos importa el costo de la tabla.
#
# Para cada par, la fórmula protegida calcula un seno y un coseno. La duplicación calcula un producto complejo: cuatro
# multiplicaciones y dos sumas. Así que hace menos operaciones, si los productos son complex64. Que eso la haga más rápida
# depende de los demás costos. En tablas pequeñas el principal es el costo fijo de cada llamada: cada paso de la duplicación
# son unas cuantas llamadas a NumPy de algunos microsegundos, por pocas filas que haya. En tablas de muchos megabytes, más
# grandes que las de la figura, es la memoria: cada paso de la duplicación escribe todas sus filas en un array nuevo. Lo evita
# una construcción que escribe cada fila una sola vez, en un array creado de antemano; `docs/precision_and_cost.md`, en el
# repositorio del curso, mide una así, con tablas más grandes.

# %% [markdown] name="how_far_task" english="1b7994"
# ## Explica
#
# ●●○ · esencial · 8 minutos · 2 puntos, los califica quien imparte el curso
#
# Con $d = 512$ y posiciones en float32, ¿hasta qué longitud confiarías en la fórmula protegida? Da una longitud. Di **qué
# falla más allá, y cuánto se desvía**, con un número de tu `float32_error`, y por qué ese error es demasiado grande o no.
# Después di qué harías con un texto más largo, y cuánto cuesta. Unas cinco oraciones.

# %% [markdown] name="quiz_text" english="910eff"
# ## Cinco preguntas rápidas
#
# ¿Verdadero o falso? Escribe tus respuestas en la celda y ejecútala; verás el porqué de cada una.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="time_of_day_task" english="4afdc3"
# ## Una más, sin comprobación
#
# ●●○ · esencial · 6 minutos · 1 punto
#
# Los modelos de tráfico o de consumo eléctrico reciben la hora del día como un par de columnas: una aguja que está en las 12 a
# medianoche y da una vuelta al día, es decir, en 86 400 segundos. El registro de un sensor contiene la hora en que empezó, en
# segundos enteros desde el comienzo de 1970, que fue una medianoche, y en cada lectura los segundos desde que empezó.
#
# Escribe `time_of_day(start, seconds)`. Devuelve el seno y el coseno del ángulo de la aguja en cada lectura. Cada elemento debe
# quedar a menos de $10^{-5}$ del valor exacto, más o menos lo que avanza la aguja en un octavo de segundo.
#
# Este ejercicio no tiene comprobación en el notebook; tu función se comprueba solo al calificar. Pruébala por tu cuenta:
# 1 750 032 000 es una medianoche. Si el registro empieza ahí, ¿qué debe devolver tu función para una lectura 6 horas después?
# ¿Y para una lectura un segundo después?
#
# <details><summary>Pista</summary>
# ¿Cuánto llega a valer el ángulo, y a qué distancia están dos números float32 consecutivos de ese tamaño?
# </details>
# <details><summary>Pista más grande</summary>
# Imprime el dtype después de cada paso de tu cálculo, desde los dos argumentos hasta el ángulo.
# </details>

# %% name="time_of_day" english="45bd37"
def time_of_day(start, seconds):
    """Seno y coseno, en cada lectura, de una aguja que da una vuelta al día.

    start: un int de Python, segundos desde el comienzo de 1970, hasta 2 000 000 000.
    seconds: desde el comienzo del registro, float32, forma (n,), de 0 a 86 400.
    Devuelve un array de forma (n, 2): los senos en la columna 0, los cosenos en la 1.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="stretch" english="58b65f"
# ## Para ir más lejos
#
# - Calcula en float32 los ángulos de tu `double`. ¿Cómo crece el error? Dibújalo con `figures.exactness`.
# - ¿Cómo usarías `double` para calcular solo las filas de las posiciones 1 000 000 a 1 000 999? ¿De qué fila partirías?
# - Dibuja la tabla de 3000 posiciones redondeadas antes a float16: `np.arange(3000).astype(np.float16)`. ¿Dónde se nota el redondeo?

# %% [markdown] name="after" english="c7d714"
# ## Después del 07
#
# Este es el último laboratorio. Para seguir leyendo, por tema:
#
# - **Girar consultas y claves en vez de sumar una tabla**: «RoFormer: Enhanced Transformer with Rotary Position
#   Embedding», Jianlin Su et al., 2021. Usa estos mismos ángulos, así que necesita la misma precisión.
# - **Textos más largos que los del entrenamiento**: «Train Short, Test Long: Attention with Linear Biases Enables Input Length
#   Extrapolation», Ofir Press, Noah A. Smith y Mike Lewis, 2022, que encontraron que las sinusoides se extrapolan mal; «YaRN:
#   Efficient Context Window Extension of Large Language Models», Bowen Peng et al., 2023.
# - **Sin ninguna codificación**, con una máscara causal: «Transformer Language Models without Positional Encodings Still Learn
#   Positional Information», Adi Haviv et al., 2022; «The Impact of Positional Encoding on Length Generalization in
#   Transformers», Amirhossein Kazemnejad et al., 2023.
# - **Coordenadas en vez de posiciones**: «Fourier Features Let Networks Learn High Frequency Functions in Low
#   Dimensional Domains», Matthew Tancik et al., 2020.
#
# **Fuentes**: «What Every Computer Scientist Should Know About Floating-Point Arithmetic», David Goldberg, 1991 · «Accuracy
# and Stability of Numerical Algorithms», Nicholas J. Higham, segunda edición, 2002 (sobre el redondeo, y sobre errores que
# se acumulan) · «Attention Is All You Need», Ashish Vaswani et al., 2017, sección 3.5.

# %% [markdown] name="done" english="5e6b36"
# ## Lo que ya sabes hacer
#
# - Medir el error de redondeo de una fórmula frente a float64, y encontrar el primer valor de entrada en que importa.
# - Construir una tabla larga girando las filas que tienes, con un error menor que $10^{-6}$, y decir por qué el error no se acumula.
# - Decir qué precisión necesitan la posición, la frecuencia, el ángulo y el elemento, y cuánto cuesta.
