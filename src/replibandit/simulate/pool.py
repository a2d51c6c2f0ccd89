"""A pool of processes: the same calls give the same results on any number of them.

A call is a function of a module and plain arguments; every call carries its own seed, so nothing depends on which
process makes it or when. Results arrive in the order in which they are finished.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

MAX_PROCESSES = 1024


@dataclass(frozen=True, slots=True)
class Call:
    """``function(**arguments)``, to be made in some process; the function must be importable by its name."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of call ``number``, with the seconds it took."""

    number: int
    result: Any
    seconds: float


def run_calls(calls: Sequence[Call], processes: int = 1) -> Iterator[Done]:
    """Make all calls; an exception in one is raised here, an interruption leaves no process behind.

    >>> [done.result for done in run_calls([Call(pow, {"base": 2, "exp": 5}), Call(pow, {"base": 3, "exp": 2})])]
    [32, 9]
    """
    if processes <= 1 or len(calls) <= 1:
        for number, call in enumerate(calls):
            yield _made(number, call)
        return
    with _workers(min(processes, len(calls))) as pool:
        futures: list[Future[Done]] = [pool.submit(_made, number, call) for number, call in enumerate(calls)]
        for future in as_completed(futures):
            yield future.result()


def _made(number: int, call: Call) -> Done:
    started = time.perf_counter()
    result = call.function(**call.arguments)
    return Done(number, result, time.perf_counter() - started)


@contextmanager
def _workers(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Fresh processes (spawned, so that threads of this one cannot lock them up), ended whatever happens."""
    before = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, mp_context=context, initializer=_ignore_interrupt)
    try:
        yield pool
    except BaseException:
        # waiting for the calls under way could take minutes: their results are not wanted any more
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupt() -> None:
    """Ctrl-C reaches every process of a terminal; the first process alone decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
