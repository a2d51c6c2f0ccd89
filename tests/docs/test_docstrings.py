"""Every example in a docstring of the package runs."""

from __future__ import annotations

import doctest
import importlib
import io
import pkgutil

import pytest

import replibandit

MODULES = ["replibandit", *(module.name for module in pkgutil.walk_packages(replibandit.__path__, "replibandit."))]


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_the_module_runs(name: str) -> None:
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for examples in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        runner.run(examples, out=report.write)
    assert runner.summarize(verbose=False).failed == 0, report.getvalue()
