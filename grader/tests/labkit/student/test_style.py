"""The colours of every figure can be told apart with every kind of colour vision."""

import matplotlib
from colours import CONTRAST, contrast, on_white, too_close

from labkit.student.notebook.figures import STYLE


def test_colours_contrast_with_white_and_with_each_other():
    cycle = matplotlib.rc_params_from_file(STYLE, use_default_template=False)["axes.prop_cycle"]
    colours = {name: on_white(name) for name in cycle.by_key()["color"]}
    assert {name: contrast(rgb) for name, rgb in colours.items() if contrast(rgb) < CONTRAST} == {}
    assert too_close(colours) == []


def test_pale_or_similar_colours_are_found():
    assert contrast(on_white("#E69F00")) < CONTRAST < contrast(on_white("0"))
    assert too_close({"one": on_white("#0072B2"), "other": on_white("#0076B0")})
