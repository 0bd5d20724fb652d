#!/usr/bin/env bash
# Figures beside a floor, both measured in turns in one run: run.sh [FLAVOUR...]. Without flavours: those of normal and
# embedded that are built in .build/dist. BENCH=short takes few seconds. Prints `bench:` lines and never judges a time:
# it fails only when something does not run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
session=$here/session.json

case ${BENCH:-full} in
  short) json_rounds=100 call_rounds=50 submit_rounds=60 ;;
  full) json_rounds=1000 call_rounds=500 submit_rounds=1000 ;;
  *) echo "BENCH is short or full" >&2; exit 1 ;;
esac

flavours=("$@")
if [ ${#flavours[@]} -eq 0 ]; then
  flavours=(normal)
  if [ -e .build/dist/embedded/libheadlesscheckout.so ]; then flavours+=(embedded); fi
fi

# build FLAVOUR NAME SOURCE...: a C program beside that flavour's library.
build() {
  local library=$root/.build/dist/$1 out=.build/benchmarks/$1/$2
  shift 2
  gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -O2 -g -Iinclude "$@" \
    "$here/measure.c" "$here/session.c" -o "$out" -L"$library" -Wl,-rpath,"$library" -lheadlesscheckout -lcurl
}

swift build -c release --product json-benchmark --scratch-path .build/bench >.build/bench.log 2>&1 ||
  { cat .build/bench.log; exit 1; }
.build/bench/release/json-benchmark "$session" $json_rounds
for flavour in "${flavours[@]}"; do
  mkdir -p ".build/benchmarks/$flavour"
  build "$flavour" calls "$here/calls.c"
  build "$flavour" submit "$here/submit.c" "$here/server.c"
  export BENCH_FLAVOUR=$flavour
  ".build/benchmarks/$flavour/calls" "$session" $call_rounds
  ".build/benchmarks/$flavour/submit" "$here/session_small.json" $submit_rounds submit
  ".build/benchmarks/$flavour/submit" "$session" $submit_rounds submit_large
done
