import { queueRoomCounter, queueWarmCounter } from '../../commit/counters'
import { unavailableInsteadOf } from '../../commit/transact'
import type { ExitReason } from '../../lobby/last-exit'
import type { HourFigures } from '../../node/hour-figures'
import type { Service } from '../../node/service'
import type { OnQueue } from '../../queue/on-queue'
import { WARM_SEEN_WITHIN_MS, warmScope } from '../../queue/warm-presence'
import { hourFigures, recentFigures } from '../../reads/last-hour'
import { requireQueue } from '../../reads/require'
import type { WaitPercentiles } from '../../reads/wait-buckets'
import { SECOND_MS } from '../../shared/time'

/** Figures of a queue, for developers and for clients that show a waiting time. */
export interface QueueStats {
  /** Number of players who search. */
  readonly playersSearching: number
  /** Number of searching lobbies. A lobby of five players counts once here, and five times in `playersSearching`. */
  readonly lobbiesSearching: number
  /**
   * Number of matches that matchmaking made in the last hour, without direct starts. Matches are counted by the minute, so those of the
   * first minute of the hour may be missing.
   */
  readonly matchesLastHour: number
  /**
   * Number of matches that were proposed to their players in the last hour, by outcome. Proposals that became impossible count only in
   * `made`.
   */
  readonly proposalsLastHour: Readonly<Record<'made' | 'accepted' | 'declined' | 'expired', number>>
  /**
   * Number of lobbies that returned to `waiting` in the last hour, by reason. Returns are counted by the minute, so those of the first
   * minute of the hour may be missing.
   */
  readonly exitsLastHour: Readonly<Record<ExitReason, number>>
  /**
   * Waiting times, in seconds, of the lobbies that were matched in the last hour. They are accurate to ten percent; null without such
   * lobbies.
   */
  readonly waitSeconds: WaitPercentiles
  /** Waiting times, in seconds, of the lobbies that were matched in the last five to ten minutes. */
  readonly recentWaitSeconds: WaitPercentiles
  /** Expected wait in seconds of a party that enters now; null when it is unknown. */
  readonly estimatedWaitSeconds: number | null
  /** Number of the queue's servers that wait for capacity, and the age of the oldest of them in seconds; null when no server waits. */
  readonly waitingForRoom: {
    /** Number of servers. */
    readonly servers: number
    /** Seconds that the oldest of them has waited; null without one. */
    readonly oldestSeconds: number | null
  }
  /**
   * Number of the queue's warm servers. `ready`: servers that wait for a match, as reported within the last seconds. `allocated`: live
   * servers of matches that waited before.
   */
  readonly warm: {
    /** Number of servers that wait for a match. */
    readonly ready: number
    /** Number of live servers with a match that were warm before. */
    readonly allocated: number
  }
}

export function queueStats(ctx: Service, input: OnQueue): Promise<QueueStats> {
  return unavailableInsteadOf(async () => {
    const queue = await requireQueue(ctx, input.projectId, input.queueId)
    const { tickets, counters, servers } = ctx.storage
    const [[here], hour, recent, waiting, since, warm, allocated] = await Promise.all([
      tickets.waiting(queue.id),
      hourFigures(ctx, queue),
      recentFigures(ctx, queue),
      counters.read(queueRoomCounter(queue.id)),
      servers.waitingSince(queue.id),
      ctx.storage.presence.read(warmScope(queue.id)),
      counters.read(queueWarmCounter(queue.id)),
    ])
    const now = ctx.clock.now()
    return {
      playersSearching: here?.players ?? 0,
      lobbiesSearching: here?.parties ?? 0,
      matchesLastHour: hour.matches,
      proposalsLastHour: hour.proposals,
      exitsLastHour: hour.exits,
      waitSeconds: percentilesOf(hour),
      recentWaitSeconds: percentilesOf(recent),
      estimatedWaitSeconds: hour.waitSeconds(0.5),
      waitingForRoom: {
        servers: waiting,
        oldestSeconds: since === undefined ? null : Math.max(0, now - since) / SECOND_MS,
      },
      warm: { ready: warm.filter(({ at }) => now - at <= WARM_SEEN_WITHIN_MS).length, allocated },
    }
  })
}

const percentilesOf = (figures: HourFigures): WaitPercentiles => ({
  p50: figures.waitSeconds(0.5),
  p90: figures.waitSeconds(0.9),
  p99: figures.waitSeconds(0.99),
})
