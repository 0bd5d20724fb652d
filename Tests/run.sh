#!/usr/bin/env bash
# `make test`: every suite, one after the other, and the totals on a line of their own. Nothing here hides a failure:
# a suite that prints no totals counts as failed.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
passed=0
failed=0
log=.build/test.log
mkdir -p .build

# add NAME PASSED FAILED
add() {
  passed=$((passed + $2))
  failed=$((failed + $3))
  echo "== $1: $2 passed, $3 failed"
}

# step NAME COMMAND...: a command that is one test.
step() {
  local name=$1
  shift
  if "$@" >"$log" 2>&1; then
    grep -E '^(dist|demo|bench|crash):' "$log"
    add "$name" 1 0
  else
    tail -n 60 "$log"
    add "$name" 0 1
  fi
}

# suite NAME COMMAND...: a command whose last totals line says how many passed and failed.
suite() {
  local name=$1 totals
  shift
  "$@" >"$log" 2>&1
  local status=$?
  totals=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
  if [ -z "$totals" ]; then
    tail -n 60 "$log"
    add "$name" 0 1
    return
  fi
  local good bad
  good=$(sed -E 's/.*[^0-9]([0-9]+) passed, ([0-9]+) failed.*/\1/' <<<" $totals")
  bad=$(sed -E 's/.*[^0-9]([0-9]+) passed, ([0-9]+) failed.*/\2/' <<<" $totals")
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  if [ "$bad" -ne 0 ]; then grep -vE '^(PASS|ok)' "$log" | tail -n 80; fi
  add "$name" "$good" "$bad"
}

# Swift Testing says how many tests ran, and marks each that failed.
swift_tests() {
  swift test --disable-xctest >"$log" 2>&1
  local status=$? total bad
  grep -E '^(simulate|explore|mutants|canary|fuzz):' "$log"
  total=$(sed -nE 's/.*Test run with ([0-9]+) tests?.*(passed|failed) after.*/\1/p' "$log" | tail -n 1)
  bad=$(grep -cE '✘ Test .*(failed after|recorded an issue)' <(grep -E '✘ Test [^r]' "$log" | grep 'failed after'))
  if [ -z "$total" ]; then
    tail -n 80 "$log"
    add "swift" 0 1
    return
  fi
  if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  if [ "$bad" -ne 0 ]; then grep -E '✘|error:' "$log" | head -n 60; fi
  add "swift" $((total - bad)) "$bad"
}

step "format" swift format lint --strict --recursive Package.swift Sources Tests
swift_tests
suite "cases" make --no-print-directory cases
step "sandbox" make --no-print-directory sandbox
for flavour in normal embedded; do
  step "library, $flavour" make --no-print-directory dist FLAVOUR=$flavour
done
for flavour in normal embedded; do
  suite "C hosts, $flavour" Tests/CHost/run.sh $flavour
  suite "Python, $flavour" bindings/python/run_tests.sh $flavour
done
for mode in success decline redirect lost-answer hook-refuses primer; do
  step "demo, $mode" make --no-print-directory demo DEMO=$mode
done
suite "threads, sanitized" make --no-print-directory threads
step "crash, short" make --no-print-directory crash RUNS=12
step "benchmark, short" env BENCH=short Tests/Benchmarks/run.sh
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
