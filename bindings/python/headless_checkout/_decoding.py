"""From the library's JSON, whose names are in camel case, to dataclasses. Unknown members are ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, field, fields
from functools import cache
from typing import Any, Callable, TypeVar

T = TypeVar("T")

_CAPITALS = {"ui": "UI", "url": "URL"}
_Reader = Callable[[Any], Any]


def camel_case(name: str) -> str:
    """`has_ui` is `hasUI`, `session_id` is `sessionId`."""
    first, *rest = name.split("_")
    return first + "".join(_CAPITALS.get(word, word.capitalize()) for word in rest)


def nested(kind: type[Any]) -> Any:
    """A field that holds an object of its own, or null."""
    return field(default=None, metadata={"read": lambda value: None if value is None else decode(kind, value)})


def sequence(kind: type[Any] | None = None) -> Any:
    """A field that holds a list: of objects of `kind`, or of plain values."""
    return field(default=(), metadata={"read": lambda values: _read_all(kind, values or ())})


def decode(kind: type[T], members: Mapping[str, Any]) -> T:
    """An instance of a dataclass; a member that is missing is the field's default, else None."""
    arguments = {}
    shape: Any = kind
    for name, key, read, default in _plan(shape):
        value = members.get(key, default)
        arguments[name] = read(value) if key in members and read is not None else value
    return kind(**arguments)


def decode_all(kind: type[T], values: Iterable[Mapping[str, Any]]) -> tuple[T, ...]:
    return tuple(decode(kind, value) for value in values)


def _read_all(kind: type[Any] | None, values: Iterable[Any]) -> tuple[Any, ...]:
    return decode_all(kind, values) if kind else tuple(values)


@cache
def _plan(kind: Any) -> list[tuple[str, str, _Reader | None, Any]]:
    return [
        (each.name, camel_case(each.name), each.metadata.get("read"), None if each.default is MISSING else each.default)
        for each in fields(kind)
    ]
