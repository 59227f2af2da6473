# %% [markdown]
# # Posiciones en un reloj
#
# La atención no sabe qué token va primero. La codificación posicional sinusoidal aporta esa información con una fila de
# relojes: cada posición mueve sus agujas, y las agujas dan una fila de números.

# %%
from encoding_labs.clock import clock

clock(language="es")

# %% [markdown]
# En ocho laboratorios construyes esta tabla, ves qué oculta su imagen, demuestras que un desplazamiento es una rotación, mides
# lo que la codificación hace y lo que no, y observas cómo una cabeza aprende a usarla. Después de cada ejercicio, el laboratorio
# comprueba tu respuesta y, si no es correcta, nombra el error.
#
# ## Antes de empezar
#
# - **¿Para quién?** Para quien programa en Python con NumPy y conoce el seno, el coseno y el producto de matrices. No hace falta
#   saber nada de transformers: los laboratorios explican la atención que usan.
# - **¿Cuánto tiempo?** Entre 35 y 40 minutos por laboratorio, unas cinco horas en total. Siete laboratorios tienen además una
#   segunda ronda de 20 a 40 minutos.
# - **¿Por dónde empiezo?** Por [01 · Construye la tabla](labs/01_build_the_table.ipynb), y después en orden: cada laboratorio se
#   apoya en otros anteriores, y dice en cuáles.
# - **¿Qué necesito?** Un navegador. Abre en él un laboratorio: se ejecuta en tu propia máquina, y tu trabajo se queda en este
#   navegador hasta que pulses **Descargar tu notebook**. Ese es el archivo que debes entregar.
#
# También puedes limitarte a leer: la página de cada laboratorio muestra su texto, su código y sus figuras.
