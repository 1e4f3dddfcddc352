import type { JsonObject, Lobby as LobbyData, Player, Region } from '../api/types'
import type { MatchyardError } from '../errors'
import type { Connection, Transport } from '../follow/machine'
import type { FindMatchOptions, StartOptions } from '../match/find-match-options'
import type { Match } from '../match/match'
import type { LobbyEvents } from './differences'

/**
 * Reason why a lobby is no longer followed: the player `left` or was `removed`; the lobby was `deleted`, or is `gone`
 * for longer than the service remembers; the service `refused` (for example a revoked key); or the game called `close`.
 * `removed` means a kick, a ban, or a removal because the player was silent; the service does not say which. Joining
 * the lobby again rejects with `PLAYER_BANNED` after a ban.
 */
export type ClosedReason = 'left' | 'removed' | 'deleted' | 'gone' | 'refused' | 'closed'

/** Events of a lobby, and events of its connection. */
export interface HandleEvents extends LobbyEvents {
  /** State of the connection. */
  connection: [now: Connection, transport: Transport]
  /** The lobby is no longer followed. If the reason is `refused`, the error explains it. */
  closed: [reason: ClosedReason, error?: MatchyardError | undefined]
}

/** Fields of a lobby that its host may change. A field that is missing stays unchanged. */
export interface LobbyChanges {
  /** New settings, which replace all current settings. */
  readonly settings?: JsonObject | undefined
  /** Display name in lists; null removes it. */
  readonly name?: string | null | undefined
  /** Region of a match that is started without matchmaking; null removes the region. */
  readonly region?: Region | null | undefined
  /** Whether the lobby is private: lists leave it out, and players join it only by invite code. */
  readonly isPrivate?: boolean | undefined
  /** Maximum number of players: at least the current number of players, at most the queue's maximum. */
  readonly maxPlayers?: number | undefined
  /** Queue to which the lobby moves. The lobby then gets a new invite code. */
  readonly queueId?: string | undefined
}

/** Options of a change of a player's state. */
export interface SetStateOptions {
  /** Whether the new state replaces the old one. By default only the given top-level keys change. */
  readonly replace?: boolean | undefined
  /** Id of another player; only the host may set another player's state. */
  readonly playerId?: string | undefined
}

/** A handle of a lobby that the player is in. The client follows the lobby until the handle is closed. */
export interface Lobby {
  /** Id of the lobby. */
  readonly id: string
  /** Id of the player. */
  readonly me: string
  /** Last known version of the lobby: complete, frozen, with the service's field names. */
  readonly current: LobbyData
  /** Whether the player is the host. */
  readonly isHost: boolean
  /** Invite code; null if the queue has no invite codes. */
  readonly inviteCode: string | null
  /** State of the connection. */
  readonly connection: Connection
  /** Transport with which the lobby is followed; `polling` when event streams do not arrive. */
  readonly transport: Transport
  /** Reason why the lobby is no longer followed; undefined while it is followed. */
  readonly closed: ClosedReason | undefined

  /** Adds a listener. Returns a function that removes it. Listeners are called in the order of the events. */
  on<E extends keyof HandleEvents>(name: E, listener: (...args: HandleEvents[E]) => void): () => void
  /**
   * Changes the given keys of a player's state. With `replace`, the new state replaces the whole old state. Resolves
   * with the changed player. Rejects with `PARTY_CANNOT_MATCH`, `PLAYER_STATE_FORBIDDEN`, `VALIDATION_FAILED`.
   */
  setState(state: JsonObject, options?: SetStateOptions): Promise<Player>
  /**
   * Replaces all settings of the lobby (only the host, while `waiting`). Rejects with `NOT_HOST`,
   * `INVALID_LOBBY_STATE`.
   */
  setSettings(settings: JsonObject): Promise<LobbyData>
  /**
   * Changes fields of the lobby (only the host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`,
   * `VALIDATION_FAILED`.
   */
  update(changes: LobbyChanges): Promise<LobbyData>
  /** Removes another player (only the host). Does nothing if the player has already left. */
  kick(playerId: string): Promise<void>
  /**
   * Bans another player, and removes the player if present (only the host). `current.banned` lists the banned players.
   * A repeated ban has no effect. Rejects with `NOT_HOST`, `BAN_LIMIT`, `VALIDATION_FAILED`.
   */
  ban(playerId: string): Promise<LobbyData>
  /**
   * Removes the ban of a player (only the host); `current` is updated by itself. Does nothing if the player is not
   * banned. Rejects with `NOT_HOST`.
   */
  unban(playerId: string): Promise<void>
  /** Replaces the invite code by a new one (only the host). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`. */
  renewInviteCode(): Promise<LobbyData>
  /** Leaves the lobby and stops following it. If the player is no longer in the lobby, the call succeeds too. */
  leave(): Promise<void>
  /** Stops following without leaving: the player stays in the lobby until the service removes silent players. */
  close(): void
  /**
   * Searches for a match: the host's call starts the search, every other member's call waits for it. If the lobby
   * searches already, the call waits for the result; if the lobby's match runs already, the call returns that match.
   * Rejects with `MatchmakingEnded` when the search ends without a match. Rejects with `PLAYER_IN_MATCH`,
   * `TOO_MANY_SEARCHES`, `PARTY_CANNOT_MATCH`, `PARTY_TOO_LARGE`, `PLAYER_COOLING_DOWN`, `QUEUE_DISABLED`,
   * `MATCHMAKING_NOT_CONFIGURED`, `PLAN_LIMIT_EXCEEDED` when the search cannot begin. An aborted `signal` cancels the search, and the promise rejects with the signal's
   * reason; if a match was made first, the match is returned.
   */
  findMatch(options?: FindMatchOptions): Promise<Match<Lobby>>
  /**
   * Starts a match of this lobby alone, without matchmaking (only the host). Resolves with the match when it runs.
   * Rejects in the same cases as `findMatch`; with `PARTY_CANNOT_MATCH` also when `teams` leave a player without a seat.
   */
  start(options?: StartOptions): Promise<Match<Lobby>>
  /**
   * Joins a running match, in which a friend keeps a seat for this player (`match.keepSeat`). The lobby must be in the
   * queue of the match and have no other player. Resolves with the match when this player is in the game. Rejects with
   * `SEAT_NOT_FOUND` when no seat is kept (any more), and with `PARTY_TOO_LARGE`, `PLAYER_IN_MATCH`,
   * `PARTY_CANNOT_MATCH`, `INVALID_MATCH_STATE`.
   */
  joinMatch(matchId: string, options?: Pick<FindMatchOptions, 'signal'>): Promise<Match<Lobby>>
  /**
   * Cancels the search (only the host). Resolves with true if the lobby was still searching when the cancellation took
   * effect.
   */
  cancel(): Promise<boolean>
  /** Ends the match (only the host, and only if the match has no other lobbies): all players return to `waiting`. */
  endMatch(): Promise<LobbyData>
  /** Deletes the lobby (only the host). */
  delete(): Promise<void>
  /**
   * Reads the lobby now, and waits for at most 2 seconds until the events of all earlier changes were sent. Rarely
   * needed, because `current` is updated by itself.
   */
  refresh(): Promise<LobbyData>
}
