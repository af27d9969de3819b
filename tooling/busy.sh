#!/usr/bin/env bash
# Keeps two processors busy while a command runs, for two hours at most: what a test says may not depend on how busy its machine is.
#
#   tooling/busy.sh .ci/run
set -u
pids=()
trap 'kill "${pids[@]}" 2>/dev/null' EXIT
for _ in 1 2; do
  timeout 7200 sh -c 'while :; do :; done' &
  pids+=($!)
done
"$@"
