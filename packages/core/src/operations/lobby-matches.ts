import type { CallOptions } from '../commit/call-options'
import { explainMatchmaking } from '../director/explain'
import { cancelMatchmaking } from '../use-cases/lobbies/cancel-matchmaking'
import { declineProposal } from '../use-cases/lobbies/decline-proposal'
import { endMatch } from '../use-cases/lobbies/end-match'
import { enqueueLobby } from '../use-cases/lobbies/enqueue-lobby'
import type { AnswerInput } from '../use-cases/lobbies/proposal-answers'
import { rematchLobby } from '../use-cases/lobbies/rematch-lobby'
import { startLobby } from '../use-cases/lobbies/start-lobby'
import { PLAYERS } from './callers'
import { embedded, operation } from './operation'
import type { Running } from './running'

/** Calls that bring a lobby into a match, or out of a match. */
export const lobbyMatches = {
  /**
   * Enters the lobby into matchmaking. Only the host may do this. With `client`, a client makes the call: the lobby is matched only while
   * its players are present (`presenceTimeoutSeconds` of the queue). Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `PLAYER_BANNED`,
   * `PLAN_LIMIT_EXCEEDED`, `QUEUE_DISABLED`, `MATCHMAKING_NOT_CONFIGURED`, `INVALID_LOBBY_STATE`, `PARTY_TOO_LARGE`, `PARTY_CANNOT_MATCH`,
   * `BUILD_NOT_READY`, `PLAYER_IN_MATCH`, `TOO_MANY_SEARCHES`, `PLAYER_COOLING_DOWN`.
   */
  enqueue: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['client?', 'lobbyId', 'playerId', 'projectId'],
    passedOver: ['backend'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'NOT_HOST',
      'PLAYER_BANNED',
      'PLAN_LIMIT_EXCEEDED',
      'QUEUE_DISABLED',
      'MATCHMAKING_NOT_CONFIGURED',
      'PARTY_TOO_LARGE',
      'PARTY_CANNOT_MATCH',
      'BUILD_NOT_READY',
      'INVALID_LOBBY_STATE',
      'PLAYER_IN_MATCH',
      'TOO_MANY_SEARCHES',
      'PLAYER_COOLING_DOWN',
    ],
    audit: 'sessions',
    run: enqueueLobby,
  }),

  /**
   * Accepts the proposed match for one member of the lobby. When the last player accepts, the call returns the lobby in `matched`. The call
   * can be repeated. With `matchId`, the answer never counts for a later proposal. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`,
   * `NO_PROPOSAL`, `PROPOSAL_CHANGED`.
   */
  accept: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['matchId?', 'lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'NO_PROPOSAL', 'PROPOSAL_CHANGED'],
    run: ({ answers }: Running, input: AnswerInput, call?: CallOptions) => answers.accept(input, call),
  }),

  /**
   * Declines the proposed match for one member of the lobby; the member may have accepted before. In the same commit the lobby returns to
   * `waiting`, and the other lobbies of the match search again with their age. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`,
   * `NO_PROPOSAL`, `PROPOSAL_CHANGED`.
   */
  decline: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['matchId?', 'lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'NO_PROPOSAL', 'PROPOSAL_CHANGED'],
    run: declineProposal,
  }),

  /**
   * Takes the lobby out of matchmaking. Only the host may call this. Once the call has resolved, the lobby is `waiting`, and no match can
   * contain it, because the commit of a match expects the lobby's version. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`,
   * `INVALID_LOBBY_STATE`.
   */
  cancelMatchmaking: operation({
    callers: PLAYERS,
    role: 'support',
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE'],
    audit: 'sessions',
    run: cancelMatchmaking,
  }),

  /**
   * Starts a match of this lobby alone. Only the host may call this. The call resolves before the game server runs. `teams` says how the
   * players form teams: all in one team, dealt evenly to the teams of the queue, or by the field `team` of each player's state. Rejects with
   * `LOBBY_NOT_FOUND`, `NOT_HOST`, `PLAYER_BANNED`, `PLAN_LIMIT_EXCEEDED`, `INVALID_LOBBY_STATE`, `PLAYER_IN_MATCH`,
   * `MATCHMAKING_NOT_CONFIGURED`, `PARTY_CANNOT_MATCH`.
   */
  start: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'required',
    fields: ['teams?', 'client?', 'lobbyId', 'playerId', 'projectId'],
    passedOver: ['backend'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'NOT_HOST',
      'PLAYER_BANNED',
      'PLAN_LIMIT_EXCEEDED',
      'INVALID_LOBBY_STATE',
      'PLAYER_IN_MATCH',
      'MATCHMAKING_NOT_CONFIGURED',
      'PARTY_CANNOT_MATCH',
    ],
    audit: 'sessions',
    run: startLobby,
  }),

  /**
   * Lets a lobby that is `waiting` again play once more, as in its last match: the lobby starts directly with the same kind of teams, or enters
   * its queue, which may find other opponents. Only the host may call this. Rejects with `MATCH_NOT_FOUND` when the lobby has no earlier match
   * among the last 20 matches of its players, and otherwise with the errors of `start` or `enqueue`.
   */
  rematch: embedded({ fields: ['lobbyId', 'playerId', 'projectId'], audit: 'sessions', run: rematchLobby }),

  /**
   * Ends the match of the lobby: its server is stopped, and all lobbies of the match return to `waiting`. The backend may call this. The
   * host may call it when the match has only this lobby. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `INVALID_LOBBY_STATE`.
   */
  end: operation({
    callers: PLAYERS,
    role: 'developer',
    player: 'unless-backend',
    fields: ['isOperator?', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE'],
    audit: 'sessions',
    run: endMatch,
  }),

  /**
   * Returns the reasons why the lobby still waits in the queue (docs/matchmaking.md, "Why am I still waiting?"). The call compares the
   * party with other parties of the queue, as they were within the last second. It does not wait for the director's tick and does not delay
   * the tick. Rejects with `LOBBY_NOT_FOUND`, `INVALID_LOBBY_STATE`.
   */
  explainMatchmaking: operation({
    callers: PLAYERS,
    role: 'viewer',
    player: 'optional',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'INVALID_LOBBY_STATE'],
    run: explainMatchmaking,
  }),
}
