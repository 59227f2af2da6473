"""Lab 03, rotation proof: what is asked."""

from labkit.course import Lab

LAB = Lab(name="03_rotation_proof", title="Rotation proof", exercises=())
