import { usageSumsOf } from '../billing/usage-sums'
import { costCells } from '../commit/cost-cells'
import { Draft } from '../commit/draft'
import { apply } from '../commit/transact'
import { machineOf } from '../node/place'
import type { Service } from '../node/service'
import type { WarmMeter } from '../node/warm-meters'
import { type ObservedServer, type WarmPool, type WarmServers, warmKey } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { StorageUnavailable } from '../ports/storage/index'
import { WARM_SEEN_WITHIN_MS, warmScope } from '../queue/warm-presence'
import { type Instant, SECOND_MS } from '../shared/time'

/**
 * Metering of waiting servers (servers that were started before they have a match). A waiting server is metered from the time at which it
 * is ready, for the project that requests it. A server that a match takes is metered as waiting until the server of the match runs or has
 * ended. For each orchestrator, one node does the metering. At each pass the node records when it saw each waiting server, and then adds
 * the seconds up to that time to the usage. If the node dies in between, or it is unknown whether the seconds were added, a few seconds may
 * be lost, but no second is counted twice.
 */

interface Owned extends WarmPool {
  readonly queueKey: string
  readonly account: { readonly id: string }
}

/**
 * Starts to meter servers that this node has not metered before, from `now` on: the time of the orchestrator's answer. If another node
 * recorded the presence of a server, metering starts at the recorded time.
 */
export async function beginMeters(
  ctx: Service,
  asked: readonly Owned[],
  there: readonly WarmServers[],
  now: Instant,
): Promise<void> {
  const { node, storage, clock, settings } = ctx
  const { warmMeters } = node
  const lease = `warm-meter:${machineOf(ctx)}`
  if (!(await storage.leases.acquire(lease, settings.nodeId, clock.now(), WARM_SEEN_WITHIN_MS))) {
    warmMeters.clear()
    return
  }
  for (const { key, ready } of there) {
    const owners = asked.filter((pool) => warmKey(pool) === key)
    const [owner] = owners
    const fresh = ready.filter((name) => !warmMeters.has(name))
    if (owner === undefined || fresh.length === 0) continue
    const seen = new Map<string, Instant>()
    for (const { queueKey } of owners)
      for (const { member, at } of await storage.presence.read(warmScope(queueKey)))
        seen.set(member, Math.max(at, seen.get(member) ?? 0))
    const { projectId, tier, account } = owner
    for (const name of fresh)
      warmMeters.set(name, { accountId: account.id, projectId, tier, meteredTo: Math.min(now, seen.get(name) ?? now) })
  }
}

/**
 * Meters the waiting servers from the previous pass to `now`, a time at which they certainly waited, and ends the metering of servers that
 * no longer wait.
 */
export async function meterWarm(ctx: Service, there: readonly WarmServers[], now: Instant): Promise<void> {
  const { warmMeters } = ctx.node
  if (warmMeters.size === 0) return
  const ready = new Set(there.flatMap((pool) => pool.ready))
  const gone = [...warmMeters.keys()].filter((name) => !ready.has(name))
  const ends = gone.length === 0 ? new Map<string, Instant | 'later'>() : await endsOf(ctx, gone)
  const before = new Map(warmMeters)
  const due: { readonly meter: WarmMeter; readonly to: Instant }[] = []
  for (const [name, meter] of before) {
    const end = ready.has(name) ? now : (ends.get(name) ?? meter.meteredTo)
    if (end === 'later') continue
    // Metering counts whole seconds. The rest of a second is counted by the next pass, or by the metering of the server in its match.
    const seconds = Math.floor(Math.max(0, end - meter.meteredTo) / SECOND_MS)
    const to = meter.meteredTo + seconds * SECOND_MS
    if (seconds > 0) due.push({ meter, to })
    if (ready.has(name)) warmMeters.set(name, { ...meter, meteredTo: to })
    else warmMeters.delete(name)
  }
  if (due.length === 0) return
  try {
    const draft = new Draft(now)
    await addUsage(ctx, draft, due)
    await apply(ctx, draft)
  } catch (error) {
    // The storage wrote nothing, so the next pass adds these seconds. After all other errors the outcome may be unknown, so the seconds
    // count as written and no second is counted twice.
    if (error instanceof StorageUnavailable) for (const [name, meter] of before) warmMeters.set(name, meter)
    throw error
  }
}

async function addUsage(
  ctx: Ports,
  draft: Draft,
  due: readonly { readonly meter: WarmMeter; readonly to: Instant }[],
): Promise<void> {
  const ids = [...new Set(due.map(({ meter }) => meter.accountId))]
  const accounts = new Map((await ctx.storage.getMany('account', ids)).map((account) => [account.id, account]))
  for (const { meter, to } of due) {
    const history = accounts.get(meter.accountId)?.planHistory ?? []
    const sums = usageSumsOf(meter, { from: meter.meteredTo, to }, history)
    draft.usage(...sums).history(...costCells(sums, history, ctx.settings.prices, '', draft.at))
  }
}

/**
 * Returns the time until which each server that no longer waits is metered as waiting. For a server that a match took and that does not run
 * yet, returns `later`.
 */
async function endsOf(ctx: Ports, names: readonly string[]): Promise<ReadonlyMap<string, Instant | 'later'>> {
  const taken = new Map<string, ObservedServer>()
  for (const seen of await ctx.orchestrator.observe())
    if (seen.warm !== undefined && names.includes(seen.warm)) taken.set(seen.warm, seen)
  const ids = [...new Set([...taken.values()].map(({ instanceId }) => instanceId))]
  const servers = new Map((await ctx.storage.getMany('server', ids)).map((server) => [server.id, server]))
  return new Map(
    [...taken].flatMap(([name, { instanceId, attempt, exit }]): [string, Instant | 'later'][] => {
      const server = servers.get(instanceId)
      if (server === undefined) return []
      // The process may have ended before the record said that the server runs.
      if (server.runningAt !== null) return [[name, Math.min(server.runningAt, exit?.at ?? server.runningAt)]]
      const isOver = exit !== null || server.stoppedAt !== null || server.attempt !== attempt || !server.attemptOpen
      return [[name, isOver ? Math.min(exit?.at ?? server.updatedAt, ctx.clock.now()) : 'later']]
    }),
  )
}
