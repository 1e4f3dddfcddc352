import { playerIdsOf } from '../lobby/members'
import { isParty, type QueueTicket } from '../lobby/queue-ticket'
import type { Service } from '../node/service'
import type { Queue } from '../queue/queue'
import { absentAfterMs } from '../queue/timeouts'
import type { Instant } from '../shared/time'

/**
 * Returns the ids of the tickets that clients put into the queue and none of whose players was heard for the presence timeout of the queue.
 * One call reads the presence of all players that have to be known.
 */
export async function absentTickets(
  ctx: Service,
  queue: Queue,
  tickets: readonly QueueTicket[],
): Promise<ReadonlySet<string>> {
  const asked = tickets.filter((ticket) => isParty(ticket) && mayBeAbsent(ctx, queue, ticket))
  if (asked.length === 0) return new Set()
  const heard = await ctx.node.presence.lastHeard(queue.projectId, asked.flatMap(playerIdsOf))
  const since = ctx.clock.now() - absentAfterMs(queue)
  const isHere = (playerId: string) => (heard.get(playerId)?.at ?? 0) > since
  return new Set(asked.filter((ticket) => !playerIdsOf(ticket).some(isHere)).map(({ id }) => id))
}

/** Whether a stay in the queue can be absent: no backend vouched for it, and it is older than the presence timeout. */
const mayBeAbsent = (ctx: Service, queue: Queue, { enteredAt, vouched }: QueueTicket): boolean =>
  vouched !== true && isAbsentSince(ctx, queue, enteredAt)

/**
 * Whether a player is absent that was last heard at this instant. The instant and the start of this node's service are then both older than the
 * presence timeout. The time for which the service was down does not count.
 */
export function isAbsentSince(ctx: Service, queue: Queue, since: Instant): boolean {
  const servingSince = Math.max(ctx.node.servingSince, ctx.clock.report?.().steppedTo ?? 0)
  return Math.max(since, servingSince) + absentAfterMs(queue) <= ctx.clock.now()
}
