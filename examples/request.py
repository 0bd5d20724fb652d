#!/usr/bin/env python3
"""Prints a request for hco_create: a fresh session of the sandbox that SANDBOX_URL names. In real life your backend makes
the session, and `apiPaths` is left out."""

import json
import os
import urllib.request

sandbox = os.environ["SANDBOX_URL"]
order = {
    "entity_id": "c0ffee00-0000-4000-8000-000000000001", "amount": 12000, "currency": "EUR",
    "shopper_redirection_url": "myapp://return", "order": {"reference": "order-1"},
}
headers = {"Content-Type": "application/json", "x-api-key": "demo-key", "Authorization": "Bearer demo-token"}
call = urllib.request.Request(sandbox + "/payment/v2/client-sessions", json.dumps(order).encode(), headers)
with urllib.request.urlopen(call, timeout=30) as answer:
    session = json.load(answer)
print(json.dumps({"widgetData": session["widget"]["data"], "apiPaths": {"payment": sandbox, "datetime": sandbox}}))
