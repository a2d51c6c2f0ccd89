"""The pictures of "when does which win": a map of winners, and what the others pay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from replibandit.study import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Cells = Sequence[Mapping[str, Any]]
COLOURS = {"REC": figures.COLOURS[0], "RSE": figures.COLOURS[1], "RASMAB": figures.COLOURS[2]}
MARKERS = {"REC": "o", "RSE": "^", "RASMAB": "s"}
CLEAR, UNCLEAR = 0.55, 0.18  # strength of a winner's colour
APART = 0.16  # between the marks of one K


def draw_map(cells: Cells) -> Figure:
    """A field for each instance: the winner, and how much the next best pays."""
    kinds, arms = _axes_of(cells)
    figure, (axes,) = figures.panels(1, width=9.2, height=0.95 * len(kinds) + 1.3)
    for cell in cells:
        x, y = arms.index(cell["arms"]), kinds.index(cell["kind"])
        winner = cell["winner"]
        colour, strength = COLOURS.get(winner, figures.GRID), CLEAR if cell["clear"] else UNCLEAR
        axes.fill_between((x - 0.48, x + 0.48), y - 0.46, y + 0.46, color=colour, alpha=strength, lw=0)
        heading = winner or "none"
        axes.text(x, y - 0.14, heading, ha="center", va="center", weight="bold" if cell["clear"] else "normal")
        axes.text(x, y + 0.2, _next_best(cell), ha="center", va="center", fontsize=8)
    axes.set(
        xlim=(-0.5, len(arms) - 0.5),
        ylim=(len(kinds) - 0.5, -0.5),
        xlabel="arms K",
        ylabel="instance",
        title="Least regret at equal measured nonreplication (strong colour: intervals apart)",
    )
    axes.set_xticks(range(len(arms)), [f"{count:,}" for count in arms])
    axes.set_yticks(range(len(kinds)), kinds)
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def _next_best(cell: Mapping[str, Any]) -> str:
    if len(cell["order"]) < 2:
        return "qualifies alone" if cell["winner"] else "qualifies"
    second = cell["order"][1]
    return f"{second} × {cell['policies'][second]['factor']:.2f}"


def draw_factors(cells: Cells) -> Figure:
    """For each kind of instance, regret relative to the least along K."""
    kinds, arms = _axes_of(cells)
    figure, panels = figures.panels(len(kinds), width=4.2, height=3.9)
    for axes, kind in zip(panels, kinds, strict=True):
        _draw_kind(axes, [cell for cell in cells if cell["kind"] == kind], arms)
        axes.set(title=kind.capitalize(), xlabel="arms K", ylabel="regret / least regret")
    most = max(axes.get_ylim()[1] for axes in panels)
    for axes in panels:
        axes.set_ylim(0.85, max(most, 2.0))
    panels[0].legend(loc="upper left", fontsize=8)
    return figure


def _draw_kind(axes: Axes, cells: Cells, arms: list[int]) -> None:
    for index, (name, colour) in enumerate(COLOURS.items()):
        shown = [cell for cell in cells if cell["policies"][name]["factor"] is not None]
        places = [arms.index(cell["arms"]) + (index - 1) * APART for cell in shown]
        least = [cell["policies"][cell["winner"]]["regret"]["estimate"] for cell in shown]
        regrets = [cell["policies"][name]["regret"] for cell in shown]
        factors = [cell["policies"][name]["factor"] for cell in shown]
        below = [(r["estimate"] - r["low"]) / unit for r, unit in zip(regrets, least, strict=True)]
        above = [(r["high"] - r["estimate"]) / unit for r, unit in zip(regrets, least, strict=True)]
        looks: dict[str, Any] = {"color": colour, "marker": MARKERS[name], "ms": 5.5, "label": name}
        axes.errorbar(places, factors, yerr=(below, above), ls=figures.DASHES[index], lw=0.8, elinewidth=1.4, **looks)
    axes.axhline(1, color="black", lw=0.8)
    axes.set_xticks(range(len(arms)), [f"{count:,}" for count in arms])


def _axes_of(cells: Cells) -> tuple[list[str], list[int]]:
    return list(dict.fromkeys(cell["kind"] for cell in cells)), sorted({cell["arms"] for cell in cells})
