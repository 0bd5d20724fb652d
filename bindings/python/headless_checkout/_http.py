"""HTTP that the host carries itself, instead of libcurl."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Callable, Union

from ._errors import HeadlessCheckoutError


@dataclass(frozen=True)
class HTTPRequest:
    """A request to make. With `money` "opens" it must be sent once, on a fresh connection, and never be retried."""

    method: str
    url: str
    #: Not shown by repr(), as a body may hold a gift card's number and the headers hold the session's key.
    headers: Mapping[str, str] = field(repr=False)
    body: str | None = field(repr=False)
    timeout_ms: int
    #: "none" or "opens".
    money: str
    fresh_connection: bool


@dataclass(frozen=True)
class HTTPResponse:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class HTTPNotSent(HeadlessCheckoutError):
    """Raise it when certainly nothing of the request has left, as when connecting failed. After any other exception the
    request counts as sent."""


HTTP = Callable[[HTTPRequest], Union[HTTPResponse, Awaitable[HTTPResponse]]]
