"""The pool: every call once, errors come back, nothing is left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal

import pytest

from replibandit.simulate.pool import Call, Pool, run_calls


@pytest.mark.parametrize("processes", [1, 2])
def test_every_call_is_made_once(processes: int) -> None:
    calls = [Call(pow, {"base": base, "exp": 2}) for base in range(6)]
    done = sorted(run_calls(calls, processes), key=lambda one: one.number)
    assert [one.result for one in done] == [0, 1, 4, 9, 16, 25]
    assert all(one.seconds >= 0 for one in done)


@pytest.mark.parametrize("processes", [1, 2])
def test_an_error_of_a_call_is_raised_and_no_process_stays(processes: int) -> None:
    calls = [Call(divmod), Call(pow, {"base": 2, "exp": 2})]
    with pytest.raises(TypeError):
        list(run_calls(calls, processes))
    assert multiprocessing.active_children() == []


def test_a_reader_who_leaves_early_ends_the_processes() -> None:
    calls = [Call(pow, {"base": base, "exp": 2}) for base in range(50)]
    results = run_calls(calls, 2)
    next(results)
    results.close()
    assert multiprocessing.active_children() == []


def test_the_same_processes_make_several_rounds_of_calls() -> None:
    with Pool(2) as pool:
        first = {done.result for done in pool.run([Call(os.getpid)] * 20)}
        second = {done.result for done in pool.run([Call(os.getpid)] * 20)}
    assert os.getpid() not in first | second
    assert len(first | second) <= 2
    assert multiprocessing.active_children() == []


def test_ctrl_c_is_heard_again_after_the_calls_are_handed_out() -> None:
    with Pool(2) as pool:
        list(pool.run([Call(pow, {"base": 2, "exp": 2})] * 2))
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())
