"""From the library's JSON, whose names are in camel case, to dataclasses. Unknown members are ignored."""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from functools import lru_cache
from typing import Any, Callable, List, Mapping, Optional, Tuple, Type, TypeVar

T = TypeVar("T")

_CAPITALS = {"ui": "UI", "url": "URL"}
_Reader = Callable[[Any], Any]


def camel_case(name: str) -> str:
    """`has_ui` is `hasUI`, `session_id` is `sessionId`."""
    first, *rest = name.split("_")
    return first + "".join(_CAPITALS.get(word, word.capitalize()) for word in rest)


def nested(kind: Type[Any]) -> Any:
    """A field that holds an object of its own, or null."""
    return field(default=None, metadata={"read": lambda value: None if value is None else decode(kind, value)})


def sequence(kind: Optional[Type[Any]] = None) -> Any:
    """A field that holds a list: of objects of `kind`, or of plain values."""
    return field(default=(), metadata={"read": lambda values: decode_all(kind, values or ()) if kind else tuple(values or ())})


def decode(kind: Type[T], members: Mapping[str, Any]) -> T:
    """An instance of a dataclass; a member that is missing is the field's default, else None."""
    arguments = {}
    for name, key, read, default in _plan(kind):
        value = members.get(key, default)
        arguments[name] = read(value) if key in members and read is not None else value
    return kind(**arguments)


def decode_all(kind: Type[T], values: List[Mapping[str, Any]]) -> Tuple[T, ...]:
    return tuple(decode(kind, value) for value in values)


@lru_cache(maxsize=None)
def _plan(kind: Type[Any]) -> List[Tuple[str, str, Optional[_Reader], Any]]:
    return [
        (each.name, camel_case(each.name), each.metadata.get("read"), None if each.default is MISSING else each.default)
        for each in fields(kind)
    ]
