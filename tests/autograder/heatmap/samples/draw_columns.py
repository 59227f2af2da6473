"""Lab 02, heatmap: right and wrong answers to `draw_columns`."""

import matplotlib.pyplot as plt
import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()
right = ANSWERS.sample("draw_columns")


def wavelength(column, d):
    return 2 * np.pi * 10000 ** (2 * (column // 2) / d)


def finish(ax):
    ax.set(xlabel="position", ylabel="value")
    ax.legend()


def one_plot_each(
    label="{length:.1f} positions", law=wavelength, plot=lambda pe, column: (pe[:, column],), finish=finish, **styled
):
    """Make an answer that plots each column with this label, wavelength formula and data, then calls `finish`."""

    def answer(pe, columns, ax):
        for column in columns:
            words = label.format(column=column, length=law(column, pe.shape[1]))
            ax.plot(*plot(pe, column), label=words, **styled)
        finish(ax)

    return answer


def legend_beside(ax):
    ax.set(xlabel="position", ylabel="value")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))


def a_hidden_legend(ax):
    finish(ax)
    ax.get_legend().set_visible(False)


one_plot_per_column = one_plot_each()
ANSWERS.several(
    "draw_columns",
    one_plot_per_column=one_plot_per_column,
    markers_only=one_plot_each("lambda = {length:.5g}", plot=lambda pe, column: (pe[:, column], "o")),
    a_legend_of_the_figure_beside=one_plot_each("column {column}: {length:,.1f} positions", finish=legend_beside),
)
ANSWERS.several(
    "draw_columns",
    "axes-swapped",
    rows_in_place_of_columns=one_plot_each(plot=lambda pe, column: (pe[column],)),
    position_on_the_y_axis=one_plot_each(plot=lambda pe, column: (pe[:, column], np.arange(len(pe)))),
)
ANSWERS.several(
    "draw_columns",
    "unlabelled",
    no_legend=one_plot_each(finish=lambda ax: ax.set(xlabel="position", ylabel="value")),
    no_axis_labels=one_plot_each(finish=lambda ax: ax.legend()),
    a_hidden_legend=one_plot_each(finish=a_hidden_legend),
    every_column=lambda pe, columns, ax: (ax.plot(pe), finish(ax)),
)
ANSWERS.several(
    "draw_columns",
    "unknown",
    labelled_by_column=one_plot_each("column {column}"),
    wavelength_of_the_raw_column=one_plot_each(law=lambda column, d: 2 * np.pi * 10000 ** (2 * column / d)),
    wavelengths_without_two_pi=one_plot_each(law=lambda column, d: wavelength(column, d) / (2 * np.pi)),
    lines_without_ink=one_plot_each(linewidth=0),
    one_digit=one_plot_each("{length:.0e} positions"),
)
ANSWERS.several(
    "draw_columns",
    "positions-from-one",
    positions_from_one=one_plot_each(plot=lambda pe, column: (np.arange(1, len(pe) + 1), pe[:, column])),
)
ANSWERS.several(
    "draw_columns", "unseen", a_hundred_positions=lambda pe, columns, ax: one_plot_per_column(pe[:100], columns, ax)
)


@right
def all_in_one_call(pe, columns, ax):
    columns = np.array(columns)
    labels = [f"{w:,.0f} positions" for w in wavelength(columns, pe.shape[1])]
    ax.plot(range(len(pe)), pe[:, columns], ".-", label=labels)
    ax.axhline(0, color="grey", lw=1)
    finish(ax)


@right
def legend_given_separately(pe, columns, ax):
    lines = [ax.plot(list(range(len(pe))), pe[:, column].tolist(), drawstyle="steps-mid")[0] for column in columns]
    for line, column in zip(lines, columns):
        line.set_label(rf"column {column}, $\lambda = {wavelength(column, pe.shape[1]):.4g}$")
    ax.set(xlabel="p", ylabel="PE")
    ax.legend(handles=lines, loc="upper right")


@right
def labels_in_spanish_after_a_floor_line(pe, columns, ax):
    ax.axhline(-1)
    for column in reversed(columns):
        text = f"{wavelength(column, pe.shape[1]):.2f}".replace(".", ",")
        ax.plot(np.arange(len(pe)), pe.T[column], "--", label=f"{text} posiciones")
    ax.set(xlabel="posición", ylabel="valor")
    ax.legend(title="longitud de onda")


@right
def words_given_to_the_legend_alone(pe, columns, ax):
    lines = [ax.plot(pe[:, column])[0] for column in columns]
    ax.set(xlabel="position", ylabel="value")
    ax.legend(lines, [f"{wavelength(column, pe.shape[1]):.2f} positions" for column in columns])


@right
def words_given_to_the_legend_in_order(pe, columns, ax):
    ax.plot(pe[:, list(columns)])
    ax.legend([f"{wavelength(column, pe.shape[1]):.0f} positions" for column in columns])
    ax.set(xlabel="position", ylabel="entry")


@right
def pyplot_made_to_draw_here(pe, columns, ax):
    plt.sca(ax)
    for column in columns:
        plt.plot(np.arange(len(pe)), pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} tokens")
    plt.xlabel("position")
    plt.ylabel("value")
    plt.legend()


@ANSWERS.sample("draw_columns", "unknown")
def on_the_current_axes(pe, columns, ax):
    one_plot_per_column(pe, columns, plt.gca())


@ANSWERS.sample("draw_columns", "unknown")
def labels_on_the_current_axes(pe, columns, ax):
    one_plot_per_column(pe, columns, ax)
    ax.set(xlabel="", ylabel="")
    plt.xlabel("position")
    plt.ylabel("value")
