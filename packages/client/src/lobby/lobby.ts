import type { JsonObject, Lobby as LobbyData, Player, Region } from '../api/types'
import type { MatchyardError } from '../errors'
import type { Connection, Transport } from '../follow/machine'
import type { FindMatchOptions } from '../match/find-match-options'
import type { Match } from '../match/match'
import type { LobbyEvents } from './differences'

/**
 * Why a lobby is not followed any more: the player `left` or was `removed`; the lobby was `deleted`, or is `gone` since longer than the
 * service remembers; the service `refused` (a revoked key, say); or the game called `close`. `removed` is a kick, a ban, or silence: the
 * service does not tell the player which. Joining the lobby again rejects with `PLAYER_BANNED` after a ban.
 */
export type ClosedReason = 'left' | 'removed' | 'deleted' | 'gone' | 'refused' | 'closed'

/** Events besides those of the lobby. */
export interface HandleEvents extends LobbyEvents {
  /** How well the lobby is followed. */
  connection: [now: Connection, transport: Transport]
  /** Nothing more comes; the error says why it was `refused`. */
  closed: [reason: ClosedReason, error?: MatchyardError | undefined]
}

/** Fields of a lobby that its host may change. An absent field stays. */
export interface LobbyChanges {
  /** Replaces the settings whole. */
  readonly settings?: JsonObject | undefined
  /** Display name in lists; null removes it. */
  readonly name?: string | null | undefined
  /** Where a match that is started directly runs; null takes it away. */
  readonly region?: Region | null | undefined
  /** Whether the lobby is private: not in lists, joined only by invite code. */
  readonly isPrivate?: boolean | undefined
  /** Not below the players present, not above what the queue allows. */
  readonly maxPlayers?: number | undefined
  /** Moves the lobby to another queue; its invite code is drawn anew. */
  readonly queueId?: string | undefined
}

/** Player whose state is set, and the mode. */
export interface SetStateOptions {
  /** Replaces the state whole; merged at its top level unless said. */
  readonly replace?: boolean | undefined
  /** Another player's, by the host. */
  readonly playerId?: string | undefined
}

/** A lobby that the player is in: followed from the moment it is handed out until it is closed. */
export interface Lobby {
  /** The lobby's id. */
  readonly id: string
  /** The player's own id. */
  readonly me: string
  /** The lobby as it was told last: whole, frozen, spelled as the service spells it. */
  readonly current: LobbyData
  /** Whether the player is the host. */
  readonly isHost: boolean
  /** Invite code; null where the queue has no invite codes. */
  readonly inviteCode: string | null
  /** How well the lobby is followed. */
  readonly connection: Connection
  /** `polling` where event streams do not come through. */
  readonly transport: Transport
  /** Why nothing more comes; undefined while the lobby is followed. */
  readonly closed: ClosedReason | undefined

  /** Adds a listener. Returns a function that removes it. Listeners are called in the order of the events. */
  on<E extends keyof HandleEvents>(name: E, listener: (...args: HandleEvents[E]) => void): () => void
  /**
   * Changes the player's own state; other keys stay, unless `replace` is set. Resolves with the changed player. Rejects with
   * `PARTY_CANNOT_MATCH`, `PLAYER_STATE_FORBIDDEN`, `VALIDATION_FAILED`.
   */
  setState(state: JsonObject, options?: SetStateOptions): Promise<Player>
  /** Replaces the lobby's settings whole (host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`. */
  setSettings(settings: JsonObject): Promise<LobbyData>
  /** Changes what the lobby is (host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`, `VALIDATION_FAILED`. */
  update(changes: LobbyChanges): Promise<LobbyData>
  /** Removes another player (host). One who is not there any more is no error. */
  kick(playerId: string): Promise<void>
  /**
   * Removes another player, if there, and keeps them out (host); `current.banned` lists who is kept out. Again, nothing happens.
   * Rejects with `NOT_HOST`, `BAN_LIMIT`, `VALIDATION_FAILED`.
   */
  ban(playerId: string): Promise<LobbyData>
  /** Lets a banned player in again (host); `current` follows by itself. One who is not banned is no error. Rejects with `NOT_HOST`. */
  unban(playerId: string): Promise<void>
  /** Draws another invite code, in place of the old one (host). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`. */
  renewInviteCode(): Promise<LobbyData>
  /** Leaves, and stops following. A player who is out already has left. */
  leave(): Promise<void>
  /** Stops following without leaving: the player stays in the lobby until it is no longer heard of. */
  close(): void
  /**
   * Searches for a match: the host takes the lobby into the queue, every other member waits for the host to do so. In a lobby that
   * searches already it waits along; in one that plays it answers that match.
   *
   * Rejects with `MatchmakingEnded` where the search comes to nothing, and with `PARTY_CANNOT_MATCH`, `PARTY_TOO_LARGE`,
   * `PLAYER_COOLING_DOWN`, `QUEUE_DISABLED`, `MATCHMAKING_NOT_CONFIGURED`, `PLAN_LIMIT_EXCEEDED` where it cannot begin.
   * An aborted `signal` takes the lobby out of the queue and rejects with its reason; if a match was made first, it is answered all the same.
   */
  findMatch(options?: FindMatchOptions): Promise<Match<Lobby>>
  /** Starts a match of this lobby alone, without matchmaking (host). Resolves with the match once it runs; rejects as `findMatch` does. */
  start(options?: Pick<FindMatchOptions, 'signal'>): Promise<Match<Lobby>>
  /** Takes the lobby out of the queue (host). Resolves with whether it was still searching. */
  cancel(): Promise<boolean>
  /** Ends the match (host, where the match has no other lobby): everybody is back in `waiting`. */
  endMatch(): Promise<LobbyData>
  /** Deletes the lobby (host). */
  delete(): Promise<void>
  /** Reads the lobby now, and waits until what happened up to then was told. Rarely needed: `current` follows by itself. */
  refresh(): Promise<LobbyData>
}
