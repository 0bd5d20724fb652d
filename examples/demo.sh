#!/usr/bin/env bash
# `make demo`: builds the examples and runs the main job at a sandbox of its own: demo.sh [MODE] [FLAVOUR].
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
flavour=${2:-normal}
out=$root/.build/examples/$flavour
"$root/examples/build.sh" "$root/.build/dist/$flavour" "$out"
case ${1:-success} in
  primer) job=(primer_session @sandbox) ;;
  *) job=(checkout @sandbox "${1:-success}") ;;
esac
exec "$root/examples/with_sandbox.sh" "$root/.build/sandbox/release/checkout-sandbox" "$out/${job[0]}" "${job[@]:1}"
