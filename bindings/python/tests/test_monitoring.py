"""What is reported to Purse, over real HTTP at the sandbox that SANDBOX_URL names."""

import json
import os
import urllib.request

import pytest
import support
from test_sandbox import merchant

from headless_checkout import Checkout, MonitoringEvent, Runtime

SANDBOX = os.environ.get("SANDBOX_URL", "")
PATHS = {"payment": SANDBOX, "datetime": SANDBOX, "logs": SANDBOX}

pytestmark = pytest.mark.skipif(not SANDBOX, reason="SANDBOX_URL names no sandbox")


def received(session):
    with urllib.request.urlopen(f"{SANDBOX}/sandbox/monitoring") as answer:
        batches = json.load(answer)["batches"]
    of_session = [batch["messages"] for batch in batches if batch["messages"][0]["paymentSessionId"] == session["id"]]
    return [message for batch in of_session for message in batch]


def life(monitoring):
    """A checkout that does nothing: what arrived of it, and the copies."""
    session = merchant.create_session(SANDBOX)
    copies = []
    device = {"model": "till 7"}
    with Runtime(allow_loopback_http=True, monitoring=monitoring, device=device) as runtime:
        checkout = Checkout.create(
            runtime, session["widget"]["data"], hooks=support.collecting(), api_paths=PATHS)
        checkout.listen(copies.append)
        checkout.teardown()
        for _ in range(20):
            runtime.poll(0.02)
    return received(session), [message for event in copies if isinstance(event, MonitoringEvent)
                               for message in event.messages]


# seed: 004:62
def test_the_copy_is_what_arrived():
    arrived, copies = life(monitoring=True)
    assert copies == arrived != []
    assert arrived[0]["platform"] == "c"
    assert arrived[0]["event"]["payload"]["model"] == "till 7"
    assert arrived[-1]["event"]["code"] == "HEADLESS_CHECKOUT_PAGE_UNLOAD"


# seed: 004:93-95
def test_it_can_be_switched_off():
    assert life(monitoring=False) == ([], [])
