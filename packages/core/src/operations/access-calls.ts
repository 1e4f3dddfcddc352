import type { Caller } from '../access/caller'
import type { OwnedBy } from '../access/owner'
import type { PlayerProof } from '../project/player-token'
import type { Credentials } from '../use-cases/access/authenticate'
import type { KeyCaller } from '../use-cases/access/authenticate-key'
import type { MachineCaller } from '../use-cases/access/authenticate-machine'
import type { GameServerCaller } from '../use-cases/access/authenticate-server'
import type { SessionCaller } from '../use-cases/access/authenticate-session'
import type { IdentifiedPlayer, IdentifyPlayerInput, ProvePlayerInput } from '../use-cases/access/identify-player'
import type { Operation } from './index'

/**
 * Calls that determine the caller of a request and the caller's rights. Adapters that offer the service over a protocol such as HTTP use
 * them.
 */
export interface Access {
  /**
   * Returns the caller of a request. When a request has both credentials, the API key determines the caller (docs/http-api.md §1). Rejects
   * with `MISSING_CREDENTIALS`, `INVALID_API_KEY`, `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  authenticate(input: Credentials): Promise<Caller>

  /**
   * Returns the project and the type of an API key (docs/http-api.md §2). Every call reads the rows of the key and of its project. A
   * revoked key is thus refused on every node as soon as the revocation has resolved. Rejects with `INVALID_API_KEY`.
   */
  authenticateKey(value: string): Promise<KeyCaller>

  /**
   * Returns the id of the machine to which an agent's token belongs. Every call reads the row of the machine. A revoked token is thus
   * refused on every node as soon as the revocation has resolved. Rejects with `INVALID_MACHINE_TOKEN`.
   */
  authenticateMachine(token: string): Promise<MachineCaller>

  /**
   * Returns the account of a session token, with its grants in projects of other accounts. Every call reads the row of the session, to find
   * out whether the session is still valid.
   * Rejects with `INVALID_SESSION_TOKEN`, `SESSION_EXPIRED`.
   */
  authenticateSession(token: string): Promise<SessionCaller>

  /**
   * Returns the game server to which a token belongs. The token is valid while the server is live and the token's attempt is the current
   * attempt. Rejects with `INVALID_SESSION_TOKEN`.
   */
  authenticateServerToken(token: string): Promise<GameServerCaller>

  /**
   * Throws `CREDENTIAL_NOT_ALLOWED` when credentials of the caller's kind may not call the operation, and `ROLE_NOT_ALLOWED` when the role of a
   * server key is too low.
   */
  authorize(operation: Operation, caller: Caller): void

  /**
   * Returns the player for whom a call with an API key acts. In a project that reads player tokens, the token of a client names the player.
   * In other projects, and for a backend, the caller names the player without proof. Rejects with `PLAYER_TOKEN_REQUIRED`,
   * `INVALID_PLAYER_TOKEN`, `PLAYER_ID_REQUIRED`. Rejects with `UNAVAILABLE` while an issuer's keys cannot be read.
   */
  identifyPlayer(input: IdentifyPlayerInput): Promise<IdentifiedPlayer>

  /**
   * Returns the player id and the trusted state of a player token, verified with the keys of the project's issuers. Rejects with
   * `PROJECT_NOT_FOUND`, `INVALID_PLAYER_TOKEN`, `UNAVAILABLE`.
   */
  provePlayer(input: ProvePlayerInput): Promise<PlayerProof>

  /**
   * Returns the id of the project to which a list or create call applies (specification, "Builds"). With an API key this is the key's
   * project, and `named` is ignored. With a session it is the project `named`, which must belong to the account, or in which the account has
   * the role that the operation needs. Rejects with `VALIDATION_FAILED`, `PROJECT_NOT_FOUND`, `ROLE_NOT_ALLOWED`, `CREDENTIAL_NOT_ALLOWED`.
   */
  resolveProject(operation: Operation, caller: Caller, named: string | undefined): Promise<string>

  /**
   * Returns the account with which a session addresses a project in a call: the account that owns the project when the session's account is a
   * member, otherwise the session's own account. Throws `ROLE_NOT_ALLOWED` when the role of the member is too low for the operation.
   */
  accountOn(operation: Operation, caller: SessionCaller, projectId: string): string

  /**
   * Returns the owner that a resource must have, so that this caller may address the resource by its id in a call of the operation. Throws
   * `CREDENTIAL_NOT_ALLOWED` for a machine.
   */
  ownerOf(operation: Operation, caller: Caller): OwnedBy
}
