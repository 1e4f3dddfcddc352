import type { Caller } from '../access/caller'
import type { OwnedBy } from '../access/owner'
import type { PlayerProof } from '../project/player-token'
import type { Credentials } from '../use-cases/access/authenticate'
import type { KeyCaller } from '../use-cases/access/authenticate-key'
import type { GameServerCaller } from '../use-cases/access/authenticate-server'
import type { SessionCaller } from '../use-cases/access/authenticate-session'
import type { IdentifiedPlayer, IdentifyPlayerInput, ProvePlayerInput } from '../use-cases/access/identify-player'
import type { Operation } from './index'

/** Credentials: the caller of a request and its rights, for adapters that put a wire in front of the service. */
export interface Access {
  /**
   * Returns the caller of a request; where both credentials are sent the API key decides (docs/http-api.md §1). Rejects with
   * `MISSING_CREDENTIALS`, `INVALID_API_KEY`, `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  authenticate(input: Credentials): Promise<Caller>

  /**
   * Returns the project and the kind of an API key. The rows of the key and of its project are read on every call, so an acknowledged revoke
   * takes effect on every node at once (docs/http-api.md §2). Rejects with `INVALID_API_KEY`.
   */
  authenticateKey(value: string): Promise<KeyCaller>

  /**
   * Returns the account of a session token. The row of the session is read on every call and decides whether the session is live. Rejects with
   * `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  authenticateSession(token: string): Promise<SessionCaller>

  /**
   * Which game server calls; its token holds while it is live and this spawn is its current one. Rejects with `INVALID_SESSION_TOKEN`.
   */
  authenticateServerToken(token: string): Promise<GameServerCaller>

  /** Refuses a real credential of a kind that the operation does not take. Rejects with `CREDENTIAL_NOT_ALLOWED`. */
  authorize(operation: Operation, caller: Caller): void

  /**
   * The acting player of a call by a key: as its token proves, where the project reads tokens, else as the caller says.
   * Rejects with `PLAYER_TOKEN_REQUIRED`, `INVALID_PLAYER_TOKEN`, `PLAYER_ID_REQUIRED`, `UNAVAILABLE` while an issuer's keys cannot be
   * read.
   */
  identifyPlayer(input: IdentifyPlayerInput): Promise<IdentifiedPlayer>

  /**
   * Returns the player id and the trusted state of a player token, verified by the issuers of the project. Rejects with `PROJECT_NOT_FOUND`,
   * `INVALID_PLAYER_TOKEN`, `UNAVAILABLE`.
   */
  provePlayer(input: ProvePlayerInput): Promise<PlayerProof>

  /**
   * The project that a list or a create is about: a key's own, whatever was named; for a session the named one, which must be the
   * account's (specification, "Builds"). Rejects with `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `CREDENTIAL_NOT_ALLOWED`.
   */
  resolveProject(caller: Caller, named: string | undefined): Promise<string>

  /** Returns the owner that a resource must have for this caller to address it by id. */
  ownerOf(caller: Caller): OwnedBy
}
