import { askForAll, leavesSeats, type Seating } from '../../match/backfill'
import type { MatchEvent } from '../../match/events'
import type { Match } from '../../match/match'
import { seatsOf } from '../../match/seats'
import type { Ports } from '../../ports/ports'
import { DEFAULT_BACKFILL_SECONDS } from '../../queue/matchmaking'
import { type Queue, queueKey } from '../../queue/queue'
import type { Instant } from '../../shared/time'

/** Returns the input of a decision about a match's open seats, from the current settings of its queue. */
export const seatingOf = (ctx: Ports, match: Match, queue: Queue, at: Instant): Seating => ({
  full: seatsOf(match, queue),
  ticketId: ctx.ids.next('tkt'),
  timeoutSeconds: queue.matchmaking?.backfill?.timeoutSeconds ?? DEFAULT_BACKFILL_SECONDS,
  at,
})

export const queueOf = (ctx: Ports, { projectId, queueId }: Match): Promise<Queue | undefined> =>
  ctx.storage.get('queue', queueKey(projectId, queueId))

/** Whether running matches of the queue request new players automatically. */
export const asksByItself = (queue: Queue): boolean => queue.matchmaking?.backfill?.automatic === true

/**
 * Returns the given events of a match. If they leave seats open and the queue requests new players automatically, a backfill request is
 * added.
 */
export async function withRequest(
  ctx: Ports,
  match: Match,
  events: readonly MatchEvent[],
  at: Instant,
): Promise<readonly MatchEvent[]> {
  if (!leavesSeats(match, events)) return events
  const queue = await queueOf(ctx, match)
  if (queue === undefined || !asksByItself(queue)) return events
  return [...events, ...askForAll(match, events, seatingOf(ctx, match, queue, at))]
}
