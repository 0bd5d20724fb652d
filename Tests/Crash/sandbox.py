"""The sandbox as the driver sees it: sessions, faults, the journal."""

import json
import subprocess
import time
import urllib.request
from pathlib import Path

ENTITY = "c0ffee00-0000-4000-8000-000000000001"
HEADERS = {"x-api-key": "demo-key", "Authorization": "Bearer demo-token", "Content-Type": "application/json"}


class Sandbox:
    """A sandbox program of this driver's own, on a free port."""

    def __init__(self, program: str, directory: Path):
        port_file = directory / "port"
        self.process = subprocess.Popen(
            [program, "--port", "0", "--port-file", str(port_file)], stdout=subprocess.DEVNULL
        )
        limit = time.monotonic() + 10
        while not port_file.exists():
            if time.monotonic() > limit or self.process.poll() is not None:
                self.stop()
                raise RuntimeError("the sandbox did not start")
            time.sleep(0.02)
        self.url = f"http://127.0.0.1:{port_file.read_text().strip()}"

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def call(self, method: str, path: str, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method, headers=HEADERS)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or b"null")

    def create_session(self):
        """A session of which a second validate makes a second payment, so that a double is seen."""
        return self.call(
            "POST",
            "/payment/v2/client-sessions",
            {
                "entity_id": ENTITY,
                "amount": 12000,
                "currency": "EUR",
                "shopper_redirection_url": "demo-shop://return",
                "order": {"reference": "crash"},
                "sandbox": {"submitsAgain": True},
            },
        )

    def set_faults(self, faults: list):
        self.call("DELETE", "/sandbox/faults")
        for fault in faults:
            self.call("POST", "/sandbox/faults", fault)

    def payments(self, session: str):
        return self.call("GET", f"/sandbox/payments?sessionId={session}")["payments"]

    def journal(self, session: str):
        """The money requests that were received for the session: number, time, connection, key, answer."""
        requests = self.call("GET", "/sandbox/requests?path=validate")["requests"]
        return [
            {
                "n": request["n"],
                "at": request["at"],
                "connection": request["connection"],
                "idempotencyKey": request["headers"].get("idempotency-key"),
                "answered": request["answered"],
            }
            for request in requests
            if session in request["path"]
        ]

    def forget_journal(self):
        self.call("DELETE", "/sandbox/requests")
