#!/bin/sh
# Builds the examples: build.sh LIBRARY_DIR OUTPUT_DIR. LIBRARY_DIR holds libheadlesscheckout.so.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$(cd "$1" && pwd)
mkdir -p "$2"
for name in checkout gift_card_split redirect second_device widget_method event_loop pull two_processes monitoring_audit wallet primer_session; do
  ${CC:-gcc} -std=c99 -Wall -Wextra -Wpedantic -Werror -O2 -g -I"$here/../include" \
    "$here/$name.c" "$here/calls.c" "$here/merchant.c" "$here/page.c" -o "$2/$name" \
    -L"$library" -Wl,-rpath,"$library" -lheadlesscheckout -ljansson -lcurl
done
