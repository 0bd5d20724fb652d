#!/bin/sh
# Runs a command while a sandbox serves: with_sandbox.sh SANDBOX_PROGRAM COMMAND... The command finds the sandbox's
# address in SANDBOX_URL, and where an argument is the word @sandbox.
set -eu
program=$1
shift
file=$(mktemp)
"$program" --port 0 --port-file "$file.port" >/dev/null &
sandbox=$!
trap 'kill "$sandbox" 2>/dev/null || true; rm -f "$file" "$file.port"' EXIT INT TERM
tries=0
until [ -s "$file.port" ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 100 ] || ! kill -0 "$sandbox" 2>/dev/null; then
    echo "the sandbox did not start" >&2
    exit 1
  fi
  sleep 0.1
done
SANDBOX_URL="http://127.0.0.1:$(cat "$file.port")"
export SANDBOX_URL
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  [ "$argument" = @sandbox ] && argument=$SANDBOX_URL
  set -- "$@" "$argument"
  count=$((count - 1))
done
"$@"
