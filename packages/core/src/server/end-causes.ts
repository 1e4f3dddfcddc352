/**
 * Causes of a server's end. `match_ended`: its match ended, or its program exited with code 0. `server_failed`: its program crashed, or its
 * machine was lost. `launch_failed`: it never ran.
 */
export const END_CAUSES = [
  'launch_failed',
  'build_missing',
  'no_room',
  'match_ended',
  'server_stopped',
  'server_failed',
  'server_expired',
] as const
/** Cause of a server's end, as the players read it in the `last_exit` of their lobbies; one of `END_CAUSES`. */
export type EndCause = (typeof END_CAUSES)[number]
