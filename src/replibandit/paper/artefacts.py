"""Every artefact, in the order of the report."""

from __future__ import annotations

from collections.abc import Sequence

from replibandit.errors import UnknownName
from replibandit.paper.artefact import Artefact
from replibandit.paper.better import TUNED
from replibandit.paper.figure_1 import FIGURE_1
from replibandit.paper.figure_2 import FIGURE_2
from replibandit.paper.figure_3 import FIGURE_3
from replibandit.paper.lower_bound import LOWER_BOUND
from replibandit.paper.necessity import NECESSITY
from replibandit.paper.practitioner import PRACTITIONER
from replibandit.paper.table_1 import TABLE_1_CURVES
from replibandit.paper.table_2 import TABLE_2
from replibandit.paper.table_3 import TABLE_3
from replibandit.paper.which_wins import WHICH_WINS

ARTEFACTS: tuple[Artefact, ...] = (
    FIGURE_1,
    TABLE_2,
    TUNED,
    TABLE_3,
    FIGURE_2,
    FIGURE_3,
    TABLE_1_CURVES,
    LOWER_BOUND,
    NECESSITY,
    WHICH_WINS,
    PRACTITIONER,
)


def chosen(names: Sequence[str]) -> tuple[Artefact, ...]:
    """The artefacts of these names in the order of the report; all of them for none.

    >>> [artefact.name for artefact in chosen(["table-2"])]
    ['table-2']
    """
    known = [artefact.name for artefact in ARTEFACTS]
    for name in names:
        if name not in known:
            raise UnknownName(f"no artefact is called {name!r}; known artefacts: {', '.join(known)}.")
    return tuple(artefact for artefact in ARTEFACTS if not names or artefact.name in names)
