import type { JsonObject, Lobby as LobbyData, Player, Region } from '../api/types'
import type { MatchyardError } from '../errors'
import type { Connection, Transport } from '../follow/machine'
import type { FindMatchOptions } from '../match/find-match-options'
import type { Match } from '../match/match'
import type { LobbyEvents } from './differences'

/**
 * Reason why a lobby is no longer followed: the player `left` or was `removed`; the lobby was `deleted`, or is `gone`
 * for longer than the service remembers; the service `refused` (for example a revoked key); or the game called `close`.
 * `removed` is a kick, a ban, or silence: the service does not tell the player which. Joining the lobby again rejects
 * with `PLAYER_BANNED` after a ban.
 */
export type ClosedReason = 'left' | 'removed' | 'deleted' | 'gone' | 'refused' | 'closed'

/** Events besides those of the lobby. */
export interface HandleEvents extends LobbyEvents {
  /** State of the connection. */
  connection: [now: Connection, transport: Transport]
  /** The lobby is no longer followed; the error gives the reason of `refused`. */
  closed: [reason: ClosedReason, error?: MatchyardError | undefined]
}

/** Fields of a lobby that its host may change. An absent field stays. */
export interface LobbyChanges {
  /** New settings; they replace all present ones. */
  readonly settings?: JsonObject | undefined
  /** Display name in lists; null removes it. */
  readonly name?: string | null | undefined
  /** Region for a match that is started directly; null removes it. */
  readonly region?: Region | null | undefined
  /** Whether the lobby is private: not in lists, joined only by invite code. */
  readonly isPrivate?: boolean | undefined
  /** Maximum number of players: at least the present number, at most the queue's maximum. */
  readonly maxPlayers?: number | undefined
  /** Queue to which the lobby moves; the lobby gets a new invite code. */
  readonly queueId?: string | undefined
}

/** Player whose state is set, and the mode. */
export interface SetStateOptions {
  /** Whether the state is replaced; by default it is merged at its top level. */
  readonly replace?: boolean | undefined
  /** Id of another player, for the host. */
  readonly playerId?: string | undefined
}

/** A lobby of the player, which is followed until it is closed. */
export interface Lobby {
  /** Id of the lobby. */
  readonly id: string
  /** Id of the player. */
  readonly me: string
  /** Last known version of the lobby: complete, frozen, in the service's spelling. */
  readonly current: LobbyData
  /** Whether the player is the host. */
  readonly isHost: boolean
  /** Invite code; null where the queue has no invite codes. */
  readonly inviteCode: string | null
  /** State of the connection. */
  readonly connection: Connection
  /** Transport; `polling` when event streams do not arrive. */
  readonly transport: Transport
  /** Reason of the end; undefined while the lobby is followed. */
  readonly closed: ClosedReason | undefined

  /** Adds a listener. Returns a function that removes it. Listeners are called in the order of the events. */
  on<E extends keyof HandleEvents>(name: E, listener: (...args: HandleEvents[E]) => void): () => void
  /**
   * Changes the player's own state; other keys stay, unless `replace` is set. Resolves with the changed player. Rejects with
   * `PARTY_CANNOT_MATCH`, `PLAYER_STATE_FORBIDDEN`, `VALIDATION_FAILED`.
   */
  setState(state: JsonObject, options?: SetStateOptions): Promise<Player>
  /** Replaces all settings of the lobby (host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`. */
  setSettings(settings: JsonObject): Promise<LobbyData>
  /**
   * Changes fields of the lobby (host, while `waiting`). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`,
   * `VALIDATION_FAILED`.
   */
  update(changes: LobbyChanges): Promise<LobbyData>
  /** Removes another player (host). A player who has already left is no error. */
  kick(playerId: string): Promise<void>
  /**
   * Bans another player, and removes the player if present (host); `current.banned` lists the banned players. A
   * repeated ban has no effect. Rejects with `NOT_HOST`, `BAN_LIMIT`, `VALIDATION_FAILED`.
   */
  ban(playerId: string): Promise<LobbyData>
  /**
   * Removes the ban of a player (host); `current` is updated by itself. A player without a ban is no error. Rejects
   * with `NOT_HOST`.
   */
  unban(playerId: string): Promise<void>
  /** Replaces the invite code by a new one (host). Rejects with `NOT_HOST`, `INVALID_LOBBY_STATE`. */
  renewInviteCode(): Promise<LobbyData>
  /** Leaves the lobby and stops following. A player who is no longer in it is no error. */
  leave(): Promise<void>
  /** Stops following without leaving: the player stays in the lobby until the service removes silent players. */
  close(): void
  /**
   * Searches for a match: the host's call starts the search, every other member's call waits for it. In a lobby that
   * searches it waits for the result; in one whose match runs it returns that match. Rejects with `MatchmakingEnded`
   * when the search ends without a match, and with `PARTY_CANNOT_MATCH`, `PARTY_TOO_LARGE`, `PLAYER_COOLING_DOWN`,
   * `QUEUE_DISABLED`, `MATCHMAKING_NOT_CONFIGURED`, `PLAN_LIMIT_EXCEEDED` when it cannot begin. An aborted `signal`
   * cancels the search and rejects with its reason; if a match was made first, it is returned.
   */
  findMatch(options?: FindMatchOptions): Promise<Match<Lobby>>
  /**
   * Starts a match of this lobby alone, without matchmaking (host). Resolves with the match when it runs; rejects as
   * `findMatch` does.
   */
  start(options?: Pick<FindMatchOptions, 'signal'>): Promise<Match<Lobby>>
  /** Cancels the search (host). Resolves with whether the lobby was still searching. */
  cancel(): Promise<boolean>
  /** Ends the match (host of a match without other lobbies): all players return to `waiting`. */
  endMatch(): Promise<LobbyData>
  /** Deletes the lobby. Only the host can do this. */
  delete(): Promise<void>
  /**
   * Reads the lobby now, and waits until its events up to then were sent. Rarely needed, because `current` is updated
   * by itself.
   */
  refresh(): Promise<LobbyData>
}
