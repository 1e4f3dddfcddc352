import type { Region } from '../catalog/regions'
import { queueKey } from '../queue/queue'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Lobby, LobbyTicket } from './lobby'

/** Request of a running match for players for its open seats, stored beside the tickets. */
export interface TicketRequest {
  readonly matchId: string
  /** Players of the match. */
  readonly players: readonly {
    readonly playerId: string
    readonly state: JsonObject
    readonly team: string
    readonly role: string | null
  }[]
  /** Seats asked for; `roles`: role → seats, null where teams have no roles. */
  readonly teams: readonly {
    readonly name: string
    readonly open: number
    readonly roles: Readonly<Record<string, number>> | null
  }[]
  /** The version that those who play share, where the queue asks for one. */
  readonly gameVersion: string | null
}

/**
 * A lobby's stay in a queue as the director reads it; one row per stay, never used again for another. Or a match's request for
 * newcomers: nobody waits in it, so it is told with the changes of the tickets and counted nowhere.
 */
export interface QueueTicket {
  readonly id: string
  readonly version: number
  readonly projectId: string
  /** `{projectId}/{queueId}` */
  readonly queueKey: string
  readonly lobbyId: string
  readonly enteredAt: Instant
  readonly region: Region | null
  /** The host first, then in order of joining. */
  readonly players: readonly { readonly playerId: string; readonly state: JsonObject }[]
  /** Set where this is no party's. */
  readonly request?: TicketRequest
}

/** A ticket as the engine reads it. */
export const toEngine = ({ id, enteredAt, players, region }: QueueTicket) => ({ id, enteredAt, players, region })

/** Whether a party waits by it. */
export const isParty = ({ request }: QueueTicket): boolean => request === undefined

/**
 * Number of players that wait with the ticket; below 0 for a request, where no party waits. Adapters store it beside the row and count with it.
 */
export const partySize = (ticket: QueueTicket): number => (isParty(ticket) ? ticket.players.length : -1)

/** The ticket of a lobby in the queue: its party, the host first. */
export function ticketOf(lobby: Lobby, ticket: Pick<LobbyTicket, 'id' | 'version' | 'enteredAt'>): QueueTicket {
  const host = lobby.players.filter((player) => player.playerId === lobby.hostPlayerId)
  const others = lobby.players.filter((player) => player.playerId !== lobby.hostPlayerId)
  return {
    id: ticket.id,
    version: ticket.version,
    projectId: lobby.projectId,
    queueKey: queueKey(lobby.projectId, lobby.queueId),
    lobbyId: lobby.id,
    enteredAt: ticket.enteredAt,
    region: lobby.region,
    players: [...host, ...others].map(({ playerId, state }) => ({ playerId, state })),
  }
}
