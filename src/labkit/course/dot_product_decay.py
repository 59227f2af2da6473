"""Lab 04, dot-product decay: what is asked."""

from labkit.course import Lab

LAB = Lab(name="04_dot_product_decay", title="Dot-product decay", exercises=())
