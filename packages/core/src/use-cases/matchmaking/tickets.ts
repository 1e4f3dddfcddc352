import { ServiceError } from '../../errors/service-error'
import { leaveQueue } from '../../lobby/decide'
import type { QueueLeftReason } from '../../lobby/events'
import { checkParty as checkPartyAgainst } from '../../matchmaking'
import { queueKey } from '../../queue/queue'
import { accept } from '../../shared/decision'
import type { Context } from '../context'
import { changeLobby } from '../lobbies/change-lobby'

/** Takes one ticket out of the queue, unless it has left by itself. */
async function releaseTicket(
  ctx: Context,
  lobby: { readonly id: string; readonly projectId: string },
  ticketId: string,
  reason: QueueLeftReason,
): Promise<void> {
  try {
    await changeLobby(ctx, { projectId: lobby.projectId, lobbyId: lobby.id }, (current) =>
      current.ticket?.id === ticketId ? leaveQueue(current, reason) : accept(),
    )
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'LOBBY_NOT_FOUND')) throw error
  }
}

/** No ticket waits past its timeout: the lobby returns to `waiting`. A ticket that is no longer the lobby's is let be. */
export async function expireTicket(ctx: Context, lobbyId: string, ticketId: string): Promise<void> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby?.ticket?.id === ticketId) await releaseTicket(ctx, lobby, ticketId, 'timeout')
}

/** After a queue's matchmaking changed, parties that can no longer match return to `waiting` (contract §5). */
export async function requeueTickets(ctx: Context, projectId: string, queueId: string): Promise<void> {
  const key = queueKey(projectId, queueId)
  const queue = await ctx.storage.get('queue', key)
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ctx.storage.tickets.changedSince(key, cursor, 500)
    for (const { ticket } of page.changes) {
      if (ticket === undefined) continue
      const config = queue?.matchmaking
      if (config != null && checkPartyAgainst(config, ticket.players).ok) continue
      await releaseTicket(ctx, { id: ticket.lobbyId, projectId }, ticket.id, 'unmatchable')
    }
    cursor = page.cursor
    more = page.more
  }
}
