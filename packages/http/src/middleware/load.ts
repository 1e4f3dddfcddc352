import type { Operation } from '../operations'

/**
 * Order of refusals under overload. `vital`: never refused, because without it nobody sees the state, or a running game ends. `ends`: last,
 * because it frees capacity. `begins`: first, because it makes more work.
 */
export type Rank = 'vital' | 'ends' | 'goesOn' | 'begins'
export const REFUSABLE_RANKS: readonly Exclude<Rank, 'vital'>[] = ['begins', 'goesOn', 'ends']

/** A call as admission sees it. */
export interface Load {
  readonly rank: Rank
  readonly kind: 'read' | 'write'
  /** Whether its time says how long calls wait for each other: not that of a login, which is long by design. */
  readonly isTimed: boolean
}

/** Without these nobody knows how the process is. */
const VITAL: ReadonlySet<Operation> = new Set(['system.live', 'system.ready'])
/** Whether a call asks only how the process is. */
export const isProbe = (operation: Operation): boolean => VITAL.has(operation)
const STREAMS: ReadonlySet<Operation> = new Set(['lobbies.events', 'projects.events'])
const BEGINS: ReadonlySet<Operation> = new Set([
  'auth.register',
  'auth.login',
  'auth.code',
  'projects.create',
  'builds.createUpload',
  'builds.upload',
  'builds.registerImage',
  'servers.create',
  'servers.restart',
  'queues.create',
  'lobbies.create',
  'lobbies.quickJoin',
  'lobbies.join',
  'lobbies.joinByCode',
  'lobbies.enqueue',
  'lobbies.start',
  'matches.backfill',
  'webhooks.create',
  'webhooks.test',
  'webhooks.redeliver',
])
const ENDS: ReadonlySet<Operation> = new Set([
  // Metrics free no capacity, but operators need them most under overload.
  'system.metrics',
  'auth.logout',
  'projects.delete',
  'keys.revoke',
  'builds.delete',
  'servers.stop',
  'queues.delete',
  'lobbies.leave',
  'lobbies.removePlayer',
  'lobbies.banPlayer',
  // A player whose heartbeat is refused counts as gone, and comes again.
  'lobbies.heartbeat',
  'lobbies.cancelMatchmaking',
  // Others wait for the answer.
  'lobbies.accept',
  'lobbies.decline',
  'lobbies.end',
  'lobbies.delete',
  'players.erase',
  'matches.assign',
  'matches.cancelBackfill',
  'webhooks.delete',
])

function rankOf(operation: Operation): Rank {
  if (VITAL.has(operation) || operation.startsWith('servers.self') || STREAMS.has(operation)) return 'vital'
  if (ENDS.has(operation)) return 'ends'
  return BEGINS.has(operation) ? 'begins' : 'goesOn'
}

/** Operations that may wait for others, are answered late after many failures, or read much. */
const LONG: ReadonlySet<Operation> = new Set([
  'lobbies.quickJoin',
  'lobbies.joinByCode',
  'lobbies.get',
  'lobbies.browse',
  'lobbies.explainMatchmaking',
])

/** Returns the load of an operation, by its name and method. */
export const loadOf = (operation: Operation, method: string): Load => ({
  rank: rankOf(operation),
  kind: method === 'get' ? 'read' : 'write',
  isTimed: operation.startsWith('lobbies.') && !LONG.has(operation),
})
