# %% [markdown] name="title" english="e5661d"
# # 03 · Demostración de la rotación
#
# **Tiempo** 75 minutos · **Dificultad** ★★☆ · **Necesitas** [01 · Construye la tabla](01_build_the_table.ipynb) y productos
# de matrices; aquí se explica lo que necesitas de SymPy
#
# Después de este laboratorio sabrás
#
# 1. escribir la matriz que hace avanzar δ posiciones todas las filas de la tabla, y decir de qué depende;
# 2. demostrar que una sola matriz vale en cualquier posición, que los desplazamientos se suman y que cada uno se puede deshacer;
# 3. decir qué se pierde sin los cosenos, y por qué una tabla equivocada puede pasar la prueba del desplazamiento.

# %% [markdown] name="why" english="e01cf5"
# ## Por qué
#
# «Tres palabras antes» debería significar lo mismo al principio de un texto que al final. Un modelo hecho de matrices puede
# aprenderlo si avanzar δ posiciones es **la misma transformación lineal, empieces donde empieces**:
#
# $$PE(p + \delta) = R(\delta)\,PE(p) \qquad \text{para todo } p$$
#
# Como en el laboratorio 01, cada par de columnas es un reloj. Su aguja apunta a
# $x = \sin(p\,\omega_k)$, $y = \cos(p\,\omega_k)$: empieza en las 12 y gira en el sentido del reloj. Avanzar δ posiciones la hace
# girar $\delta\,\omega_k$, apunte adonde apunte. Todo el laboratorio está en esa frase. Abajo, la aguja a trazos está en $p$ y la
# continua en $p + \delta$, con un arco entre las dos. Cambia la posición y después el desplazamiento: ¿cuál de los dos cambia los arcos?
#
# Para demostrar lo que ves necesitas dos identidades:
#
# $$\begin{aligned}
# \sin(\alpha + \beta) &= \sin \alpha \cos \beta + \cos \alpha \sin \beta \\
# \cos(\alpha + \beta) &= \cos \alpha \cos \beta - \sin \alpha \sin \beta
# \end{aligned}$$
#
# <details><summary>Los símbolos, como en todos los laboratorios</summary>
# T posiciones, d dimensiones, p una posición contada desde 0, k un par de columnas, δ (<code>offset</code>) una distancia en
# posiciones, ω<sub>k</sub> = 10000<sup>−2k/d</sup>. Como en el laboratorio 02, la tabla viene del módulo protegido.
# </details>

# %% [markdown] name="predict" english="55ee83"
# ## Predice
#
# 1. Con $d = 8$, $R(3)$ es una matriz de 8 × 8. ¿Cuántos de sus 64 elementos **no** son 0?
# 2. Para probar una tabla puedes desplazarla: la tabla pasa si $R(3)$ lleva cada fila a la que está 3 posiciones más
#    adelante. Más abajo probarás diez tablas con un error cada una, como «el primer token tiene la posición 1». ¿Cuántas de
#    esas tablas pasan?
#
# Las apuestas no se califican. Más adelante volverás a las dos preguntas.

# %% name="predict_two" english="9f7ac5"
guess_entries = None  # tu apuesta, de 0 a 64
guess_survivors = None  # tu apuesta: un número de tablas, de 0 a 10

# %% [markdown] name="shift_matrix_task" english="161329"
# ## Construye: la matriz
#
# ●●○ · esencial · 12 minutos · 3 puntos
#
# Escribe `shift_matrix(offset, d)`. Devuelve un array de forma `(d, d)` tal que
# `shift_matrix(offset, d) @ PE(p) = PE(p + offset)` para cualquier posición $p$. Aquí $PE(p)$ es una fila de la tabla como
# vector: senos en los índices pares, cosenos en los impares. El desplazamiento es un número entero: puede ser 0, negativo o
# de varios miles, así que usa `float64`, también en los ángulos. La función no recibe $p$, ni le hace falta.
#
# Si no encuentras el error que señala la comprobación, `look("shift_matrix")` dibuja tu array junto al que pide el ejercicio.
# `look` sirve para todas las funciones que devuelven un array.
#
# <details><summary>Pista</summary>
# Empieza por un solo par. Desarrolla sin(pω + δω) con la primera identidad: ¿cuáles son los coeficientes de sin(pω) y cos(pω)?
# Son la primera fila de una matriz de 2 × 2. La segunda identidad da la segunda fila.
# </details>
# <details><summary>Pista más grande</summary>
# Los pares no se mezclan, así que la matriz es 0 fuera de los bloques de 2 × 2 de su diagonal. Con
# <code>even = np.arange(0, d, 2)</code>, el índice <code>matrix[even, even + 1]</code> selecciona de una vez la esquina superior
# derecha de todos los bloques.
# </details>

# %% name="shift_matrix" english="1489b7"
def shift_matrix(offset, d):
    """Matriz de desplazamiento: PE(p + offset) = shift_matrix(offset, d) @ PE(p) para todo p.

    offset: un número entero de posiciones. d: un número par de dimensiones.
    Devuelve un array de forma (d, d), float64.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_matrix_text" english="15081b"
# ### Míralo
#
# La figura muestra las matrices de tres desplazamientos con $d = 8$, con un marco alrededor del bloque de cada reloj. ¿Qué
# elementos cambian de una imagen a otra? ¿Qué reloj apenas se mueve en 20 posiciones?

# %% [markdown] name="reference_run_text" english="846878"
# Ahora desplaza una tabla entera: 16 posiciones con $d = 8$. Sus vectores son las filas, así que la matriz va a la derecha,
# traspuesta. Con aritmética exacta no quedaría ningún error; el redondeo deja un error de unos 6e-8 con una tabla `float32`
# y 2e-16 con una `float64`. Sus cifras cambian un poco de una máquina a otra, así que la celda solo imprime si está por debajo de
# 1e-5. Para ver el propio error, añade `print(f"{error:.0e}")`: con cuatro decimales parecería 0.

# %% name="reference_run" english="8a826e"
table = sinusoidal_pe(16, 8)
error = np.abs(table[:-3] @ shift_matrix(3, 8).T - table[3:]).max()
print(f"T = 16, d = 8, offset 3: el mayor error está por debajo de {1e-5:.0e}: {error < 1e-5}")

# %% [markdown] name="shift_task" english="a79fbc"
# ## Construye: desplazar sin la matriz
#
# ●●○ · esencial · 6 minutos · 2 puntos
#
# De los $d^2$ elementos, como mucho $2d$ no son 0, así que casi todo el producto de matrices es trabajo perdido. Para una
# tabla de 200 000 columnas haría falta una matriz de 320 GB, y al calificar se usa también una tabla muy ancha. Por eso,
# escribe `shift(pe, offset)` sin construir la matriz: la fila $p$ del resultado es $R(\delta)$ por la fila $p$ de `pe`, y la
# forma sigue siendo `(T, d)`.
#
# Usa los números de `pe` en vez de reconstruir la tabla: `pe` puede estar multiplicada por un factor, o no seguir ninguna
# fórmula. No importa que las últimas filas del resultado sean de posiciones que `pe` ya no tiene. No modifiques `pe`.
#
# <details><summary>Pista</summary>
# <code>pe[:, 0::2]</code> son los senos de todos los pares, y <code>pe[:, 1::2]</code>, sus cosenos.
# Cada seno nuevo es una suma: el seno antiguo por un factor, más el coseno antiguo por otro. Cada coseno nuevo, también.
# </details>
# <details><summary>Pista más grande</summary>
# El coseno y el seno son la parte real y la imaginaria de un número complejo. ¿Qué le pasa a su ángulo si lo multiplicas por un
# número de módulo 1? O, con números reales: llena un array nuevo de la misma forma, y lee solo del antiguo.
# </details>

# %% name="shift" english="0ab11a"
def shift(pe, offset):
    """Todas las filas desplazadas: la fila p del resultado es R(offset) por la fila p de pe.

    pe: una tabla de forma (T, d), float32; no se modifica. offset: un número entero.
    Devuelve un array de forma (T, d).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_shift_text" english="92de9e"
# ### Míralo
#
# La figura muestra lo que tu `shift` hace con las posiciones 2 y 9 en el desplazamiento 3. Las agujas empiezan en lugares
# distintos. ¿Qué es igual en las dos filas?

# %% [markdown] name="proof_task" english="931844"
# ## Demuéstralo
#
# ●●● · esencial · 15 minutos · 3 puntos
#
# Probar 16 filas no dice nada de la fila 17; una demostración vale para todas. Escribe `proof(p, a, b, omega)`. Recibe
# cuatro símbolos de SymPy, para una posición, dos desplazamientos y una frecuencia, y devuelve una **lista de seis pasos**.
# Escribe cada par como columna, con el seno encima del coseno: `Matrix([..., ...])`.
#
# | paso | qué es | su forma |
# |---|---|---|
# | 1 | el par en la posición $p + a$ | el seno y el coseno de la suma |
# | 2 | el mismo par, desarrollado | sin senos ni cosenos de una suma |
# | 3 | la matriz $R(a)$ de 2 × 2 que lleva el par en $p$ al par del paso 2 | no contiene $p$ |
# | 4 | el producto $R(b)\,R(a)$: avanzar $a$ y luego $b$ | ya multiplicado, sin senos ni cosenos de una suma |
# | 5 | la misma matriz, agrupada | senos y cosenos de la suma de los dos ángulos |
# | 6 | la inversa de $R(a)$ | cualquier forma en $a$ y $\omega$ |
#
# Un paso cuenta si es cierto para **todos** los valores de los símbolos y tiene la forma que pide la tabla; cómo lo escribes
# lo decides tú. Cada paso correcto vale medio punto, aunque otros estén mal. Escribe `None` en el paso que te saltes.
# Puedes usar +, \*, potencias enteras, `sin`, `cos`, `tan`, `exp`, `I` y `Matrix`, todo de SymPy. De SymPy no necesitas más que esto:
#
# ```python
# Matrix([x, y])                  # una columna
# Matrix([[x, 1], [1, y]])        # una matriz de 2 × 2; * multiplica matrices
# expand_trig(cos(x + y))         # -sin(x)*sin(y) + cos(x)*cos(y); deja cos(z*(x + y)) como está
# ```
#
# <details><summary>Pista</summary>
# Los ángulos son p·ω, a·ω y b·ω. Los pasos 1 y 2 son las dos identidades con α = p·ω y β = a·ω. Para el paso 3: ¿cuáles son los
# coeficientes de sin(p·ω) y cos(p·ω) en el paso 2?
# </details>
# <details><summary>Pista más grande</summary>
# Los pasos 3 a 6 son valores de una misma función de un ángulo. Escribe esa función una sola vez, dentro de
# <code>proof</code>. Para el paso 6: ¿qué ángulo deshace un giro de a·ω?
# </details>

# %% name="proof" english="2a07cb"
def proof(p, a, b, omega):
    """Los seis pasos de la tabla de arriba: desde el par en p + a hasta la inversa de R(a).

    p, a, b, omega: símbolos de SymPy.
    Devuelve una lista: dos columnas de forma (2, 1) y cuatro matrices de forma (2, 2).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="proof_meaning" english="465c70"
# Has demostrado tres cosas, para cada frecuencia y, por tanto, para toda la tabla. $R(a)$ es una rotación en la que no aparece
# $p$, así que vale en cualquier posición, incluso en las que no se vieron en el entrenamiento. Dos desplazamientos seguidos son
# uno solo. Y todo desplazamiento se puede deshacer: compara el paso 6 con el paso 3. ¿Cómo obtienes la inversa a
# partir de $R(a)$, y con qué matrices funciona eso?
#
# Esta es la tercera manera de leer la tabla. El laboratorio 01 mostró relojes y un contador de cifras que cambian suavemente;
# aquí ves pares que giran.
#
# ## Para qué sirve: una cabeza que mira 3 atrás
#
# Gira cada fila 3 posiciones hacia atrás y compárala con todas las filas de la tabla:
# $\text{puntuaciones} = \text{ganancia} \cdot PE\,R(-3)^\top PE^\top$. Un softmax a lo largo de cada fila convierte las
# puntuaciones en pesos, como en `attend` del laboratorio 01; con más ganancia, los pesos se concentran. Esto es una cabeza de
# atención: su matriz de consultas es $R(-3)$, su matriz de claves es la identidad, y usa esas dos matrices en las 64 posiciones.
# ¿Adónde mira la posición 10? ¿Y la posición 1?

# %% [markdown] name="relative_position_task" english="a38cb6"
# ## Explica
#
# ●●○ · esencial · 5 minutos · 2 puntos, los califica quien imparte el curso
#
# La atención compara una consulta con una clave, y las dos son transformaciones lineales de sus vectores de entrada. ¿Por qué ayuda
# que $R(\delta)$ no dependa de $p$? ¿Qué tendría que aprender un modelo si $R(\delta)$ sí dependiera de $p$? Bastan
# tres o cuatro oraciones.
#
# <details><summary>Pista</summary>
# Supón que la consulta es una matriz fija multiplicada por la fila de p. ¿Con qué matriz sería igual a la fila de p - 3?
# </details>
# <details><summary>Pista más grande</summary>
# ¿Qué necesita el modelo en la posición 5, en la posición 500 y en una posición poco frecuente en el entrenamiento?
# </details>

# %% [markdown] name="predict_left_over_text" english="5b9dbb"
# ## ¿Y si solo hubiera senos?
#
# Quédate con las $d/2$ columnas de senos y quita los cosenos. ¿Queda alguna matriz que desplace las filas? Predice primero. Toma
# un solo reloj ($d = 2$) y, para cada desplazamiento, la mejor matriz posible: ¿qué imagen muestra el error que queda?

# %% name="predict_left_over" english="80ff1f"
predict(guesses.LEFT_OVER)
guess_left_over = None  # tu apuesta: "A", "B", "C" o "D"

# %% [markdown] name="sines_alone_task" english="229f5e"
# ### Construye: mídelo
#
# ●●○ · útil · 6 minutos · 2 puntos
#
# Sean $A$ los senos en las posiciones $p = 0, \dots, T-1$, y $B$, los senos δ posiciones más adelante. Las dos tienen forma
# $(T, d/2)$. Busca por mínimos cuadrados la matriz $W$ que más acerca $A\,W$ a $B$; en NumPy, esa $W$ es
# `np.linalg.lstsq(A, B, rcond=None)[0]`. Escribe `sines_alone(T, d, offset)`. Devuelve el tamaño del residuo: la **raíz
# cuadrática media** (RMS) de todos los elementos de $B - A\,W$.
#
# <details><summary>Pista</summary>
# Una tabla de T + offset filas contiene las dos: A son sus primeras T filas y B, las últimas T. Usa solo las columnas pares.
# </details>
# <details><summary>Pista más grande</summary>
# La raíz cuadrática media de un array es la raíz cuadrada de la media de sus cuadrados.
# </details>

# %% name="sines_alone" english="139d99"
def sines_alone(T, d, offset):
    """El residuo de la mejor transformación lineal de los senos en p a los de p + offset.

    p = 0 .. T-1. T: posiciones. d: un número par de dimensiones. offset: no negativo.
    Devuelve un número: la raíz cuadrática media de B - A W, sobre sus T * d/2 elementos.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_sines_alone_text" english="b1933a"
# ### Míralo
#
# La figura muestra el residuo con 64 posiciones y desplazamientos de 1 a 25. En ella se comparan los senos solos, con un
# reloj ($d = 2$) y con cuatro ($d = 8$), con tu rotación, que usa pares completos. ¿Dónde están los puntos bajos, y qué
# tienen en común esos desplazamientos?

# %% [markdown] name="which_mistakes_survive_task" english="00667e"
# ## ¿Qué errores sobreviven?
#
# ●●○ · esencial · 6 minutos · 1 punto
#
# Dan ganas de usar la rotación como prueba: *una tabla que la matriz desplaza bien tiene que ser correcta.* ¿Es así?
# `gallery.tables()` devuelve un diccionario que asigna letras a diez tablas, cada una de forma `(40, 8)` en `float32`. El
# diccionario `gallery.MISTAKES` contiene el error de cada tabla. Imprime los errores y piensa en cada tabla antes de calcular.
#
# Escribe `which_mistakes_survive(tables)`. Recibe un diccionario como ese y devuelve el **conjunto de letras de las tablas que
# pasan**, como `{"B", "H"}`. Una tabla pasa si `shift_matrix(3, d)` lleva **cada** fila a la que está 3 posiciones más adelante. El
# redondeo deja diferencias menores que 1e-5; un error que la prueba detecta deja una de 0.1 o más. Al calificar se usan
# otras tablas, con otros tamaños, otras letras y otros errores.
#
# <details><summary>Pista</summary>
# Pregúntate dos cosas de cada tabla. ¿Sigue girando cada par de sus columnas? ¿Y gira el ángulo que espera
# <code>shift_matrix</code>, en el sentido que espera?
# </details>
# <details><summary>Pista más grande</summary>
# La celda de arriba que imprime el error con T = 16 prueba una tabla. Recorre <code>tables.items()</code> y toma
# d de la forma de cada tabla.
# </details>

# %% name="which_mistakes_survive" english="eea4c9"
def which_mistakes_survive(tables):
    """Las letras de las tablas que pasan la prueba de la rotación con offset 3.

    tables: un diccionario de letras a tablas, cada una de forma (T, d), float32.
    Devuelve un conjunto de letras.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_survivors_text" english="b6db9b"
# ### Míralo
#
# La figura muestra dos errores de cada tabla: el mayor con tu matriz y el mayor con la mejor matriz para esa tabla. Algunas
# tablas fallan con tu matriz y pasan con otra, porque siguen otra convención. Para las demás que
# fallan no sirve ninguna matriz.

# %% [markdown] name="quiz_text" english="910eff"
# ## Cinco preguntas rápidas
#
# ¿Verdadero o falso? Escribe tus respuestas en la celda y ejecútala; verás el porqué de cada una.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="next_row_task" english="86dd97"
# ## Una más, sin comprobación
#
# ●●○ · esencial · 6 minutos · 1 punto
#
# Imagina una tabla que nunca has visto. Las columnas pares son senos; las impares, cosenos, y cada par gira a velocidad
# constante. Pero las velocidades no son $\omega_k$, y no las recibes: solo recibes dos filas vecinas.
#
# Escribe `next_row(before, here)`, que calcula la fila $p + 2$ a partir de las filas $p$ y $p + 1$. El notebook no comprueba
# esta función; se califica después de la entrega. Pruébala tú: las filas 5 y 6 de `sinusoidal_pe(8, 8, base=50)` deben
# dar la fila 7.
#
# <details><summary>Pista</summary>
# De cada fila a la siguiente, una aguja gira siempre el mismo ángulo. La has visto girar una vez.
# </details>
# <details><summary>Pista más grande</summary>
# Toma una aguja como número complejo, coseno + i · seno. ¿Qué obtienes si divides la aguja de una posición
# entre la de la posición anterior?
# </details>

# %% name="next_row" english="fa7a43"
def next_row(before, here):
    """La fila que sigue a dos filas vecinas de una tabla de frecuencias desconocidas.

    before, here: filas p y p + 1, arrays de forma (d,), float64, con pares de longitud 1.
    Devuelve la fila p + 2, un array de forma (d,).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="stretch" english="eb0e63"
# ## Para ir más lejos
#
# Deja que la posición varíe de forma continua. La derivada de un par es $\frac{d}{dp}(\sin p\omega, \cos p\omega) =
# \omega\,(\cos p\omega, -\sin p\omega)$: otra vez una matriz fija multiplicada por el par, la misma para todo $p$. Escribe la
# matriz $G$ de forma $(d, d)$ con $dPE/dp = G\,PE$. Después demuestra, en papel o con la suma
# $I + \delta G + (\delta G)^2/2! + \dots$, que `shift_matrix(offset, d)` es la exponencial de matrices $\exp(\delta G)$.
# ¿Cuántos términos necesitas con desplazamiento 3 y $d = 8$ para que el error sea menor que 1e-9? ¿Por qué la exponencial hace
# evidente que dos desplazamientos seguidos son uno? ¿Y qué propiedad de $G$ conserva las longitudes?
#
# **Fuentes**: «Attention Is All You Need», Vaswani et al., 2017 (la sección 3.5 observa que $PE_{pos+k}$ es una función lineal de
# $PE_{pos}$) · «RoFormer: Enhanced Transformer with Rotary Position Embedding», Su et al., 2021 ·
# «Self-Attention with Relative Position Representations», Shaw, Uszkoreit y Vaswani, 2018.

# %% [markdown] name="done" english="f7fa01"
# ## Lo que ya sabes hacer
#
# - Escribir un desplazamiento como una matriz de rotaciones pequeñas, y aplicarlo sin la matriz.
# - Demostrar en seis pasos que una sola matriz vale en cualquier posición, que los desplazamientos se suman y que cada uno se
#   puede deshacer.
# - Decir por qué una cabeza puede mirar «3 atrás» en todas partes con una sola matriz, y por qué una tabla que pasa esta prueba
#   puede ser incorrecta.
#
# **Sigue**: [04 · El producto escalar decae](04_dot_product_decay.ipynb) pregunta cuánto se parecen dos posiciones, y en él
# vuelve a aparecer el desplazamiento.
