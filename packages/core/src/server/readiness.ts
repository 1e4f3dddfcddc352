/**
 * Condition on which a launching server counts as running, besides its own `ready` call (docs/http-api.md §8). `port`: every TCP port accepts
 * connections and every UDP port is bound by the server; `self`: only its own call; `uptime`: it has run for one second.
 */
export const READINESS = ['port', 'self', 'uptime'] as const
export type Readiness = (typeof READINESS)[number]

export const DEFAULT_READINESS: Readiness = 'port'
