"""Finding and loading the library."""

import os
import subprocess
import sys

import pytest
import support

from headless_checkout import Runtime, version
from headless_checkout import _library as loading
from headless_checkout._errors import LibraryError


def test_version():
    assert version() == "0.1.0"


def test_the_variable_comes_first(monkeypatch):
    monkeypatch.setenv(loading.LIBRARY_VARIABLE, "/elsewhere/lib.so")
    assert loading._location() == "/elsewhere/lib.so"


def test_then_beside_the_package_then_the_soname(monkeypatch, tmp_path):
    monkeypatch.delenv(loading.LIBRARY_VARIABLE, raising=False)
    monkeypatch.setattr(loading, "__file__", str(tmp_path / "_library.py"))
    assert loading._location() == "libheadlesscheckout.so.1"
    (tmp_path / "libheadlesscheckout.so.1").touch()
    assert loading._location() == str(tmp_path / "libheadlesscheckout.so.1")


def test_a_missing_library_says_where_it_was_looked_for():
    with pytest.raises(LibraryError, match="/nowhere/lib.so.*HEADLESS_CHECKOUT_LIBRARY"):
        loading._load("/nowhere/lib.so")


def test_another_library_is_refused():
    with pytest.raises(LibraryError, match="hco_abi_version"):
        loading._load("libc.so.6")


def test_another_abi_version_is_refused_with_both_numbers(monkeypatch):
    class Other:
        @staticmethod
        def hco_abi_version():
            return 2

    class Loader:
        @staticmethod
        def dlopen(location):
            return Other

    monkeypatch.setattr(loading, "ffi", Loader)
    with pytest.raises(LibraryError, match="ABI version 2, this package needs 1"):
        loading._load("lib.so")


def test_importing_the_package_loads_nothing():
    program = (
        "import headless_checkout, sys\n"
        "maps = open('/proc/self/maps').read()\n"
        "sys.exit('headlesscheckout.so' in maps)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(support.PACKAGE)}
    assert subprocess.run([sys.executable, "-c", program], env=environment).returncode == 0


def test_info_tells_the_flavour():
    with Runtime(http=support.BackEnd()) as runtime:
        info = runtime.info()
        assert info["flavour"] == os.environ.get("FLAVOUR", info["flavour"])
        assert info["transport"] == "host"
        assert info["checkouts"] == 0
