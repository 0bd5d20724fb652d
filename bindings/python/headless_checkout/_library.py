"""Finds and loads the shared library, once, when it is first needed."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from cffi import FFI

from ._declarations import DECLARATIONS
from ._errors import LibraryError

#: Where to look first, when set.
LIBRARY_VARIABLE = "HEADLESS_CHECKOUT_LIBRARY"
SONAME = "libheadlesscheckout.so.1"
ABI_VERSION = 1

ffi: Any = FFI()
ffi.cdef(DECLARATIONS)

_lock = threading.Lock()
_loaded: Any | None = None


def library() -> Any:
    """The functions of the library. Raises LibraryError when it cannot be had."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = _load(_location())
    return _loaded


def _location() -> str:
    named = os.environ.get(LIBRARY_VARIABLE)
    if named:
        return named
    bundled = Path(__file__).with_name(SONAME)
    return str(bundled) if bundled.exists() else SONAME


def _load(location: str) -> Any:
    try:
        functions = ffi.dlopen(location)
        version = functions.hco_abi_version()
    except (OSError, AttributeError) as error:
        raise LibraryError(f"cannot load {location} ({error}); set {LIBRARY_VARIABLE} to its path") from error
    if version != ABI_VERSION:
        raise LibraryError(f"{location} has ABI version {version}, this package needs {ABI_VERSION}")
    return functions
