#!/usr/bin/env bash
# What a built library must be: check_dist.sh DIRECTORY FLAVOUR. Prints one line of figures; fails on each violation.
set -euo pipefail
directory=$1
flavour=$2
here=$(cd "$(dirname "$0")" && pwd)
library=$directory/libheadlesscheckout.so.1
header=$here/../../include/headless_checkout.h
case $flavour in
  normal)
    most=$((7 * 1024 * 1024))
    may_need='ld-linux-x86-64.so.2 libc.so.6 libgcc_s.so.1 libm.so.6 libstdc++.so.6'
    ;;
  embedded)
    most=$((1024 * 1024))
    may_need='libc.so.6 libm.so.6'
    ;;
  *) echo "no such flavour: $flavour" >&2; exit 1 ;;
esac
[ "$(uname -m)" = x86_64 ] || may_need="${may_need/ld-linux-x86-64.so.2/$(basename "$(echo /lib/ld-linux-*)")}"

failed=0
wrong() { echo "dist: $1" >&2; failed=1; }

# The declared functions: a name before a parenthesis, outside of comments and of types.
declared=$(gcc -E -P "$header" | tr '\n' ' ' | grep -oE '\bhco_[a-z_]+ ?\(' | tr -d ' (' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sed 's/@.*//' | grep -vx 'HCO_[0-9]*' | sort -u)
[ "$declared" = "$exported" ] ||
  wrong "exports are not the header's functions: $(diff <(echo "$declared") <(echo "$exported") | grep '^[<>]' | tr '\n' ' ')"

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | sort)
for name in $needed; do
  [[ " $may_need " == *" $name "* ]] || wrong "needs $name"
done
dynamic=$(readelf -d "$library")
grep -q 'SONAME.*\[libheadlesscheckout.so.1\]' <<<"$dynamic" || wrong "the soname is another"
grep -qE 'R(UN)?PATH' <<<"$dynamic" && wrong "has a RUNPATH"
grep -q NODELETE <<<"$dynamic" || wrong "may be unloaded"
grep -q TEXTREL <<<"$dynamic" && wrong "has text relocations"
readelf -lW "$library" | grep -q 'GNU_STACK.*RWE' && wrong "has an executable stack"
readelf -SW "$library" | grep -q ' \.symtab ' && wrong "is not stripped"
grep -qa 'cannot print value in embedded' "$library" && wrong "prints a placeholder of Embedded Swift"
[ "$(readlink "$directory/libheadlesscheckout.so")" = libheadlesscheckout.so.1 ] || wrong "the development link is another"
cmp -s "$header" "$directory/headless_checkout.h" || wrong "the header beside it is another"

size=$(stat -Lc %s "$library")
[ "$size" -le "$most" ] || wrong "$size bytes are more than $most"

# The table of the C host tests holds every function but those that take no handle or fail in no way.
for name in $declared; do
  case $name in
    hco_version | hco_abi_version | hco_status_name | hco_free | hco_runtime_create | hco_runtime_destroy | \
      hco_runtime_fd | hco_release) continue ;;
  esac
  grep -q "ROW($name," "$here/functions.c" || wrong "$name is not in Tests/CHost/functions.c"
done

echo "dist: flavour=$flavour size=$size exports=$(wc -w <<<"$exported") needed=$(tr '\n' ',' <<<"$needed" | sed 's/,$//')"
exit $failed
