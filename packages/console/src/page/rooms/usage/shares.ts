import type { MatchSnapshot } from '@matchyard/client'
import type { Server } from '@matchyard/client/admin'
import type { Month } from './month'

/** Maximum number of servers that the page keeps, the newest ones. */
export const KEPT = 2_000

export type By = 'queue' | 'build' | 'server'

/** Share of one queue, build or server in the server time of a month. */
export interface Share {
  readonly key: string
  readonly label: string
  /**
   * Id of the queue, build or server; undefined for servers without a match, and for servers whose match is no longer
   * stored.
   */
  readonly id: string | undefined
  readonly servers: number
  readonly ms: number
  /** Share of the total server time, weighted by the price of the size: 0 to 1. */
  readonly share: number
}

/**
 * Returns the weight of a server size, by which its running time is multiplied. One CPU counts as much as four GiB of
 * memory, as in the service's default prices.
 */
function weightOf(tier: string): number {
  const [, cpus = '1', gib = '1'] = /^(\d+)x-(\d+)g$/.exec(tier) ?? []
  return Number(cpus) * 4 + Number(gib)
}

/** Returns the milliseconds that a server ran within a month. */
export function ranIn({ running_at, stopped_at }: Server, { from, to }: Month, now: number): number {
  if (running_at === null) return 0
  const end = stopped_at === null ? now : Date.parse(stopped_at)
  return Math.max(0, Math.min(end, to) - Math.max(Date.parse(running_at), from))
}

/**
 * Returns the present cost of the running servers in dollars per millisecond, estimated from the month's cost so far.
 * Undefined when there is no basis: no cost yet while servers run, or more servers than the page keeps.
 */
export function rateNow(cost: number, servers: readonly Server[], month: Month, now: number): number | undefined {
  const running = servers.filter(({ running_at, stopped_at }) => running_at !== null && stopped_at === null)
  if (running.length === 0) return 0
  if (cost === 0 || servers.length >= KEPT) return undefined
  const ran = servers.reduce((sum, server) => sum + ranIn(server, month, now) * weightOf(server.tier), 0)
  if (ran === 0) return undefined
  return (cost / ran) * running.reduce((sum, { tier }) => sum + weightOf(tier), 0)
}

interface Given {
  readonly servers: readonly Server[]
  readonly matches: readonly MatchSnapshot[]
  readonly month: Month
  readonly now: number
}

/** Returns the shares of a month by queue, build or server, largest first. */
export function sharesBy(by: By, { servers, matches, month, now }: Given): Share[] {
  const queues = new Map(matches.map(({ match_id, queue_id }) => [match_id, queue_id]))
  const parts = new Map<
    string,
    { label: string; id: string | undefined; servers: number; ms: number; weight: number }
  >()
  let all = 0
  for (const server of servers) {
    const ms = ranIn(server, month, now)
    if (ms === 0) continue
    const { label, id } = placeOf(by, server, queues)
    const weight = ms * weightOf(server.tier)
    const key = id ?? `(${label})`
    const known = parts.get(key) ?? { label, id, servers: 0, ms: 0, weight: 0 }
    parts.set(key, { ...known, servers: known.servers + 1, ms: known.ms + ms, weight: known.weight + weight })
    all += weight
  }
  return [...parts]
    .map(([key, { weight, ...part }]) => ({ key, ...part, share: all === 0 ? 0 : weight / all }))
    .sort((a, b) => b.share - a.share)
}

function placeOf(by: By, server: Server, queues: ReadonlyMap<string, string>) {
  if (by === 'server') return { label: server.name, id: server.instance_id }
  if (by === 'build') return { label: server.version_tag, id: server.version_tag }
  if (server.match_id === null) return { label: 'Servers without a match', id: undefined }
  const queue = queues.get(server.match_id)
  return queue === undefined ? { label: 'Earlier matches', id: undefined } : { label: queue, id: queue }
}
