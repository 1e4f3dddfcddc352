import type { CallOptions } from '../commit/call-options'
import { explainMatchmaking } from '../director/explain'
import { cancelMatchmaking } from '../use-cases/lobbies/cancel-matchmaking'
import { declineProposal } from '../use-cases/lobbies/decline-proposal'
import { endMatch } from '../use-cases/lobbies/end-match'
import { enqueueLobby } from '../use-cases/lobbies/enqueue-lobby'
import type { AnswerInput } from '../use-cases/lobbies/proposal-answers'
import { startLobby } from '../use-cases/lobbies/start-lobby'
import { PLAYERS } from './callers'
import { operation } from './operation'
import type { Running } from './running'

/** How a lobby comes to a match, and out of it. */
export const lobbyMatches = {
  /**
   * The host sends the lobby to matchmaking.
   * Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `PLAN_LIMIT_EXCEEDED`, `QUEUE_DISABLED`, `MATCHMAKING_NOT_CONFIGURED`,
   * `INVALID_LOBBY_STATE`, `PARTY_TOO_LARGE`, `PARTY_CANNOT_MATCH`, `BUILD_NOT_READY`, `PLAYER_COOLING_DOWN`.
   */
  enqueue: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: [
      'LOBBY_NOT_FOUND',
      'NOT_HOST',
      'PLAN_LIMIT_EXCEEDED',
      'QUEUE_DISABLED',
      'MATCHMAKING_NOT_CONFIGURED',
      'PARTY_TOO_LARGE',
      'PARTY_CANNOT_MATCH',
      'BUILD_NOT_READY',
      'INVALID_LOBBY_STATE',
      'PLAYER_COOLING_DOWN',
    ],
    run: enqueueLobby,
  }),

  /**
   * A member accepts the match that is proposed to the lobby; the last player to do so is answered the lobby in `matched`. Again is fine.
   * `matchId` guards against answering the next one. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`, `NO_PROPOSAL`,
   * `PROPOSAL_CHANGED`.
   */
  accept: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['matchId?', 'lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'NO_PROPOSAL', 'PROPOSAL_CHANGED'],
    run: ({ answers }: Running, input: AnswerInput, call?: CallOptions) => answers.accept(input, call),
  }),

  /**
   * A member turns the proposed match down, also after having accepted it: the lobby is `waiting`, and all others search on with the age
   * that they had, in one commit. Rejects with `LOBBY_NOT_FOUND`, `PLAYER_NOT_IN_LOBBY`, `NO_PROPOSAL`, `PROPOSAL_CHANGED`.
   */
  decline: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['matchId?', 'lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'NO_PROPOSAL', 'PROPOSAL_CHANGED'],
    run: declineProposal,
  }),

  /**
   * The host takes the lobby out of matchmaking; it is `waiting` once this is answered, and no match holds it afterwards: a match commit
   * expects the lobby's version. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `INVALID_LOBBY_STATE`.
   */
  cancelMatchmaking: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE'],
    run: cancelMatchmaking,
  }),

  /**
   * The host starts a match of this lobby alone; the answer does not wait for the server.
   * Rejects with `LOBBY_NOT_FOUND`, `PARTY_CANNOT_MATCH`, `NOT_HOST`, `PLAN_LIMIT_EXCEEDED`, `INVALID_LOBBY_STATE`.
   */
  start: operation({
    callers: PLAYERS,
    player: 'required',
    fields: ['lobbyId', 'playerId', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'PLAN_LIMIT_EXCEEDED', 'INVALID_LOBBY_STATE', 'PARTY_CANNOT_MATCH'],
    run: startLobby,
  }),

  /**
   * Ends the match: its server is stopped and every lobby of it returns to `waiting`. The backend's right, or the host's where the match
   * holds one lobby. Rejects with `LOBBY_NOT_FOUND`, `NOT_HOST`, `INVALID_LOBBY_STATE`.
   */
  end: operation({
    callers: PLAYERS,
    player: 'unless-backend',
    fields: ['isOperator?', 'lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'NOT_HOST', 'INVALID_LOBBY_STATE'],
    run: endMatch,
  }),

  /**
   * "Why am I still waiting" (design, "Explaining"): the party beside others of its queue, as they were within the last second. It
   * neither waits for the director's tick nor holds it up. Rejects with `LOBBY_NOT_FOUND`, `INVALID_LOBBY_STATE`.
   */
  explainMatchmaking: operation({
    callers: PLAYERS,
    player: 'optional',
    fields: ['lobbyId', 'playerId?', 'backend', 'projectId'],
    refusals: ['LOBBY_NOT_FOUND', 'INVALID_LOBBY_STATE'],
    run: explainMatchmaking,
  }),
}
