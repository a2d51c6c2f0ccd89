"""What an artefact of the paper is: tasks to run, and what their results say.

An artefact is one small module with three parts, problem, sweep and analysis::

    def sweep(settings, prepared):      # yields tasks: independent, each with its own seed
        yield Task("table-0/coin", toss, {"runs": settings.runs, "seed": settings.seed_for("table-0/coin")})

    def analyse(settings, results):     # says what the results mean
        share = results["table-0/coin"]["share"]
        rows = ((text("coin"), number(share, 3)),)
        return Section(data={"share": share}, tables=(Table("tosses", "Heads", ("coin", "heads"), rows),))

    COINS = Artefact("table-0", "Coins", "How often a coin shows heads.", sweep, analyse)

and a line in `artefacts`. A task's function takes plain arguments and returns plain JSON values, so that its result
can be kept on disk and a run that was interrupted goes on where it stopped. What one sweep needs from another (tuned
multipliers, say) are the tasks of ``prepare``. Two tasks with the same function and arguments are run once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from replibandit.core.invariants import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Results = Mapping[str, Any]  # key of a task -> what it returned


@dataclass(frozen=True, slots=True)
class Settings:
    """What all artefacts have in common: the runs behind each number, and the seed behind all of them."""

    runs: int = 300
    seed: int = 7

    def __post_init__(self) -> None:
        whole("runs", self.runs, low=2, high=10**7, remedy="An interval needs two runs at least.")
        whole("seed", self.seed, low=0, high=2**63 - 1)

    def seed_for(self, key: str) -> int:
        """An own seed for each task: no number in the report shares its noise with another by accident.

        >>> Settings(seed=7).seed_for("table-2") == Settings(seed=7).seed_for("table-2")
        True
        """
        word = hashlib.sha256(f"{self.seed}|{key}".encode()).digest()
        return int.from_bytes(word[:6], "big")

    @property
    def effort(self) -> float:
        """How much of the usual search is done: all of it from the paper's 300 runs on, less for a quick look."""
        return min(1.0, self.runs / 300)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Task:
    """``function(**arguments)``: a function of a module, plain arguments, a plain result. ``key`` names it."""

    key: str
    function: Callable[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def identity(self, version: str) -> str:
        """A hash of everything that determines the result."""
        function = f"{self.function.__module__}.{self.function.__qualname__}"
        told = json.dumps([version, function, self.arguments], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table: the text a person reads, the value a CSV holds, a class for its looks, a remark."""

    text: str
    value: Any = None
    look: str = ""  # "number", "matched", "near", "not-matched", "strong", "dim"
    title: str = ""

    @property
    def plain(self) -> Any:  # noqa: ANN401  a number or a word
        """What a CSV holds."""
        return self.text if self.value is None else self.value


def text(words: object, look: str = "", title: str = "") -> Cell:
    """A cell of words."""
    return Cell(str(words), look=look, title=title)


def number(value: float | None, digits: int = 1, *, error: float | None = None, look: str = "") -> Cell:
    """A cell with a number, and its half-width where there is one; "–" for none.

    >>> number(1234.56, error=7.25).text
    '1,234.6 ± 7.2'
    """
    if value is None:
        return Cell("–", look="number")
    shown = f"{value:,.{digits}f}" + ("" if error is None else f" ± {error:,.{digits}f}")
    return Cell(shown, value, look=f"number {look}".strip())


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the report; ``name`` is also the name of its CSV."""

    name: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of the report, drawn when it is needed; ``name`` is also the name of its files."""

    name: str
    caption: str
    draw: Callable[[], Figure]


@dataclass(frozen=True, slots=True)
class Section:
    """What an artefact has to say. ``data`` goes to results.json under the artefact's key."""

    data: Mapping[str, Any]
    tables: tuple[Table, ...] = ()
    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()  # shown folded, one line of JSON each


def nothing(settings: Settings) -> Iterable[Task]:
    """Most artefacts need nothing from others."""
    del settings
    return ()


@dataclass(frozen=True, slots=True)
class Artefact:
    """One table or figure."""

    name: str  # "table-2"; its key in results.json is "table_2"
    title: str
    about: str  # one paragraph: what is shown, and where the paper shows it
    sweep: Callable[[Settings, Results], Iterable[Task]]
    analyse: Callable[[Settings, Results], Section]
    prepare: Callable[[Settings], Iterable[Task]] = nothing

    @property
    def key(self) -> str:
        """The key of its data in results.json."""
        return self.name.replace("-", "_")
