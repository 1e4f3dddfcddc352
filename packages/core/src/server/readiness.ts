/**
 * Condition on which a launching server counts as running (docs/http-api.md §8). The server's own `ready` call always suffices.
 * - `port`: every TCP port accepts connections, and the server has bound every UDP port.
 * - `self`: only the server's own call.
 * - `uptime`: the server has run for one second.
 */
export const READINESS = ['port', 'self', 'uptime'] as const
/** Condition for `running`, one of `READINESS`. */
export type Readiness = (typeof READINESS)[number]

export const DEFAULT_READINESS: Readiness = 'port'
