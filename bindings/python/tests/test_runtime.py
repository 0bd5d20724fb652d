"""Loops, threads, forks and garbage."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest
import support
from support import BackEnd, collecting, host_runtime, pay, payable, payable_async, release, run_async

from headless_checkout import (
    BusyError,
    Checkout,
    Completed,
    ForkedError,
    InvalidHandleError,
    ReentrantError,
    Runtime,
    RuntimeClosed,
)


def test_two_runtimes_in_one_loop():
    async def job():
        back_ends = BackEnd(), BackEnd()
        async with host_runtime(back_ends[0]) as first, host_runtime(back_ends[1]) as second:
            checkouts = [await payable_async(runtime=runtime) for runtime in (first, second, first, second)]
            outcomes = await asyncio.gather(*(checkout.submit() for checkout in checkouts))
            assert all(isinstance(outcome, Completed) for outcome in outcomes)
            assert [len(back_end.payments) for back_end in back_ends] == [2, 2]
            for checkout in checkouts:
                checkout.release()
            await asyncio.gather(*(checkout.released for checkout in checkouts))

    run_async(job())
    support.assert_nothing_registered()


def test_an_async_transport(back_end):
    async def job():
        async def http(request):
            await asyncio.sleep(0)
            return back_end(request)

        async with Runtime(http=http, manual_clock=True) as runtime:
            async with await payable_async(runtime=runtime) as checkout:
                assert isinstance(await checkout.submit(), Completed)

    run_async(job())
    support.assert_nothing_registered()


def test_a_loop_without_work_sleeps(back_end):
    """No busy loop: an attached runtime with nothing to do is not polled."""

    async def job():
        async with host_runtime(back_end) as runtime:
            checkout = await payable_async(runtime=runtime)
            await asyncio.sleep(0.1)
            polls = []
            poll = runtime._core.poll
            runtime._core.poll = lambda timeout: (polls.append(timeout), poll(timeout))
            await asyncio.sleep(0.3)
            assert len(polls) < 5
            checkout.release()
            await checkout.released

    run_async(job())


def test_attaching(back_end):
    async def job():
        with host_runtime(back_end) as runtime:
            runtime.attach()
            with pytest.raises(Exception, match="already"):
                runtime.attach()
            runtime.detach()
            runtime.detach()
            runtime.attach(asyncio.get_running_loop())
        with pytest.raises(RuntimeClosed):
            runtime.attach()

    run_async(job())
    runtime = host_runtime(back_end)
    with pytest.raises(RuntimeError):
        runtime.attach()
    runtime.close()


def test_attaching_to_the_loop_after_the_first_one(back_end):
    runtime = host_runtime(back_end)

    async def job():
        runtime.attach()
        checkout = await payable_async(runtime=runtime)
        assert isinstance(await checkout.submit(), Completed)
        checkout.release()
        await checkout.released

    run_async(job())
    run_async(job())
    runtime.close()
    support.assert_nothing_registered()


def test_closing_cancels_the_hooks_that_run(back_end):
    async def job():
        runtime = host_runtime(back_end)
        runtime.attach()
        ended = []

        async def before_validate(request):
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                ended.append("cancelled")
                raise

        checkout = await payable_async(collecting(before_validate=before_validate), runtime)
        attempt = checkout.submit()
        while not any(waiting.kind == "beforeValidate" for waiting in checkout.waiting_for):
            await asyncio.sleep(0)
        await asyncio.sleep(0.01)
        runtime.close()
        with pytest.raises(RuntimeClosed):
            await attempt
        await asyncio.sleep(0.01)
        assert ended == ["cancelled"] and back_end.payments == []

    run_async(job())
    support.assert_nothing_registered()


def test_closing_from_another_thread(back_end):
    async def job():
        runtime = host_runtime(back_end)
        runtime.attach()
        checkout = await payable_async(runtime=runtime)
        await asyncio.get_running_loop().run_in_executor(None, runtime.close)
        await checkout.released
        assert runtime.closed

    run_async(job())
    support.assert_nothing_registered()


def test_what_is_secret_is_not_shown(runtime, back_end):
    shown = []
    checkout = payable(runtime, collecting(checkpoint=lambda checkpoint: shown.append(repr(checkpoint))))
    runtime.wait(checkout.read_secondary(support.GIFT, support.GIFT_NUMBER), 5)
    pay(runtime, checkout)
    shown += [repr(request) for request in back_end.requests]
    assert len(shown) >= 4
    assert not any("key-1" in text or support.GIFT_NUMBER in text or "widgetData" in text for text in shown)
    release(runtime, checkout)


def test_a_loop_of_ones_own(runtime, back_end):
    import selectors

    checkout = payable(runtime)
    attempt = checkout.submit()
    with selectors.DefaultSelector() as selector:
        selector.register(runtime.fileno(), selectors.EVENT_READ)
        while not attempt.done:
            assert selector.select(5)
            runtime.poll(0)
    assert isinstance(attempt.result(), Completed)
    release(runtime, checkout)


def test_waiting_has_an_end(runtime):
    checkout = payable(runtime)
    with pytest.raises(TimeoutError):
        runtime.wait(checkout.released, 0.02)
    release(runtime, checkout)


def test_closed(back_end):
    runtime = host_runtime(back_end)
    checkout = payable(runtime)
    runtime.close()
    runtime.close()
    assert runtime.closed and runtime.fileno() == -1
    with pytest.raises(RuntimeClosed):
        runtime.poll()
    for use in (runtime.info, checkout.split, runtime.foreground, lambda: checkout.attempt(1).result() or None):
        with pytest.raises((InvalidHandleError, RuntimeClosed)):
            use()
    with pytest.raises(InvalidHandleError):
        support.make(runtime)
    runtime.wake()
    checkout.release()
    support.assert_nothing_registered()


def test_closing_inside_a_hook(back_end):
    runtime = host_runtime(back_end)
    checkout = payable(runtime, collecting(before_validate=lambda request: runtime.close()))
    attempt = checkout.submit()
    with pytest.raises(RuntimeClosed):
        runtime.wait(attempt, 5)
    assert back_end.payments == []
    support.assert_nothing_registered()


def test_releasing_inside_a_listener(runtime):
    checkout = payable(runtime)
    checkout.listen(lambda event: checkout.release())
    checkout.set_primary()
    runtime.wait(checkout.released, 5)


def test_polling_inside_a_listener(runtime):
    checkout = payable(runtime)
    caught = []

    def listener(event):
        with pytest.raises(ReentrantError) as error:
            runtime.poll(0)
        caught.append(error.value.code)

    checkout.listen(listener)
    checkout.set_primary()
    runtime.poll(0)
    assert set(caught) == {"REENTRANT"}
    release(runtime, checkout)


def in_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    return thread


def driving(runtime, stop):
    """A thread that polls until it is told to stop, or the runtime is closed."""
    def drive():
        try:
            while not stop.is_set():
                runtime.poll(30)
        except RuntimeClosed:
            return

    return in_thread(drive)


def test_the_gil_is_free_while_a_poll_waits(runtime):
    stop = threading.Event()
    polling = driving(runtime, stop)
    counted, end = 0, time.monotonic() + 0.3
    while time.monotonic() < end:
        counted += 1
    assert counted > 10_000 and polling.is_alive()
    with pytest.raises(BusyError):
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            runtime.poll(0)
    stop.set()
    runtime.wake()
    polling.join(5)
    assert not polling.is_alive()


def test_closing_while_another_thread_polls(back_end):
    runtime = host_runtime(back_end)
    checkout = payable(runtime)
    polling = driving(runtime, threading.Event())
    time.sleep(0.05)
    runtime.close()
    polling.join(5)
    assert not polling.is_alive() and checkout.released.done
    support.assert_nothing_registered()


def test_threads_read_while_another_drives(runtime, back_end):
    """No lock and no GIL is held across the other: everybody makes progress."""
    checkout = payable(runtime)
    counts, stop = [0, 0], threading.Event()

    def read(index):
        while not stop.is_set():
            checkout.state("amount")
            counts[index] += 1

    readers = [in_thread(lambda index=index: read(index)) for index in range(2)]
    events = []
    checkout.listen(events.append)
    for _ in range(200):
        checkout.set_primary()
        runtime.poll(0)
        checkout.set_primary(support.CARD)
        runtime.poll(0)
    stop.set()
    for reader in readers:
        reader.join(5)
    assert not any(reader.is_alive() for reader in readers) and min(counts) > 10 and len(events) >= 400
    release(runtime, checkout)


def test_submitting_from_another_thread(back_end):
    async def job():
        async with host_runtime(back_end) as runtime:
            checkout = await payable_async(runtime=runtime)
            attempt = await asyncio.get_running_loop().run_in_executor(None, checkout.submit)
            assert isinstance(await attempt, Completed)
            checkout.release()
            await checkout.released

    run_async(job())


def test_no_thread_is_started():
    program = """
import os, sys
sys.path[:0] = sys.argv[1:]
import support
from headless_checkout import Runtime
def threads():
    return len(os.listdir("/proc/self/task"))
assert threads() == 1
back_end = support.BackEnd()
runtime = support.host_runtime(back_end)
checkout = support.payable(runtime)
assert support.pay(runtime, checkout).is_success and threads() == 1
with Runtime() as other:
    other.poll(0.01)
    assert threads() == 1
async def job():
    runtime.attach()
    again = await support.payable_async(runtime=runtime)
    await again.submit()
    assert threads() == 1
    runtime.detach()
support.run_async(job())
runtime.close()
assert threads() == 1
"""
    assert run_program(program).returncode == 0


def run_program(program, **options):
    tests = str(support.PACKAGE / "tests")
    return subprocess.run(
        [sys.executable, "-W", "ignore::ResourceWarning", "-c", program, str(support.PACKAGE), tests],
        timeout=60, **options)


def test_callbacks_survive_collections_while_events_flow(runtime, back_end):
    """F01: nothing that the library calls may be collected, whatever the host lets go."""
    checkout = payable(runtime)
    told = [0]

    def count(event):
        told[0] += 1

    checkout.listen(count)
    del count
    thresholds = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(300):
            checkout.set_primary()
            runtime.poll(0)
            checkout.set_primary(support.CARD)
            runtime.poll(0)
            gc.collect(0)
    finally:
        gc.set_threshold(*thresholds)
    assert told[0] >= 600
    release(runtime, checkout)


def test_a_checkout_that_is_let_go_is_released(runtime, back_end):
    checkout = payable(runtime)
    core = checkout._core
    gone = weakref.ref(checkout)
    with pytest.warns(ResourceWarning, match="a Checkout was collected without release"):
        del checkout
        gc.collect()
    assert gone() is None
    runtime.wait(core.released_pending, 5)
    support.assert_nothing_registered_but(1)


def test_a_checkout_that_is_let_go_with_a_payment_under_way_still_ends(runtime, back_end):
    ended = []
    checkout = payable(runtime)
    checkout.listen(lambda event: ended.append(event.outcome) if event.type == "outcome" else None)
    core = checkout._core

    def let_go(request):
        nonlocal checkout
        del checkout
        gc.collect()
        return back_end.validate(request)

    back_end.answers["validate"] = let_go
    checkout.submit()
    with pytest.warns(ResourceWarning):
        runtime.wait(core.released_pending, 5)
    assert [type(outcome) for outcome in ended] == [Completed]


def test_a_runtime_that_is_let_go_is_closed(back_end):
    runtime = host_runtime(back_end)
    gone = weakref.ref(runtime)
    with pytest.warns(ResourceWarning):
        checkout = payable(runtime)
        core = checkout._core
        del runtime
        gc.collect()
        assert gone() is not None  # the checkout needs it
        del checkout
        gc.collect()
    assert gone() is None and core.released_pending.done
    support.assert_nothing_registered()


def test_a_runtime_that_is_let_go_in_its_loop_is_closed(back_end):
    async def job():
        runtime = host_runtime(back_end)
        runtime.attach()
        descriptor = runtime.fileno()
        gone = weakref.ref(runtime)
        with pytest.warns(ResourceWarning, match="without close"):
            del runtime
            gc.collect()
        assert gone() is None
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not asyncio.get_running_loop().remove_reader(descriptor)

    run_async(job())
    support.assert_nothing_registered()


def forked(function):
    """What a forked child makes of it: its exit status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            function()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_forked_child_is_told_so(runtime, back_end):
    checkout = payable(runtime)

    def child():
        for use in (checkout.split, runtime.info, runtime.poll, checkout.save_state, checkout.submit):
            with pytest.raises(ForkedError, match="spawn"):
                use()
        with pytest.raises(ForkedError):
            Checkout.create(runtime, support.widget_data())
        checkout.release()
        runtime.close()
        # A runtime of its own works.
        with host_runtime(BackEnd()) as own:
            assert pay(own, payable(own)).is_success

    assert forked(child) == 0
    assert isinstance(pay(runtime, checkout), Completed)
    release(runtime, checkout)


def test_a_forked_child_leaves_the_loop_of_its_parent_alone(back_end):
    async def job():
        async with host_runtime(back_end) as runtime:
            checkout = await payable_async(runtime=runtime)

            def child():
                runtime.close()
                checkout.release()
                gc.collect()

            assert forked(child) == 0
            assert isinstance(await checkout.submit(), Completed)
            checkout.release()
            await checkout.released

    run_async(job())


def test_polling_with_signals(runtime):
    """A signal ends the wait; Python's handler has run when poll returns or raises."""
    import signal

    def handler(number, frame):
        raise KeyError("signal")

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyError):
            while True:
                runtime.poll(20)
    finally:
        signal.signal(signal.SIGALRM, before)


def test_the_clock_is_told_of(runtime):
    runtime.background()
    runtime.foreground()
    runtime.advance(1000)
    checkout = support.make(runtime, data=support.widget_data(expiration_date="2028-01-01T00:00:00Z"))
    runtime.poll(0)
    runtime.advance(400 * 24 * 3600 * 1000)
    assert checkout.session_state == "expired"
    release(runtime, checkout)
