"""The package is tested where it lies, and as it is imported from there."""

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import support  # noqa: E402


@pytest.fixture
def back_end():
    return support.BackEnd()


@pytest.fixture
def runtime(back_end):
    """A runtime whose HTTP the back end carries, driven by hand; nothing may be left of it afterwards."""
    made = support.host_runtime(back_end)
    yield made
    made.close()
    support.assert_nothing_registered()
