import { playerIdsOf } from '../lobby/members'
import { isParty, type QueueTicket } from '../lobby/queue-ticket'
import type { Service } from '../node/service'
import type { Queue } from '../queue/queue'
import { absentAfterMs } from '../queue/timeouts'

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
  const isHere = (playerId: string) => (heard.get(playerId) ?? 0) > since
  return new Set(asked.filter((ticket) => !playerIdsOf(ticket).some(isHere)).map(({ id }) => id))
}

/**
 * Whether a stay in the queue can be absent: no backend vouched for it, and both the stay and this node's service are older than the presence
 * timeout. The time for which the service was down does not count.
 */
export function mayBeAbsent(
  ctx: Service,
  queue: Queue,
  { enteredAt, vouched }: Pick<QueueTicket, 'enteredAt' | 'vouched'>,
): boolean {
  const servingSince = Math.max(ctx.node.servingSince, ctx.clock.report?.().steppedTo ?? 0)
  return vouched !== true && Math.max(enteredAt, servingSince) + absentAfterMs(queue) <= ctx.clock.now()
}
