import type { LaunchSpec } from '@matchyard/core/ports'

/**
 * Shell script that sets the variables of the queue and then replaces itself with the game server. It reads the variables, as commands of a
 * shell, from file descriptor 4: nobody sees them on a command line. It runs inside the sandbox and after the change to another user, so a
 * variable such as LD_PRELOAD has no effect on bubblewrap and setpriv.
 */
const SET_VARIABLES =
  's=; while IFS= read -r l <&4; do s="$s$l\n"; done; exec 4<&-; unset l; eval "unset s; $s"; exec "$@"'

/** Returns the part of a command line that gives a sandboxed game server its further variables; empty without variables. */
export const withEnvironment = ({ environment = {} }: Pick<LaunchSpec, 'environment'>): string[] =>
  Object.keys(environment).length === 0 ? [] : ['/bin/sh', '-c', SET_VARIABLES, 'launch']
