"""Over real HTTP, at the sandbox that SANDBOX_URL names: the example, the README's snippet, and libcurl's ways."""

import asyncio
import importlib.util
import os
import re
import subprocess
import sys
import threading

import pytest
import support
from support import CARD, GIFT, run_async

from headless_checkout import (
    Checkout,
    Completed,
    Hooks,
    OutcomeUnknown,
    RefusedError,
    ReturnedFromRedirect,
    Runtime,
    Steps,
    Verdict,
)

SANDBOX = os.environ.get("SANDBOX_URL", "")
PATHS = {"payment": SANDBOX, "datetime": SANDBOX}
KLARNA = "klarna-paylater"
APPLE_PAY = "adyen-applepay"

pytestmark = pytest.mark.skipif(not SANDBOX, reason="SANDBOX_URL names no sandbox")


def example():
    spec = importlib.util.spec_from_file_location("example", support.PACKAGE / "examples" / "checkout.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


merchant = example()


def environment():
    return {**os.environ, "PYTHONPATH": str(support.PACKAGE)}


def test_the_example():
    command = [sys.executable, str(support.PACKAGE / "examples" / "checkout.py"), SANDBOX]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment())
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "demo: outcome=completed status=SUCCESS validates=1"


def test_the_readme():
    (snippet,) = re.findall(r"```python\n(.*?)```", (support.PACKAGE / "README.md").read_text(), flags=re.DOTALL)
    names = {}
    exec(compile(snippet, "README.md", "exec"), names)
    session = merchant.create_session(SANDBOX)
    assert run_async(names["pay"](session["widget"]["data"], api_paths=PATHS)) == "success"
    assert len(merchant.validates(SANDBOX, session)) == 1


def pays_with(case, redirect="none", follow=None):
    """Pays a session with a card of the sandbox; the outcome, the checkout's last state and the payment requests."""
    session = merchant.create_session(SANDBOX)
    form = {"vault_form_token": f"tok_{case}_".ljust(32, "0"), "selected_network": "VISA"}

    async def job():
        hooks = Hooks(steps={CARD: Steps(collect=lambda request: form)})
        async with Runtime(allow_loopback_http=True) as runtime:
            widget_data = session["widget"]["data"]
            async with Checkout.create(runtime, widget_data, hooks=hooks, api_paths=PATHS) as checkout:
                checkout.set_primary(CARD)
                element = await checkout.open_element(CARD, redirect=redirect)
                element.report("formValidity", valid=True)
                if follow is not None:
                    checkout.listen(lambda event: follow(checkout, event))
                outcome = await checkout.submit()
                return outcome, checkout.session_state

    outcome, state = run_async(job())
    return outcome, state, merchant.validates(SANDBOX, session)


@pytest.mark.parametrize("case, status, verdict", [
    ("success", "SUCCESS", "success"), ("declined", "FAILED", "declined"), ("waiting", "WAITING", "pending"),
    ("uncertain", "UNCERTAIN", "pending"), ("slow", "SUCCESS", "success"),
])
def test_how_a_card_ends(case, status, verdict):
    outcome, state, sent = pays_with(case)
    assert isinstance(outcome, Completed)
    assert (outcome.status, outcome.verdict, state, len(sent)) == (status, verdict, "submitted", 1)


def test_a_lost_answer():
    outcome, state, sent = pays_with("lost")
    assert isinstance(outcome, OutcomeUnknown) and state == "submitted" and len(sent) == 1


def test_a_page():
    def follow(checkout, event):
        if event.type == "redirect" and event.state == "open":
            assert checkout.redirect_check(event.action.url) is Verdict.ALLOW
            url = "https://merchant.example/return?purse-redirection-data=x"
            assert checkout.redirect_check(url) is Verdict.RETURN
            checkout.redirect_report(event.presentation, url=url)

    outcome, state, sent = pays_with("threeds", "host", follow)
    assert isinstance(outcome, ReturnedFromRedirect) and state == "submitted" and len(sent) == 1


@pytest.mark.parametrize("item, number, code", [
    (GIFT, "6100000000000003", "FAILED_TO_INIT_SECONDARY_TOKEN"),
    (GIFT, "6000000000000000", "SECONDARY_TOKEN_EMPTY_BALANCE"),
    ("buybox-giftcard", "6300000000000001", "USER_ACTION_REQUEST_ABORTED_BY_CUSTOMER"),
])
def test_gift_cards_that_cannot_be_read(item, number, code):
    session = merchant.create_session(SANDBOX)
    with Runtime(allow_loopback_http=True) as runtime:
        with Checkout.create(runtime, session["widget"]["data"], api_paths=PATHS) as checkout:
            with pytest.raises(RefusedError) as caught:
                runtime.wait(checkout.read_secondary(item, number, cvv="1234"), 20)
            assert caught.value.code == code
        runtime.wait(checkout.released, 5)


def test_a_gift_card_is_paid_after_a_restart():
    session = merchant.create_session(SANDBOX)
    with Runtime(allow_loopback_http=True) as runtime:
        checkout = Checkout.create(runtime, session["widget"]["data"], hooks=support.collecting(), api_paths=PATHS)
        token = runtime.wait(checkout.read_secondary(GIFT, merchant.GIFT_CARD_NUMBER, cvv="1234"), 10)
        checkout.apply_secondary(token.id)
        snapshot = checkout.save_state()
    with Runtime(allow_loopback_http=True) as runtime:
        checkout = Checkout.restore(runtime, snapshot, hooks=support.collecting(), api_paths=PATHS)
        support.choose_card(runtime, checkout)
        outcome = runtime.wait(checkout.submit(), 10)
        assert isinstance(outcome, Completed) and outcome.is_success
        checkout.release()
        runtime.wait(checkout.released, 5)


def test_many_checkouts_in_one_loop_and_no_thread():
    async def one(runtime):
        session = await asyncio.get_running_loop().run_in_executor(None, merchant.create_session, SANDBOX)
        async with Checkout.create(
            runtime, session["widget"]["data"], hooks=support.collecting(), api_paths=PATHS) as checkout:
            checkout.set_primary(CARD)
            (await checkout.open_element(CARD)).report("formValidity", valid=True)
            return (await checkout.submit()).status

    async def job():
        async with Runtime(allow_loopback_http=True) as runtime, Runtime(allow_loopback_http=True) as other:
            ended = await asyncio.gather(*(one(each) for each in [runtime, other] * 10))
            assert ended == ["SUCCESS"] * 20
            threads = len(os.listdir("/proc/self/task"))
            assert threads == threading.active_count()

    run_async(job(), 60)
    support.assert_nothing_registered()


def widgets(prepare=None):
    steps = Steps(prepare=prepare or (lambda request: {"authorization_token": "tok_success_x"}))
    return Hooks(steps={item: steps for item in (KLARNA, APPLE_PAY)})


def test_a_partners_widget_follows_the_amount_and_pays():
    session = merchant.create_session(SANDBOX)
    seen = []

    def prepare(request):
        seen.append((request.amount, request.init["client_token"], request.app_return_url))
        return {"authorization_token": "tok_success_x"}

    async def job():
        async with Runtime(allow_loopback_http=True) as runtime:
            widget_data = session["widget"]["data"]
            async with Checkout.create(runtime, widget_data, hooks=widgets(prepare), api_paths=PATHS) as checkout:
                with pytest.raises(RefusedError) as caught:
                    await checkout.open_element(KLARNA)
                assert caught.value.code == "INVALID_INIT_PARAMS"
                shown = asyncio.get_running_loop().create_future()
                checkout.listen(
                    lambda event: shown.set_result(event.init)
                    if event.type == "element" and event.what == "initialized" else None)
                checkout.set_primary(KLARNA)
                element = await checkout.open_element(KLARNA, app_return_url="shop://back")
                element.report("ready")
                assert checkout.elements[0].is_ready and not checkout.elements[0].stale
                card = await checkout.read_secondary(GIFT, merchant.GIFT_CARD_NUMBER, cvv="1234")
                checkout.apply_secondary(card.id)
                assert checkout.elements[0].stale and not checkout.elements[0].is_ready
                init = await shown
                assert init["client_token"] != element.init["client_token"]
                element.report("ready")
                rest = checkout.split().remaining_amount_to_pay
                outcome = await checkout.submit(element=KLARNA)
                assert isinstance(outcome, Completed) and outcome.is_success
                assert seen == [(rest, init["client_token"], "shop://back")]

    run_async(job())
    assert len(merchant.validates(SANDBOX, session)) == 1


@pytest.mark.parametrize("payment_data", [None, {"authorization_token": "tok_success_x"}])
def test_a_wallet_pays_when_it_is_approved(payment_data):
    session = merchant.create_session(SANDBOX)
    asked = []

    def prepare(request):
        asked.append(request.init["payment_request"]["total"])
        return {"authorization_token": "tok_success_x"}

    async def job():
        async with Runtime(allow_loopback_http=True) as runtime:
            widget_data = session["widget"]["data"]
            async with Checkout.create(runtime, widget_data, hooks=widgets(prepare), api_paths=PATHS) as checkout:
                element = await checkout.open_element(APPLE_PAY)
                assert element.opened.self_submitting
                outcome = await element.approve(payment_data)
                assert isinstance(outcome, Completed) and outcome.is_success and outcome.element == APPLE_PAY

    run_async(job())
    assert len(asked) == (payment_data is None)
