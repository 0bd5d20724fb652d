"""The interpreter may go at any moment."""

import os
import subprocess
import sys

import pytest
import support

START = """
import asyncio, os, sys, threading, time
sys.path[:0] = sys.argv[1:]
import support
from headless_checkout import Runtime, RuntimeClosed

class Waits:
    '''A back end that never answers the payment.'''
    def __init__(self):
        self.back_end = support.BackEnd()
        self.asked = threading.Event()
    def __call__(self, request):
        if not request.url.endswith("/validate"):
            return self.back_end(request)
        self.asked.set()
        return never()

async def never():
    await asyncio.sleep(3600)

waits = Waits()
runtime = Runtime(http=waits)
"""

IN_LOOP = START + """
async def job():
    runtime.attach()
    global checkout, attempt
    checkout = await support.payable_async(support.collecting(after_validate=print), runtime)
    attempt = checkout.submit()
    while not waits.asked.is_set():
        await asyncio.sleep(0)
    {ending}
asyncio.run(job())
"""

POLLING_THREAD = START + """
checkout = support.payable(runtime)
attempt = checkout.submit()
def drive():
    async def loop():
        while True:
            runtime.poll(30)
            await asyncio.sleep(0)
    try:
        asyncio.run(loop())
    except RuntimeClosed:
        return
threading.Thread(target=drive, daemon=True).start()
waits.asked.wait(10)
"""


def exits(program, runs, expected=0):
    environment = {**os.environ, "PYTHONFAULTHANDLER": "1"}
    command = [sys.executable, "-W", "ignore", "-c", program, str(support.PACKAGE), str(support.PACKAGE / "tests")]
    for _ in range(runs):
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, env=environment)
        assert (done.returncode, done.stderr) == (expected, "")


@pytest.mark.parametrize("ending, runs", [
    ("return", 50), ("sys.exit()", 5), ("del globals()['runtime'], globals()['checkout']", 5),
    ("checkout.release()", 5), ("runtime.detach()", 5),
])
def test_exit_with_a_payment_in_flight(ending, runs):
    exits(IN_LOOP.format(ending=ending), runs)


def test_exit_while_a_daemon_thread_polls():
    exits(POLLING_THREAD, 20)


def test_exit_inside_a_hook():
    exits(START + """
checkout = support.payable(runtime, support.collecting(before_validate=lambda request: sys.exit(3)))
attempt = checkout.submit()
while True:
    runtime.poll(1)
""", 5, expected=3)


def test_exit_with_objects_that_were_never_released():
    exits(START + """
keep = [support.make(runtime) for _ in range(20)]
cycle = [keep, runtime]
cycle.append(cycle)
""", 5)
