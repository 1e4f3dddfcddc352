import { partyCheckOf } from '@matchyard/matchmaking'
import { ofLobby } from '../commit/of-lobby'
import { change } from '../commit/transact'
import type { Context } from '../context/context'
import { Slices } from '../context/slices'
import { isNotFound } from '../errors/service-error'
import { endTicket } from '../lobby/decide'
import type { QueueLeftReason } from '../lobby/events'
import { isParty } from '../lobby/queue-ticket'
import { queueKey } from '../queue/queue'

/** Tickets looked at together after a queue changed. */
const TICKETS_AT_ONCE = 100

/** Takes one ticket out of the queue, unless it has left by itself. */
async function releaseTicket(
  ctx: Context,
  lobby: { readonly id: string; readonly projectId: string },
  ticketId: string,
  reason: QueueLeftReason,
): Promise<void> {
  try {
    const target = { projectId: lobby.projectId, lobbyId: lobby.id }
    await change(ctx, ofLobby, target, (current) => endTicket(current, { ticketId, reason }))
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** No ticket waits past its timeout: the lobby returns to `waiting`. A ticket that is no longer the lobby's is let be. */
export async function expireTicket(ctx: Context, lobbyId: string, ticketId: string): Promise<void> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby?.ticket?.id === ticketId) await releaseTicket(ctx, lobby, ticketId, 'timeout')
}

/** After a queue's matchmaking changed, parties that can no longer match return to `waiting` (docs/http-api.md §5). */
export async function requeueTickets(ctx: Context, projectId: string, queueId: string): Promise<void> {
  const key = queueKey(projectId, queueId)
  const config = (await ctx.storage.get('queue', key))?.matchmaking
  const check = config == null ? undefined : partyCheckOf(config)
  const slices = new Slices(ctx)
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ctx.storage.tickets.changedSince(key, cursor, TICKETS_AT_ONCE)
    const leaving = page.changes.flatMap(({ ticket }) =>
      // A request goes on: who may fill it is judged by the queue as it is.
      ticket === undefined || !isParty(ticket) || check?.(ticket.players).ok === true ? [] : [ticket],
    )
    await Promise.all(
      leaving.map(({ id, lobbyId }) => releaseTicket(ctx, { id: lobbyId, projectId }, id, 'unmatchable')),
    )
    await slices.pause()
    cursor = page.cursor
    more = page.more
  }
}
