#!/usr/bin/env bash
# A container engine for the tests, where one can be had: `engine.sh start FOLDER` prints its address, `engine.sh stop FOLDER`
# ends it. Whatever stands against it is no failure: those tests then are not run, and the run says so at its end.
set -uo pipefail

readonly PATIENCE_SECONDS=60
export PATH="/usr/sbin:/sbin:$PATH"

say() { echo "engine: $*" >&2; }

install_engine() {
  command -v dockerd >/dev/null && return 0
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  say "installing docker.io"
  export DEBIAN_FRONTEND=noninteractive
  local quiet=(-y -qq --no-install-recommends -o Dpkg::Use-Pty=0)
  # A service of the package must not start an engine of its own: ours is the one that the tests know.
  export RUNLEVEL=1
  timeout 240 apt-get install "${quiet[@]}" docker.io >/dev/null 2>&1 && return 0
  timeout 120 apt-get update -qq >/dev/null 2>&1
  timeout 240 apt-get install "${quiet[@]}" docker.io >/dev/null 2>&1
}

start() {
  local folder=$1 driver
  if [ -n "${DOCKER_HOST:-}" ]; then
    echo "$DOCKER_HOST"
    return
  fi
  [ "$(uname)" = Linux ] && [ "$(id -u)" = 0 ] || { say "none here: it is started by root on Linux; set DOCKER_HOST"; return; }
  install_engine || { say "none here: docker.io cannot be installed"; return; }
  for driver in overlay2 vfs; do
    dockerd --host "unix://$folder/engine.sock" --data-root "$folder/data" --exec-root "$folder/exec" \
      --pidfile "$folder/engine.pid" --storage-driver "$driver" \
      --iptables=false --ip6tables=false --bridge=none >"$folder/engine.log" 2>&1 &
    local daemon=$!
    for ((i = 0; i < PATIENCE_SECONDS * 5; i++)); do
      kill -0 "$daemon" 2>/dev/null || break
      if docker --host "unix://$folder/engine.sock" version >/dev/null 2>&1; then
        disown "$daemon"
        echo "unix://$folder/engine.sock"
        return
      fi
      sleep 0.2
    done
    kill "$daemon" 2>/dev/null
    wait "$daemon" 2>/dev/null
  done
  say "none here: $(tail -n 1 "$folder/engine.log")"
}

stop() {
  local folder=$1 pid
  # The bridges of its networks would stay on the machine.
  if [ -S "$folder/engine.sock" ]; then
    local -r docker=(timeout "$PATIENCE_SECONDS" docker --host "unix://$folder/engine.sock")
    "${docker[@]}" ps -aq | xargs -r "${docker[@]}" rm -fv >/dev/null 2>&1
    "${docker[@]}" network ls -q --filter type=custom | xargs -r "${docker[@]}" network rm >/dev/null 2>&1
  fi
  pid=$(cat "$folder/engine.pid" 2>/dev/null) || pid=
  if [ -n "$pid" ]; then
    kill "$pid" 2>/dev/null
    for ((i = 0; i < PATIENCE_SECONDS * 5; i++)); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.2
    done
  fi
  awk -v folder="$folder/" 'index($2, folder) == 1 { print $2 }' /proc/self/mounts 2>/dev/null | sort -r |
    while read -r path; do umount --lazy "$path" 2>/dev/null; done
  rm -rf "$folder"
}

"$@"
exit 0
