"""One life of the host: started, perhaps killed, and what it said."""

import os
import select
import signal
import subprocess
import time
from dataclasses import dataclass, field

# A host that says nothing more for so long is stuck, not slow.
PATIENCE_S = 60


@dataclass(frozen=True)
class Kill:
    """When a life ends: at the host's own n-th point, or so many seconds after it said `at BASE`."""

    point: int = 0
    base: str = ""
    after: float = 0.0


@dataclass
class Life:
    killed: bool = False
    end: str = ""
    points: int = 0
    lines: list = field(default_factory=list)
    errors: str = ""
    code: int = 0

    def point_of(self, name: str) -> int:
        """The number of the first point of that name; 0 when it was not reached."""
        for line in self.lines:
            words = line.split()
            if words[:1] == ["point"] and words[2:] == [name]:
                return int(words[1])
        return 0


def live(host: str, url: str, plan: str, kill: Kill) -> Life:
    """Runs the host once."""
    process = subprocess.Popen(
        [host, url, plan, str(kill.point)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    try:
        output = _follow(process, kill)
        errors = process.stderr.read().decode(errors="replace")
        process.wait()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        process.stdout.close()
        process.stderr.close()
    return _read(output, errors, process.returncode)


def _follow(process, kill: Kill) -> bytes:
    """Reads what the host says, and kills it when its time has come."""
    output = b""
    limit = time.monotonic() + PATIENCE_S
    due = None
    descriptor = process.stdout.fileno()
    mark = f"at {kill.base} ".encode() if kill.base else None
    while True:
        until = limit if due is None else due
        readable, _, _ = select.select([descriptor], [], [], max(0.0, until - time.monotonic()))
        if not readable:
            process.send_signal(signal.SIGKILL)
            return output + process.stdout.read()
        data = os.read(descriptor, 65536)
        if not data:
            return output
        output += data
        if mark is not None and due is None and mark in output:
            due = time.monotonic() + kill.after


def _read(output: bytes, errors: str, code: int) -> Life:
    life = Life(lines=output.decode(errors="replace").splitlines(), errors=errors, code=code)
    for line in life.lines:
        words = line.split()
        if words[:1] == ["end"] and len(words) == 3:
            life.end = words[1]
            life.points = int(words[2].partition("=")[2])
    # Killed after it had said its end, it had nothing left to do.
    life.killed = code == -signal.SIGKILL and not life.end
    return life
