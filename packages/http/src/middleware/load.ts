import type { Operation } from '../operations'

/**
 * Rank of a call under overload. `vital` calls are never refused: without them nobody sees the state of the service, or
 * a running game ends. `ends` calls are refused last, because they free capacity. `begins` calls are refused first,
 * because they make more work. `goesOn` calls are refused after `begins` calls and before `ends` calls.
 */
export type Rank = 'vital' | 'ends' | 'goesOn' | 'begins'
/** Ranks of calls that can be refused under overload, in the order of refusal. */
export const REFUSABLE_RANKS: readonly Exclude<Rank, 'vital'>[] = ['begins', 'goesOn', 'ends']

/** Facts of an operation that decide whether a call is begun under overload. */
export interface Load {
  readonly rank: Rank
  readonly kind: 'read' | 'write'
  /**
   * Whether the duration of the call shows how long calls wait for each other. The duration of a login does not,
   * because it is long by design.
   */
  readonly isTimed: boolean
}

/** Health probes. Without their answers, a load balancer does not know the health of the process. */
const VITAL: ReadonlySet<Operation> = new Set(['system.live', 'system.ready'])
/** Whether an operation only reports the health of the process. */
export const isProbe = (operation: Operation): boolean => VITAL.has(operation)
/** Calls of agents. Without them, machines count as lost and their game servers end. */
const isOfAgents = (operation: Operation) => operation.startsWith('machine.')
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
  'matches.keepSeat',
  'matches.join',
  'webhooks.create',
  'webhooks.test',
  'webhooks.redeliver',
])
const ENDS: ReadonlySet<Operation> = new Set([
  // Metrics free no capacity, but operators need metrics most during an overload.
  'system.metrics',
  'auth.logout',
  'projects.delete',
  'keys.revoke',
  'builds.delete',
  'builds.stop',
  'servers.stop',
  'queues.delete',
  'lobbies.leave',
  'lobbies.removePlayer',
  'lobbies.banPlayer',
  'bans.set',
  // A player whose heartbeats are refused would be removed from the lobby, and would cause more work by joining again.
  'lobbies.heartbeat',
  'lobbies.cancelMatchmaking',
  // The other players of a proposal wait until each player has answered.
  'lobbies.accept',
  'lobbies.decline',
  'lobbies.end',
  'lobbies.delete',
  'players.erase',
  'players.leaveMatch',
  'matches.assign',
  'matches.cancelBackfill',
  'matches.freeSeat',
  'webhooks.delete',
])

function rankOf(operation: Operation): Rank {
  if (VITAL.has(operation) || operation.startsWith('servers.self') || isOfAgents(operation) || STREAMS.has(operation))
    return 'vital'
  if (ENDS.has(operation)) return 'ends'
  return BEGINS.has(operation) ? 'begins' : 'goesOn'
}

/**
 * Operations of lobbies whose duration does not show a queue: they wait for other calls, are delayed after many
 * failures, or read much data.
 */
const LONG: ReadonlySet<Operation> = new Set([
  'lobbies.quickJoin',
  'lobbies.joinByCode',
  'lobbies.get',
  'lobbies.browse',
  'lobbies.explainMatchmaking',
])

/** Returns the load of an operation. */
export const loadOf = (operation: Operation, method: string): Load => ({
  rank: rankOf(operation),
  kind: method === 'get' ? 'read' : 'write',
  isTimed: operation.startsWith('lobbies.') && !LONG.has(operation),
})
