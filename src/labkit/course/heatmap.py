"""Lab 02, heatmap: what is asked."""

from labkit.course import Lab

LAB = Lab(name="02_heatmap", title="Heatmap", exercises=())
