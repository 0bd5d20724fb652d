"""Pages that the shopper has to see."""

import base64

import pytest
import support
from support import BANCONTACT, CARD, collecting, pay, payable, release

from headless_checkout import (
    Canceled,
    Completed,
    FailedAfterAnswer,
    InvalidArgumentError,
    RefusedError,
    ReturnedFromRedirect,
    SessionState,
    Verdict,
)

PAGE = "https://acs.test/challenge"
RETURN = "https://shop.test/return?purse-redirection-data=x"


@pytest.fixture
def asking(back_end):
    """Payments ask for a page."""
    back_end.ends("WAITING", {"url": PAGE})
    return back_end


def opened(runtime, checkout):
    """Submits; the `redirect` event that asks for a page, and the attempt."""
    events = []
    stop = checkout.listen(lambda event: events.append(event) if event.type == "redirect" else None)
    attempt = checkout.submit()
    while not events:
        runtime.poll(1)
    stop()
    return events[0], attempt


# seed: 002:36
# seed: 002:57
# seed: 002:39
def test_a_return_is_no_verdict(runtime, asking):
    checkout = payable(runtime, redirect="host")
    event, attempt = opened(runtime, checkout)
    assert (event.state, event.attempt) == ("open", attempt.id)
    assert (event.action.kind, event.action.url) == ("get", PAGE) and "webView" in event.action.surfaces
    assert event.action.return_url_prefix == "https://shop.test/return"
    assert checkout.redirect_check(PAGE) is Verdict.ALLOW
    assert checkout.redirect_check(RETURN) is Verdict.RETURN
    assert checkout.redirect_check("javascript:alert(1)") is Verdict.BLOCK
    assert checkout.redirect_report(event.presentation, url=RETURN) is False
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, ReturnedFromRedirect) and outcome.url == RETURN
    with pytest.raises(RefusedError) as caught:
        checkout.redirect_report("p99", url=RETURN)
    assert caught.value.code == "TICKET_CLOSED"
    release(runtime, checkout)


# seed: 000:80
def test_a_return_without_a_url(runtime, asking):
    checkout = payable(runtime, redirect="host")
    event, attempt = opened(runtime, checkout)
    checkout.redirect_report(event.presentation, url=None)
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, ReturnedFromRedirect) and outcome.url is None
    release(runtime, checkout)


def test_a_page_that_was_closed_may_be_opened_again(runtime, asking):
    checkout = payable(runtime, redirect="host")
    event, attempt = opened(runtime, checkout)
    checkout.redirect_report(event.presentation, canceled=True)
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, Canceled) and outcome.spent
    assert checkout.session_state == SessionState.SUBMITTED
    again = runtime.wait(checkout.redirect_present(attempt.id, tag="again"), 5)
    assert again.presentation and not again.taken_over and not again.ignored
    release(runtime, checkout)


def test_a_page_that_failed(runtime, asking):
    checkout = payable(runtime, redirect="host")
    event, attempt = opened(runtime, checkout)
    checkout.redirect_report(event.presentation, failed="no browser")
    assert isinstance(runtime.wait(attempt, 5), FailedAfterAnswer)
    assert checkout.session_state == SessionState.ERROR
    release(runtime, checkout)


# seed: 001:23b
def test_without_a_place_for_pages_it_is_completed(runtime, asking):
    checkout = payable(runtime, redirect="none")
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Completed) and outcome.verdict == "pending"
    release(runtime, checkout)


# seed: 001:29a
# seed: 002:47
# seed: 001:21a
# seed: 001:29b
def test_taking_over(runtime, asking):
    asked = []

    def redirection(request):
        asked.append(request)
        return True

    checkout = payable(runtime, collecting(redirection=redirection), redirect="host")
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Completed) and outcome.verdict == "pending"
    assert asked[0].action.url == PAGE and asked[0].presentation and asked[0].attempt == outcome.attempt
    release(runtime, checkout)


# seed: 001:21a
@pytest.mark.parametrize("answer", [None, False])
def test_not_taking_over(runtime, asking, answer):
    checkout = payable(runtime, collecting(redirection=lambda request: answer), redirect="host")
    event, attempt = opened(runtime, checkout)
    checkout.redirect_report(event.presentation, url=RETURN)
    assert isinstance(runtime.wait(attempt, 5), ReturnedFromRedirect)
    release(runtime, checkout)


# seed: 001:21b
@pytest.mark.parametrize("answer", ["yes", 1])
def test_a_redirection_hook_that_fails_never_looks_like_a_failed_payment(runtime, asking, answer, caplog):
    checkout = payable(runtime, collecting(redirection=lambda request: answer), redirect="host")
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, FailedAfterAnswer) and outcome.error.code == "POST_VALIDATE_FAILED"
    assert isinstance(outcome.cause, TypeError) and checkout.session_state == SessionState.SUBMITTED
    release(runtime, checkout)


# seed: 002:20c
# seed: 002:22
# seed: 002:30b
def test_a_redirection_method(runtime, asking):
    checkout = support.make(runtime)
    checkout.set_primary(BANCONTACT)
    element = runtime.wait(checkout.open_element(BANCONTACT, redirect="host", app_return_url="myapp://return"), 5)
    assert element.opened.is_ready and not element.opened.has_ui
    event, attempt = opened(runtime, checkout)
    assert event.action.return_url_prefix == "myapp://return"
    assert checkout.redirect_check("MyApp://return?x=1") is Verdict.RETURN
    checkout.redirect_report(event.presentation, url="myapp://return?x=1")
    assert isinstance(runtime.wait(attempt, 5), ReturnedFromRedirect)
    assert [item["method"] for item in asking.payments[0]] == ["bancontact"] and asking.sent("init")
    release(runtime, checkout)


def test_a_page_is_taken_away_when_the_checkout_goes(runtime, asking):
    checkout = payable(runtime, redirect="host")
    events = []
    event, attempt = opened(runtime, checkout)
    checkout.listen(events.append)
    checkout.release()
    runtime.wait(checkout.released, 5)
    closed = [each for each in events if each.type == "redirect"]
    assert [(each.state, each.reason) for each in closed] == [("closed", "tornDown")]
    assert attempt.done and CARD == attempt.result().element


def test_only_listed_hosts(runtime, asking):
    checkout = support.make(runtime, redirect_hosts=["acs.test", "bank.test:8443"])
    assert checkout.redirect_check(PAGE) is Verdict.ALLOW
    assert checkout.redirect_check("https://bank.test:8443/") is Verdict.ALLOW
    assert checkout.redirect_check("https://other.test/") is Verdict.BLOCK
    assert checkout.redirect_check(RETURN) is Verdict.RETURN
    release(runtime, checkout)
    with pytest.raises(InvalidArgumentError):
        support.make(runtime, redirect_hosts=["https://acs.test"])


# seed: 001:23a
def test_a_page_that_was_not_shown_is_shown_later(runtime, asking):
    checkout = payable(runtime, redirect="none")
    outcome = pay(runtime, checkout)
    again = runtime.wait(checkout.redirect_present(outcome.attempt), 5)
    assert again.presentation and checkout.redirect_report(again.presentation, url=None) is True
    release(runtime, checkout)


# seed: 004:10
# seed: 004:11
def test_what_an_element_is_told(runtime, asking):
    claims = base64.urlsafe_b64encode(b'{"payment_id":"pay-7"}').decode().rstrip("=")
    checkout = payable(runtime, redirect="host")
    told = []
    checkout.listen(lambda event: told.append(event))
    event, attempt = opened(runtime, checkout)
    checkout.redirect_report(event.presentation, url=f"https://shop.test/return?purse-redirection-data=e30.{claims}.eA")
    runtime.wait(attempt, 5)
    elements = [(each.what, each.payment_id) for each in told if each.type == "element" and each.what != "ready"]
    assert elements == [("requiresAction", None), ("paymentId", "pay-7")]
    release(runtime, checkout)
