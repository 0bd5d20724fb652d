"""Builds every mutant into one copy of the sources, runs the machines on each, and says which machine catches which.

Arguments: numbers of mutants (all when there are none). Ends with `mutants: caught=N of N`.
"""

import os
import pathlib
import resource
import signal
import subprocess
import sys

from mutants import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parents[3]
COPY = ROOT / ".build" / "mutants"
PARTS = ["Sources/JSONText", "Sources/CheckoutCore", "Sources/PurseProvider", "Tests/Simulation"]
FLAGS = ["-c", "release", "-Xswiftc", "-enable-testing", "--disable-xctest"]
MACHINES = [
    ("tests", "AttemptTests", {}),
    ("explore", "ExplorerTests", {"EXPLORE_STATES": os.environ.get("MUTANT_STATES", "60000")}),
    ("simulate", "RandomRunTests", {"SIMULATION_SEEDS": os.environ.get("MUTANT_SEEDS", "600")}),
    ("canary", "CanaryTests", {"CANARY_RUNS": "60"}),
]
LONGEST = 120
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Mutants",
  targets: [
    .target(name: "JSONText"),
    .target(name: "CheckoutCore", dependencies: ["JSONText"]),
    .target(name: "PurseProvider", dependencies: ["CheckoutCore", "JSONText"]),
    .testTarget(
      name: "SimulationTests", dependencies: ["PurseProvider", "CheckoutCore", "JSONText"], path: "Tests/Simulation"),
  ],
  swiftLanguageModes: [.v6]
)
"""
SWITCH = """import Foundation

public let aliveMutant = ProcessInfo.processInfo.environment["MUTANT"].flatMap { Int($0) } ?? 0
public func isMutant(_ number: Int) -> Bool { aliveMutant == number }
"""


def write(path, text):
    """Unchanged files keep their time, so that little is built again."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def sources():
    texts = {"Package.swift": MANIFEST, "Sources/CheckoutCore/Mutant.swift": SWITCH}
    for part in PARTS:
        for file in sorted((ROOT / part).rglob("*.swift")):
            texts[str(file.relative_to(ROOT))] = file.read_text()
    return texts


def plant(texts):
    for number, (name, file, old, new) in enumerate(MUTANTS, start=1):
        if texts[file].count(old) != 1:
            sys.exit(f"mutants: {number} ({name}) fits {texts[file].count(old)} places of {file}")
        texts[file] = texts[file].replace(old, new.replace("MUTANT", f"isMutant({number})"))
    return texts


def build():
    texts = plant(sources())
    for old in COPY.glob("**/*.swift"):
        relative = str(old.relative_to(COPY))
        if not relative.startswith(".build") and relative not in texts:
            old.unlink()
    for name, text in texts.items():
        write(COPY / name, text)
    made = subprocess.run(["swift", "build", "--build-tests", *FLAGS], cwd=COPY, capture_output=True, text=True)
    if made.returncode:
        sys.exit(made.stdout[-4000:] + "\nmutants: the copy does not build")


def bounded():
    """A mutant that never ends must not take the machine's memory with it."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def run(number, suite, settings):
    """What the machine says of it: None when it saw nothing."""
    command = ["swift", "test", "--skip-build", *FLAGS, "--filter", suite]
    environment = {**os.environ, **settings, "MUTANT": str(number)}
    made = subprocess.Popen(
        command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True, preexec_fn=bounded)
    try:
        said, _ = made.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        # Its whole session: the tests run in a child of the command.
        os.killpg(made.pid, signal.SIGKILL)
        made.communicate()
        return "does not end"
    if made.returncode == 0:
        return None
    reasons = [line.strip("↳ \n") for line in said.splitlines() if line.startswith("↳ ") and ": " in line]
    return next((reason for reason in reasons if not reason.startswith(("Testing", "Target", "//"))), "fails")


def main():
    build()
    for machine, suite, settings in MACHINES:
        if reason := run(0, suite, settings):
            sys.exit(f"mutants: {machine} fails without a mutant: {reason}")
    chosen = [int(text) for text in sys.argv[1:]] or range(1, len(MUTANTS) + 1)
    caught = 0
    for number in chosen:
        reasons = {machine: run(number, suite, settings) for machine, suite, settings in MACHINES}
        by = [machine for machine, reason in reasons.items() if reason]
        caught += bool(by)
        shown = next((reason for machine, reason in reasons.items() if reason and machine != "tests"), "")
        print(f"{number:3} {MUTANTS[number - 1][0]:55} {', '.join(by) or 'NOT CAUGHT':26} {shown[:90]}", flush=True)
    print(f"mutants: caught={caught} of {len(chosen)}")
    sys.exit(caught != len(chosen))


if __name__ == "__main__":
    main()
