# %% [markdown] name="title" english="59e580"
# # 05 · Barrido de la base
#
# **Tiempo** 75 minutos · **Dificultad** ★★☆ · **Necesitas** [04 · El producto escalar decae](04_dot_product_decay.ipynb)
#
# Después de este laboratorio sabrás
#
# 1. calcular las longitudes de onda de una tabla, y leer la posición en una fila como se lee la hora en un reloj;
# 2. medir qué se gana con una base mayor y qué cuesta;
# 3. elegir una base para una longitud dada, y defenderla con números.

# %% [markdown] name="why" english="30c3d6"
# ## Por qué
#
# Hasta ahora la base ha sido 10 000, y la diste por buena. Pero es una elección, y de ella depende la velocidad de todos
# los relojes menos el primero:
#
# $$\omega_k = \text{base}^{-2k/d} \qquad \lambda_k = \frac{2\pi}{\omega_k}$$
#
# La **longitud de onda** $\lambda_k$ es el número de posiciones en que el par $k$ da una vuelta. En el par 0 es $2\pi$ con
# cualquier base. Cada reloj es más lento que el anterior, siempre por el mismo factor, que crece con la base. Algunos
# modelos para textos largos han pasado a una base de 500 000. (Usan codificaciones rotatorias, cuyos pares giran con estas
# mismas frecuencias.) ¿Qué ganan, y a qué renuncian?
#
# Los relojes de abajo recorren 128 posiciones. Arrastra el control de la base: ¿qué aguja mantiene su velocidad, y cuáles ya
# no llegan a dar una vuelta entera?

# %% [markdown] name="predict" english="a019a5"
# ## Predice
#
# Haz tres apuestas. No se califican, y volverás a cada una. Para las dos primeras, toma $d = 32$ y 128 posiciones.
#
# 1. Cambias la base de 10 a 500 000. ¿Por qué factor se multiplica la distancia entre las dos filas más cercanas?
#    (Con 2 quedarían el doble de lejos; con 0.5, a la mitad.)
# 2. Con base 10 la aguja más lenta vuelve a su comienzo al cabo de 54.4 posiciones. ¿A qué distancia están $PE(0)$ y
#    $PE(54)$? Para orientarte: dos filas iguales están a distancia 0; dos opuestas, a distancia 8.
# 3. ¿Qué gráfica muestra la similitud de dos posiciones según su desplazamiento con $d = 512$, con una base pequeña y con una
#    grande?

# %% name="predict_base" english="c9ffdf"
predict(guesses.SIMILARITY)
guess_factor = None  # 1: la distancia con base 500 000 dividida entre la distancia con base 10
guess_return = None  # 2: la distancia entre PE(0) y PE(54) con base 10
guess_similarity = None  # 3: tu apuesta: "A", "B", "C" o "D"

# %% [markdown] name="wavelengths_task" english="4f5e08"
# ## Construye: las longitudes de onda
#
# ●○○ · esencial · 5 minutos · 2 puntos
#
# Escribe `wavelengths(d, base)`. Devuelve un array de NumPy con las $d/2$ longitudes de onda, medidas en posiciones y
# ordenadas de la más corta a la más larga.
#
# Si una comprobación señala un error y no lo encuentras, `look("wavelengths")` dibuja tus valores junto a los correctos.
# Sirve para todos los ejercicios que devuelven un array o dibujan una figura.
#
# <details><summary>Pista</summary>
# La frecuencia está en radianes por posición. ¿Cuántos radianes tiene una vuelta?
# </details>
# <details><summary>Pista más grande</summary>
# Con d = 8 y base 10 000 las frecuencias son 1, 0.1, 0.01 y 0.001; por eso las longitudes de onda empiezan con 6.28 y 62.8.
# Cada una es más larga que la anterior, siempre por el mismo factor: aquí, 10.
# </details>

# %% name="wavelengths" english="ad9ef4"
def wavelengths(d, base):
    """La longitud de onda de cada par: lambda_k = 2 pi / omega_k.

    omega_k = base**(-2k/d), k = 0 .. d/2 - 1. d: un número par de dimensiones; base > 1.
    Devuelve un array de forma (d/2,), en posiciones.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_wavelengths_text" english="5aa5d6"
# ### Míralo
#
# Todas las líneas empiezan en $2\pi$; la base fija su pendiente, y con ella su final. Los pares por encima de la línea de
# puntos no llegan a dar una vuelta en un texto de 128 posiciones.

# %% [markdown] name="decode_task" english="9f1d8f"
# ## Construye: lee el reloj
#
# ●●● · útil · 16 minutos · 2 puntos
#
# Una fila es un conjunto de agujas. ¿Puedes decir su posición solo con mirarlas? `rows.printed(p, d)` da la fila de la
# posición $p$ con base 10 000 tal como se ve impresa: en float32, redondeada a dos decimales, de forma `(d,)`. La posición
# no tiene por qué ser un entero: `rows.printed(100.35, 8)` muestra las agujas más o menos a un tercio del camino de la fila
# 100 a la 101.
#
# El redondeo a dos decimales mueve cada aguja hasta 0.0071 radianes. La más rápida da la posición con un error de hasta
# 0.0071, pero no dice cuántas vueltas enteras, de 6.28 posiciones, ha dado. La más lenta sigue en su primera vuelta, pero
# con $d = 32$ su error llega a 40 posiciones. Hacen falta las dos, y las que hay entre ellas, como en un reloj: la aguja de
# las horas, por sí sola, no puede decirte el segundo.
#
# Escribe `decode(row)`. Devuelve la posición, con un error de 0.03 como máximo. Debe funcionar para todo $d$ par de 4 a
# 256, y para todas las posiciones, enteras o no, desde 0 hasta nueve décimas partes de la longitud de onda más larga. No
# sirve buscar en una tabla: incluso una con pasos de 0.1 es demasiado gruesa, y con $d = 256$ tendría 526 227 filas.
#
# <details><summary>Pista</summary>
# <code>np.arctan2(sine, cosine)</code> da un ángulo entre -π y π, pero una aguja gira de 0 a 2π. ¿Qué parte de una vuelta ha
# recorrido la aguja más lenta, y cuántas posiciones son?
# </details>
# <details><summary>Pista más grande</summary>
# Ve de la aguja más lenta a la más rápida y guarda un solo número: la posición que llevas hasta ahí. La siguiente aguja da
# una posición dentro de su propia vuelta. ¿Cuántas vueltas enteras debes sumarle para quedar lo más cerca posible de la que
# llevas?
# </details>

# %% name="decode" english="e7f460"
def decode(row):
    """La posición, entera o no, de una fila impresa (base 10000), con un error de hasta 0.03.

    row: forma (d,), float32, con dos decimales; d par, de 4 a 256.
    Devuelve un número, en posiciones, de 0 a 0.9 veces la longitud de onda más larga.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_hands_text" english="6ee351"
# ### Míralo
#
# Hay un carril para cada aguja de una fila impresa, con $d = 8$. Cada carril marca las posiciones que admite su aguja. ¿Qué
# posición está marcada en los cuatro carriles?

# %% [markdown] name="sweep_task" english="19e6ca"
# ## Construye: el barrido
#
# ●●○ · esencial · 9 minutos · 3 puntos
#
# Escribe `sweep(bases, T, d)`. Devuelve un array de NumPy con una fila por base y tres columnas, que valen un punto cada
# una:
#
# 0. la longitud de onda más larga;
# 1. cuántos pares completan un ciclo en $T$ posiciones: aquellos cuya longitud de onda es $T$ como máximo;
# 2. la **distancia al vecino más cercano**: la menor distancia euclidiana entre dos filas distintas de la tabla de
#    $T$ posiciones.
#
# El módulo protegido construye la tabla: `sinusoidal_pe(T, d, base=base)`. Puedes suponer que $T \ge 2$.
#
# <details><summary>Pista</summary>
# Toda fila está a distancia 0 de sí misma, y eso no cuenta. La otra fila más cercana no tiene por qué ser contigua: con d =
# 8 y base 10 000 no lo es.
# </details>
# <details><summary>Pista más grande</summary>
# Empieza con una base y una columna, e imprímela. Para la tercera columna, compara cada fila con todas las que vienen
# después y guarda la menor distancia: así ninguna fila se compara consigo misma.
# </details>

# %% name="sweep" english="d8be5d"
def sweep(bases, T, d):
    """Una fila por base: las tres medidas de arriba, en ese orden.

    bases: una secuencia de números > 1; T >= 2 posiciones; d: un número par de dimensiones.
    Devuelve un array de forma (len(bases), 3).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_sweep_text" english="54cac6"
# ### Míralo
#
# La figura muestra el barrido completo con $T = 128$ y $d = 32$, con un panel por columna. Debajo verás lo cerca que
# estuvieron tus dos primeras apuestas.

# %% [markdown] name="base_for_length_task" english="937d01"
# ## Construye: de una longitud a una base
#
# ●●○ · útil · 7 minutos · 2 puntos
#
# Quieres que la aguja más lenta dé exactamente una vuelta en $T$ posiciones. Escribe `base_for_length(T, d)`. Devuelve la
# base cuya longitud de onda más larga es $T$. Lanza `ValueError` cuando ninguna base lo consigue: con $d = 2$, y con $T$
# menor que $2\pi$, es decir, con los enteros hasta el 6.
#
# <details><summary>Pista</summary>
# Escribe la longitud de onda más larga como fórmula en base y d, iguálala a T y despeja la base. ¿Por qué no
# se puede con d = 2?
# </details>
# <details><summary>Pista más grande</summary>
# Pruébala: la última de <code>wavelengths(d, base_for_length(T, d))</code> debe ser otra vez T, para todo d.
# </details>

# %% name="base_for_length" english="4ec32f"
def base_for_length(T, d):
    """La base cuya longitud de onda más larga es T.

    T: un número de posiciones; d: un número par de dimensiones. Devuelve un número.
    Lanza ValueError para d = 2 y para T < 2 pi.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_rules_text" english="0e319f"
# ### Míralo
#
# Es tentador olvidar el exponente y tomar la base $T / 2\pi$. La figura muestra, para $T = 128$, la longitud de onda más larga
# que da esa base y la que da tu `base_for_length`.

# %% [markdown] name="draw_sweep_task" english="c206e2"
# ## Construye: qué hace la base con la similitud
#
# ●●○ · esencial · 8 minutos · 2 puntos
#
# Escribe `draw_sweep(bases, d, ax)`. En los Axes que recibe la función, dibuja una línea por base: la similitud de dos posiciones,
# $S(\delta) / (d/2)$, según su desplazamiento $\delta$. $S$ es la suma del laboratorio 04, $\sum_k \cos(\delta\,\omega_k)$.
#
# - Dibuja en todos los `OFFSETS`: todos los enteros de 1 a 10 000.
# - Haz logarítmico el eje de desplazamientos y deja lineal el de similitud. Pon un rótulo en cada eje y añade una leyenda.
# - En la etiqueta de cada línea, escribe su base, por ejemplo `base 500,000`.
#
# Las curvas valen un punto; lo demás, el otro.
#
# <details><summary>Pista</summary>
# S dividida entre d/2 es una media sobre los pares. ¿Cómo obtienes las frecuencias a partir de tus longitudes de onda?
# </details>
# <details><summary>Pista más grande</summary>
# Llama a métodos de <code>ax</code> y nunca a <code>plt</code>, que dibuja en los Axes actuales: estos pueden ser otros.
# <code>ax.set</code> recibe la escala y los rótulos en una sola llamada.
# </details>

# %% name="draw_sweep" english="d8ae2b"
def draw_sweep(bases, d, ax):
    """Una línea por base: la similitud S(offset) / (d/2) en OFFSETS, con eje logarítmico.

    bases: una secuencia de números > 1; d: un número par de dimensiones.
    ax: los Axes de matplotlib en que se dibuja.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="try_text" english="19e9d6"
# ### Pruébalo
#
# Ahora arrastra los controles. Uno fija la tendencia de la bajada; el otro, el tamaño de las oscilaciones: ¿cuál es cuál?
# ¿Cuál de los dos mueve el punto donde la línea toca 0 por primera vez? Y con $d = 8$ y base 10 000, ¿dónde vuelve a subir más?
#
# <details><summary>Cuál es cuál</summary>
#
# La base fija la tendencia. Con más dimensiones las oscilaciones se calman, y la tendencia apenas cambia. Los dos controles
# mueven el primer cero, porque una oscilación amplia pasa antes por debajo de 0: con base 10 000 está en el desplazamiento
# 474 con $d = 32$, y en el 3284 con $d = 512$. Algunas oscilaciones son estrechas, y por eso dibujaste todos los
# desplazamientos: con solo 160, repartidos por igual en este eje, esos dos ceros parecerían estar en 1044 y 4709. Con
# $d = 8$ y base 10 000 la línea vuelve a su punto más alto en el desplazamiento 6283, con 0.996.
#
# </details>

# %% [markdown] name="choose_a_base_task" english="6158d2"
# ## Explica
#
# ●●○ · esencial · 9 minutos · 2 puntos, los califica quien imparte el curso
#
# Elige una base para $T = 500$ y otra para $T = 200\,000$, ambas con $d = 64$, y defiéndelas con números de tus propias
# funciones. No hay una única elección correcta, así que di qué se gana con cada una y qué cuesta. Bastan cinco oraciones.
#
# <details><summary>Pista</summary>
# Parte de <code>base_for_length</code>, y pregúntate qué cambia si tomas una base diez veces mayor.
# </details>
# <details><summary>Pista más grande</summary>
# <code>sweep</code> da tres números para cada base con T = 500. Para el texto largo basta <code>wavelengths</code>: muestra
# cuántos pares dan una vuelta dentro de él, y cuántos la dan en sus primeras cien posiciones.
# </details>

# %% [markdown] name="quiz_task" english="910eff"
# ## Cinco preguntas rápidas
#
# ¿Verdadero o falso? Escribe tus respuestas en la celda y ejecútala; verás el porqué de cada una.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="which_base_task" english="a01809"
# ## Una más, sin comprobación
#
# ●●○ · esencial · 5 minutos · 1 punto
#
# Una colega te envía una fila de una tabla, la de la posición 1, y olvida decirte con qué base la hizo. Escribe
# `which_base(row)`. Devuelve la base, con un error relativo de una milésima como máximo. Debe funcionar para todo $d$ par
# de 4 a 64, y para bases de 2 a un millón.
#
# Esta pregunta no tiene comprobación; se califica después de la entrega. Prueba tu función por tu cuenta: con la
# fila `sinusoidal_pe(2, 32, base=700)[1]` debe dar 700.
#
# <details><summary>Pista</summary>
# En la posición 0 todas las agujas están en las 12. ¿Cuánto ha girado la aguja k en la posición 1?
# </details>
# <details><summary>Pista más grande</summary>
# Basta con una aguja, siempre que sepas cuál es su k y no sea la del par 0. ¿Qué potencia de su ángulo es la base?
# </details>

# %% name="which_base" english="931540"
def which_base(row):
    """La base de la tabla que tiene esta fila en la posición 1.

    row: forma (d,), float32; d par, de 4 a 64.
    Devuelve un número: la base, de 2 a 1 000 000.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="stretch" english="fbb2de"
# ## Para ir más lejos
#
# - Algunos modelos con codificación rotatoria usan base 500 000 con 128 dimensiones por cabeza. ¿Cuántos de los 64 pares
#   completan un ciclo en 8192 posiciones, y cuántos lo harían con base 10 000? Tu `wavelengths` lo responde en una línea.
# - `sweep` compara cada fila con todas las demás. El laboratorio 04 mostró que el producto escalar de dos filas depende solo de
#   su desplazamiento. Su distancia también: $|PE(p) - PE(q)|^2 = d - 2\,S(p - q)$. Calcula con esta fórmula la tercera columna de
#   `sweep`, sin ninguna tabla. Después, con $d = 8$ y cada una de las cinco bases, busca el primer desplazamiento cuya fila está más cerca que la
#   contigua. ¿Con qué base aparece más tarde?
#
# <details><summary>¿Por qué un factor constante, y no frecuencias a intervalos iguales?</summary>
#
# Supón que las frecuencias estuvieran a intervalos iguales: 1, 15/16, 14/16, …, 1/16 con $d = 32$. Entonces la similitud ya
# habría bajado a $-0.21$ en el desplazamiento 5 y, lo que es peor, volvería a subir. Todas esas frecuencias son múltiplos de
# 1/16, así que al cabo de unas $2\pi \cdot 16 \approx 100.5$ posiciones todas las agujas están de nuevo cerca de su comienzo:
# la similitud es 0.96 en el desplazamiento 101 y 0.999 en el 201.
#
# Incluso con un factor constante entre frecuencias, la similitud puede volver a subir. Con $d = 8$ y base 10 000 las frecuencias 1, 0.1, 0.01 y 0.001 son todas múltiplos de
# 0.001, y la similitud vuelve a 0.996 en el desplazamiento 6283. Pero con $d = 32$ el factor $10^{1/4}$ es irracional, y
# hay 16 agujas: desde el desplazamiento 10 hasta un millón la similitud se queda por debajo de 0.772, mientras que entre
# posiciones vecinas vale 0.957. Además, un factor constante trata por igual todas las escalas: con $d = 32$ a cada factor
# de 10 en la longitud de onda le tocan cuatro pares, desde posiciones sueltas hasta decenas de miles.
#
# </details>
#
# **Mirando atrás**: construiste una fila de relojes, dibujaste la tabla de sus agujas, demostraste que un paso de la misma longitud
# las gira los mismos ángulos en todas partes y mediste cuánto se parecen las filas. Ahora has elegido la velocidad de los
# relojes y has leído la posición en sus agujas.
#
# **Fuentes**: «Attention Is All You Need», Ashish Vaswani y otros, 2017: la codificación, y su base 10 000 · «RoFormer:
# Enhanced Transformer with Rotary Position Embedding», Jianlin Su y otros, 2021: las mismas frecuencias, como rotaciones ·
# «Effective Long-Context Scaling of Foundation Models», Wenhan Xiong y otros, 2023: la base 500 000 para textos largos.
#
# **Sigue**: [06 · Orden para la atención](06_order_for_attention.ipynb) le da la tabla a la atención.

# %% [markdown] name="done" english="670138"
# ## Lo que ya sabes hacer
#
# - Leer la posición en una fila, de la aguja más lenta a la más rápida.
# - Mostrar con números que una base mayor da más alcance y acerca las posiciones vecinas.
# - Encontrar la base para una longitud, y decir por qué la base $T / 2\pi$ se queda corta.
