#!/usr/bin/env bash
# The C host suite on one flavour: run.sh FLAVOUR. Everything is built into .build/chost/FLAVOUR and run against the
# library in HCO_LIBRARY_DIR (.build/dist/FLAVOUR) and the sandbox program in HCO_SANDBOX. The tests name the numbered
# conventions of the header; `binary WORD` runs only those whose names hold the word. Ends with one line of totals.
set -euo pipefail
flavour=${1:?usage: run.sh normal|embedded}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/.build/chost/$flavour
export HCO_LIBRARY_DIR=${HCO_LIBRARY_DIR:-$root/.build/dist/$flavour}
sandbox=${HCO_SANDBOX:-$root/.build/sandbox/release/checkout-sandbox}
link=(-L"$HCO_LIBRARY_DIR" -Wl,-rpath,"$HCO_LIBRARY_DIR" -lheadlesscheckout)
reading=$root/Tests/Conformance/CURLReading
mkdir -p "$out"
passed=0
failed=0

# one NAME COMMAND...: a command that is one test; its output is shown when it fails.
one() {
  local name=$1 log=$out/log
  shift
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    tail -n 40 "$log" | sed 's/^/  /'
    echo "FAILED chost $flavour: $name"
  fi
}

# many COMMAND...: a program that prints `NAME: N passed, N failed`.
many() {
  local log=$out/log totals
  "$@" >"$log" 2>&1 || true
  totals=$(grep -E '^[a-z]+: [0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 || true)
  grep -vxF -e "$totals" "$log" || true
  if [ -z "$totals" ]; then
    failed=$((failed + 1))
    echo "FAILED chost $flavour: $1 printed no totals"
    return
  fi
  echo "  $totals"
  passed=$((passed + $(sed -E 's/.*: ([0-9]+) passed.*/\1/' <<<"$totals")))
  failed=$((failed + $(sed -E 's/.*, ([0-9]+) failed.*/\1/' <<<"$totals")))
}

build() {
  local name=$1
  shift
  gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -g -I"$root/include" -I"$reading/include" \
    -DHCO_CONFORMANCE="\"$root/Tests/Conformance\"" "$here/harness.c" "$here/test_$name.c" "$@" \
    -o "$out/test_$name" "${link[@]}" -ljansson -lcurl -lm -lpthread
}

headers() {
  local standard
  for standard in c99 c11 c17; do
    one "header as $standard" gcc -std=$standard -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -I"$root/include" \
      "$here/header_c.c" "$here/header_other.c" -o "$out/header_$standard" "${link[@]}"
    one "header as $standard, run" "$out/header_$standard"
  done
  gcc -std=c99 -I"$root/include" -c "$here/header_other.c" -o "$out/header_other.o"
  for standard in c++11 c++17 c++20; do
    one "header as $standard" g++ -std=$standard -Wall -Wextra -Wpedantic -Wold-style-cast -Werror -I"$root/include" \
      "$here/header_cpp.cpp" "$out/header_other.o" -o "$out/header_$standard" "${link[@]}"
    one "header as $standard, run" "$out/header_$standard"
  done
}

# The example's output without its own lines, and that it is clean under valgrind.
examples() {
  local run=("$root/examples/with_sandbox.sh" "$sandbox") mode name
  local check=(valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,indirect --error-exitcode=99)
  one "examples build" "$root/examples/build.sh" "$HCO_LIBRARY_DIR" "$out/examples"
  for mode in success decline redirect lost-answer hook-refuses; do
    one "example checkout $mode" "${run[@]}" "$out/examples/checkout" @sandbox $mode
    one "example checkout $mode, valgrind" "${run[@]}" "${check[@]}" "$out/examples/checkout" @sandbox $mode
  done
  for name in gift_card_split redirect second_device widget_method event_loop pull two_processes monitoring_audit wallet; do
    one "example $name" "${run[@]}" "$out/examples/$name" @sandbox
    one "example $name, valgrind" "${run[@]}" "${check[@]}" "$out/examples/$name" @sandbox
  done
  for mode in processor challenge success pending decline abort; do
    one "example primer_session $mode" "${run[@]}" "$out/examples/primer_session" @sandbox $mode
    one "example primer_session $mode, valgrind" "${run[@]}" "${check[@]}" "$out/examples/primer_session" @sandbox $mode
  done
}

# The program of the README, as a stranger would copy it.
snippet() {
  sed -n '/^```c$/,/^```$/p' "$root/README.md" | grep -v '^```' >"$out/readme.c"
  one "README's program" gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$root/include" "$out/readme.c" \
    -o "$out/readme" "${link[@]}"
  one "README's program, run" "$root/examples/with_sandbox.sh" "$sandbox" \
    sh -c '"$1" "$("$2/examples/request.py")" | grep -q "\"kind\":\"completed\""' readme "$out/readme" "$root"
  one "README's program, refused" \
    sh -c '"$1" "{\"widgetData\":\"!\"}" 2>&1 | grep -q "^HCO_REFUSED: .*\"SESSION_MALFORMED\""' readme "$out/readme"
  one "README's program, valgrind" "$root/examples/with_sandbox.sh" "$sandbox" \
    sh -c 'valgrind --quiet --leak-check=full --errors-for-leak-kinds=definite,indirect --error-exitcode=99 \
      "$1" "$("$2/examples/request.py")"' readme "$out/readme" "$root"
}

one "dist" "$here/check_dist.sh" "$HCO_LIBRARY_DIR" "$flavour"
headers
snippet
for name in amounts arguments callbacks fork globals loop money saved sessions split threads tickets; do
  build $name "$here/backend.c" "$here/host.c" "$here/functions.c"
  many "$out/test_$name"
done
build urls "$here/backend.c" "$here/host.c" "$reading/curl_reading.c"
many "$out/test_urls"
build sandbox "$here/sandbox.c" "$root/examples/merchant.c"
many "$root/examples/with_sandbox.sh" "$sandbox" "$out/test_sandbox"
build wallet "$here/sandbox.c"
many "$root/examples/with_sandbox.sh" "$sandbox" "$out/test_wallet"
build monitoring "$here/sandbox.c" "$root/examples/merchant.c"
many "$root/examples/with_sandbox.sh" "$sandbox" "$out/test_monitoring"
build primer "$here/sandbox.c"
many "$root/examples/with_sandbox.sh" "$sandbox" "$out/test_primer"
many python3 "$here/loader.py" "$HCO_LIBRARY_DIR/libheadlesscheckout.so.1"
examples
echo "chost $flavour: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
