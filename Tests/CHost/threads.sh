#!/usr/bin/env bash
# The tests of many threads under the thread sanitizer: library and host are built with it. A report counts as a failure
# of the test in which it came. Ends with `threads: N passed, N failed`.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$root/.build/threads
library=$out/debug
cd "$root"
swift build --product HeadlessCheckout --sanitize=thread --scratch-path "$out" >"$out.log" 2>&1 || {
  tail -n 40 "$out.log"
  exit 1
}
ln -sf libHeadlessCheckout.so "$library/libheadlesscheckout.so.1"
# Swift's own clang: its sanitizer is the one that the library was built with, and wants Swift's dispatch library.
swift_home=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
clang=$swift_home/bin/clang
runtime=$swift_home/lib/swift/linux
"$clang" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -fsanitize=thread -I"$root/include" "$here/harness.c" \
  "$here/test_threads.c" "$here/backend.c" "$here/host.c" "$here/functions.c" -o "$out/test_threads" \
  -L"$library" -Wl,-rpath,"$library" -Wl,--export-dynamic -lHeadlessCheckout -ljansson -lcurl -lm -lpthread \
  -L"$runtime" -Wl,-rpath,"$runtime" -Wl,--no-as-needed -ldispatch -lBlocksRuntime
TSAN_OPTIONS=exitcode=66 "$out/test_threads" "$@"
