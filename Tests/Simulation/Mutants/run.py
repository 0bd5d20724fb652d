"""Builds every mutant into one copy of the sources, runs the machines on each, and says which machine catches which.

Arguments: numbers of mutants (all when there are none), and --update to write the table of a whole run into
Tests/README.md. Ends with `mutants: caught=N of N`.
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
PARTS = [
    "Sources/JSONText", "Sources/CheckoutCore", "Sources/PurseProvider", "Sources/PrimerProvider", "Tests/Simulation",
]
# Of the runtime only what brings the back ends together: the rest is no part of what is simulated.
RIM = "Sources/CheckoutRuntime/BackEnd.swift"
FLAGS = ["-c", "release", "-Xswiftc", "-enable-testing", "--disable-xctest"]
MACHINES = [
    ("tests", "AttemptTests|SurvivalTests|ReviewTests", {}),
    ("explore", "ExplorerTests|PrimerSearchTests", {"EXPLORE_STATES": os.environ.get("MUTANT_STATES", "60000")}),
    ("simulate", "RandomRunTests|PrimerRunTests", {"SIMULATION_SEEDS": os.environ.get("MUTANT_SEEDS", "600")}),
    ("canary", "CanaryTests", {"CANARY_RUNS": "60"}),
]
# Of the processor, so that a busy machine makes nobody look stuck; and by the clock, for what waits.
LONGEST, LONGEST_WAIT = 120, 900
PAGE = ROOT / "Tests" / "README.md"
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Mutants",
  targets: [
    .target(name: "JSONText"),
    .target(name: "CheckoutCore", dependencies: ["JSONText"]),
    .target(name: "PurseProvider", dependencies: ["CheckoutCore", "JSONText"]),
    .target(name: "PrimerProvider", dependencies: ["CheckoutCore", "JSONText"]),
    .target(name: "CheckoutRuntime", dependencies: ["CheckoutCore", "PurseProvider", "PrimerProvider"]),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["CheckoutRuntime", "PurseProvider", "PrimerProvider", "CheckoutCore", "JSONText"],
      path: "Tests/Simulation"),
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
    texts[RIM] = (ROOT / RIM).read_text()
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
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(number, suite, settings):
    """What the machine says of it: None when it saw nothing."""
    program = COPY / ".build" / "release" / "MutantsPackageTests.xctest"
    command = [program, "--testing-library", "swift-testing", "--filter", suite]
    environment = {**os.environ, **settings, "MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}
    made = subprocess.Popen(
        command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True, preexec_fn=bounded)
    try:
        said, _ = made.communicate(timeout=LONGEST_WAIT)
    except subprocess.TimeoutExpired:
        os.killpg(made.pid, signal.SIGKILL)
        made.communicate()
        return "does not end"
    if made.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "does not end"
    if made.returncode < 0:
        return f"ends by {signal.Signals(-made.returncode).name}"
    if "Test run with 0 tests" in said or "Test run with" not in said:
        sys.exit(f"mutants: {suite} ran no tests")
    if made.returncode == 0:
        return None
    reasons = [line.strip("↳ \n") for line in said.splitlines() if line.startswith("↳ ") and ": " in line]
    reasons += [line.split("Expectation failed: ", 1)[1] for line in said.splitlines() if "Expectation failed: " in line]
    return next((reason for reason in reasons if not reason.startswith(("Testing", "Target", "//"))), "fails")


def shown(reasons):
    """The first thing that a machine said, without the run that it said it of."""
    said = [reason for machine, reason in reasons.items() if reason and machine != "tests"] or list(reasons.values())
    text = next((reason for reason in said if reason), "")
    return text.split(": ", 1)[1] if text.startswith("SIMULATION_FIRST") else text


def write_table(rows):
    """Between the marks of the page."""
    head = ["variant", *(machine for machine, _, _ in MACHINES), "what was seen"]
    lines = [head, ["---"] * len(head)]
    for name, reasons in rows:
        lines.append([name, *("caught" if reason else "-" for reason in reasons.values()), shown(reasons)[:70]])
    table = "".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |\n" for line in lines)
    before, rest = PAGE.read_text().split("<!-- table: mutants -->\n")
    _, after = rest.split("<!-- end: mutants -->")
    PAGE.write_text(before + "<!-- table: mutants -->\n" + table + "<!-- end: mutants -->" + after)


def main():
    build()
    for machine, suite, settings in MACHINES:
        if reason := run(0, suite, settings):
            sys.exit(f"mutants: {machine} fails without a mutant: {reason}")
    chosen = [int(text) for text in sys.argv[1:] if text != "--update"] or range(1, len(MUTANTS) + 1)
    caught = 0
    rows = []
    for number in chosen:
        reasons = {machine: run(number, suite, settings) for machine, suite, settings in MACHINES}
        by = [machine for machine, reason in reasons.items() if reason]
        caught += bool(by)
        rows.append((MUTANTS[number - 1][0], reasons))
        print(
            f"{number:3} {MUTANTS[number - 1][0]:55} {', '.join(by) or 'NOT CAUGHT':26} {shown(reasons)[:90]}", flush=True)
    print(f"mutants: caught={caught} of {len(chosen)}")
    if "--update" in sys.argv and len(rows) == len(MUTANTS):
        write_table(rows)
    sys.exit(caught != len(chosen))


if __name__ == "__main__":
    main()
