/**
 * What makes a launching server run, beside its own `ready` call, which always does (docs/http-api.md §8). `port`: every TCP port
 * accepts and every UDP port is bound by the server; `self`: its call alone; `uptime`: it has stayed up for a second.
 */
export const READINESS = ['port', 'self', 'uptime'] as const
export type Readiness = (typeof READINESS)[number]

export const DEFAULT_READINESS: Readiness = 'port'
