"""Amounts as text."""

import pytest
from support import BackEnd, host_runtime, make, release

from headless_checkout import InvalidArgumentError


@pytest.fixture
def checkout():
    with host_runtime(BackEnd(), locale="de-DE") as runtime:
        checkout = make(runtime)
        yield checkout
        release(runtime, checkout)


@pytest.mark.parametrize("amount, options, text", [
    (123_456, {}, "1.234,56€"),
    (123_456, {"style": "standard"}, "1.234,56\u00a0€"),
    (-123_456, {"currency": "USD", "locale": "en-US"}, "-US$1,234.56"),
    (8_000, {"currency": "KWD", "locale": "en-US"}, "KWD8.000"),
    (2**63 - 1, {}, "92.233.720.368.547.758,07€"),
    (-(2**63), {}, "-92.233.720.368.547.758,08€"),
    (1, {"currency": "ZZZ"}, None),
])
def test_texts(checkout, amount, options, text):
    assert checkout.format_amount(amount, **options) == text


@pytest.mark.parametrize("amount", [1.5, "1", True, None])
def test_what_is_no_amount(checkout, amount):
    with pytest.raises((TypeError, InvalidArgumentError)):
        checkout.format_amount(amount)


def test_what_is_refused(checkout):
    with pytest.raises(InvalidArgumentError):
        checkout.format_amount(2**63)
    with pytest.raises(InvalidArgumentError):
        checkout.format_amount(1, style="narrow")
