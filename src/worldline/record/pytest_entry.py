"""This file is recording one test of the user's own code: pytest sets it up, and its call is the entry."""

from collections.abc import Callable
from typing import Any


class TestFailed(Exception):
    """The test, or its set-up, did not pass; the message is what pytest says."""


class NoSuchTest(Exception):
    """pytest found no test of that name, or more than one."""


class _Plugin:
    """Turns the recorder on around the call of the one test."""

    def __init__(self, recorded: Callable[[Callable[[], object]], object]) -> None:
        self.recorded = recorded
        self.collected = 0
        self.failure = ""
        self.raised: BaseException | None = None

    def pytest_collection_finish(self, session: Any) -> None:
        self.collected = len(session.items)

    def pytest_pyfunc_call(self, pyfuncitem: Any) -> bool:
        names = pyfuncitem._fixtureinfo.argnames
        arguments = {name: pyfuncitem.funcargs[name] for name in names}
        try:
            self.recorded(lambda: pyfuncitem.obj(**arguments))
        except BaseException as error:
            self.raised = error
            raise
        return True

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failure:
            self.failure = f"{report.when} failed"


def run_test(node_id: str, recorded: Callable[[Callable[[], object]], object]) -> object:
    """Run the test; what it raised is raised again, so that the trace ends as the test did.

    Assertions are not rewritten (`--assert=plain`): the rewritten code has variables that the user's has not.
    """
    import pytest

    plugin = _Plugin(recorded)
    options = ["-q", "-p", "no:cacheprovider", "--assert=plain", "--capture=no", "-o", "addopts="]
    pytest.main([*options, node_id], plugins=[plugin])
    if plugin.collected != 1:
        raise NoSuchTest(f"{node_id} names {plugin.collected} tests, not one")
    if plugin.raised is not None:
        raise plugin.raised
    if plugin.failure:
        raise TestFailed(plugin.failure)
    return None
