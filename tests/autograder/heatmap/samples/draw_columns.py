"""Lab 02, heatmap: right and wrong answers to `draw_columns`."""

import matplotlib.pyplot as plt
import numpy as np

from autograder.samples import Samples

ANSWERS = Samples()


def wavelength(column, d):
    return 2 * np.pi * 10000 ** (2 * (column // 2) / d)


def finish(ax):
    ax.set(xlabel="position", ylabel="value")
    ax.legend()


@ANSWERS.sample("draw_columns")
def one_plot_per_column(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns")
def all_in_one_call(pe, columns, ax):
    columns = np.array(columns)
    labels = [f"{w:,.0f} positions" for w in wavelength(columns, pe.shape[1])]
    ax.plot(range(len(pe)), pe[:, columns], ".-", label=labels)
    ax.axhline(0, color="grey", lw=1)
    finish(ax)


@ANSWERS.sample("draw_columns")
def legend_given_separately(pe, columns, ax):
    lines = [ax.plot(list(range(len(pe))), pe[:, column].tolist(), drawstyle="steps-mid")[0] for column in columns]
    for line, column in zip(lines, columns):
        line.set_label(rf"column {column}, $\lambda = {wavelength(column, pe.shape[1]):.4g}$")
    ax.set(xlabel="p", ylabel="PE")
    ax.legend(handles=lines, loc="upper right")


@ANSWERS.sample("draw_columns")
def labels_in_spanish_after_a_floor_line(pe, columns, ax):
    ax.axhline(-1)
    for column in reversed(columns):
        text = f"{wavelength(column, pe.shape[1]):.2f}".replace(".", ",")
        ax.plot(np.arange(len(pe)), pe.T[column], "--", label=f"{text} posiciones")
    ax.set(xlabel="posición", ylabel="valor")
    ax.legend(title="longitud de onda")


@ANSWERS.sample("draw_columns")
def words_given_to_the_legend_alone(pe, columns, ax):
    lines = [ax.plot(pe[:, column])[0] for column in columns]
    ax.set(xlabel="position", ylabel="value")
    ax.legend(lines, [f"{wavelength(column, pe.shape[1]):.2f} positions" for column in columns])


@ANSWERS.sample("draw_columns")
def words_given_to_the_legend_in_order(pe, columns, ax):
    ax.plot(pe[:, list(columns)])
    ax.legend([f"{wavelength(column, pe.shape[1]):.0f} positions" for column in columns])
    ax.set(xlabel="position", ylabel="entry")


@ANSWERS.sample("draw_columns")
def markers_only(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], "o", label=f"lambda = {wavelength(column, pe.shape[1]):.5g}")
    finish(ax)


@ANSWERS.sample("draw_columns")
def pyplot_made_to_draw_here(pe, columns, ax):
    plt.sca(ax)
    for column in columns:
        plt.plot(np.arange(len(pe)), pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} tokens")
    plt.xlabel("position")
    plt.ylabel("value")
    plt.legend()


@ANSWERS.sample("draw_columns")
def a_legend_of_the_figure_beside(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"column {column}: {wavelength(column, pe.shape[1]):,.1f} positions")
    ax.set(xlabel="position", ylabel="value")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))


@ANSWERS.sample("draw_columns", "axes-swapped")
def rows_in_place_of_columns(pe, columns, ax):
    for column in columns:
        ax.plot(pe[column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "axes-swapped")
def position_on_the_y_axis(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], np.arange(len(pe)), label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unlabelled")
def no_legend(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    ax.set(xlabel="position", ylabel="value")


@ANSWERS.sample("draw_columns", "unlabelled")
def no_axis_labels(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    ax.legend()


@ANSWERS.sample("draw_columns", "unknown")
def labelled_by_column(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"column {column}")
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def wavelength_of_the_raw_column(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{2 * np.pi * 10000 ** (2 * column / pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def wavelengths_without_two_pi(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]) / (2 * np.pi):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unlabelled")
def every_column(pe, columns, ax):
    ax.plot(pe)
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def positions_from_one(pe, columns, ax):
    for column in columns:
        ax.plot(np.arange(1, len(pe) + 1), pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def on_the_current_axes(pe, columns, ax):
    for column in columns:
        plt.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    plt.xlabel("position")
    plt.ylabel("value")
    plt.legend()


@ANSWERS.sample("draw_columns", "unknown")
def labels_on_the_current_axes(pe, columns, ax):
    one_plot_per_column(pe, columns, ax)
    ax.set(xlabel="", ylabel="")
    plt.xlabel("position")
    plt.ylabel("value")


@ANSWERS.sample("draw_columns", "unknown")
def lines_without_ink(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], linewidth=0, label=f"{wavelength(column, pe.shape[1]):.1f} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unknown")
def one_digit(pe, columns, ax):
    for column in columns:
        ax.plot(pe[:, column], label=f"{wavelength(column, pe.shape[1]):.0e} positions")
    finish(ax)


@ANSWERS.sample("draw_columns", "unlabelled")
def a_hidden_legend(pe, columns, ax):
    one_plot_per_column(pe, columns, ax)
    ax.get_legend().set_visible(False)


@ANSWERS.sample("draw_columns", "unseen")
def a_hundred_positions(pe, columns, ax):
    one_plot_per_column(pe[:100], columns, ax)
