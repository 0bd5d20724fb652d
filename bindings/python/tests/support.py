"""A back end inside the test, a session for it, and the ways that tests use a checkout."""

import asyncio
import base64
import gc
import itertools
import json
from pathlib import Path

from headless_checkout import Checkout, Hooks, HTTPResponse, Runtime, Steps
from headless_checkout._callbacks import registered

PACKAGE = Path(__file__).resolve().parent.parent
REPOSITORY = PACKAGE.parent.parent
ROOT = "https://payment.test"
API_PATHS = {"payment": ROOT, "datetime": ROOT, "wallet": ROOT}
CARD = "purse-creditcard"
GIFT = "illicado-giftcard"
BANCONTACT = "hipay-bancontact"
FORM = {"vault_form_token": "tok_success_00000000000000000000", "selected_network": "VISA"}
GIFT_NUMBER = "6000000100003000"

_sessions = itertools.count(1)


def assert_nothing_registered():
    gc.collect()
    assert registered() == 0


def widget_data(*, session=None, amount=120, **overrides):
    """A client session as the back end's, in base64. Amounts on this wire are in major units."""
    payment_session = {
        "id": session or f"session-{next(_sessions)}",
        "amount": amount,
        "currency_code": "EUR",
        "expiration_date": "2039-01-01T00:00:00Z",
        "redirection": "https://shop.test/return",
        "protocols": {
            "purse": {"creditcard": _protocol(1, "primary", vault={
                "supported_brands": ["VISA", "MASTERCARD"], "token_scope": "method", "vendor": "purse"},
                save_token=True)},
            "illicado": {"giftcard": _protocol(2, "secondary", usage_per_session_limit=3)},
            "hipay": {"bancontact": _protocol(3, "primary")},
        },
        "vault": {"vendor_front_data": {"purse": {"tenant_id": "tenant-1"}}},
    }
    payment_session.update(overrides)
    blob = {"api_key": "key-1", "entity_id": "entity-1", "environment": "test", "session": payment_session}
    return base64.b64encode(json.dumps(blob).encode()).decode()


def _protocol(position, label, vault=None, **settings):
    configurations = {
        "stable": True, "template": None, "labels": [label], "position": position,
        "settings": {"registration_mode": "ON_SESSION", "save_token": False, **settings},
    }
    if vault is not None:
        configurations["vault"] = vault
    return {"configurations": configurations, "integrated_tokens": []}


class BackEnd:
    """Answers what a checkout sends. `answers` maps the last part of a path to a function of the request, or to an
    exception to raise; `requests` has what came."""

    def __init__(self):
        self.requests = []
        self.balance = 30
        self.answers = {"datetime": self.datetime, "init": self.init, "validate": self.validate}

    def __call__(self, request):
        self.requests.append(request)
        answer = self.answers[request.url.rsplit("/", 1)[1]]
        if isinstance(answer, BaseException):
            raise answer
        return answer(request)

    def sent(self, name):
        return [request for request in self.requests if request.url.endswith("/" + name)]

    @property
    def payments(self):
        """The items of every payment that was asked for."""
        return [json.loads(request.body) for request in self.sent("validate")]

    def datetime(self, request):
        return reply({"utc": "Wed, 01 Dec 2027 10:00:00 GMT", "iso": "2027-12-01T10:00:00.000Z"})

    def init(self, request):
        item = json.loads(request.body)
        result = {"amount": self.balance, "currency_code": "EUR", "expiration_date": "2038-01-01T00:00:00Z"}
        return reply({
            "id": f"init-{len(self.sent('init'))}", "session_id": request.url.split("/")[-2],
            "date": "2027-12-01T10:00:00Z", "partner": item["partner"], "method": item["method"],
            "step_id": len(self.sent("init")), "status": {"action": "INIT", "state": "SUCCESS", "code": "SUCCEEDED"},
            "plugin_result": result if item["method"] == "giftcard" else {},
        })

    def validate(self, request, status="SUCCESS", redirection=None):
        results = [
            {
                "id": f"result-{index}", "date": "2027-12-01T10:00:00Z", "partner": item["partner"],
                "method": item["method"], "session_id": request.url.split("/")[-2], "transaction_id": f"tx-{index}",
                "status": {"action": "AUTHORIZE", "state": status, "code": "SUCCEEDED"},
                "plugin_result": {"status": "OK", "amount": item["amount"]},
            }
            for index, item in enumerate(json.loads(request.body))
        ]
        return reply({"results": results, "redirection": redirection or {}, "global_status": status})

    def ends(self, status, redirection=None):
        """From now on payments end like this."""
        self.answers["validate"] = lambda request: self.validate(request, status, redirection)


def reply(document, status=200):
    return HTTPResponse(
        status, {"content-type": "application/json", "date": "Wed, 01 Dec 2027 10:00:00 GMT"},
        json.dumps(document).encode())


def host_runtime(back_end, **options):
    return Runtime(http=back_end, manual_clock=True, **options)


def collecting(collect=lambda request: FORM, post_validate=None, **hooks):
    """Hooks of a host that has a card form."""
    return Hooks(steps={CARD: Steps(collect=collect, post_validate=post_validate)}, **hooks)


def make(runtime, hooks=None, data=None, **options):
    hooks = collecting() if hooks is None else hooks
    return Checkout.create(runtime, data or widget_data(), hooks=hooks, api_paths=API_PATHS, **options)


def choose_card(runtime, checkout, redirect="none"):
    """The card pays the remainder, and its form is filled."""
    checkout.set_primary(CARD)
    element = runtime.wait(checkout.open_element(CARD, redirect=redirect), 5)
    element.report("formValidity", valid=True)
    return element


def payable(runtime, hooks=None, redirect="none", **options):
    """A checkout that may submit: the card pays it all."""
    checkout = make(runtime, hooks, **options)
    choose_card(runtime, checkout, redirect)
    return checkout


def pay(runtime, checkout, **options):
    return runtime.wait(checkout.submit(**options), 5)


def release(runtime, *checkouts):
    for checkout in checkouts:
        checkout.release()
    for checkout in checkouts:
        runtime.wait(checkout.released, 5)


def run_async(coroutine, seconds=20):
    """asyncio.run, with an end."""
    async def limited():
        return await asyncio.wait_for(coroutine, seconds)

    return asyncio.run(limited())


async def payable_async(hooks=None, runtime=None, **options):
    checkout = make(runtime, hooks, **options)
    checkout.set_primary(CARD)
    element = await checkout.open_element(CARD)
    element.report("formValidity", valid=True)
    return checkout


def assert_nothing_registered_but(count):
    """Only so many receivers are still the library's to call."""
    gc.collect()
    assert registered() == count
