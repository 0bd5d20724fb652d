"""The main job: a payment of 120.00 EUR, a gift card first and a card for the rest.

    python3 checkout.py http://127.0.0.1:PORT

The address is the sandbox's. Exit code: 0 when the payment ended as it should, else 1.
"""

import asyncio
import json
import os
import sys
import tempfile
from decimal import Decimal
from pathlib import Path
from urllib.request import Request, urlopen

from headless_checkout import (
    BeforeValidate,
    Checkout,
    Checkpoint,
    Collect,
    Completed,
    Event,
    FailedAfterAnswer,
    Hooks,
    Outcome,
    OutcomeUnknown,
    Runtime,
    Steps,
)

AMOUNT = 12000
CARD = "purse-creditcard"
GIFT_CARD = "illicado-giftcard"
GIFT_CARD_NUMBER = "6000 0001 0000 3000"  # the sandbox's: it holds 30.00
FORM_TOKEN = "tok_success_00000000000000000000"  # the sandbox's: a card that pays


# What your backend does. A browser or a till never has these credentials.


def merchant(sandbox: str, path: str, order: object = None) -> dict:
    headers = {"Content-Type": "application/json", "x-api-key": "demo-key", "Authorization": "Bearer demo-token"}
    body = None if order is None else json.dumps(order).encode()
    with urlopen(Request(sandbox + path, data=body, headers=headers), timeout=30) as answer:
        return json.loads(answer.read(), parse_float=Decimal)


def create_session(sandbox: str) -> dict:
    return merchant(sandbox, "/payment/v2/client-sessions", {
        "entity_id": "c0ffee00-0000-4000-8000-000000000001", "amount": AMOUNT, "currency": "EUR",
        "shopper_redirection_url": "https://merchant.example/return", "order": {"reference": "order-1"}})


def validates(sandbox: str, session: dict) -> list:
    """The bodies of the payment requests that the sandbox received for the session."""
    journal = merchant(sandbox, "/sandbox/requests?path=validate")["requests"]
    return [request["body"] for request in journal if session["id"] in request["path"]]


# What your program does.


def euros(amount: int) -> str:
    return f"{amount // 100}.{amount % 100:02}"


class Host:
    """The hooks. Each may be a plain function or `async def`; one that raises refuses the payment."""

    def __init__(self, store: Path) -> None:
        self.store = store

    def checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write beside, then rename: a crash leaves the old snapshot or the new one, never half of one."""
        print(f"  hook checkpoint {checkpoint.reason}")
        beside = self.store.with_suffix(".new")
        with open(beside, "w", encoding="utf-8") as file:
            file.write(checkpoint.snapshot)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.store)

    async def collect(self, request: Collect) -> dict:
        """Your card form turns what the shopper typed into a token of the vault."""
        print(f"  hook collect {request.element} {euros(request.amount)}")
        await asyncio.sleep(0)
        return {"vault_form_token": FORM_TOKEN, "selected_network": "VISA"}

    async def before_validate(self, request: BeforeValidate) -> None:
        """The last look: your stock, your terms, your till."""
        print(f"  hook beforeValidate {len(request.split)} slices")

    def hooks(self) -> Hooks:
        return Hooks(
            checkpoint=self.checkpoint, before_validate=self.before_validate,
            after_validate=lambda request: print("  hook afterValidate"),
            steps={CARD: Steps(collect=self.collect)})


def listen(event: Event) -> None:
    if event.type != "change":
        print(f"  event {event.type}")


async def draw_gift_card(checkout: Checkout) -> None:
    token = await checkout.read_secondary(GIFT_CARD, GIFT_CARD_NUMBER, cvv="1234")
    print(f"gift card {token.mask} holds {euros(token.balance)}")
    checkout.apply_secondary(token.id)


async def choose_card(checkout: Checkout) -> None:
    for piece in checkout.set_primary(CARD).amount_split:
        print(f"  slice {piece.item:22} {euros(piece.amount):>8}")
    element = await checkout.open_element(CARD)
    element.report("formValidity", valid=True)


def describe(outcome: Outcome) -> str:
    if isinstance(outcome, Completed):
        return f"outcome=completed status={outcome.status}"
    if isinstance(outcome, (OutcomeUnknown, FailedAfterAnswer)):
        return "outcome=unknown"  # never shown as a failed payment: ask your backend, then checkout.resolve(...)
    return f"outcome={outcome.kind}"


async def pay(sandbox: str, session: dict, store: Path) -> str:
    paths = {"payment": sandbox, "datetime": sandbox}
    widget_data = session["widget"]["data"]
    async with Runtime(allow_loopback_http=True) as runtime:
        async with Checkout.create(runtime, widget_data, hooks=Host(store).hooks(), api_paths=paths) as checkout:
            checkout.listen(listen)
            print(f"to pay: {euros(checkout.amount)} {checkout.currency.code}")
            for method in checkout.payment_methods:
                print(f"  {method.id:28} {method.kind}")
            await draw_gift_card(checkout)
            await choose_card(checkout)
            return describe(await checkout.submit())


def main(sandbox: str) -> int:
    session = create_session(sandbox)
    with tempfile.TemporaryDirectory() as directory:
        ended = asyncio.run(pay(sandbox, session, Path(directory) / "checkout"))
    sent = validates(sandbox, session)
    # The wire speaks major units.
    is_whole = [sum(Decimal(item["amount"]) * 100 for item in items) for items in sent] == [AMOUNT]
    last_line = f"{ended} validates={len(sent)}"
    print(f"demo: {last_line}")
    return 0 if is_whole and last_line == "outcome=completed status=SUCCESS validates=1" else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} http://127.0.0.1:PORT")
    sys.exit(main(sys.argv[1]))
