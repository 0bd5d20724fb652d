#!/bin/sh
# Builds the till: build.sh LIBRARY_DIR OUTPUT. LIBRARY_DIR holds libheadlesscheckout.so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples
library=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
${CC:-gcc} -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -g -I"$here/../../include" -I"$examples" \
  "$here/host.c" "$here/store.c" "$here/backend.c" "$examples/calls.c" -o "$2" \
  -L"$library" -Wl,-rpath,"$library" -lheadlesscheckout -ljansson -lcurl
