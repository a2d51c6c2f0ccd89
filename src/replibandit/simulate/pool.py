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
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Self

MAX_PROCESSES = 1024


@dataclass(frozen=True, slots=True)
class Call:
    """``function(**arguments)``, to be made in some process; the function must be importable by its name."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """The result of call ``number``, with the seconds of processor time it took."""

    number: int
    result: Any
    seconds: float


class Pool:
    """Processes that stay from one round of calls to the next; none are made for a single one.

    >>> with Pool(processes=1) as pool:
    ...     [done.result for done in pool.run([Call(pow, {"base": 2, "exp": 5})])]
    [32]
    """

    def __init__(self, processes: int = 1) -> None:
        self.processes = processes
        self._workers: ProcessPoolExecutor | None = None
        self._children: set[BaseProcess] = set()

    def __enter__(self) -> Self:
        return self

    def run(self, calls: Sequence[Call]) -> Iterator[Done]:
        """Make all calls, the first first; an exception in one is raised here."""
        if self.processes <= 1:
            for number, call in enumerate(calls):
                yield _made(number, call)
            return
        before = set(multiprocessing.active_children())
        workers = self._started()
        with _deaf_to_interrupts():
            futures: list[Future[Done]] = [workers.submit(_made, number, call) for number, call in enumerate(calls)]
        self._children |= set(multiprocessing.active_children()) - before
        for future in as_completed(futures):
            yield future.result()

    def _started(self) -> ProcessPoolExecutor:
        """Fresh processes: spawned, so that threads of this one cannot lock them up."""
        if self._workers is None:
            context = multiprocessing.get_context("spawn")
            self._workers = ProcessPoolExecutor(self.processes, mp_context=context, initializer=_ignore_interrupt)
        return self._workers

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._workers is None:
            return
        if kind is not None:
            # waiting for the calls under way could take minutes: their results are not wanted any more
            for child in self._children:
                child.terminate()
        self._workers.shutdown(wait=True, cancel_futures=True)


def run_calls(calls: Sequence[Call], processes: int = 1) -> Iterator[Done]:
    """Make all calls in processes of their own; an interruption leaves no process behind.

    >>> [done.result for done in run_calls([Call(pow, {"base": 2, "exp": 5}), Call(pow, {"base": 3, "exp": 2})])]
    [32, 9]
    """
    with Pool(min(processes, len(calls))) as pool:
        yield from pool.run(calls)


def _made(number: int, call: Call) -> Done:
    started = time.process_time()
    result = call.function(**call.arguments)
    return Done(number, result, time.process_time() - started)


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes made meanwhile inherit it, so that Ctrl-C cannot hit one that is still starting; ours comes after."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ignore_interrupt() -> None:
    """Ctrl-C reaches every process of a terminal; the first process alone decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
