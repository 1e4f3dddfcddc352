import type { Region } from '../catalog/regions'
import { queueKey } from '../queue/queue'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import type { Lobby } from './lobby'

/** A lobby's stay in a queue as the director reads it; one row per stay, never used again for another. */
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
}

/** The ticket of a lobby in the queue: its party, the host first. */
export function ticketOf(lobby: Lobby, ticket: NonNullable<Lobby['ticket']>): QueueTicket {
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
