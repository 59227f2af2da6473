# %% [markdown] name="title" english="4c6749"
# # 04 · El producto escalar decae
#
# **Tiempo** 70 minutos · **Dificultad** ★★☆ · **Necesitas** [03 · Demostración de la rotación](03_rotation_proof.ipynb)
#
# Después de este laboratorio sabrás
#
# 1. calcular cuánto se parece una posición a cada una de las demás, con la tabla y con una fórmula cerrada;
# 2. medir si la similitud de una tabla depende solo del desplazamiento, y distinguir el redondeo de una diferencia real;
# 3. decir cómo cambia la similitud con la distancia, y juzgar, midiendo, dos afirmaciones muy repetidas.

# %% [markdown] name="why" english="e73365"
# ## Por qué
#
# La atención compara vectores con el producto escalar. Entonces, ¿cuánto vale el producto escalar de dos posiciones
# codificadas? Para las posiciones $p$ y $q$, el par $k$ aporta
#
# $$\sin(p\,\omega_k)\sin(q\,\omega_k) + \cos(p\,\omega_k)\cos(q\,\omega_k) = \cos\big((p - q)\,\omega_k\big).$$
#
# Las posiciones desaparecen; solo queda el **desplazamiento** $\delta = p - q$. La suma de todos los pares es
#
# $$S(\delta) = PE(p)\cdot PE(p - \delta) = \sum_{k=0}^{d/2-1} \cos(\delta\,\omega_k).$$
#
# En el desplazamiento 0 todos los cosenos valen 1, así que $S(0) = d/2$, y ningún desplazamiento da más. Quizá hayas leído
# que $S$ «decae con la distancia». En este laboratorio medirás qué quiere decir eso.

# %% [markdown] name="predict" english="f09a7c"
# ## Predice
#
# Toma 64 posiciones y $d = 32$. El producto escalar de una posición consigo misma es 16. Haz tres apuestas. No se
# califican; más adelante volverás a ellas.
#
# 1. Calcula el producto escalar de cada fila con la fila 0 y dibújalo según la posición. ¿Cuál de estas cuatro imágenes
#    obtienes?
# 2. ¿Cuál es el producto escalar **más pequeño** de dos cualesquiera de las 64 posiciones? Puede ser negativo.
# 3. Aumenta el desplazamiento cuanto quieras. ¿En qué desplazamiento es el producto escalar 0 o negativo por primera vez?

# %% name="predict_both" english="0a6008"
predict(guesses.SHAPE)
guess_shape = None  # 1: "A", "B", "C" o "D"
guess_smallest = None  # 2: un número, 16 como máximo
guess_crossing = None  # 3: un desplazamiento, en posiciones

# %% [markdown] name="similarity_task" english="662bae"
# ## Construye: similitud a partir de la tabla
#
# ●○○ · esencial · 6 minutos · 2 puntos
#
# Escribe `similarity(pe, anchor)`. Devuelve el producto escalar de cada fila de la tabla `pe` con la fila `anchor`, como
# array de NumPy de forma `(T,)`. Debe servir para cualquier tabla de forma `(T, d)`, no solo para codificaciones.
# No normalices los productos.
#
# <details><summary>Pista</summary>
# Una fila tiene forma (d,); la tabla, (T, d). ¿A lo largo de qué eje suma un producto escalar, y qué eje queda?
# </details>
# <details><summary>Pista más grande</summary>
# Entre una matriz y un vector, el operador <code>@</code> calcula el producto escalar de cada fila de la matriz con el vector.
# </details>

# %% name="similarity" english="fa110c"
def similarity(pe, anchor):
    """Producto escalar de cada fila con la fila anchor: s[p] = sum_i pe[p, i] * pe[anchor, i].

    pe: una tabla de forma (T, d). anchor: un número de fila, de 0 a T - 1.
    Devuelve un array de forma (T,).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_anchors_text" english="f62ace"
# Si no encuentras el error que señala una comprobación, `look("similarity")` dibuja tus valores junto a los que pide el
# ejercicio. `look` sirve para todos los ejercicios que devuelven un array.
#
# ### Míralo
#
# Cada una de estas tres curvas tiene su máximo en su propia ancla. Si deslizaras una hasta ponerla sobre otra, ¿verías alguna diferencia?

# %% [markdown] name="see_offset_text" english="e528c0"
# Ahora mueve tú la curva. Arrastra el ancla: ¿qué cambia y qué sigue igual? Después arrastra el desplazamiento y compara las
# dos posiciones que están a esa distancia del ancla, una a cada lado.

# %% [markdown] name="closed_form_task" english="2cbb43"
# ## Construye: similitud a partir de la fórmula
#
# ●●○ · esencial · 8 minutos · 2 puntos
#
# Escribe `closed_form(offsets, d)`. Devuelve la suma $S(\delta)$ de arriba para cada desplazamiento de `offsets`, un array
# de NumPy de una dimensión con números enteros, que pueden ser negativos. El resultado tiene la misma forma.
#
# <details><summary>Pista</summary>
# No necesitas ninguna tabla. Para cada desplazamiento, suma d/2 cosenos. Las frecuencias son las del laboratorio 01.
# </details>
# <details><summary>Pista más grande</summary>
# Cada desplazamiento se combina con cada frecuencia, así que haz un array con un eje para los desplazamientos y otro para los
# pares, y suma a lo largo de uno de los dos. En el desplazamiento 0 el resultado debe ser d/2.
# </details>

# %% name="closed_form" english="acb48e"
def closed_form(offsets, d):
    """S(offset) = suma sobre k de cos(offset * omega_k).

    omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1. d: un número par de dimensiones.
    offsets: un array de forma (n,), en posiciones. Devuelve un array de forma (n,).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_both_text" english="2fc5f2"
# ### Míralo
#
# La celda imprime la similitud con la posición 10, con $T = 64$ y $d = 16$, en dos columnas: según la tabla y según la fórmula.
# Lee hacia abajo desde el desplazamiento 0: la similitud baja hasta el desplazamiento 3. ¿Qué hace después? La figura de abajo
# muestra todos los desplazamientos que caben en 64 posiciones, con $d = 32$.

# %% [markdown] name="offset_only_task" english="da6582"
# ## Construye: ¿importa solo el desplazamiento?
#
# ●●○ · esencial · 10 minutos · 2 puntos
#
# Reúne en una matriz los productos escalares de todas las posiciones con todas: es la **matriz de Gram**
# $G = PE \cdot PE^\top$, de forma $(T, T)$. Los elementos con un mismo desplazamiento, $p - q = \delta$, forman una
# diagonal. Si solo importa el desplazamiento, todos los elementos de una diagonal son iguales. La tabla sinusoidal tiene
# esta propiedad; la mayoría de las tablas, no.
#
# Escribe `offset_only(pe)`. Devuelve la **dispersión** de cada diagonal, es decir, su elemento mayor menos el menor, para
# los desplazamientos de 0 a $T - 1$, como array de NumPy de forma `(T,)`. Una diagonal constante tiene dispersión 0. Tu
# función debe servir para cualquier tabla de forma `(T, d)`. Pruébala con otras dos tablas: en `tables.spoiled(T, d, row)`
# una fila de la tabla protegida está sobrescrita con la fila anterior, y las filas de `tables.scrambled(T, d)` no tienen
# nada que ver con sus posiciones.
#
# <details><summary>Pista</summary>
# Dibuja en papel la matriz de Gram de T = 4 y escribe p - q en cada casilla. ¿Cuántos elementos tiene la diagonal del
# desplazamiento 0, y cuántos la del 3? G es simétrica, así que basta con un lado.
# </details>
# <details><summary>Pista más grande</summary>
# <code>np.diagonal(G, offset)</code> da una diagonal. Una diagonal de un solo elemento tiene dispersión 0.
# </details>

# %% name="offset_only" english="98ff5d"
def offset_only(pe):
    """La dispersión de cada diagonal de la matriz de Gram, para los offsets 0 .. T - 1.

    spread[offset] = max - min de los elementos pe[p] . pe[q] con p - q = offset.
    pe: cualquier tabla de forma (T, d). Devuelve un array de forma (T,).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_gram_text" english="26bc65"
# ### Míralo
#
# La primera figura muestra la propia matriz. A lo largo de una fila aparece la curva de antes; a lo largo de una diagonal nada
# cambia.
#
# La segunda figura muestra tus dispersiones para tres tablas. A la izquierda están la tabla protegida y la misma tabla en
# float64. Con aritmética exacta, sus dispersiones serían 0; como la máquina redondea, solo son muy pequeñas: fíjate en la escala
# logarítmica. A la derecha está dañada la fila 20, así que el producto escalar ya no depende solo del desplazamiento. La fila
# dañada no se nota en el desplazamiento 0, porque su producto consigo misma sigue siendo $d/2$. Tampoco se nota más allá del
# desplazamiento 43: tan lejos, la fila 20 ya no tiene pareja, porque la última posición es $63 = 20 + 43$.

# %% [markdown] name="landmarks_task" english="57b986"
# ## Construye: dos puntos de referencia
#
# ●●○ · útil · 8 minutos · 2 puntos
#
# Escribe `landmarks(d)`. Devuelve dos enteros, en este orden:
#
# - el **primer mínimo**, es decir, el primer mínimo local: el menor desplazamiento en que $S$ es menor que en los dos
#   desplazamientos vecinos;
# - el **primer cruce**: el menor desplazamiento en que $S$ es 0 o negativa.
#
# Cuenta solo los desplazamientos positivos; con 10 000 basta para todo $d$ de 4 a 512. Cada número correcto vale un punto.
# Antes de ejecutar tu función: ¿esperas que el primer mínimo esté cerca del cruce?
#
# <details><summary>Pista</summary>
# <code>closed_form</code> da todas las sumas de una vez. Cuando el desplazamiento crece desde 0, ¿qué hacen las diferencias
# sucesivas en el primer mínimo?
# </details>
# <details><summary>Pista más grande</summary>
# <code>np.argmax</code> de un array de True y False da el índice del primer True. Asegúrate de que tu índice sea un
# desplazamiento, y no el número de un paso entre dos desplazamientos.
# </details>

# %% name="landmarks" english="8cef00"
def landmarks(d):
    """Primer mínimo: S(delta - 1) > S(delta) < S(delta + 1). Primer cruce: S(delta) <= 0.

    d: un número par de 4 a 512.
    Devuelve dos enteros, en posiciones: una tupla, una lista o un array.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_far_text" english="5ffdc1"
# ### Míralo: muy lejos
#
# La figura de abajo muestra desplazamientos hasta 10 000 en un eje logarítmico, y $S$ dividida entre $d/2$, para comparar
# distintos $d$.
# El eje empieza en el desplazamiento 1, donde las curvas ya han bajado de 1 a valores entre 0.957 y 0.973. La línea
# a trazos es la **tendencia**
#
# $$\frac{S(\delta)}{d/2} \approx 1 - \frac{\ln \delta + 0.577}{\ln 10000} \qquad \text{para } 1 \ll \delta \ll 10000.$$
#
# Esta fórmula se obtiene al cambiar la suma por una integral; 0.577 es la constante de Euler. Cada factor de 10 en el
# desplazamiento pone a girar otra cuarta parte de los pares, así que cuesta una cuarta parte de la altura:
# $\ln 10 / \ln 10000 = 1/4$.
#
# **Apuesta** antes de ejecutar la celda: ¿en qué desplazamiento llega a 0 la propia tendencia? Luego mira: ¿llegan las curvas a 0
# antes o después de ese desplazamiento, y con qué $d$ se quedan más cerca de la tendencia?

# %% name="predict_trend" english="edb0b5"
guess_trend = None  # un desplazamiento, en posiciones

# %% [markdown] name="is_it_monotone_task" english="de619c"
# ## Explica
#
# ●●○ · esencial · 10 minutos · 2 puntos, los califica quien imparte el curso
#
# A menudo se oyen dos afirmaciones: «la similitud baja sin parar con la distancia» y «baja hasta 0». Juzga las dos para
# $T = 256$ y $d = 64$, tamaños que este laboratorio no ha mostrado, con desplazamientos dentro de esa tabla y más allá. Apoya
# cada respuesta en un número que hayas medido con $d = 64$. Después di en una oración qué *sí* es cierto.
#
# <details><summary>Pista</summary>
# Tu <code>closed_form</code> da de una vez todas las sumas de una tabla así. ¿Qué número decide si baja «sin parar»? ¿Cuál decide
# si llega «hasta 0» dentro de la tabla, y cuál más allá?
# </details>
# <details><summary>Pista más grande</summary>
# Cuenta los pasos que suben. Busca la suma más pequeña y su desplazamiento. Después sigue la suma más allá de su primer cruce.
# </details>

# %% [markdown] name="grid_similarity_task" english="765f24"
# ## Por tu cuenta: posiciones en una cuadrícula
#
# ●●○ · esencial · 8 minutos · 1 punto
#
# Un transformer de visión divide una imagen en recortes. Cada recorte tiene dos posiciones: su columna $x$ y su fila $y$ en la
# imagen. Los primeros $d/2$ números de su codificación son la fila $x$ de una tabla sinusoidal de $d/2$ dimensiones, y los
# últimos $d/2$ son la fila $y$ de la misma tabla.
#
# Escribe `grid_similarity(dx, dy, d)`. Devuelve el producto escalar de las codificaciones de dos recortes separados por
# `dx` columnas y `dy` filas, como un solo número. `dx` y `dy` son enteros y pueden ser negativos; `d` es múltiplo de 4.
# Esta pregunta no tiene comprobación; se califica después de la entrega. Prueba tu respuesta con codificaciones que
# construyas tú.
#
# <details><summary>Pista</summary>
# Un producto escalar suma a lo largo de las columnas de la codificación. ¿Cuáles de ellas dependen solo de x?
# </details>
# <details><summary>Pista más grande</summary>
# ¿Cuántos pares hay en cada mitad? ¿Qué ancho entra en sus frecuencias?
# </details>

# %% name="grid_similarity" english="c7d1d0"
def grid_similarity(dx, dy, d):
    """El producto escalar de las codificaciones de dos recortes separados por dx columnas y dy filas.

    Una codificación: la fila x de una tabla de d/2 dimensiones, y luego la fila y de esa tabla.
    dx, dy: enteros. d: un múltiplo de 4. Devuelve un número.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="quiz_task" english="910eff"
# ## Cinco preguntas rápidas
#
# ¿Verdadero o falso? Escribe tus respuestas en la celda y ejecútala; verás el porqué de cada una.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="stretch" english="c7824c"
# ## Para ir más lejos
#
# Todas las filas tienen la misma longitud, así que la distancia y el producto escalar dicen lo mismo:
# $|PE(p) - PE(q)|^2 = d - 2\,S(p - q)$. ¿Es siempre la posición contigua la más cercana? Busca entre los desplazamientos hasta
# 1000 con $d = 8$, y luego con $d = 32$. ¿Por qué las filas solo vuelven a acercarse cuando hay pocos pares?
#
# **Fuentes**: «Attention Is All You Need», Vaswani et al., 2017 (la codificación) · «TENER: Adapting Transformer Encoder for
# Named Entity Recognition», Yan, Deng, Li y Qiu, 2019 (el producto escalar depende del desplazamiento y no de su signo) ·
# «RoFormer: Enhanced Transformer with Rotary Position Embedding», Su et al., 2021 (la misma suma en la atención, y su
# decaimiento) · «Masked Autoencoders Are Scalable Vision Learners», He et al., 2021 (codificaciones sinusoidales de recortes de
# imágenes).

# %% [markdown] name="done" english="e6ed0f"
# ## Lo que ya sabes hacer
#
# - Calcular la similitud de dos posiciones codificadas solo a partir de su desplazamiento.
# - Medir si una tabla cumple una propiedad, salvo por el redondeo, o no la cumple en absoluto.
# - Poner a prueba una afirmación corriente sobre la similitud con un número que la confirma o la desmiente.
#
# **Sigue**: [05 · Barrido de la base](05_base_sweep.ipynb) cambia la única constante que en este laboratorio quedó fija.
