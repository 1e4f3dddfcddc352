import { machineOf } from '../node/place'
import type { ObservedServer } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import type { GameServer } from '../server/game-server'
import type { NeverReady } from '../server/launch'
import type { Instant } from '../shared/time'
import { seenHere } from './seen-here'

/**
 * Metering of attempts that never became ready. Such an attempt is metered from the start of its process to the end of the process, at most
 * for the launch timeout (docs/http-api.md §3). A warm server is metered as waiting until the server of its match runs or has ended.
 */

/** Returns the name of the presence entry that records the start of an attempt's process. */
const startOf = (attempt: number): string => `start ${attempt}`

/**
 * Returns the presence entry for the start of a launching server's process. With the entry, the process can be metered even when its node
 * is lost.
 */
export function startSightings(seen: ObservedServer, at: Instant): { scope: string; member: string; at: Instant }[] {
  const { instanceId: scope, attempt, startedAt, warm } = seen
  if (startedAt === undefined || warm !== undefined || seen.state === 'exited') return []
  return [
    { scope, member: startOf(attempt), at: startedAt },
    { scope, member: 'process', at },
  ]
}

/**
 * Returns for how long the process of a server's current launch attempt has run, by this node's observation or by the last record;
 * undefined when no process was started.
 */
export async function neverReady(ctx: Ports, server: GameServer): Promise<NeverReady | undefined> {
  if (!server.attemptOpen || server.runningAt !== null || server.nodeId === null) return undefined
  if (server.nodeId !== machineOf(ctx)) return lastSeen(ctx, server)
  const seen = (await seenHere(ctx, server).catch(() => [])).find(({ attempt }) => attempt === server.attempt)
  return seen === undefined ? undefined : ranAs(ctx, seen)
}

/** Returns for how long an observed process ran without becoming ready. */
export function ranAs(ctx: Ports, { attempt, startedAt, exit, warm }: ObservedServer): NeverReady | undefined {
  if (startedAt === undefined || warm !== undefined) return undefined
  return bounded(ctx, attempt, startedAt, exit?.at ?? ctx.clock.now())
}

async function lastSeen(ctx: Ports, { id, attempt }: GameServer): Promise<NeverReady | undefined> {
  const at = new Map((await ctx.storage.presence.read(id)).map((sighting) => [sighting.member, sighting.at]))
  const [from, to] = [at.get(startOf(attempt)), at.get('process')]
  return from === undefined || to === undefined ? undefined : bounded(ctx, attempt, from, to)
}

const bounded = ({ settings, clock }: Ports, attempt: number, from: Instant, to: Instant): NeverReady => ({
  attempt,
  from,
  to: Math.min(to, from + settings.launchTimeoutMs, clock.now()),
})
