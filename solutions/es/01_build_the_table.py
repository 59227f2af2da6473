# %% [markdown] name="title" english="75c573"
# # 01 · Construye la tabla
#
# **Tiempo** 70 minutos · **Dificultad** ★☆☆ · **Necesitas** arrays de NumPy, seno y coseno
#
# Después de este laboratorio sabrás
#
# 1. dar la frecuencia de cada par de columnas, en radianes por posición;
# 2. construir la tabla de codificaciones posicionales sinusoidales, con cualquier número de posiciones y dimensiones;
# 3. reconocer qué error tiene una tabla con solo mirar dos de sus filas.

# %% [markdown] name="clock_text" english="cee06b"
# ## Una fila de relojes
#
# Ejecuta la celda de abajo; puedes detener los relojes y llevarlos a una posición con el deslizador. Todas las agujas empiezan
# en las 12 y giran en el sentido del reloj: la primera, 1 radián por posición; cada una de las siguientes, diez veces más
# despacio que la anterior. El **seno** dice cuánto queda la punta hacia la derecha del centro, y el **coseno**, cuánto hacia
# arriba. Juntos, los cuatro senos y los cuatro cosenos le dicen a un modelo dónde está un token.

# %% [markdown] name="why" english="19804e"
# ## Por qué un modelo necesita las posiciones
#
# La función de abajo es la atención sin máscara, para un solo token. Su entrada `x` tiene una fila por token, y la función
# devuelve una media ponderada de esas filas, en la que más pesan las más parecidas a la del propio token. La celda la prueba con
# dos frases que no significan lo mismo: «gatos cazan ratones» y «ratones cazan gatos». ¿Nota la atención la diferencia?

# %% name="see_blind" english="8e7f57"
def attend(x, place):
    """La salida de la atención para el token de este lugar; x tiene una fila por token."""
    likeness = x @ x[place]
    weights = np.exp(likeness) / np.exp(likeness).sum()
    return weights @ x

sentences.tell(attend)

# %% [markdown] name="why_more" english="e59930"
# Cada palabra obtiene el mismo resultado en las dos frases, porque una media no depende del orden de las filas. (Una máscara
# causal ayuda: con ella, el primer token solo se ve a sí mismo.) Por eso *Attention Is All You Need* (Vaswani et al., 2017) suma a cada
# token un vector que depende únicamente de su posición $p$:
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$
#
# $PE$ es una tabla con una fila por posición y $d$ columnas. Las columnas $2k$ y $2k+1$ forman el par $k$: la aguja del reloj
# $k$, que gira $\omega_k$ radianes por posición.
#
# <details><summary><b>Símbolos</b>, los mismos en los siete laboratorios (haz clic para desplegar)</summary>
#
# | símbolo | qué es | unidad o rango |
# |---|---|---|
# | $T$ | número de posiciones: filas de la tabla | |
# | $d$ | número de dimensiones: columnas de la tabla | par |
# | $p$ | posición, contada desde 0 | de 0 a $T - 1$ |
# | $i$ | columna, contada desde 0 | de 0 a $d - 1$ |
# | $k$ | par de columnas, $2k$ y $2k + 1$; siempre un par, nunca un desplazamiento | de 0 a $d/2 - 1$ |
# | $\omega_k$ | frecuencia del par $k$: la velocidad a la que gira su aguja | radianes por posición |
# | $\lambda_k = 2\pi/\omega_k$ | longitud de onda del par $k$: una vuelta completa | posiciones |
# | base | el número 10 000 en $\omega_k = \mathrm{base}^{-2k/d}$ | |
# | δ | desplazamiento de una posición a otra (`offset` en el código) | posiciones |
# | $S(\delta) = \sum_k \cos(\delta\,\omega_k)$ | producto escalar de dos filas separadas por δ | como mucho $d/2$ |
#
# </details>

# %% [markdown] name="by_hand_task" english="a7117b"
# ## A mano
#
# ●○○ · esencial · 5 minutos · 1 punto
#
# Con $d = 4$ hay dos pares, cuyas frecuencias son $10000^0 = 1$ y $10000^{-2/4} = 0.01$. Las dos primeras filas son
# $PE(0) = (0, 1, 0, 1)$ y, con cuatro decimales, $PE(1) = (0.8415, 0.5403, 0.0100, 1.0000)$.
#
# Calcula $PE(3)$ con una calculadora en radianes. Escribe en `by_hand` la lista de sus cuatro números, en orden, cada uno
# **redondeado** a cuatro decimales: 0.12345 se convierte en 0.1235, no en 0.1234. La comprobación te dice cuántos números son
# correctos, pero no cuáles.
#
# <details><summary>Pista</summary>
# Cada par tiene un solo ángulo. ¿Cuáles son los dos ángulos en la posición 3?
# </details>
# <details><summary>Pista más grande</summary>
# Los ángulos son 3 y 0.03 radianes. En PE(1) ves qué función de qué ángulo va en cada lugar.
# </details>

# %% [markdown] name="predict" english="241b57"
# ## Predice
#
# Antes de construir nada, haz dos apuestas. No se califican; más adelante volverás a ellas.
#
# 1. Con $d = 32$, la aguja del primer reloj gira 1 radián por posición. ¿Cuántas posiciones necesita la aguja del **último**
#    reloj para dar una vuelta completa?
# 2. Con $d = 8$, dibuja un punto para cada posición de 0 a 63. Su coordenada horizontal es la columna 0, el seno del primer
#    reloj; su coordenada vertical, la columna 3, el coseno del segundo. El segundo reloj es diez veces más lento que el primero.
#    ¿Cuál de las cuatro imágenes obtienes?

# %% name="predict_points" english="a989ae"
guess_last_turn = None  # 1: un número de posiciones

predict(guesses.TWO_CLOCKS)
guess_points = None  # 2: "A", "B", "C" o "D"

# %% [markdown] name="frequencies_task" english="bc9613"
# ## Construye: las frecuencias
#
# ●○○ · esencial · 5 minutos · 2 puntos
#
# Escribe `frequencies(d)`. Devuelve un array con las $d/2$ frecuencias, en radianes por posición, de la más rápida a la más
# lenta.
#
# <details><summary>Pista</summary>
# Hay una frecuencia por par, no una por columna. ¿Qué valores toma k cuando d es 8?
# </details>
# <details><summary>Pista más grande</summary>
# Con d = 8 las frecuencias son 1, 0.1, 0.01 y 0.001. <code>np.arange</code> crea todas las k de una vez, y NumPy puede elevar
# un número a un array entero de potencias.
# </details>

# %% name="frequencies" english="b64bca"
def frequencies(d):
    """La frecuencia de cada par: omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1.

    d: un número par de dimensiones.
    Devuelve un array de forma (d/2,), en radianes por posición.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_frequencies_text" english="283b8f"
# ### Míralo
#
# En un eje logarítmico, los cocientes iguales se ven como pasos iguales; así que, para cada $d$, tus frecuencias deberían
# formar una recta.

# %% [markdown] name="sinusoidal_pe_task" english="d2eede"
# ## Construye: la tabla
#
# ●●○ · esencial · 12 minutos · 5 puntos
#
# Escribe `sinusoidal_pe(T, d)`. Devuelve un array `float32` de forma `(T, d)` cuya fila $p$ es la de la posición $p$, con
# senos en las columnas pares y cosenos en las impares. `T = 0` da una tabla vacía de forma `(0, d)`. Lanza un `ValueError`
# si `d` es impar o no es positivo, o si `T` es negativo.
#
# NumPy calcula en `float64` si no le dices otra cosa. Si redondeas a `float32` una sola vez, al final, cada elemento queda a
# menos de 3e-8 de su valor exacto, en posiciones de hasta un millón.
#
# (Algunos programas ponen primero todos los senos y después todos los cosenos. Su tabla tiene las mismas columnas en otro orden
# y funciona igual de bien, pero en este curso senos y cosenos van intercalados.)
#
# <details><summary>Pista</summary>
# Calcula primero todos los ángulos: una fila por posición, una columna por par. ¿Qué formas deben tener las posiciones y las
# frecuencias para que NumPy multiplique cada posición por cada frecuencia?
# </details>
# <details><summary>Pista más grande</summary>
# <code>positions[:, None] * omega</code> tiene forma (T, d/2). Una selección de paso 2, como <code>table[:, 0::2]</code>, toma
# una columna sí y otra no.
# </details>

# %% name="sinusoidal_pe" english="9669c7"
def sinusoidal_pe(T, d):
    """La tabla: PE[p, 2k] = sin(p * omega_k), PE[p, 2k+1] = cos(p * omega_k).

    Devuelve un array de forma (T, d), float32.
    Lanza ValueError si d es impar o no es positivo, o si T es negativo.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_counter_text" english="a2a9f2"
# Si no entiendes lo que te dice la comprobación, ejecuta `look("sinusoidal_pe")` en una celda nueva. Dibuja tu tabla, la
# velocidad a la que giran sus pares y los lugares en que se aparta de la correcta.
#
# ### Míralo
#
# La celda de abajo imprime las tres primeras filas de tu tabla con $d = 8$. Busca el par que gira 1 radián por posición y las
# columnas que apenas se mueven.
#
# Debajo hay 16 filas en colores, cada una junto a su posición en binario. La última cifra binaria cambia a cada paso; la
# anterior, cada dos. Tu tabla cuenta de la misma manera, pero con suavidad y con las columnas rápidas a la izquierda: cada
# par es diez veces más lento que el que tiene a su izquierda. La fila enmarcada dice dónde están las puntas de las cuatro agujas
# en la posición 12: derecha, arriba, derecha, arriba, etcétera. En la posición 12 solo el primer reloj ha completado una vuelta.

# %% [markdown] name="see_points_text" english="6e413d"
# Ahora, tu segunda apuesta. A la izquierda están las dos columnas de un mismo reloj; a la derecha, las dos columnas de tu
# apuesta.

# %% [markdown] name="see_order_text" english="2d95d3"
# ### Gatos cazan ratones
#
# Las mismas dos frases, otra vez sin máscara, pero ahora tu tabla se suma a las palabras.

# %% [markdown] name="offers" english="2f25e0"
# ### ¿Por qué es buena esta codificación?
#
# - Es **fija**: no hay parámetros que entrenar.
# - Es **acotada**: todos los elementos están en $[-1, 1]$, por largo que sea el texto.
# - Sus filas son **únicas**: en aritmética exacta no hay dos posiciones con la misma fila. Basta el primer reloj para
#   garantizarlo: una vuelta dura $2\pi$ posiciones y, como $\pi$ es irracional, ningún número entero de posiciones, salvo 0, da un
#   número entero de vueltas.
# - Es **suave**: de una posición a la siguiente cada aguja gira su propio ángulo fijo, de 1 radián o menos. Cuanto más ancha es
#   la tabla, más se parecen dos filas vecinas: su coseno es 0.54 con $d=2$ y 0.96 con $d=32$.
# - Tiene una fila para **cualquier posición**, incluso más allá de las vistas en el entrenamiento. Otra cuestión es si un modelo
#   sabrá usar esa fila.
# - Facilita los **desplazamientos relativos**: una misma transformación lineal lleva la fila de $p$ a la fila de $p + 3$, sea cual
#   sea $p$. Lo verás en [03 · Demostración de la rotación](03_rotation_proof.ipynb).

# %% [markdown] name="name_the_mistake_task" english="1bdbf9"
# ## Ponle nombre al error
#
# ●●○ · útil · 14 minutos · 2 puntos
#
# Cada una de las cuatro tablas de abajo debería ser `sinusoidal_pe(24, 16)`, pero la hizo un programa con uno de los ocho
# errores de esta lista. (Algunos programas conocidos, como tensor2tensor, ponen primero todos los senos. Aquí cuenta como error,
# porque en este curso van intercalados con los cosenos.) Mira primero las imágenes: ¿qué error ves en cada una?
#
# | nombre | el error |
# |---|---|
# | `"columns-unwritten"` | la mitad de las columnas, todos los senos o todos los cosenos, se quedó sin llenar y vale 0 |
# | `"degrees"` | los ángulos se tomaron como grados |
# | `"frequencies-reversed"` | los pares lentos van primero |
# | `"halves-layout"` | primero todos los senos, después todos los cosenos |
# | `"integer-division"` | la fracción $2k/d$ del exponente se redondeó hacia abajo a un número entero |
# | `"positions-from-one"` | el primer token tiene la posición 1 |
# | `"same-function-twice"` | seno en las dos columnas de cada par |
# | `"swapped-sin-cos"` | coseno en las columnas pares, seno en las impares |
#
# Debajo de la imagen ves los primeros y los últimos elementos de las filas 0 y 1, en tu propia tabla y en estas cuatro.
# (`gallery()` devuelve las cuatro tablas por letra.) Las filas 0 y 1 bastan para distinguir los ocho errores.
#
# Ahora, que lo haga un programa. `name_the_mistake(tables)` recibe un diccionario de tablas erróneas, como `gallery()`. El
# bucle y dos de los errores ya están hechos; nombra los otros seis. Cada `table` tiene forma `(T, d)`, con al menos 6
# posiciones y 6 dimensiones.
#
# La comprobación prueba tu función con estas cuatro tablas, que solo muestran cuatro de los ocho errores. Al calificar se usan
# otras tablas, otros tamaños, otras letras y los ocho errores, así que los nombres escritos a mano no suman puntos.
#
# <details><summary>Pista</summary>
# Mira primero la fila 0: en la posición 0 todos los ángulos son 0. ¿Qué errores se ven ya ahí? Después pregúntate qué dice la
# fila 1 sobre la velocidad del primer par y sobre la del último.
# </details>
# <details><summary>Pista más grande</summary>
# Añade más <code>if</code> como los dos primeros, cada uno con su <code>return</code>. Tres de los seis errores se ven en los
# dos primeros elementos de la fila 0. Para los otros tres, compara el primer elemento y el último de <code>sines[1]</code> con
# los de tu propia tabla.
# </details>

# %% name="name_the_mistake" english="2797c0"
def name_the_mistake(tables):
    """El nombre del error de cada tabla errónea.

    tables: {letra: array de forma (T, d)}, T >= 6, d >= 6. Devuelve {letra: nombre}.
    """
    def name_of(table):
        sines, cosines = table[:, 0::2], table[:, 1::2]  # donde están en una tabla correcta
        if not sines.any() or not cosines.any():
            return "columns-unwritten"
        if np.array_equal(sines, cosines):
            return "same-function-twice"
        # BEGIN ANSWER
        # END ANSWER

    return {letter: name_of(table) for letter, table in tables.items()}

# %% [markdown] name="why_pairs_task" english="6fb88b"
# ## Explica
#
# ●●○ · esencial · 6 minutos · 2 puntos, los califica quien imparte el curso
#
# El seno y el coseno de un par comparten una frecuencia. ¿Por qué tiene que ser así? Di qué se perdería si cada columna
# tuviera su propia frecuencia. Bastan tres o cuatro oraciones, y dibujar el reloj puede ayudarte.
#
# <details><summary>Pista</summary>
# Dibuja un reloj en la posición p y en la posición p + 5. ¿Qué lleva la primera aguja a la segunda? ¿Depende de p?
# </details>
# <details><summary>Pista más grande</summary>
# Tapa el coseno con la mano. Si solo tienes el seno, ¿puedes decir dónde está la punta y dónde estará después?
# </details>

# %% [markdown] name="sinusoidal_pos_task" english="918517"
# ## Extra: la tabla como un solo vector
#
# ●○○ · extra · 4 minutos · 0 puntos
#
# Algunos programas guardan la tabla como un solo vector largo. Escribe `sinusoidal_pos(seed, T, d_model)`. Devuelve un
# array de forma `(T * d_model,)`, fila tras fila, de modo que el elemento `p * d_model + i` es la columna `i` de la
# posición `p`. Ignora la semilla: está ahí porque otras codificaciones de esta familia son aleatorias.
#
# <details><summary>Pista</summary>
# ¿Qué dos elementos son vecinos en el vector: dos posiciones de una columna o dos columnas de una posición?
# </details>
# <details><summary>Pista más grande</summary>
# La tabla ya la tienes. NumPy ordena los arrays fila por fila si no le dices otra cosa; consulta <code>reshape</code>.
# </details>

# %% name="sinusoidal_pos" english="2211d5"
def sinusoidal_pos(seed, T, d_model):
    """La tabla fila por fila: el elemento p * d_model + i es PE[p, i].

    seed: se ignora. d_model: un número par de dimensiones.
    Devuelve un array de forma (T * d_model,).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="quiz_text" english="5dab86"
# ## Cinco preguntas rápidas
#
# Leerás a menudo afirmaciones como estas. ¿Verdadero o falso? Responde antes de leer las razones.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="unshuffle_task" english="224a1c"
# ## Por tu cuenta
#
# ●●○ · esencial · 6 minutos · 1 punto, se califica sin comprobación
#
# Alguien desordenó las columnas de una tabla y olvidó su base, que puede ser cualquier número entre 20 y 1000. Las filas no se
# tocaron: la fila $p$ sigue siendo la de la posición $p$. Escribe `unshuffle(table)`, que devuelve las mismas columnas en el orden
# de este curso. La tabla tiene al menos 32 posiciones y de 6 a 16 columnas.
#
# Aquí no hay comprobación ni pistas, así que inventa tu propia prueba. ¿Qué debería hacer tu función con
# `sinusoidal_pe(40, 8)[:, [5, 2, 7, 0, 3, 6, 1, 4]]`?

# %% name="unshuffle" english="d69489"
def unshuffle(table):
    """Las columnas de una tabla desordenada, otra vez en el orden de este curso.

    table: un array de forma (T, d) con las columnas en cualquier orden, de base desconocida.
    Devuelve un array de forma (T, d).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="done" english="b56047"
# ## Para ir más lejos
#
# Lleva `name_the_mistake` más allá: dale una tabla con **dos** errores, por ejemplo los senos primero y los ángulos en
# grados. ¿Qué combinaciones se distinguen solo con las filas 0 y 1, y cuáles parecen uno de los ocho errores?
#
# ## Lo que ya sabes hacer
#
# - Dar la frecuencia de cada par de columnas, en radianes por posición.
# - Construir la tabla de cualquier tamaño y explicar qué significa cada uno de sus números.
# - Reconocer qué error tiene una tabla con solo mirar dos de sus filas.
#
# **Sigue**: [02 · Mapa de calor](02_heatmap.ipynb) mira la tabla entera de una vez.
#
# <details><summary><b>Los siete laboratorios</b> (haz clic para desplegar)</summary>
#
# | | laboratorio | la pregunta |
# |---|---|---|
# | 01 | Construye la tabla (este) | ¿Cómo sabe un modelo dónde está cada token? |
# | 02 | [Mapa de calor](02_heatmap.ipynb) | ¿Cómo se ve la tabla entera, y qué oculta la imagen? |
# | 03 | [Demostración de la rotación](03_rotation_proof.ipynb) | ¿Por qué un desplazamiento de δ posiciones es siempre la misma matriz? |
# | 04 | [El producto escalar decae](04_dot_product_decay.ipynb) | ¿Cuánto se parecen dos posiciones separadas por δ? |
# | 05 | [Barrido de la base](05_base_sweep.ipynb) | ¿Qué hace el número 10 000? |
# | 06 | [Orden para la atención](06_order_for_attention.ipynb) | ¿Qué pasa con la tabla dentro de la atención? |
# | 07 | [Precisión y costo](07_precision_and_cost.ipynb) | ¿Hasta dónde puedes confiar en la tabla, y cuánto cuesta? |
#
# </details>
#
# **Fuentes**
#
# - *Attention Is All You Need*. Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin, 2017.
# - *Convolutional Sequence to Sequence Learning*. Gehring, Auli, Grangier, Yarats, Dauphin, 2017. (Posiciones aprendidas.)
# - *Position Information in Transformers: An Overview*. Dufter, Schmitt, Schütze, 2022.
