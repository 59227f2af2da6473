# %% [markdown]
# # Posiciones en un reloj
#
# La atención no sabe qué token va primero. La codificación posicional sinusoidal aporta esa información con una fila de
# relojes: cada posición mueve sus agujas, y las agujas dan una fila de números.

# %%
from encoding_labs.clock import clock

clock(language="es")

# %% [markdown]
# En siete laboratorios construyes esta tabla, ves qué oculta su imagen, demuestras que un desplazamiento es una rotación, mides
# lo que la codificación hace y lo que no, y observas cómo una cabeza aprende a usarla. Después de cada ejercicio, el laboratorio
# comprueba tu respuesta y, si no es correcta, nombra el error.
#
# Abre un laboratorio en el navegador: no hay que instalar nada. Se ejecuta en tu propia máquina, y tu trabajo se queda en este
# navegador hasta que pulses **Descargar tu notebook**. Ese es el archivo que debes entregar.
