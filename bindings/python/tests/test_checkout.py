"""A checkout's life and state, and choosing what pays."""

import pytest
import support
from support import BANCONTACT, CARD, GIFT, GIFT_NUMBER, make, release, widget_data

from headless_checkout import (
    Checkout,
    InvalidArgumentError,
    InvalidHandleError,
    RefusedError,
    SessionState,
    Slice,
)


def test_state(runtime):
    checkout = make(runtime, data=widget_data(session="session-state"))
    assert checkout.session_state == SessionState.READY
    assert checkout.session_id == "session-state" and checkout.environment == "test"
    assert checkout.amount == 12000 and checkout.remaining_amount_to_pay == 12000
    assert (checkout.currency.code, checkout.currency.digits) == ("EUR", 2)
    assert checkout.expires_at == "2039-01-01T00:00:00Z"
    assert [method.id for method in checkout.payment_methods] == [CARD, GIFT, BANCONTACT]
    assert [method.kind for method in checkout.payment_methods] == ["primary", "secondary", "primary"]
    assert not (checkout.is_torn_down or checkout.outcome_unknown or checkout.is_information_request)
    assert not checkout.is_payment_fulfilled
    assert checkout.payment_tokens == () and checkout.secondary_tokens == () and checkout.saved_secondary_tokens == ()
    assert checkout.primary is None and checkout.amount_split == () and checkout.elements == ()
    assert checkout.pending_attempt is None and checkout.waiting_for == () and checkout.disabled_methods == ()
    assert checkout.submit_blockers[0].code == "PAYMENT_NOT_FULFILLED_ON_SUBMIT"
    assert set(checkout.item_generations) == {CARD, GIFT, BANCONTACT}
    assert set(checkout.state()) >= {"sessionState", "amount", "waitingFor"}
    assert set(checkout.state("amount", "primary")) == {"amount", "primary"}
    release(runtime, checkout)


def test_every_published_property_is_a_python_property(runtime):
    from headless_checkout._decoding import camel_case

    checkout = make(runtime)
    properties = {name for name in dir(Checkout) if isinstance(getattr(Checkout, name), property)}
    assert set(checkout.state()) == {camel_case(name) for name in properties - {"released"}}
    release(runtime, checkout)


def test_what_is_saved_with_the_payment(runtime):
    checkout = make(runtime)
    assert checkout.registrations == () and checkout.wallet_session is None
    (registration,) = checkout.register(CARD, name="the blue one")
    assert (registration.item, registration.name) == (CARD, "the blue one")
    assert checkout.registrations == (registration,)
    assert checkout.register(CARD, wanted=False) == ()
    with pytest.raises(RefusedError) as refused:
        checkout.register("no-such-method")
    assert refused.value.code == "PAYMENT_METHOD_NOT_FOUND"
    release(runtime, checkout)


def test_saved_instruments_need_a_wallet(runtime):
    checkout = make(runtime)
    for call in (
        lambda: checkout.update_token("nobody", name="n"),
        lambda: checkout.update_token("nobody", favorite=True),
        lambda: checkout.delete_token("nobody"),
        lambda: checkout.delete_all_tokens(),
        lambda: checkout.simulate_loan(CARD),
        lambda: checkout.set_wallet_session({"session_id": "w", "owner_reference": "o", "merchant": "m",
                                             "expiration_date": "2001-01-01T00:00:00Z"}),
    ):
        with pytest.raises(RefusedError):
            call()
    release(runtime, checkout)


def test_steps_that_the_host_cannot_do_leave_the_list(runtime):
    from headless_checkout import Hooks

    checkout = make(runtime, hooks=Hooks())
    assert CARD not in [method.id for method in checkout.payment_methods]
    release(runtime, checkout)


def test_gift_card_and_card(runtime, back_end):
    checkout = make(runtime)
    read = checkout.read_secondary(GIFT, GIFT_NUMBER, cvv="1234", tag="the gift card")
    assert not read.done and checkout.secondary_tokens == ()
    token = runtime.wait(read, 5)
    assert (token.item, token.balance, token.applied) == (GIFT, 3000, 0)
    assert token.mask.endswith("3000") and GIFT_NUMBER not in token.mask
    applied = checkout.apply_secondary(token.id)
    assert (applied.applied, applied.amount_loss, applied.remaining_amount_to_pay) == (3000, 0, 9000)
    split = checkout.set_primary(CARD)
    assert split.amount_split == (Slice(GIFT, 3000, token.id), Slice(CARD, 9000))
    assert split.primary.item == CARD and split.remaining_amount_to_pay == 9000
    # The card's form is not filled yet.
    assert not split.is_payment_fulfilled and split.submit_blockers[0].code == "ELEMENT_NOT_FULFILLED"
    assert checkout.split() == split
    assert checkout.apply_secondary(token.id, 1000).applied == 1000
    assert checkout.secondary_tokens[0].applied == 1000
    assert checkout.remove_secondary(token.id).amount_split == (Slice(CARD, 12000),)
    assert checkout.set_primary().primary is None
    release(runtime, checkout)


def test_a_refused_gift_card_fails_its_call(runtime, back_end):
    checkout = make(runtime)
    back_end.balance = 0
    with pytest.raises(RefusedError) as caught:
        runtime.wait(checkout.read_secondary(GIFT, GIFT_NUMBER), 5)
    assert caught.value.code == "SECONDARY_TOKEN_EMPTY_BALANCE" and caught.value.moved == "no"
    release(runtime, checkout)


def test_a_read_can_be_aborted(runtime, back_end):
    checkout = make(runtime)
    read = checkout.read_secondary(GIFT, GIFT_NUMBER)
    checkout.abort_read(read)
    with pytest.raises(RefusedError) as caught:
        runtime.wait(read, 5)
    assert caught.value.code == "SECONDARY_METHOD_REQUEST_ABORTED"
    release(runtime, checkout)


@pytest.mark.parametrize("amount", [10.0, True, "10"])
def test_amounts_are_integers(runtime, amount):
    checkout = make(runtime)
    with pytest.raises(TypeError, match="minor units"):
        checkout.apply_secondary("gc1", amount)
    release(runtime, checkout)


def test_refusals_are_exceptions(runtime):
    checkout = make(runtime)
    with pytest.raises(RefusedError) as caught:
        checkout.set_primary("no-such-method")
    error = caught.value
    assert error.code == "PAYMENT_METHOD_NOT_FOUND" and error.moved == "no" and error.category == "checkout"
    assert error.error.code == error.code and not error.retryable
    with pytest.raises(RefusedError) as caught:
        checkout.submit()
    assert caught.value.details["submitBlockers"][0]["code"] == caught.value.code
    with pytest.raises(RefusedError) as caught:
        checkout.apply_secondary("gc9")
    assert caught.value.code == "MISSING_TOKEN"
    release(runtime, checkout)


def test_a_malformed_session_says_where(runtime):
    with pytest.raises(RefusedError) as caught:
        make(runtime, data=widget_data(currency_code=7))
    assert caught.value.code == "SESSION_MALFORMED" and "currency_code" in caught.value.path
    support.assert_nothing_registered_but(1)


def test_a_failed_create_still_releases(runtime):
    for _ in range(3):
        with pytest.raises(RefusedError):
            make(runtime, data=widget_data(expiration_date="2001-01-01T00:00:00Z"))
    support.assert_nothing_registered_but(1)


def test_an_unknown_option_is_an_invalid_argument(runtime):
    with pytest.raises(InvalidArgumentError) as caught:
        Checkout.create(runtime, widget_data(), api_paths={"elsewhere": "https://x.test"})
    assert "elsewhere" in caught.value.path and caught.value.offset > 0


def test_options_reach_the_library(runtime):
    checkout = make(runtime, disabled_methods=[BANCONTACT], locked_environment="test", idempotency_header=None)
    assert checkout.disabled_methods == (BANCONTACT,)
    release(runtime, checkout)
    with pytest.raises(RefusedError) as caught:
        make(runtime, locked_environment="production")
    assert caught.value.code == "ENVIRONMENT_MISMATCH"


def test_a_text_with_a_nul_is_refused(runtime):
    checkout = make(runtime)
    with pytest.raises(ValueError, match="NUL"):
        checkout.redirect_check("https://shop.test/\0return")
    with pytest.raises(ValueError, match="NUL"):
        Checkout.restore(runtime, "{}\0")
    with pytest.raises(RefusedError):
        checkout.set_primary("\0")
    release(runtime, checkout)


@pytest.mark.parametrize("tag", ["é", "日本", "𝄞", '"\\', "x" * 64])
def test_texts_come_back_as_they_were_sent(runtime, tag):
    checkout = make(runtime)
    results = []
    checkout.listen(lambda event: results.append(event) if event.type == "result" else None)
    tag = tag.encode()[:64].decode(errors="ignore")
    runtime.wait(checkout.read_secondary(GIFT, GIFT_NUMBER, tag=tag), 5)
    assert results[0].tag == tag
    release(runtime, checkout)


# seed: 002:54
# seed: 002:28
def test_elements(runtime):
    checkout = make(runtime)
    checkout.set_primary(CARD)
    element = runtime.wait(checkout.open_element(CARD), 5)
    assert element.id == CARD and element.opened.has_ui and not element.opened.is_ready
    assert checkout.submit_blockers[0].code == "ELEMENT_NOT_FULFILLED"
    element.report("formValidity", valid=True)
    assert checkout.elements[0].is_ready and checkout.submit_blockers == ()
    element.close()
    assert checkout.elements == ()
    with pytest.raises(RefusedError) as caught:
        element.report("ready")
    assert caught.value.code == "MISSING_TOKEN"
    release(runtime, checkout)


def test_the_brands_of_a_card(runtime):
    checkout = make(runtime)
    element = runtime.wait(checkout.open_element(CARD), 5)
    assert element.init is None
    element.report("brands", brands=["MASTERCARD", "VISA"])
    card = checkout.elements[0].card
    assert card.detected_brands == ("MASTERCARD", "VISA") and card.selected_brand == "VISA"
    assert card.supported_brands == ("VISA", "MASTERCARD") and not card.is_form_valid and not card.security_code_only
    element.report("brandSelected", brand="MASTERCARD")
    assert checkout.elements[0].card.selected_brand == "MASTERCARD"
    with pytest.raises(RefusedError) as caught:
        element.report("brandSelected", brand="ONEY")
    assert caught.value.code == "NOT_SUPPORTED_BRAND"
    with pytest.raises(RefusedError) as caught:
        element.approve()
    assert caught.value.code == "METHOD_NOT_IMPLEMENTED"
    release(runtime, checkout)


def test_what_a_partner_reports_is_told(runtime):
    checkout = make(runtime)
    told = []
    checkout.listen(lambda event: told.append(event) if event.type == "plugin" else None)
    element = runtime.wait(checkout.open_element(CARD), 5)
    element.report("partnerError", message="try later", recoverable=True)
    element.report("ready")
    runtime.poll(0)
    assert [(event.event, event.message, event.recoverable) for event in told] == [
        ("partnerError", "try later", True), ("ready", None, None),
    ]
    release(runtime, checkout)


def test_a_new_session(runtime):
    checkout = make(runtime, data=widget_data(session="first"))
    support.choose_card(runtime, checkout)
    assert checkout.set_session(widget_data(session="first")).ignored
    change = checkout.set_session(widget_data(session="second", amount=50))
    assert not change.ignored
    assert {item.id: item.fate for item in change.items}[CARD] == "kept"
    assert checkout.amount == 5000 and checkout.primary.item == CARD and checkout.session_id == "second"
    release(runtime, checkout)


def test_teardown_keeps_reads(runtime):
    checkout = make(runtime)
    checkout.teardown()
    checkout.teardown()
    assert checkout.is_torn_down and checkout.session_state == SessionState.READY
    assert "savedAt" in checkout.save_state()
    with pytest.raises(RefusedError) as caught:
        checkout.set_primary(CARD)
    assert caught.value.code == "CHECKOUT_TORN_DOWN"
    release(runtime, checkout)


def test_a_released_checkout_is_no_more(runtime):
    checkout = make(runtime)
    assert not checkout.released.done
    checkout.release()
    checkout.release()
    with pytest.raises(InvalidHandleError):
        checkout.session_state  # noqa: B018
    with pytest.raises(InvalidHandleError):
        checkout.save_state()
    runtime.wait(checkout.released, 5)
    support.assert_nothing_registered_but(1)


def test_changes_are_told(runtime):
    checkout = make(runtime)
    events = []
    stop = checkout.listen(events.append)
    checkout.set_primary(CARD)
    runtime.poll(0)
    changed = [event.changed for event in events if event.type == "change"]
    assert changed[-1]["primary"] == {"item": CARD}
    assert [event.seq for event in events] == sorted({event.seq for event in events})
    stop()
    stop()
    told = len(events)
    checkout.set_primary()
    runtime.poll(0)
    assert len(events) == told
    release(runtime, checkout)


def test_a_listener_that_raises_harms_nobody(runtime, caplog):
    checkout = make(runtime)
    events = []

    def broken(event):
        raise ValueError("mine")

    checkout.listen(broken)
    checkout.listen(events.append)
    checkout.set_primary(CARD)
    runtime.poll(0)
    assert events and "a listener failed on change" in caplog.text
    with pytest.raises(TypeError):
        async def listener(event):
            pass
        checkout.listen(listener)
    release(runtime, checkout)
