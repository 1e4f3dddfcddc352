import type { Match } from '../../match/match'

import { HOUR_MS, SECOND_MS } from '../../shared/time'
import type { Context } from '../context'
import type { InProject } from '../inputs'
import { requireQueue } from '../require'
import { unavailableInsteadOf } from '../transact'

export interface QueueStats {
  readonly playersSearching: number
  /** Parties: a lobby of five counts once here and five times among the players. */
  readonly lobbiesSearching: number
  readonly matchesLastHour: number
  /** Seconds that the last hour's lobbies waited; null where there were none. */
  readonly waitSeconds: { readonly p50: number | null; readonly p90: number | null; readonly p99: number | null }
  readonly estimatedWaitSeconds: number | null
}

/** Matches looked at; past it the newest stand for the hour. */
export const MAX_RECENT_MATCHES = 10_000

/** How a queue does: who searches now, and what the last hour's lobbies waited. Throws QUEUE_NOT_FOUND. */
export function queueStats(ctx: Context, input: InProject & { readonly queueId: string }): Promise<QueueStats> {
  return unavailableInsteadOf(async () => {
    const queue = await requireQueue(ctx, input.projectId, input.queueId)
    const [waiting, recent] = await Promise.all([ctx.storage.tickets.waiting(), recentMatches(ctx, queue.id)])
    const here = waiting.find((one) => one.queueKey === queue.id)
    const waits = waitsOf(recent)
    return {
      playersSearching: here?.players ?? 0,
      lobbiesSearching: here?.parties ?? 0,
      matchesLastHour: recent.length,
      waitSeconds: { p50: percentile(waits, 0.5), p90: percentile(waits, 0.9), p99: percentile(waits, 0.99) },
      estimatedWaitSeconds: percentile(waits, 0.5),
    }
  })
}

/** The last hour's matches made by matchmaking; direct starts waited for nobody. */
export async function recentMatches(ctx: Context, key: string): Promise<Match[]> {
  const matches = await ctx.storage.matches.listRecent(key, ctx.clock.now() - HOUR_MS, MAX_RECENT_MATCHES)
  return matches.filter((match) => match.waits.length > 0)
}

/** What lobbies waited in seconds, ascending; `players` narrows to parties of that size. */
export function waitsOf(matches: readonly Match[], players?: number): number[] {
  return matches
    .flatMap((match) => match.waits)
    .filter((wait) => players === undefined || wait.players === players)
    .map((wait) => wait.waitedMs / SECOND_MS)
    .sort((a, b) => a - b)
}

/** The nearest-rank percentile of ascending values. */
export function percentile(ascending: readonly number[], share: number): number | null {
  return ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null
}
