"""This file is what all tests share: the evaluation data, and the rule that `.ci/run` skips nothing."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes is not what a law asserts: the first one may build a table.
settings.register_profile("unhurried", settings(), deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of evaluation data."""
    folder = os.environ.get("WORLDLINE_DATA")
    if not folder:
        pytest.skip("WORLDLINE_DATA is not set: the evaluation data is not here")
    return Path(folder)


@pytest.fixture(autouse=True)
def _one_thread(request):
    """The C core trusts its analysis of code only where there is one thread."""
    if request.node.get_closest_marker("alone") and "PYTEST_XDIST_WORKER" in os.environ:
        pytest.skip("needs a process with one thread: run pytest -m alone, without -n")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Where nothing may be skipped, a skip is a failure."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("WORLDLINE_NO_SKIPS") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although WORLDLINE_NO_SKIPS is set: {report.longrepr}"
