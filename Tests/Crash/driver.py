#!/usr/bin/env python3
"""Kills a paying till with SIGKILL, again and again, and counts what the sandbox was made to pay.

    driver.py HOST SANDBOX [--runs N] [--seed N] [--only RUN] [--verbose]

Each run is a session of its own, of which a second money request makes a second payment. First a till is killed at every
output: each callback when it begins and when it is done with, each step of a write to its store, each call that returned;
the same again in the life after, when what became of the payment has to be found out. The rest are random instants, measured
in microseconds, with faults of the network and the back end. A killed till is started again from its stored checkpoint until
it says how the payment ended; what it says must be what the sandbox did. With few runs the outputs are a sample.

Prints two lines. The first is the promise, and decides the exit code:

    crash: runs=N payments=N double=0

The second is the same till, in the same ways, without a store:

    crash-without-checkpoint: runs=N payments=N double=N

It knows nothing of the life before, so it pays the session as though for the first time: what is lost without a checkpoint
is exactly this protection (of one process the library still refuses a second submit).
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from life import Kill, live
from sandbox import Sandbox

MOST_LIVES = 12
# Of the runs, how many the enumerated outputs may take at most when there are too few for all.
ENUMERATED_SHARE = 0.6
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
    faults: tuple = ()
    kills: tuple = ()

    def __str__(self):
        kills = ", ".join(str(kill) for kill in self.kills) or "none"
        faults = ", ".join(json.dumps(dict(fault)) for fault in self.faults) or "none"
        return (
            f"card={self.case} giftCard={self.gift_card} savesOften={self.saves_often} key={self.has_key}"
            f" kills=[{kills}] faults=[{faults}]"
        )


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

    def line(self, name: str):
        return f"{name}: runs={self.runs} payments={self.payments} double={self.double}"


class Driver:
    """Runs plans, one after the other, against one sandbox."""

    def __init__(self, host: str, sandbox: Sandbox, directory: Path, remembers: bool, options):
        self.host, self.sandbox, self.directory = host, sandbox, directory
        self.remembers, self.options = remembers, options
        self.totals = Totals()

    def run(self, plan: Plan) -> Run | None:
        """One session until its end. None: another run was asked for."""
        self.totals.runs += 1
        if self.options.only and self.totals.runs != self.options.only:
            return None
        session = self.sandbox.create_session()
        self.sandbox.set_faults([dict(fault) for fault in plan.faults])
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
                    "trace": self.options.verbose,
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
        elif not self.remembers or is_unsure:
            return
        elif last.end == "unpaid" and run.payments != 0:
            run.fault = "says unpaid, and was paid"
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

    def _report(self, plan: Plan, run: Run, session: str, file):
        name = "crash" if self.remembers else "crash-without-checkpoint"
        print(f"{name}: run {self.totals.runs} (--seed {self.options.seed} --only {self.totals.runs})", file=file)
        print(f"  {run.fault or 'fine'}; payments={run.payments} end={run.end}\n  {plan}", file=file)
        for number, life in enumerate(run.lives, 1):
            print(f"  life {number}: killed={life.killed} {' | '.join(life.lines)} {life.errors}", file=file)
        for request in self.sandbox.journal(session):
            print(f"  journal {json.dumps(request)}", file=file)
        if run.payments > 1:
            print(f"  payments {json.dumps(self.sandbox.payments(session))}", file=file)


# ---------------------------------------------------------------------------------------------------------- the plans


TILLS = [
    Plan(),
    Plan(gift_card="buybox-giftcard"),
    Plan(gift_card="illicado-giftcard", saves_often=True),
    Plan(case="threeds"),
]


def with_kills(plan: Plan, *kills: Kill, **more) -> Plan:
    return Plan(**{**plan.__dict__, "kills": kills, **more})


def every_output(driver: Driver, most: int, random_numbers: random.Random):
    """Kills at point 1, 2, 3 ... of each till until one gets through; then so in the life after a kill whose payment nobody
    knows about. With fewer runs than outputs: a sample of the points that an undisturbed run of that till has."""
    if most >= 260:
        for till in TILLS:
            _until_it_gets_through(driver, till)
        _until_it_gets_through(driver, TILLS[0], Kill(base="sent", after=0.0))
        _until_it_gets_through(driver, Plan(case="lost"), Kill(base="sent", after=0.003))
        return
    each = max(1, most // len(TILLS) - 1)
    for till in TILLS:
        undisturbed = driver.run(till)
        points = undisturbed.lives[-1].points if undisturbed else 60
        for point in sorted(random_numbers.sample(range(1, max(points, each) + 1), each)):
            driver.run(with_kills(till, Kill(point=point)))


def _until_it_gets_through(driver: Driver, till: Plan, *before: Kill):
    point = 0
    while True:
        point += 1
        run = driver.run(with_kills(till, *before, Kill(point=point)))
        if run is not None and run.kills <= len(before):
            return
        if run is None and point > 200:
            return


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
        faults=tuple(tuple(fault.items()) for fault in faults),
        kills=tuple(_random_kill(random_numbers) for _ in range(choose([1, 1, 2, 3, 4]))),
    )


def _random_kill(random_numbers: random.Random) -> Kill:
    if random_numbers.random() < 0.2:
        return Kill(point=random_numbers.randint(1, 60))
    base = random_numbers.choice(["started", "created", "submit", "sent", "sent", "sent", "asked"])
    return Kill(base=base, after=round(random_numbers.random() * WINDOWS[base], 6))


def drive(driver: Driver, runs: int, seed: int):
    random_numbers = random.Random(seed)
    every_output(driver, int(runs * ENUMERATED_SHARE) if runs < 500 else runs, random_numbers)
    while driver.totals.runs < runs:
        driver.run(random_plan(random_numbers))


# ------------------------------------------------------------------------------------------------------------- program


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("host")
    parser.add_argument("sandbox")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, default=0, help="this run alone, with all that the host says")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    options.verbose = options.verbose or options.only > 0
    is_good = True
    with tempfile.TemporaryDirectory(prefix="headless-checkout-crash-") as name:
        sandbox = Sandbox(options.sandbox, Path(name))
        try:
            for remembers, title in ((True, "crash"), (False, "crash-without-checkpoint")):
                driver = Driver(options.host, sandbox, Path(name), remembers, options)
                drive(driver, options.runs if remembers else max(6, options.runs // 5), options.seed)
                totals = driver.totals
                print(f"  kills={totals.kills} wrong={totals.wrong} ends={dict(totals.ends)} resolved={dict(totals.resolved)}")
                print(totals.line(title), flush=True)
                if totals.wrong or (remembers and totals.double):
                    is_good = False
        finally:
            sandbox.stop()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
