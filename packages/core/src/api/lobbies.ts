import type { CallOptions } from '../context/context'
import type { OnLobby, OnLobbyByBackend } from '../context/inputs'
import type { QueueExplanation } from '../director/explain'
import type { Lobby } from '../lobby/lobby'
import type { Page } from '../shared/page'
import type { LobbyStream, PollLobbyInput, WatchLobbyInput } from '../streams/index'
import type { BanPlayerInput } from '../use-cases/lobbies/ban-player'
import type { BrowseLobbiesInput } from '../use-cases/lobbies/browse-lobbies'
import type { CreateLobbyInput } from '../use-cases/lobbies/create-lobby'
import type { EndMatchInput } from '../use-cases/lobbies/end-match'
import type { JoinByCodeInput, JoinLobbyInput } from '../use-cases/lobbies/join-lobby'
import type { RemovePlayerInput } from '../use-cases/lobbies/leave-lobby'
import type { LobbiesOfPlayerInput } from '../use-cases/lobbies/lobbies-of-player'
import type { LobbiesOfProjectInput, ProjectLobbies } from '../use-cases/lobbies/lobbies-of-project'
import type { AnswerInput } from '../use-cases/lobbies/proposal-answers'
import type { QuickJoined, QuickJoinInput } from '../use-cases/lobbies/quick-join-input'
import type { ChangedPlayer, UpdatePlayerInput } from '../use-cases/lobbies/update-player'
import type { UpdateSettingsInput } from '../use-cases/lobbies/update-settings'

/** Lobbies: players who gather, queue and play together. */
export interface Lobbies {
  /**
   * Makes a lobby that waits, its caller the host (specification, "Lobbies", rule 1).
   * Throws PLAN_LIMIT_EXCEEDED, QUEUE_NOT_FOUND, QUEUE_DISABLED, VALIDATION_FAILED, INVITE_CODES_EXHAUSTED, PAYLOAD_TOO_LARGE.
   */
  create(input: CreateLobbyInput, call?: CallOptions): Promise<Lobby>

  /** A lobby as it is now; a member who asks is seen by it. Throws LOBBY_NOT_FOUND. */
  get(input: OnLobbyByBackend): Promise<Lobby>

  /** A page of the project's lobbies; players only ever see public ones (specification, "Lobbies", rule 7). Throws VALIDATION_FAILED. */
  browse(input: BrowseLobbiesInput): Promise<Page<Lobby>>

  /** The lobbies in which a player is now, private ones too, newest first. */
  ofPlayer(input: LobbiesOfPlayerInput): Promise<Page<Lobby>>

  /**
   * Every live lobby of a project, of every visibility and status, newest first, from a cursor on: for dashboards. What it costs grows
   * with what is told. An answer may hold fewer than `limit` where lobbies are large; `nextCursor` says whether there are more.
   * Throws VALIDATION_FAILED.
   */
  ofProject(input: LobbiesOfProjectInput): Promise<ProjectLobbies>

  /**
   * Replaces the supplied fields (specification, "Lobbies", rule 2); the host's right, while `waiting`.
   * Throws NOT_HOST, INVALID_LOBBY_STATE, QUEUE_NOT_FOUND, QUEUE_DISABLED, INVITE_CODES_EXHAUSTED, VALIDATION_FAILED,
   * PAYLOAD_TOO_LARGE.
   */
  updateSettings(input: UpdateSettingsInput, call?: CallOptions): Promise<Lobby>

  /** Joins a public lobby by id. Throws LOBBY_NOT_FOUND, PLAYER_BANNED, LOBBY_NOT_ACCEPTING, LOBBY_FULL, VALIDATION_FAILED, PAYLOAD_TOO_LARGE. */
  join(input: JoinLobbyInput, call?: CallOptions): Promise<Lobby>

  /** Joins by invite code, public or private. In a code, case, blanks and the difference between 0 and O, and between 1, I and L, are ignored. Throws INVALID_INVITE_CODE and what `join` throws. */
  joinByCode(input: JoinByCodeInput, call?: CallOptions): Promise<Lobby>

  /**
   * Joins the fullest open public lobby of a queue whose settings fit, else makes one, which has the filter for its settings. Under
   * contention nobody is refused while a seat is free, and of all nodes one makes the next lobby.
   * Throws QUEUE_NOT_FOUND, VALIDATION_FAILED, LOBBY_NOT_FOUND where none is to be made, and what `create` throws.
   */
  quickJoin(input: QuickJoinInput, call?: CallOptions): Promise<QuickJoined>

  /** The caller leaves; a queued lobby goes back to waiting. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY. */
  leave(input: OnLobby, call?: CallOptions): Promise<void>

  /** Leaves (self) or kicks (the host another). Throws NOT_HOST, PLAYER_NOT_IN_LOBBY (of kind `absent` when addressed). */
  removePlayer(input: RemovePlayerInput, call?: CallOptions): Promise<void>

  /**
   * Kicks a player if there, and keeps them out; the host's right, or the backend's. Again, nothing happens.
   * Throws LOBBY_NOT_FOUND, NOT_HOST, BAN_LIMIT past a hundred, VALIDATION_FAILED of oneself, PAYLOAD_TOO_LARGE.
   */
  banPlayer(input: BanPlayerInput, call?: CallOptions): Promise<Lobby>

  /** Lets a banned player in again; the host's right, or the backend's. Throws LOBBY_NOT_FOUND, NOT_HOST, BAN_NOT_FOUND. */
  unbanPlayer(input: BanPlayerInput, call?: CallOptions): Promise<void>

  /**
   * Draws another invite code; the old one joins nobody any more. The host's right, or the backend's.
   * Throws LOBBY_NOT_FOUND, NOT_HOST, INVALID_LOBBY_STATE where the queue has no codes, INVITE_CODES_EXHAUSTED.
   */
  renewInviteCode(input: OnLobbyByBackend, call?: CallOptions): Promise<Lobby>

  /**
   * Changes a player's state: one's own, or any as the host (specification, "Lobbies", rule 5). In the queue the ticket keeps its
   * entry time, and a state that makes the party unmatchable is refused.
   * Throws PLAYER_NOT_IN_LOBBY (of kind `absent` when addressed), PLAYER_STATE_FORBIDDEN, VALIDATION_FAILED,
   * PAYLOAD_TOO_LARGE; of a lobby in the queue MATCHMAKING_NOT_CONFIGURED, PARTY_TOO_LARGE, PARTY_CANNOT_MATCH, BUILD_NOT_READY.
   */
  updatePlayer(input: UpdatePlayerInput, call?: CallOptions): Promise<ChangedPlayer>

  /** Says that a member is still there. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY. */
  heartbeat(input: OnLobby, call?: CallOptions): Promise<void>

  /**
   * The host sends the lobby to matchmaking.
   * Throws NOT_HOST, PLAN_LIMIT_EXCEEDED, QUEUE_DISABLED, MATCHMAKING_NOT_CONFIGURED, INVALID_LOBBY_STATE, PARTY_TOO_LARGE,
   * PARTY_CANNOT_MATCH, BUILD_NOT_READY, PLAYER_COOLING_DOWN.
   */
  enqueue(input: OnLobby, call?: CallOptions): Promise<Lobby>

  /**
   * The host takes the lobby out of matchmaking; it is `waiting` once this is answered, and no match holds it afterwards: a match
   * commit expects the lobby's version. Throws NOT_HOST, INVALID_LOBBY_STATE.
   */
  cancelMatchmaking(input: OnLobby, call?: CallOptions): Promise<Lobby>

  /**
   * A member accepts the match that is proposed to the lobby; the last player to do so is answered the lobby in `matched`. Again is
   * fine. `matchId` guards against answering the next one. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED.
   */
  accept(input: AnswerInput, call?: CallOptions): Promise<Lobby>

  /**
   * A member turns the proposed match down, also after having accepted it: the lobby is `waiting`, and all others search on with the
   * age that they had, in one commit. Throws LOBBY_NOT_FOUND, PLAYER_NOT_IN_LOBBY, NO_PROPOSAL, PROPOSAL_CHANGED.
   */
  decline(input: AnswerInput, call?: CallOptions): Promise<Lobby>

  /**
   * The host starts a match of this lobby alone; the answer does not wait for the server.
   * Throws NOT_HOST, PLAN_LIMIT_EXCEEDED, INVALID_LOBBY_STATE.
   */
  start(input: OnLobby, call?: CallOptions): Promise<Lobby>

  /**
   * Ends the match: its server is stopped and every lobby of it returns to `waiting`. The backend's right, or the host's where the
   * match holds one lobby. Throws NOT_HOST, INVALID_LOBBY_STATE.
   */
  end(input: EndMatchInput, call?: CallOptions): Promise<Lobby>

  /** Ends a lobby in any state; the match of others goes on without it. Throws LOBBY_NOT_FOUND, NOT_HOST. */
  delete(input: OnLobbyByBackend, call?: CallOptions): Promise<void>

  /**
   * "Why am I still waiting" (design, "Explaining"): the party beside others of its queue, as they were within the last second. It
   * neither waits for the director's tick nor holds it up. Throws LOBBY_NOT_FOUND, INVALID_LOBBY_STATE.
   */
  explainMatchmaking(input: OnLobbyByBackend): Promise<QueueExplanation>

  /**
   * The lobby as soon as its version is another one than `afterVersion`; undefined where it still is the same after `waitSeconds`
   * (0 to 25). While it waits it counts as an open stream: as a heartbeat, and among the places for streams.
   * Throws LOBBY_NOT_FOUND, also when the lobby is deleted meanwhile, VALIDATION_FAILED.
   */
  poll(input: PollLobbyInput): Promise<Lobby | undefined>

  /** The lobby's event stream, a message at a time. */
  watch(input: WatchLobbyInput): Promise<LobbyStream>
}
