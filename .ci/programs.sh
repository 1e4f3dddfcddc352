#!/usr/bin/env bash
# The programs that some tests need, where they can be had: a sandbox, a browser, C#, Godot, a balancer and a pooler. Whatever stands against one of
# them is no failure: those tests then are not run, and the run says so at its end.
set -uo pipefail

[ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
export DEBIAN_FRONTEND=noninteractive
readonly QUIET=(-y -qq --no-install-recommends -o Dpkg::Use-Pty=0)
is_fresh=

# PROGRAM PACKAGE...: installs the packages unless the program is there.
want() {
  local -r program=$1
  shift
  command -v "$program" >/dev/null && return
  echo "programs: installing $*" >&2
  timeout 240 apt-get install "${QUIET[@]}" "$@" >/dev/null 2>&1 && return
  [ -n "$is_fresh" ] || timeout 120 apt-get update -qq >/dev/null 2>&1
  is_fresh=1
  timeout 240 apt-get install "${QUIET[@]}" "$@" >/dev/null 2>&1 || echo "programs: $* cannot be installed" >&2
}

want bwrap bubblewrap
want nginx nginx
want pgbouncer pgbouncer
want chromium chromium
want mcs mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-core4.0-cil
want godot3-server godot3-server
exit 0
