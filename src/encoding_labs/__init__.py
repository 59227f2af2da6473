"""The labs on sinusoidal positional encoding, one folder each, in course order."""

from labkit.model.course import open_course

COURSE = open_course(
    __name__,
    "01_build_the_table",
    "02_heatmap",
    "03_rotation_proof",
    "04_dot_product_decay",
    "05_base_sweep",
    "06_order_for_attention",
    "07_precision_and_cost",
    "08_look_back",
)
