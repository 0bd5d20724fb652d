"""One way to call the library: JSON in, JSON out, a status that is not OK becomes an exception."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ._errors import error_for
from ._library import ffi, library


def text(value: str) -> bytes:
    """A text as the library takes it. It would end at a NUL, so there may be none."""
    if "\0" in value:
        raise ValueError("a text that is passed to the checkout cannot hold a NUL")
    return value.encode("utf-8")


def document(members: Mapping[str, Any]) -> bytes:
    """A request as JSON. Its numbers are whole ones: the library refuses fractions."""
    return json.dumps(members, ensure_ascii=True, allow_nan=False).encode("ascii")


def call(function: str, *arguments: Any) -> dict[str, Any]:
    """Calls a function whose last argument is `char **reply`."""
    reply = ffi.new("char **")
    status = getattr(library(), function)(*arguments, reply)
    answer = take(reply[0])
    members = None if answer is None else json.loads(answer)
    check(status, members)
    return members or {}


def check(status: int, members: Mapping[str, Any] | None = None) -> None:
    if status != 0:
        raise error_for(status, read(library().hco_status_name(status)), members)


def read(pointer: Any) -> str:
    """A copy of a text that stays the library's."""
    value: bytes = ffi.string(pointer)
    return value.decode("utf-8")


def take(pointer: Any) -> str | None:
    """A copy of a text that is ours, which is freed."""
    if pointer == ffi.NULL:
        return None
    try:
        return read(pointer)
    finally:
        library().hco_free(pointer)
