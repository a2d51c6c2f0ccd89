"""Everything this package raises on purpose.

::

    ReplibanditError
    ├── InvalidParameter      a spec or an argument breaks an invariant      (also a ValueError)
    ├── UnknownName           no policy, problem or option of that name      (also a LookupError)
    ├── UnreadableFile        a problem or data file cannot be used          (also a ValueError)
    ├── MissingExtra          an optional dependency is not installed        (also an ImportError)
    ├── ReplayMismatch        recorded tallies do not fit the policy's plan  (also a ValueError)
    └── SessionError
        ├── UnknownPull       a reward for a pull that was never handed out  (also a LookupError)
        ├── InvalidReward     a reward that is not a finite number           (also a ValueError)
        └── ConflictingReward a second, different reward for the same pull

Every message states the invariant, the value and the remedy.
"""

from __future__ import annotations


class ReplibanditError(Exception):
    """Anything raised on purpose by this package."""


class InvalidParameter(ReplibanditError, ValueError):
    """A spec or an argument breaks an invariant."""


class UnknownName(ReplibanditError, LookupError):
    """No policy, problem or option of that name."""


class UnreadableFile(ReplibanditError, ValueError):
    """A problem or data file cannot be used."""


class MissingExtra(ReplibanditError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, need: str, package: str, extra: str) -> None:
        super().__init__(f"{need} needs {package}, which is not installed; run: pip install 'replibandit[{extra}]'")


class ReplayMismatch(ReplibanditError, ValueError):
    """Recorded tallies do not fit the policy's plan."""


class SessionError(ReplibanditError):
    """A live session was used in a way that would spoil its record."""


class UnknownPull(SessionError, LookupError):
    """A reward for a pull that was never handed out."""


class InvalidReward(SessionError, ValueError):
    """A reward that is not a finite number."""


class ConflictingReward(SessionError):
    """A second, different reward for the same pull."""
