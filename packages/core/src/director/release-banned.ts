import type { Lobby } from '../lobby/lobby'
import type { Service } from '../node/service'
import { releaseTicket } from './tickets'

/** Lobbies that a match cannot take, because one of their players is banned from the queue. */
export interface BannedParties {
  readonly banned: readonly Lobby[]
}

/**
 * Ends the searches of lobbies with a banned player, before the job of the ban does it. Returns the ids of their tickets, so that the same
 * tick can match the other parties again.
 */
export async function releaseBanned(ctx: Service, lobbies: readonly Lobby[]): Promise<Set<string>> {
  const waiting = lobbies.flatMap((lobby) => (lobby.ticket === null ? [] : [{ lobby, ticketId: lobby.ticket.id }]))
  await Promise.all(waiting.map(({ lobby, ticketId }) => releaseTicket(ctx, lobby, ticketId, 'banned')))
  return new Set(waiting.map(({ ticketId }) => ticketId))
}
