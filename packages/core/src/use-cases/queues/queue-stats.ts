import { queueRoomCounter, queueWarmCounter } from '../../commit/counters'
import { unavailableInsteadOf } from '../../commit/transact'
import type { ExitReason } from '../../lobby/last-exit'
import type { HourFigures } from '../../node/hour-figures'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { WARM_SEEN_WITHIN_MS, warmScope } from '../../queue/warm-presence'
import { hourFigures, recentFigures } from '../../reads/last-hour'
import { requireQueue } from '../../reads/require'
import { SECOND_MS } from '../../shared/time'

export interface WaitPercentiles {
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
}

export interface QueueStats {
  readonly playersSearching: number
  /** Parties: a lobby of five counts once here and five times among the players. */
  readonly lobbiesSearching: number
  /** Direct starts waited for nobody and do not count. Up to the minute: the hour's first may be left out. */
  readonly matchesLastHour: number
  /** Matches whose players were asked, and what came of it; those that became impossible are in `made` alone. */
  readonly proposalsLastHour: Readonly<Record<'made' | 'accepted' | 'declined' | 'expired', number>>
  /** How lobbies came back to `waiting`, by every reason that there is. Up to the minute: the hour's first may be left out. */
  readonly exitsLastHour: Readonly<Record<ExitReason, number>>
  /** Seconds that the last hour's lobbies waited, within a tenth; null where there were none. */
  readonly waitSeconds: WaitPercentiles
  /** Waiting times of the last five to ten minutes: the present waits. */
  readonly recentWaitSeconds: WaitPercentiles
  readonly estimatedWaitSeconds: number | null
  /** Matches whose server waits for capacity, and the age of the oldest such server in seconds; null without any. */
  readonly waitingForRoom: { readonly servers: number; readonly oldestSeconds: number | null }
  /** Servers that wait for a match of the queue, as they were seen within the last seconds, and live ones of its matches that had waited. */
  readonly warm: { readonly ready: number; readonly allocated: number }
}

export function queueStats(ctx: Service, input: InProject & { readonly queueId: string }): Promise<QueueStats> {
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
