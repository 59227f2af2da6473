# %% [markdown] name="title" english="acbe2d"
# # 06 · Orden para la atención
#
# **Tiempo** 75 minutos · **Dificultad** ★★☆ · **Necesitas** [03 · Demostración de la rotación](03_rotation_proof.ipynb) y
# [05 · Barrido de la base](05_base_sweep.ipynb)
#
# Después de este laboratorio sabrás
#
# 1. mostrar cuándo la atención no distingue el orden, y remediarlo sumando posiciones;
# 2. construir una cabeza que mira hacia atrás, a mano y con la codificación rotatoria;
# 3. decir qué aprende una cabeza de las posiciones, y qué parte de eso sirve en textos más largos.

# %% [markdown] name="why" english="6bbe8a"
# ## Por qué
#
# La tabla existe para la **atención**, que compara y mezcla tokens:
#
# $$\text{atención}(X)=\text{softmax}\Big(\frac{XX^\top}{\sqrt d}\Big)X.$$
#
# $X$ tiene una fila por token. El elemento $(p,q)$ de $XX^\top/\sqrt d$ es la **puntuación** que el token $p$, la consulta, da al
# token $q$, la clave. El softmax convierte cada fila de puntuaciones en **pesos** que suman 1:
# $w_{pq}=e^{s_{pq}}/\sum_{q'}e^{s_{pq'}}$. La fila $p$ de la salida es la media de las filas de $X$ con los pesos de la fila $p$. Una
# capa real obtiene de $X$ consultas, claves y valores con tres matrices aprendidas; aquí los tres son la propia $X$.

# %% [markdown] name="predict" english="29cb4e"
# ## Predice
#
# «The cat sat on the mat» y «the mat sat on the cat»: el gato en la alfombra y la alfombra en el gato, las mismas palabras en otro
# orden. (Están en inglés porque de sus letras salen los vectores.) Dale cada frase a la atención con una **máscara causal**: un
# token solo se ve a sí mismo y a los anteriores. ¿En cuántas de las seis palabras cambia la salida?

# %% name="predict_changed" english="0cbe25"
guess_changed = None  # tu apuesta, un número de palabras de 0 a 6; no se califica

# %% [markdown] name="attention_task" english="6d3cf1"
# ## Construye: la atención
#
# ●○○ · esencial · 8 minutos · 2 puntos
#
# Escribe `attention(x)`. Devuelve la fórmula de arriba, sin máscara. `x` y el resultado tienen forma `(T, d)`. No escribas en
# `x`: las comprobaciones de este laboratorio lo detectan.
#
# `embed("dog bites man", 8)` te da palabras para probar: una fila de longitud 1 por palabra, la misma esté donde esté la palabra.
#
# <details><summary>Pista</summary>
# Tres pasos: puntuaciones (T, T), pesos (T, T), salida (T, d). Imprime cuánto suma cada fila de los pesos.
# </details>
# <details><summary>Pista más grande</summary>
# <code>sum(axis=1, keepdims=True)</code> deja las sumas en una columna. Sin <code>keepdims</code>, ¿qué se divide entre qué?
# </details>

# %% name="attention" english="f55a48"
def attention(x):
    """Una cabeza sin matrices ni máscara: softmax(x xᵀ / sqrt(d)) x.

    El softmax se toma a lo largo de cada fila: los pesos de un token suman 1.
    x: un array de forma (T, d). Devuelve un array de forma (T, d).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_blind_text" english="3cf1bc"
# ### Míralo
#
# Las dos primeras imágenes muestran las salidas sin máscara, con los vectores de las palabras 4 veces más largos: busca la fila de
# «cat» en cada una. Las barras muestran cuánto se mueve la salida de cada palabra de una frase a la otra. ¿Qué sabe del orden la
# atención sin máscara?

# %% [markdown] name="add_positions_task" english="83403e"
# ## Construye: suma las posiciones
#
# ●○○ · esencial · 5 minutos · 2 puntos
#
# Multiplica las palabras por una escala y suma, en cada posición $p$, la fila $p$ de la tabla:
#
# $$X=\text{escala}\cdot E+PE.$$
#
# Escribe `add_positions(embeddings, scale)`. `embeddings` es $E$, de forma `(T, d)`; el resultado tiene esa misma forma. La tabla es
# `sinusoidal_pe(T, d)`.
#
# <details><summary>Pista</summary>
# ¿Qué T y qué d necesita la tabla, y de dónde los puedes leer?
# </details>
# <details><summary>Pista más grande</summary>
# ¿Qué debe quedar con <code>scale=0</code>?
# </details>

# %% name="add_positions" english="c1d85c"
def add_positions(embeddings, scale):
    """scale * E + PE.

    embeddings: E, un array de forma (T, d), con d par. scale: un número positivo.
    Devuelve un array de forma (T, d).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_balance_text" english="301f95"
# ### Míralo
#
# Una fila de $PE$ tiene longitud $\sqrt{d/2}$; una de `embed`, longitud 1. Una posición mide 2.8 veces lo que su palabra con
# $d=16$, y 16 veces con $d=512$. Vaswani et al. (2017) escalan con $\sqrt d$, sin dar una razón: así, con cualquier $d$, una
# palabra de longitud 1 pasa a medir $\sqrt2$ veces lo que su posición.

# %% [markdown] name="score_parts_task" english="50b2b0"
# ## Construye: las partes de una puntuación
#
# ●●○ · esencial · 7 minutos · 2 puntos
#
# Con $X=E+P$ las puntuaciones tienen cuatro partes:
#
# $$\frac{XX^\top}{\sqrt d}=\frac{EE^\top+EP^\top+PE^\top+PP^\top}{\sqrt d}.$$
#
# Escribe `score_parts(embeddings, pe)`. Devuelve estos cuatro arrays de forma `(T, T)`, en este orden: contenido-contenido,
# contenido-posición, posición-contenido, posición-posición. La parte de la consulta va primero. (También valen sin dividir
# entre $\sqrt d$.) La comprobación usa los nombres en inglés: content-content, content-position, position-content,
# position-position.
#
# En la figura de abajo, ¿qué parte sabe que «the» aparece dos veces? ¿Cuál sería la misma con seis palabras cualesquiera?
#
# <details><summary>Pista</summary>
# En contenido-posición, ¿qué está a la izquierda del producto, E o P?
# </details>
# <details><summary>Pista más grande</summary>
# Dos de las cuatro son la traspuesta una de la otra. ¿Cuáles?
# </details>

# %% name="score_parts" english="dcb634"
def score_parts(embeddings, pe):
    """E Eᵀ, E Pᵀ, P Eᵀ y P Pᵀ, divididas entre sqrt(d): las partes de las puntuaciones de E + P.

    embeddings: E, y pe: P, arrays de forma (T, d).
    Devuelve cuatro arrays de forma (T, T): una tupla, una lista o un array de forma (4, T, T).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="look_back_text" english="c070c4"
# ## Una cabeza que mira hacia atrás
#
# En el laboratorio 03 desplazar se convirtió en una rotación: $PE(p+\delta)=R(\delta)\,PE(p)$, donde el par $k$ gira
# $\delta\,\omega_k$,
#
# $$\begin{pmatrix}\cos\delta\omega_k&\sin\delta\omega_k\\-\sin\delta\omega_k&\cos\delta\omega_k\end{pmatrix}.$$
#
# Entonces una cabeza puede **buscar una posición**. Su consulta es la fila $p$ girada $\delta$ posiciones hacia atrás: la fila
# $p-\delta$. Sus claves son las filas tal como están. Mueve la consulta y después la clave: ¿en qué posición coincide la aguja de la
# clave con la aguja girada de la consulta en todos los relojes?

# %% [markdown] name="look_back_task" english="a8c9ee"
# ### Constrúyela
#
# ●●● · esencial · 12 minutos · 2 puntos
#
# La ganancia decide con cuánta nitidez mira la cabeza:
#
# $$\text{pesos}=\text{softmax}\big(\text{ganancia}\cdot PE\,R(-\delta)^\top PE^\top\big).$$
#
# Escribe `look_back(pe, offset, gain)`. Devuelve estos pesos, de forma `(T, T)`, sin máscara ni $\sqrt d$. `pe` es cualquier array
# de forma `(T, d)`. Puedes copiar $R$ (base 10 000) del laboratorio 03.
#
# <details><summary>Pista</summary>
# <code>pe @ R.T</code> aplica R a cada fila de pe. Con desplazamiento 3, ¿en qué fila debe convertirse la fila 10?
# </details>
# <details><summary>Pista más grande</summary>
# Empieza por las puntuaciones. ¿Dónde debe estar su <code>argmax(axis=1)</code>?
# </details>

# %% name="look_back" english="80cd9a"
def look_back(pe, offset, gain):
    """Los pesos de una cabeza que mira `offset` hacia atrás: softmax(gain * PE R(-offset)ᵀ PEᵀ).

    R(-offset) gira el par k de una fila -offset * omega_k, omega_k = 10000**(-2k/d).
    pe: un array de forma (T, d), con d par. offset: un entero, 0 o mayor.
    gain: un número positivo.
    Devuelve un array de forma (T, T): la fila p son los pesos de la posición p, y suma 1.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_look_back_text" english="661b47"
# ### Míralo
#
# Las tres primeras filas no tienen ningún token tres posiciones atrás. Pero sus pesos también deben sumar 1, así que la que más
# recibe es la posición 0: el 15 % del peso de la fila 0 con ganancia 1, y el 65 % con ganancia 4. Una cabeza así no puede
# responder «a ningún lado».

# %% [markdown] name="rope_task" english="4d506a"
# ## Construye: girar en vez de sumar
#
# ●●○ · esencial · 9 minutos · 2 puntos
#
# Si lo que cuenta es la rotación, ¿para qué sumar nada? La codificación **rotatoria** (RoPE) gira las propias palabras: la consulta
# en $p$ con $R(p)$ y la clave en $q$ con $R(q)$. Como $R(p)^\top R(q)=R(q-p)$,
#
# $$\big(R(p)\,x_p\big)\cdot\big(R(q)\,x_q\big)=x_p\cdot R(q-p)\,x_q:$$
#
# solo queda el desplazamiento. Los valores se promedian, no se comparan; por eso no se giran.
#
# Escribe `rope(x, positions)`. Devuelve `x` con la fila $t$ girada con $R(\text{positions}[t])$. `x` y el resultado tienen forma `(T, d)`;
# `positions` es un array de `T` enteros, en cualquier orden. Su et al. (2021) giran en el otro sentido; valen los dos.
#
# <details><summary>Pista</summary>
# Cada par de cada fila tiene su propio ángulo: forma (T, d/2). Después escribe las dos líneas de la matriz, una para las columnas
# pares y otra para las impares.
# </details>
# <details><summary>Pista más grande</summary>
# ¿Qué debe dar <code>rope(np.tile([0.0, 1.0], (64, 16)), np.arange(64))</code>?
# </details>

# %% name="rope" english="876e30"
def rope(x, positions):
    """La fila t de x, con su par k girado positions[t] * omega_k, omega_k = 10000**(-2k/d).

    Un par (a, b), columnas 2k y 2k + 1, pasa a ser R(positions[t]) (a, b), como al desplazar.
    x: un array de forma (T, d), con d par.
    positions: un array de T enteros, 0 o mayores.
    Devuelve un array de forma (T, d).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="experiment" english="7a4232"
# ## Experimento: ¿lo descubre una cabeza por sí sola?
#
# Un texto tiene 32 palabras al azar, de un vocabulario de 8. Desde la posición 3, una cabeza debe nombrar la palabra que está tres
# lugares atrás. Sus puntuaciones son $PMP^\top$; $M$ empieza en cero y se aprende por descenso de gradiente. Lo intentan cinco cabezas:
#
# - **sin posiciones**: $P$ es cero;
# - **tabla aprendida**: también se aprende $P$, pero las filas desde la 32 quedan sin entrenar;
# - **sinusoidal**: $P=PE$;
# - **sinusoidal, inicios al azar**: cada texto empieza en una posición cualquiera de 0 a 96;
# - **rotatoria**: la consulta es $R(p)\,u$, con $u$ aprendido, y la clave es $R(q)\,PE(0)$.
#
# Después, las cinco y tu `look_back` leen textos de 32 y de 128 palabras. Predice la proporción de aciertos de cada una (al
# azar: 0.125). Hay tres apuestas más sobre la $M$ de la cabeza sinusoidal: con qué ángulo gira $M$ el par 1 ($\omega_1=0.56$); qué
# proporción se acierta con 128 si solo se conservan las rotaciones de los bloques diagonales de $M$; y qué aspecto tiene la esquina
# superior izquierda de $M$.

# %% name="predict_experiment" english="f8c8ce"
guess_right = {  # proporciones de aciertos, de 0 a 1: con 32, con 128
    "no positions": (None, None),  # sin posiciones
    "learned table": (None, None),  # tabla aprendida
    "sinusoidal": (None, None),
    "sinusoidal, random starts": (None, None),  # sinusoidal, inicios al azar
    "rotary": (None, None),  # rotatoria
}
guess_angle = None  # grados
guess_rotations = None  # una proporción de 0 a 1
guess_m = None  # tu apuesta: "A", "B", "C" o "D"
predict(guesses.M)

# %% [markdown] name="learned_or_fixed_task" english="70cf57"
# ## Explica
#
# ●●○ · esencial · 7 minutos · 2 puntos, los califica quien imparte el curso
#
# Un modelo entrenado con sinusoides en textos de 512 tokens falla con 1000. «Pero las sinusoides se extrapolan», dice una colega.
# Explica con $M$ qué parte se extrapola, cuál no, y por qué.
#
# <details><summary>Pista</summary>
# Separa M como lo hace la figura. ¿Qué da cada parte para dos filas a distancia δ?
# </details>
# <details><summary>Pista más grande</summary>
# ¿Qué filas vio M durante el entrenamiento?
# </details>

# %% [markdown] name="read_head_task" english="c9ba98"
# ## Sin comprobación: leer una cabeza
#
# ●●○ · esencial · 5 minutos · 1 punto, se califica después de la entrega
#
# Recibes la $M$ de otra cabeza: una rotación en cada bloque diagonal, fuerte o débil, y un poco de ruido en todas partes. Escribe
# `read_head(m)`: cuántas posiciones mira hacia atrás, un entero de -12 a 12, negativo si mira hacia adelante. `m` tiene forma
# `(d, d)`.
#
# <details><summary>Pista</summary>
# ¿Cómo puedes convertir M en una matriz con una fila y una columna por cada posición?
# </details>
# <details><summary>Pista más grande</summary>
# ¿Qué posiciones tienen 12 lugares antes y 12 después?
# </details>

# %% name="read_head" english="1c6cb5"
def read_head(m):
    """Cuántas posiciones atrás mira una cabeza de puntuaciones PE M PEᵀ; negativo si adelante.

    m: M, un array de forma (d, d), con d par.
    Devuelve un entero.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="quiz_text" english="cc93e4"
# ## Cinco preguntas rápidas
#
# ¿Verdadero o falso? Escribe tus respuestas en la celda.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="stretch" english="6c6fd4"
# ## Para ir más lejos
#
# Ponle a `look_back` una máscara causal. ¿Qué fila cambia más?
#
# **Fuentes**: «Attention Is All You Need», 2017 (allí las tablas aprendidas dieron resultados igual de buenos) · «RoFormer: Enhanced
# Transformer with Rotary Position Embedding», 2021.
#
# **Sigue**: [07 · Precisión y costo](07_precision_and_cost.ipynb): ¿hasta dónde puede contar float32?

# %% [markdown] name="done" english="cf1d81"
# ## Lo que ya sabes hacer
#
# - Mostrar cuándo la atención no distingue el orden, y remediarlo.
# - Construir la rotación que mira hacia atrás, a mano y con RoPE.
# - Leer en $M$ qué aprendió una cabeza.
