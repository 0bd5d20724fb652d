#!/usr/bin/env python3
"""Kills a paying till with SIGKILL, again and again, and counts what the sandbox was made to pay.

    driver.py HOST SANDBOX [--runs N] [--seed N] [--verbose] [--replay PLAN]

Each run is a session of its own, of which a second money request makes a second payment. First a till is killed at
every output: each callback when it begins and when it is done with, each step of a write to its store, each call that
returned; the same again in the life after, when what became of the payment has to be found out. The rest are random
instants, measured in microseconds, with faults of the network and the back end. A killed till is started again from
its stored checkpoint until it says how the payment ended; what it says must be what the sandbox did, and one that
never gets to pay counts as stuck. With few runs the outputs are a sample. A run that fails prints its plan, which
--replay runs alone (an instant is not exactly the same twice), what the till said in each life, and the sandbox's
journal.

Prints two lines. The first is the promise; a double there, or a till that is stuck or wrong, is a failure:

    crash: runs=N payments=N double=0

The second is the same till, in the same ways, without a store:

    crash-without-checkpoint: runs=N payments=N double=N

It knows nothing of the life before, so it pays the session as though for the first time: what is lost without a
checkpoint is exactly this protection (of one process the library still refuses a second submit).
"""

import argparse
import json
import random
import signal
import sys
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from life import Kill, live
from sandbox import Sandbox

MOST_LIVES = 12
# What a report shows of each life, unless all is asked for.
LAST_LINES = 16
ENDS_WITH_A_PAYMENT = {"paid", "declined", "pending"}

MONEY_FAULTS = [
    {"fault": "dropBeforeReading"},
    {"fault": "dropAfterReading"},
    {"fault": "processThenDrop"},
    {"fault": "delay", "delayMs": 30},
    {"fault": "delay", "delayMs": 250},
    {"fault": "status", "status": 503},
    {"fault": "status", "status": 502, "process": True},
    {"fault": "status", "status": 429},
    {"fault": "status", "status": 409},
    {"fault": "garbage"},
    {"fault": "truncated"},
    {"fault": "halfHeader"},
    {"fault": "halfHeader", "process": False},
    {"fault": "reset"},
    {"fault": "reset", "process": True},
    {"fault": "redirect3xx"},
    {"fault": "redirect3xx", "process": True},
]
OTHER_FAULTS = [
    {"path": "init", "fault": "status", "status": 500},
    {"path": "init", "fault": "processThenDrop"},
    {"path": "init", "fault": "delay", "delayMs": 40},
    {"path": "datetime", "fault": "dropAfterReading"},
    {"path": "datetime", "fault": "delay", "delayMs": 60},
]
CARD_CASES = ["success"] * 5 + ["declined", "waiting", "uncertain", "unlisted", "lost", "threeds", "error"]
GIFT_CARDS = [None, None, "buybox-giftcard", "illicado-giftcard"]
# How long after the host's mark a kill is worth trying: most of what it does lies in this time.
WINDOWS = {"started": 0.04, "created": 0.01, "submit": 0.01, "sent": 0.006, "asked": 0.006}


@dataclass(frozen=True)
class Plan:
    """What a till does, and how its lives end; a life after the last of `kills` is left alone."""

    case: str = "success"
    gift_card: str | None = None
    saves_often: bool = False
    has_key: bool = False
    faults: list = field(default_factory=list)
    kills: tuple = ()

    def text(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def of(text: str):
        members = json.loads(text)
        members["kills"] = tuple(Kill(**kill) for kill in members["kills"])
        return Plan(**members)


@dataclass
class Run:
    """What one run came to."""

    lives: list = field(default_factory=list)
    payments: int = 0
    fault: str = ""

    @property
    def kills(self):
        return sum(life.killed for life in self.lives)

    @property
    def end(self):
        return self.lives[-1].end if self.lives else ""

    def resolved(self):
        return [line.split()[1] for life in self.lives for line in life.lines if line.startswith("resolve ")]


@dataclass
class Totals:
    runs: int = 0
    payments: int = 0
    double: int = 0
    wrong: int = 0
    kills: int = 0
    ends: Counter = field(default_factory=Counter)
    resolved: Counter = field(default_factory=Counter)


class Driver:
    """Runs plans, one after the other, against one sandbox."""

    def __init__(self, host: str, sandbox: Sandbox, directory: Path, remembers: bool, options):
        self.host, self.sandbox, self.directory = host, sandbox, directory
        self.remembers, self.options = remembers, options
        self.name = "crash" if remembers else "crash-without-checkpoint"
        self.totals = Totals()

    def run(self, plan: Plan) -> Run:
        """One session until its end."""
        self.totals.runs += 1
        session = self.sandbox.create_session()
        self.sandbox.set_faults(list(plan.faults))
        run = self._live_on(plan, self._write_plan(plan, session))
        self.sandbox.set_faults([])
        run.payments = len(self.sandbox.payments(session["id"]))
        self._judge(run)
        self._count(run)
        is_bad = bool(run.fault) or (self.remembers and run.payments > 1)
        if is_bad or self.options.verbose:
            self._report(plan, run, session["id"], sys.stderr if is_bad else sys.stdout)
        self.sandbox.forget_journal()
        return run

    def _write_plan(self, plan: Plan, session) -> str:
        store = self.directory / "store"
        for path in (store, store.with_suffix(".new")):
            path.unlink(missing_ok=True)
        path = self.directory / "plan.json"
        path.write_text(
            json.dumps(
                {
                    "session": session["id"],
                    "widgetData": session["widget"]["data"],
                    "store": str(store) if self.remembers else None,
                    "giftCard": plan.gift_card,
                    "formToken": f"tok_{plan.case}_".ljust(32, "0"),
                    "idempotencyHeader": "Idempotency-Key" if plan.has_key else None,
                    "savesOften": plan.saves_often,
                }
            )
        )
        return str(path)

    def _live_on(self, plan: Plan, path: str) -> Run:
        run = Run()
        for number in range(MOST_LIVES):
            kill = plan.kills[number] if number < len(plan.kills) else Kill()
            run.lives.append(live(self.host, self.sandbox.url, path, kill))
            if not run.lives[-1].killed:
                break
        return run

    def _judge(self, run: Run):
        """Does the host end, and does it say what happened? `spent` may hide that nothing was sure before."""
        last = run.lives[-1]
        is_unsure = "abandoned" in run.resolved()
        if last.killed:
            run.fault = "stuck: killed by the watchdog"
        elif not last.end:
            run.fault = f"stuck: exit code {last.code}: {last.errors.strip()}"
        elif last.end == "unpaid":
            run.fault = "stuck: more attempts than faults, and none could pay"
        elif not self.remembers or is_unsure:
            return
        elif last.end in ENDS_WITH_A_PAYMENT | {"spent"} and run.payments == 0:
            run.fault = f"says {last.end}, and nothing was paid"

    def _count(self, run: Run):
        totals = self.totals
        totals.payments += run.payments
        totals.double += run.payments > 1
        totals.wrong += bool(run.fault)
        totals.kills += run.kills
        totals.ends[run.end or "none"] += 1
        totals.resolved.update(run.resolved())

    def conclude(self) -> bool:
        """Prints the totals; whether all was as promised."""
        totals = self.totals
        resolved, ends = dict(totals.resolved), dict(totals.ends)
        print(f"  kills={totals.kills} stuck or wrong={totals.wrong} ends={ends} resolved={resolved}")
        print(f"{self.name}: runs={totals.runs} payments={totals.payments} double={totals.double}", flush=True)
        return totals.wrong == 0 and (totals.double == 0 or not self.remembers)

    def _report(self, plan: Plan, run: Run, session: str, file):
        print(f"{self.name}: run {self.totals.runs} of seed {self.options.seed}: {run.fault or 'fine'}", file=file)
        print(f"  payments={run.payments} end={run.end}\n  --replay '{plan.text()}'", file=file)
        for number, life in enumerate(run.lives, 1):
            lines = life.lines if self.options.verbose else life.lines[-LAST_LINES:]
            print(f"  life {number}: killed={life.killed} {' | '.join(lines)} {life.errors}", file=file)
        for request in self.sandbox.journal(session):
            print(f"  journal {json.dumps(request)}", file=file)
        if run.payments > 1:
            print(f"  payments {json.dumps(self.sandbox.payments(session))}", file=file)


# ---------------------------------------------------------------------------------------------------------- the plans


TILLS = [Plan(), Plan(gift_card="buybox-giftcard"), Plan(case="threeds")]
# So many runs hold every output of the tills and of the lives after, and leave some for random instants.
ENOUGH_FOR_EVERY_OUTPUT = 300


def every_output(driver: Driver):
    """Kills at point 1, 2, 3 ... of each till until one gets through; then so in the life after a kill that left the
    payment in doubt: before it was sent, and before its answer was known.
    """
    for till in TILLS:
        until_it_gets_through(driver, till)
    undisturbed = driver.run(Plan()).lives[0]
    for name in ("renamed", "answered"):
        until_it_gets_through(driver, Plan(), Kill(point=undisturbed.point_of(name)))


def until_it_gets_through(driver: Driver, till: Plan, *before: Kill):
    point = 1
    while driver.run(replace(till, kills=(*before, Kill(point=point)))).kills > len(before):
        point += 1


def some_outputs(driver: Driver, runs: int, random_numbers: random.Random):
    """A sample of the points that an undisturbed run of each till has."""
    each = max(1, runs // len(TILLS) - 1)
    for till in TILLS:
        points = driver.run(till).lives[-1].points
        for point in sorted(random_numbers.sample(range(1, max(points, each) + 1), each)):
            driver.run(replace(till, kills=(Kill(point=point),)))


def random_plan(random_numbers: random.Random) -> Plan:
    """Faults and instants by the seed. The retry after a fault may meet another fault."""
    choose = random_numbers.choice
    faults = []
    for _ in range(choose([0, 0, 1, 1, 2])):
        faults.append({"path": "validate", "times": choose([1, 1, 2]), **choose(MONEY_FAULTS)})
    if random_numbers.random() < 0.25:
        faults.append(choose(OTHER_FAULTS))
    return Plan(
        case=choose(CARD_CASES),
        gift_card=choose(GIFT_CARDS),
        saves_often=choose([False, False, True]),
        has_key=choose([False, False, True]),
        faults=faults,
        kills=tuple(_random_kill(random_numbers) for _ in range(choose([1, 1, 2, 3, 4]))),
    )


def _random_kill(random_numbers: random.Random) -> Kill:
    if random_numbers.random() < 0.2:
        return Kill(point=random_numbers.randint(1, 110))
    base = random_numbers.choice(["started", "created", "submit", "sent", "sent", "sent", "asked"])
    return Kill(base=base, after=round(random_numbers.random() * WINDOWS[base], 6))


def drive(driver: Driver, runs: int, seed: int):
    random_numbers = random.Random(seed)
    if driver.remembers and runs >= ENOUGH_FOR_EVERY_OUTPUT:
        every_output(driver)
    else:
        some_outputs(driver, runs // 2, random_numbers)
    while driver.totals.runs < runs:
        driver.run(random_plan(random_numbers))


# ------------------------------------------------------------------------------------------------------------- program


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("sandbox")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--replay", type=Plan.of, help="this plan alone, with all that the till says")
    options = parser.parse_args()
    options.verbose = options.verbose or options.replay is not None
    is_good = True
    # Stopped from outside it still stops its sandbox and its till.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="headless-checkout-crash-") as name:
        sandbox = Sandbox(options.sandbox, Path(name))
        try:
            for remembers in (True, False):
                driver = Driver(options.host, sandbox, Path(name), remembers, options)
                if options.replay is not None:
                    driver.run(options.replay)
                else:
                    drive(driver, options.runs if remembers else max(12, options.runs // 5), options.seed)
                is_good = driver.conclude() and is_good
        finally:
            sandbox.stop()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
