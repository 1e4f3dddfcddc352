#!/usr/bin/env bash
# bubblewrap for the tests of isolation, where it can be had. Whatever stands against it is no failure: those tests then are
# not run, and the run says so at its end.
set -uo pipefail

command -v bwrap >/dev/null && exit 0
[ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "sandbox: bubblewrap is not installed" >&2; exit 0; }
echo "sandbox: installing bubblewrap" >&2
export DEBIAN_FRONTEND=noninteractive
quiet=(-y -qq --no-install-recommends -o Dpkg::Use-Pty=0)
timeout 60 apt-get install "${quiet[@]}" bubblewrap >/dev/null 2>&1 && exit 0
timeout 120 apt-get update -qq >/dev/null 2>&1
timeout 60 apt-get install "${quiet[@]}" bubblewrap >/dev/null 2>&1 || echo "sandbox: bubblewrap cannot be installed" >&2
exit 0
