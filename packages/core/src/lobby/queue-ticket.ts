import type { RecentPlayer } from '@matchyard/matchmaking'
import type { Region } from '../catalog/regions'
import { queueKey } from '../queue/queue'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Lobby, LobbyPlayer, LobbyTicket } from './lobby'

/** Request of a running match for players for its open seats. It is stored in the same table as the tickets. */
export interface TicketRequest {
  /** Match that requests players. */
  readonly matchId: string
  /** Players of the match. */
  readonly players: readonly {
    /** Id of the player. */
    readonly playerId: string
    /** State by which rules judge the player. */
    readonly state: JsonObject
    /** Team of the player. */
    readonly team: string
    /** Role in the team; null when teams have no roles. */
    readonly role: string | null
  }[]
  /** Requested seats of each team. `roles`: number of seats for each role, null when teams have no roles. */
  readonly teams: readonly {
    /** Name of the team. */
    readonly name: string
    /** Number of requested seats. */
    readonly open: number
    /** Number of requested seats for each role; null when teams have no roles. */
    readonly roles: Readonly<Record<string, number>> | null
  }[]
  /** Game version of the players in the match, when the queue uses game versions; else null. */
  readonly gameVersion: string | null
}

/**
 * Player of a waiting party. The host has the list of the players whom the party met in earlier matches of the queue: a match must keep them
 * apart from every player of the party.
 */
export interface QueuedPlayer {
  readonly playerId: string
  readonly state: JsonObject
  /** Private fields of the state, see `LobbyPlayer.hidden`. */
  readonly hidden?: readonly string[]
  readonly recent?: readonly RecentPlayer[]
}

/**
 * Row that the director reads: either a lobby's stay in the queue (each stay has its own row), or the request of a running match for
 * players. A request is read with the changes of the tickets, but does not count as a waiting party.
 */
export interface QueueTicket {
  /** Id of the ticket: `tkt_` and a ULID. */
  readonly id: string
  /** Version, which grows by one with each change. */
  readonly version: number
  /** Project of the queue. */
  readonly projectId: string
  /** `{projectId}/{queueId}` */
  readonly queueKey: string
  /** Lobby of the party; the id of the match for a match's request. */
  readonly lobbyId: string
  /** Time at which the party entered the queue, or the match first requested players. */
  readonly enteredAt: Instant
  /** Region that the lobby requests; null without one. */
  readonly region: Region | null
  /** Players of the party: the host first, then in the order of joining. */
  readonly players: readonly QueuedPlayer[]
  /** Request of a match; absent in the ticket of a party. */
  readonly request?: TicketRequest
  /** Present when a backend put the lobby into the queue; see `LobbyTicket.vouched`. */
  readonly vouched?: true
}

/** Returns a ticket in the form that the matchmaking engine reads. */
export const toEngine = ({ id, enteredAt, players, region }: QueueTicket) => ({ id, enteredAt, players, region })

/** Whether the row is the ticket of a waiting party, and not the request of a match. */
export const isParty = ({ request }: QueueTicket): boolean => request === undefined

/**
 * Returns the number of players that wait with the ticket; -1 for the request of a match, because no party waits in it. Adapters store this
 * number with the row and compute their counts from it.
 */
export const partySize = (ticket: QueueTicket): number => (isParty(ticket) ? ticket.players.length : -1)

/** Returns a player of a lobby as a player of its ticket, without the players met. */
export const asQueued = ({ playerId, state, hidden }: LobbyPlayer): QueuedPlayer => ({
  ...{ playerId, state },
  ...(hidden === undefined ? {} : { hidden }),
})

/** Returns the ticket of a lobby in the queue, with the host as the first player. */
export function ticketOf(
  lobby: Lobby,
  ticket: Pick<LobbyTicket, 'id' | 'version' | 'enteredAt' | 'vouched' | 'recent'>,
): QueueTicket {
  const host = lobby.players.filter((player) => player.playerId === lobby.hostPlayerId)
  const others = lobby.players.filter((player) => player.playerId !== lobby.hostPlayerId)
  const met = ticket.recent === undefined ? {} : { recent: ticket.recent }
  return {
    id: ticket.id,
    version: ticket.version,
    projectId: lobby.projectId,
    queueKey: queueKey(lobby.projectId, lobby.queueId),
    lobbyId: lobby.id,
    enteredAt: ticket.enteredAt,
    region: lobby.region,
    players: [...host, ...others].map((player, index) => ({ ...asQueued(player), ...(index === 0 ? met : {}) })),
    ...(ticket.vouched === undefined ? {} : { vouched: ticket.vouched }),
  }
}
