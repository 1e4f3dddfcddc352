import type { Region } from '../catalog/regions'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'

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
