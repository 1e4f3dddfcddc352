/** What runs `OUTLASTING`. An image without it has no start scripts either. */
export const SHELL = '/bin/sh'

/**
 * The first process of a game server's container, where its image has a shell. An engine ends a container with its first process: a start
 * script that has no `exec` dies of SIGTERM at once, and the game behind it would be killed while it saves. So a stop asks everything that
 * runs in the container, and waits for it; the engine kills what is left when the grace is over. The exit status is that of the program.
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

/** Returns the command line that runs a program so; the program's own follows it. */
export const outlasting = (entrypoint: readonly string[]): string[] => [
  SHELL,
  '-c',
  OUTLASTING,
  'matchyard',
  ...entrypoint,
]
