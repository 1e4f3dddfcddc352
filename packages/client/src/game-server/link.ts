import type { WireTeam } from './configuration'
import type { ConnectionState } from './follow-events'
import type { JsonValue } from './json'

/** Receiver of the messages that the service sends to a game server. */
export interface Hearing {
  readonly onMatch: (update: { readonly match_version: number; readonly teams: readonly WireTeam[] }) => void
  readonly onStopping: (deadline: Date) => void
  readonly onConnection: (state: ConnectionState, why: string) => void
}

export interface WireBackfill {
  readonly match_id: string
  readonly status: 'searching'
  readonly teams: readonly { readonly name: string; readonly open: number }[]
  readonly expires_at: string
  readonly created_at: string
}

/** Options of the report that a player has left. */
export interface PlayerLeftOptions {
  readonly signal?: AbortSignal | undefined
  /** Whether the player gets no penalty of the queue for leaving (`leaver_penalty`). Default: false. */
  readonly excused?: boolean | undefined
}

export interface WireSeat {
  readonly player_id: string
  readonly team: string
  readonly expires_at: string
}

/** Connection of a game server to the service, or a local substitute during development. */
export interface Link {
  /** Starts to receive the service's messages and to send heartbeats. */
  open(hearing: Hearing, version: number | undefined): void
  ready(signal?: AbortSignal): Promise<void>
  playerLeft(playerId: string, options: PlayerLeftOptions): Promise<void>
  backfill(body: JsonValue, signal?: AbortSignal): Promise<WireBackfill>
  cancelBackfill(signal?: AbortSignal): Promise<void>
  keepSeat(body: JsonValue, signal?: AbortSignal): Promise<WireSeat>
  freeSeat(playerId: string, signal?: AbortSignal): Promise<void>
  result(body: JsonValue, signal?: AbortSignal): Promise<void>
  close(signal?: AbortSignal): Promise<void>
  /** Reports the end of the match to the service. Gives up after 5 seconds. */
  shutdown(): Promise<void>
  /** Stops receiving messages and sending heartbeats. */
  release(): void
}
