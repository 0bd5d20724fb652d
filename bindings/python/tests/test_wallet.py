"""Saved instruments, and what is asked of the back end beside a payment."""

import base64
import json

import pytest
import support
from support import CARD, GIFT, GIFT_NUMBER, make, pay, release, reply

from headless_checkout import HTTPNotSent, HTTPResponse, RefusedError

WALLET = {"session_id": "w1", "owner_reference": "shopper", "merchant": "shop"}
LIST = "tokens?status=ACTIVE"


def token(number, method=("purse", "creditcard"), **more):
    return {
        "id": number, "value": f"value-{number}", "owner_reference": "shopper", "favorite": False,
        "description": {"masked_pan": f"**** {number}"},
        "payment_id": {"origin": "partner", "partner": method[0], "method": method[1]}, **more,
    }


def widget_data(tokens=(), gift_cards=(), wallet=WALLET):
    """A session whose shopper has saved something, and may save more."""
    blob = json.loads(base64.b64decode(support.widget_data()))
    protocols = blob["session"]["protocols"]
    protocols["purse"]["creditcard"]["integrated_tokens"] = list(tokens)
    protocols["illicado"]["giftcard"]["integrated_tokens"] = list(gift_cards)
    for method in (protocols["purse"]["creditcard"], protocols["illicado"]["giftcard"]):
        method["configurations"]["settings"]["save_token"] = True
    protocols["younited"] = {"loan": {"configurations": {"labels": ["primary"]}}}
    if wallet is not None:
        blob["wallet_session"] = wallet
    return base64.b64encode(json.dumps(blob).encode()).decode()


def nothing(request):
    return HTTPResponse(204, {}, b"")


@pytest.fixture
def wallet(back_end):
    """One that does what it is told."""
    back_end.answers.update({"1111": nothing, "2222": nothing, "favorite": nothing, "tokens": nothing})
    return back_end


def opened(runtime):
    cards = (token("1111", name="Mine", favorite=True), token("2222"))
    return make(runtime, data=widget_data(cards))


def by_id(checkout):
    return {each.id: each for each in checkout.payment_tokens}


def test_a_name_and_the_favorite(runtime, wallet):
    checkout = opened(runtime)
    assert by_id(checkout)["1111"].name == "Mine" and by_id(checkout)["1111"].is_favorite
    change = runtime.wait(checkout.update_token("2222", name="Hers"), 5)
    assert (change.token, change.name, change.is_favorite, change.ignored) == ("2222", "Hers", False, False)
    sent = wallet.requests[-1]
    assert sent.method == "PATCH" and json.loads(sent.body) == {"name": "Hers"}
    assert sent.headers["x-wallet-session-id"] == "w1" and sent.headers["x-merchant-id"] == "shop"
    assert runtime.wait(checkout.update_token("2222", favorite=True), 5).is_favorite
    assert not by_id(checkout)["1111"].is_favorite and by_id(checkout)["2222"].is_favorite
    assert runtime.wait(checkout.update_token("2222", favorite=True), 5).ignored
    release(runtime, checkout)


def test_refused_changes(runtime, wallet):
    checkout = opened(runtime)
    for name, code in (("", "INVALID_TOKEN_NAME"), ("Mine", "TOKEN_NAME_EXISTS")):
        with pytest.raises(RefusedError) as refused:
            checkout.update_token("2222", name=name)
        assert refused.value.code == code
    wallet.answers["2222"] = HTTPNotSent("no network")
    wallet.answers[LIST] = lambda request: reply([token("1111"), token("2222")])
    with pytest.raises(RefusedError) as failed:
        runtime.wait(checkout.update_token("2222", name="x"), 5)
    assert failed.value.code == "UNKNOWN_ERROR" and failed.value.moved == "no"
    release(runtime, checkout)


def test_what_is_deleted_pays_nothing(runtime, wallet):
    checkout = opened(runtime)
    checkout.set_primary(token="1111")
    deletion = checkout.delete_token("1111")
    assert checkout.primary is None and by_id(checkout)["1111"].disabled.code == "TOKEN_BEING_DELETED"
    assert runtime.wait(deletion, 5) == ("1111",)
    assert list(by_id(checkout)) == ["2222"]
    assert runtime.wait(checkout.delete_all_tokens(), 5) == ("2222",)
    assert runtime.wait(checkout.delete_all_tokens(), 5) == ()
    release(runtime, checkout)


def test_another_wallet_session(runtime, wallet):
    checkout = make(runtime, data=widget_data(wallet=None))
    wallet.answers[LIST] = lambda request: reply([token("3333"), token("g3", ("illicado", "giftcard"))])
    attached = runtime.wait(checkout.set_wallet_session(WALLET), 5)
    assert attached.id == "w1" and attached == checkout.wallet_session
    assert list(by_id(checkout)) == ["3333"]
    assert runtime.wait(checkout.set_wallet_session(WALLET), 5) is None
    wallet.answers[LIST] = lambda request: reply({}, 401)
    with pytest.raises(RefusedError) as failed:
        runtime.wait(checkout.set_wallet_session({**WALLET, "session_id": "w2"}), 5)
    assert failed.value.code == "SET_WALLET_SESSION_FAILED"
    release(runtime, checkout)


def test_a_saved_gift_card_pays(runtime, wallet):
    gift = token("g1", ("illicado", "giftcard"), name="Birthday")
    checkout = make(runtime, data=widget_data((token("1111"),), (gift,)))
    assert checkout.saved_secondary_tokens[0].balance is None
    while checkout.saved_secondary_tokens[0].balance is None:
        runtime.poll(1)
    (saved,) = checkout.saved_secondary_tokens
    assert (saved.balance, saved.name, saved.applied) == (3000, "Birthday", 0)
    assert checkout.apply_secondary("g1").remaining_amount_to_pay == 9000
    checkout.set_primary(token="1111")
    pay(runtime, checkout)
    assert [item["payment_data"] for item in wallet.payments[0]] == [
        {"wallet_token": "value-g1"}, {"wallet_token": "value-1111"}]
    release(runtime, checkout)


def test_what_pays_is_saved(runtime, wallet):
    checkout = make(runtime, data=widget_data())
    support.choose_card(runtime, checkout)
    gift = runtime.wait(checkout.read_secondary(GIFT, GIFT_NUMBER), 5)
    checkout.apply_secondary(gift.id)
    checkout.register(token=gift.id)
    assert len(checkout.register(CARD, name="Blue")) == 2
    pay(runtime, checkout)
    assert [item["payment_preferences"] for item in wallet.payments[0]] == [
        {"save_token": True}, {"save_token": True, "name": "Blue"}]
    release(runtime, checkout)


def test_instalments(runtime, wallet):
    checkout = make(runtime, data=widget_data())
    offer = {"instalment_amount": 33.33, "instalment_number": 3, "total_cost": 0}
    wallet.answers["simulation"] = lambda request: reply([{"plugin_result": offer}])
    simulation = runtime.wait(checkout.simulate_loan("younited-loan", 10000), 5)
    (loan,) = simulation.loans
    assert (simulation.item, simulation.amount) == ("younited-loan", 10000)
    assert loan.installments == (3333, 3333, 3334) and sum(loan.installments) == loan.total_amount
    assert loan.aprc is None and not loan.is_preferred
    with pytest.raises(TypeError):
        checkout.simulate_loan("younited-loan", 100.0)
    wallet.answers["simulation"] = lambda request: reply([])
    with pytest.raises(RefusedError) as failed:
        runtime.wait(checkout.simulate_loan("younited-loan"), 5)
    assert failed.value.code == "INVALID_LOAN_SIMULATION"
    release(runtime, checkout)
