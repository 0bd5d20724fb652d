#!/usr/bin/env bash
# The Python suite on one flavour: run_tests.sh FLAVOUR [pytest arguments]. Makes .build/venv when it is not there (from
# PYTHON, python3 without it), builds what is missing, and runs the tests while a sandbox serves. Ends with one line of
# totals.
set -euo pipefail
flavour=${1:?usage: run_tests.sh normal|embedded}
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
venv=$root/.build/venv
library=$root/.build/dist/$flavour/libheadlesscheckout.so.1
sandbox=${HCO_SANDBOX:-$root/.build/sandbox/release/checkout-sandbox}

[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
if ! "$venv/bin/python" -c 'import cffi, pytest' 2>/dev/null; then
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check cffi pytest || {
    echo "The packages cffi and pytest are not in $venv and cannot be fetched. Install them there, or connect." >&2
    exit 1
  }
fi
[ -f "$library" ] || make -C "$root" --no-print-directory dist FLAVOUR="$flavour"
[ -x "$sandbox" ] || make -C "$root" --no-print-directory sandbox

export FLAVOUR=$flavour HEADLESS_CHECKOUT_LIBRARY=$library PYTHONDONTWRITEBYTECODE=1
results=$(mktemp)
trap 'rm -f "$results"' EXIT
status=0
cd "$here"
"$root/examples/with_sandbox.sh" "$sandbox" "$venv/bin/python" -m pytest -q --junit-xml="$results" "$@" || status=$?

"$venv/bin/python" - "$results" "$flavour" <<'PYTHON'
import sys
from xml.etree import ElementTree

suite = next(ElementTree.parse(sys.argv[1]).iter("testsuite"))
failed = int(suite.get("failures")) + int(suite.get("errors"))
skipped = int(suite.get("skipped"))
note = f", {skipped} skipped" if skipped else ""
print(f"python {sys.argv[2]}: {int(suite.get('tests')) - failed - skipped} passed, {failed} failed{note}")
PYTHON
exit $status
