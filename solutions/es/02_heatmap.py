# %% [markdown] name="title" english="334213"
# # 02 · Mapa de calor
#
# **Tiempo** 70 minutos · **Dificultad** ★☆☆ · **Necesitas** [01 · Construye la tabla](01_build_the_table.ipynb) y lo básico
# de matplotlib
#
# Después de este laboratorio sabrás
#
# 1. dibujar una tabla de valores con signo con colores que no engañen;
# 2. leer una imagen así en cualquiera de las dos orientaciones y decir cuántos pares completan en ella una vuelta;
# 3. decir qué no puede mostrar la imagen y qué muestra mal.

# %% [markdown] name="why" english="78da5c"
# ## Por qué
#
# Una tabla de 64 posiciones y 32 dimensiones tiene 2048 números. No vas a leerlos todos. Pero si le das a cada número un color,
# ves de un vistazo qué columnas son rápidas, cuáles son lentas y dónde hay un error. Una imagen así es un **mapa de calor**.
#
# Una imagen también puede engañar. Con los colores equivocados no se sabe si un número es $-1$ o $+1$; el suavizado muestra
# valores que no están en la tabla; y una imagen invertida pone el primer token al final. Por eso, aquí el ejercicio es la imagen:
# la comprobación lee qué valor muestra tu figura en cada lugar y lo compara con la tabla.
#
# A partir de ahora la tabla viene del **módulo protegido** `minimodel`, así que un error en el laboratorio 01 no se arrastra hasta
# aquí. Los símbolos son los del [laboratorio 01](01_build_the_table.ipynb):
#
# $$PE[p, 2k] = \sin(p\,\omega_k) \qquad PE[p, 2k+1] = \cos(p\,\omega_k) \qquad \omega_k = 10000^{-2k/d}$$

# %% [markdown] name="predict" english="f0b8f0"
# ## Predice
#
# Nuestra imagen tiene $T = 64$ posiciones y $d = 32$ dimensiones, es decir, 16 pares. Haz dos apuestas antes de dibujarla. No se
# califican; más adelante volverás a ellas.
#
# 1. Toma las columnas de seno 0, 8, 16 y 24, y dibuja cada una como una curva a lo largo de las 64 posiciones, una debajo de otra.
#    ¿Cuál de estas cuatro imágenes obtienes?
# 2. ¿Cuántos de los 16 pares completan al menos una vuelta entera en las 64 posiciones?

# %% name="predict_cycles" english="2e73d7"
predict(guesses.COLUMNS)
guess_columns = None  # 1: "A", "B", "C" o "D"
guess_cycles = None  # 2: un número de pares

# %% [markdown] name="draw_heatmap_task" english="db7ac4"
# ## Construye: el mapa de calor
#
# ●●○ · esencial · 14 minutos · 4 puntos
#
# Escribe `draw_heatmap(pe, ax)`, que dibuja la tabla `pe` en los Axes `ax` y en ningún otro sitio. Una figura puede tener varios
# paneles, y durante la comprobación los Axes actuales son otros, así que llama a métodos de `ax`, o de lo que devuelven esos
# métodos, y nunca uses `plt`. Los elementos de `pe` están entre $-1$ y $1$.
#
# - **Las filas son posiciones**, con la posición 0 arriba. Las columnas son dimensiones, con la dimensión 0 a la izquierda. Los
#   dos ejes cuentan desde 0.
# - El mapa de colores es **divergente**: tiene un centro neutro, claro u oscuro, y dos tonos distintos que se intensifican
#   hacia los extremos.
# - Los **límites** de color son **simétricos respecto a 0** y abarcan todos los valores, para que el color neutro
#   signifique 0 en cualquier tabla, incluso en una que solo tenga elementos pequeños.
# - **No hay suavizado**: cada celda tiene un solo color, el de su valor.
# - Cada eje tiene una etiqueta, y la imagen tiene una **barra de color**.
#
# Puedes hacerlo con `ax.imshow`, `ax.matshow` o `ax.pcolormesh`. Los títulos y las marcas de los ejes los eliges tú. Si la
# comprobación encuentra algo mal, ejecuta `look("draw_heatmap")` en una celda nueva: muestra tu imagen junto a una correcta.
#
# <details><summary>Pista</summary>
# Si no le dices otra cosa, matplotlib reparte los colores desde el elemento más pequeño de la tabla hasta el más grande. ¿Qué
# significa entonces el color central? ¿Y dónde pone la fila 0 cada una de las tres funciones?
# </details>
# <details><summary>Pista más grande</summary>
# La galería de matplotlib tiene una página sobre mapas de colores divergentes, y la documentación de <code>imshow</code> nombra
# los dos argumentos que fijan los límites de color. La barra de color la crea la figura, <code>ax.figure</code>; dile qué imagen
# explica la barra y junto a qué Axes va.
# </details>

# %% name="draw_heatmap" english="dbc6e8"
def draw_heatmap(pe, ax):
    """Dibuja una tabla como mapa de calor: el color en la fila p, columna i muestra PE[p, i].

    El color neutro muestra el 0.
    pe: forma (T, d), elementos en [-1, 1]. ax: los Axes de matplotlib en los que se dibuja.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_heatmap_text" english="67deb9"
# ### Míralo
#
# Lee la imagen en dos direcciones. Si bajas por una columna, sigues una coordenada de la aguja de un reloj a medida que crece
# la posición. Si recorres una fila, lees la codificación de una posición, con los relojes rápidos primero, como las cifras
# de un contador binario. Pero aquí las cifras son suaves, y cada par es $10000^{2/32} \approx 1.78$ veces más lento que el
# anterior, no 2 veces.

# %% [markdown] name="full_cycles_task" english="2a8274"
# ## Construye: ¿cuántos pares completan una vuelta?
#
# ●○○ · esencial · 7 minutos · 2 puntos
#
# El par $k$ necesita $\lambda_k = 2\pi/\omega_k$ posiciones para dar una vuelta completa: es su **longitud de onda**.
# Escribe `full_cycles(T, d)`. Devuelve el número de pares con $\lambda_k \le T$, los que completan una vuelta en $T$
# posiciones. Cada par cuenta una sola vez, por muchas vueltas que dé.
#
# <details><summary>Pista</summary>
# ¿Cuántas longitudes de onda hay con d = 8, y cuáles son? Cuenta a mano para T = 64 y después para T = 6.
# </details>
# <details><summary>Pista más grande</summary>
# Si comparas un array con un número, obtienes un array de True y False. En una suma, True cuenta como 1.
# </details>

# %% name="full_cycles" english="214bfc"
def full_cycles(T, d):
    """El número de pares k con 2*pi / omega_k <= T.

    omega_k = 10000**(-2k/d), k = 0 .. d/2 - 1.
    T: posiciones. d: un número par de dimensiones. Devuelve un número entero de 0 a d/2.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="draw_columns_task" english="c1fd7a"
# ## Construye: algunas columnas como curvas
#
# ●●○ · útil · 9 minutos · 2 puntos
#
# Medir colores es difícil; medir curvas, fácil. Escribe `draw_columns(pe, columns, ax)`, que dibuja cada columna elegida como una
# línea: el valor frente a la posición. Etiqueta cada línea con la **longitud de onda de su par**, por ejemplo `"6.3 positions"`
# (o lo mismo en español). Puedes redondear a posiciones enteras, y se acepta una diferencia de hasta el 1 %. Muestra las
# etiquetas en una leyenda y pon también una etiqueta en cada eje. Como antes, dibuja solo en `ax`.
#
# `columns` es una tupla de números de columna, como `(0, 8, 16)`. La longitud de onda de una columna se deduce de su número y del
# ancho de `pe`.
#
# <details><summary>Pista</summary>
# Las columnas 8 y 9 son del mismo par. ¿De cuál, y cuánto vale su k?
# </details>
# <details><summary>Pista más grande</summary>
# <code>pe[:, 8]</code> es la columna 8. Una f-string redondea: <code>f"{x:.1f} positions"</code>. El texto va en
# <code>label=</code>, y <code>ax.legend()</code> lo muestra.
# </details>

# %% name="draw_columns" english="8d29c8"
def draw_columns(pe, columns, ax):
    """Dibuja las columnas elegidas de una tabla frente a la posición: una línea con etiqueta para cada una.

    La etiqueta da la longitud de onda 2*pi / omega_k del par de la columna, en posiciones.
    pe: forma (T, d). columns: números de 0 a d - 1. ax: los Axes de matplotlib en los que se dibuja.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="see_stripes_text" english="1065b6"
# ## Descubre: más filas que píxeles
#
# ●○○ · esencial · 6 minutos
#
# La celda que sigue a tu apuesta dibuja 4000 posiciones en una imagen de solo 544 líneas de píxeles. En la tabla, el par 0
# da una vuelta cada 6.3 posiciones, y cada vuelta forma una franja en la columna 0. ¿Cuántas posiciones hay en la imagen de
# una franja a la siguiente? Haz tu apuesta antes de ejecutarla.
#
# La figura también amplía la esquina superior izquierda, las posiciones 0 a 400, y lee en ella la columna 0, línea por línea.
# **Cuenta sus ondas**, divide 400 entre esa cantidad y compara con tu apuesta.

# %% name="predict_stripes" english="5deedc"
guess_stripes = None  # posiciones de una franja de la columna 0 a la siguiente

# %% [markdown] name="see_smoothed_text" english="a152fc"
# Los relojes muestran las agujas de los pares 0 y 1 en las ocho primeras líneas de píxeles, como los fotogramas de una película.
# Cada arco muestra cómo parece haberse movido la aguja: por el camino más corto.
#
# Por eso, en una película puede parecer que una rueda gira hacia atrás. La cámara toma 24 imágenes por segundo. Si, de una
# imagen a la siguiente, cada radio casi llega al lugar del radio que va delante, parece que la rueda ha retrocedido un poco.
#
# ¿Ayuda suavizar? Suavizar es promediar las filas que comparten una línea de píxeles. Abajo está la misma esquina tres veces: la
# propia tabla, la imagen nítida de antes y una imagen suavizada. La media del valor absoluto de la columna 0 es 0.64 en la
# tabla, y menos de 0.05 en la imagen suavizada, como si la columna solo tuviera ceros. Así que **las dos imágenes mienten** sobre
# los pares rápidos: la nítida muestra una onda que no existe; la suavizada, ninguna. Una onda necesita más de dos líneas de
# píxeles por cada vuelta. Aquí los pares 0 y 1 tienen menos; el par 2 (19.9 posiciones) y todos los más lentos tienen suficientes.

# %% [markdown] name="read_a_figure_task" english="056ac0"
# ## Lee una figura
#
# ●●○ · útil · 8 minutos · 1 punto
#
# Hay quien dibuja la tabla en la otra orientación. Esta imagen muestra las posiciones 0 a 29 y las 6 primeras de 128 dimensiones.
# Mira primero los ejes y haz después dos apuestas de práctica, que no se califican:
#
# 1. ¿Qué fila de la imagen es la columna 4 de la tabla? Cuenta las filas desde arriba: 1, 2, 3, …
# 2. ¿Cuántas vueltas enteras ha completado el par 0 en la posición 29?
#
# Ahora escribe `read_a_figure(picture)`. `picture` es un array con los valores de una imagen dibujada como esta, tal como se
# ven: sus filas de arriba abajo y, en cada fila, de izquierda a derecha. Devuelve la tabla como se escribe en este curso: una
# fila por posición, con la posición 0 primero, y una columna por dimensión, con la dimensión 0 primero. Al calificar se usan también otras
# imágenes, y no todas muestran senos.
#
# <details><summary>Pista</summary>
# La imagen de 6 dimensiones y 30 posiciones es un array de forma (6, 30). ¿Qué dimensión es <code>picture[0]</code>?
# </details>
# <details><summary>Pista más grande</summary>
# Deshaz dos cosas, una tras otra: las filas y las columnas están intercambiadas, y uno de los dos ejes cuenta desde el otro
# extremo. Pruébalo con un array pequeño, como <code>np.arange(6).reshape(2, 3)</code>.
# </details>

# %% name="practice" english="31cfa5"
practice_row = None  # apuesta 1
practice_turns = None  # apuesta 2

reveal(practice_row, guesses.PRACTICE_ROW)
reveal(practice_turns, guesses.PRACTICE_TURNS)

# %% name="read_a_figure" english="7bf9ed"
def read_a_figure(picture):
    """La tabla de una imagen: posiciones de izquierda a derecha y dimensiones de abajo arriba.

    picture: forma (dimensiones, posiciones), la fila de arriba primero.
    Devuelve un array de forma (posiciones, dimensiones).
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="what_the_picture_hides_task" english="cab67b"
# ## Explica
#
# ●●○ · esencial · 6 minutos · 1 punto, lo califica quien imparte el curso
#
# Un mapa de colores suele tener 256 colores. La figura siguiente cuenta cuántos de ellos usa cada columna de la tabla con
# $T = 64$ y $d = 32$.
#
# Incluso con 64 posiciones, cuando sobran píxeles, hay algo en la tabla que no se ve en el mapa de calor. Di qué es y
# explica en dos o tres oraciones por qué la imagen no puede mostrarlo.
#
# <details><summary>Pista</summary>
# Elige dos celdas de una columna cuyos colores no distingas. ¿Son iguales sus números?
# </details>
# <details><summary>Pista más grande</summary>
# Compara el número de colores de la figura con el número de filas. O piensa en lo que une cada fila con la siguiente.
# </details>

# %% [markdown] name="seen_wavelength_task" english="6a1e33"
# ## Por tu cuenta: ¿a qué velocidad parece girar?
#
# ●●○ · esencial · 7 minutos · 1 punto, se califica sin comprobación
#
# Un par da una vuelta en `wavelength` posiciones, pero una imagen solo tiene líneas de píxeles en las posiciones 0, `step`,
# 2 `step`, etcétera; `step` no tiene por qué ser entero. De una línea a la siguiente, la aguja parece tomar el camino más corto,
# hacia adelante o hacia atrás. Escribe `seen_wavelength(wavelength, step)`. Devuelve el número de posiciones en que el par
# **parece** dar una vuelta, positivo en los dos sentidos. En las pruebas no hay ningún caso en que la aguja parezca quieta.
#
# Aquí no hay comprobación, así que prueba casos cuyo resultado conozcas, como las franjas de arriba.
#
# <details><summary>Pista</summary>
# ¿Cuántas vueltas da la aguja de una línea a la siguiente? ¿Qué parte de esas vueltas no se ve?
# </details>
# <details><summary>Pista más grande</summary>
# Una aguja que da 2.9 vueltas de una línea a la siguiente parece retroceder 0.1. ¿Cuántas líneas necesita entonces para dar una
# vuelta, y cuántas posiciones son?
# </details>

# %% name="seen_wavelength" english="06b71c"
def seen_wavelength(wavelength, step):
    """El número de posiciones en que un par parece dar una vuelta.

    wavelength: posiciones por vuelta. step: posiciones de una línea de píxeles a la siguiente.
    Devuelve un número positivo.
    """
    # BEGIN ANSWER
    # END ANSWER

# %% [markdown] name="quiz_text" english="82e410"
# ## Cinco preguntas rápidas
#
# ¿Verdadero o falso? Responde antes de leer las razones.

# %% name="quiz" english="0fc4df"
quiz(questions.QUIZ, {1: None, 2: None, 3: None, 4: None, 5: None})  # True o False

# %% [markdown] name="done" english="09d50a"
# ## Para ir más lejos
#
# Haz visibles las columnas lentas: réstale a la tabla su fila 0, divide cada columna entre su mayor valor absoluto y dibuja el
# resultado con `draw_heatmap`. La mayoría de las columnas de la derecha tienen ahora una de dos formas: una, los senos; la otra, los
# cosenos. ¿Qué formas son, y a qué potencias de $p$ corresponden? Compáralas con $\sin x$ y $1 - \cos x$ cuando $x$ es pequeño.
#
# ## Lo que ya sabes hacer
#
# - Dibujar una tabla de valores con signo de modo que en la imagen se lean posición, signo y tamaño.
# - Leer la imagen que otra persona hizo de una tabla así y empezar por los ejes.
# - Decir qué pares puede mostrar una imagen y qué se ve en lugar de los demás.
#
# **Sigue**: [03 · Demostración de la rotación](03_rotation_proof.ipynb) muestra qué une cada fila con la siguiente.
#
# **Fuentes**
#
# - *Attention Is All You Need*. Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin, 2017.
# - *Communication in the Presence of Noise*. Shannon, 1949: una onda necesita dos muestras por vuelta.
# - *Diverging Color Maps for Scientific Visualization*. Moreland, 2009.
# - *The misuse of colour in science communication*. Crameri, Shephard, Heron, 2020.
