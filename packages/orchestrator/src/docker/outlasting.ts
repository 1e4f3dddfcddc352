/**
 * Path of the shell that runs the script `OUTLASTING`. An image without a shell cannot have start scripts, so it does
 * not need `OUTLASTING`.
 */
export const SHELL = '/bin/sh'

/**
 * The first process of a game server's container, if the image has a shell. When this process ends, the engine ends the
 * container. SIGTERM ends a start script without `exec` at once, and then the engine would kill the game while it
 * saves. So this script sends SIGTERM on a stop to all processes of the container and waits for them. The engine kills
 * the processes that remain after the grace period. The script exits with the exit status of the program.
 */
const OUTLASTING = `
matchyard_stopping=
trap 'matchyard_stopping=1; trap : TERM; kill -TERM 0' TERM
(unset PWD OLDPWD; exec "$@") &
program=$!
exec 2>/dev/null
wait $program
code=$?
while kill -0 $program; do
  wait $program
  code=$?
done
wait $program
again=$?
[ $again = 127 ] || code=$again
[ -n "$matchyard_stopping" ] || exit $code
look() {
  left=
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    if [ $pid = 1 ] || [ $pid = $$ ]; then continue; fi
    read -r stat < $folder/stat || continue
    set -- \${stat##*) }
    [ "$1" != Z ] || continue
    left=1
    if [ -n "$asking" ] && [ "$3" != "$group" ]; then kill -TERM $pid; fi
  done
}
read -r stat < /proc/$$/stat
set -- \${stat##*) }
group=$3
asking=1
look
asking=
while [ -n "$left" ]; do
  sleep 0.1 || sleep 1 || exit $code
  look
done
exit $code
`

/** Returns the command line that runs a program under `OUTLASTING`. */
export const outlasting = (entrypoint: readonly string[]): string[] => [
  SHELL,
  '-c',
  OUTLASTING,
  'matchyard',
  ...entrypoint,
]
