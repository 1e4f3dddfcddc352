import { ServiceError } from '@matchyard/core'
import { keyOf } from '../callers'
import { type Call, type Endpoint, endpoint, Otherwise } from '../endpoint'
import { assignedServer, assignment } from '../wire/assignment'
import { backfill, newBackfill } from '../wire/backfill'
import { joinToken } from '../wire/join-token'
import { lobby } from '../wire/lobby'
import { match, matchesQuery } from '../wire/match'
import { newResult } from '../wire/result'
import { joiningLobby, newSeat, seatOfPlayer } from '../wire/seats'
import { stretchOf } from '../wire/shared'
import { created, NO_CONTENT, ok } from './answers'

const list = endpoint({
  operation: 'matches.list',
  method: 'get',
  path: '/v1/matches',
  summary:
    "Lists the project's matches, newest first, by cursor, without failed proposals; for players in `signed` mode, their own.",
  query: matchesQuery,
  success: ok(stretchOf(match)),
  async handle({ matchyard, query, ...call }) {
    const { projectId, backend } = keyOf(call)
    if (!backend) requireProvenPlayer(call, query.playerId)
    const { data, nextCursor } = await matchyard.matches.list({ ...query, projectId, backend })
    return { limit: query.limit, nextCursor, data }
  },
})

/** Throws `CREDENTIAL_NOT_ALLOWED` unless a token of an issuer proves that the client acts for the player of the query. */
function requireProvenPlayer(
  { caller, playerId }: Pick<Call<unknown, unknown, unknown>, 'caller' | 'playerId'>,
  asked: string | undefined,
): void {
  const isSigned = caller?.kind === 'client' && caller.playerAuth?.mode === 'signed'
  if (isSigned && playerId !== undefined && playerId === asked) return
  throw new ServiceError(
    'CREDENTIAL_NOT_ALLOWED',
    'a client key lists only the matches of its own player (player_id), and only in a project whose player_auth.mode is signed',
  )
}

const get = endpoint({
  operation: 'matches.get',
  method: 'get',
  path: '/v1/matches/{match_id}',
  summary: 'Returns a match with its teams and its server.',
  success: ok(match),
})

const assign = endpoint({
  operation: 'matches.assign',
  method: 'post',
  path: '/v1/matches/{match_id}/server',
  summary: 'Assigns a server of your own to a match, or changes the assigned server.',
  body: assignment,
  success: created(assignedServer),
  otherwise: {
    status: 200,
    description: 'The match had a server before: the same one, or all its lobbies get the new address.',
  },
  async handle(call) {
    const input = { ...call.body, projectId: keyOf(call).projectId, matchId: call.params.match_id }
    const assigned = await call.matchyard.matches.assign(input, call.options)
    return assigned.isNew ? assigned : new Otherwise(assigned)
  },
})

const requestBackfill = endpoint({
  operation: 'matches.backfill',
  method: 'post',
  path: '/v1/matches/{match_id}/backfill',
  summary: 'Requests newcomers for open seats of a running match, in place of an earlier request.',
  body: newBackfill,
  bodyOptional: true,
  success: created(backfill),
})

const getBackfill = endpoint({
  operation: 'matches.getBackfill',
  method: 'get',
  path: '/v1/matches/{match_id}/backfill',
  summary: 'Returns the current request for players of a match.',
  success: ok(backfill),
})

const cancelBackfill = endpoint({
  operation: 'matches.cancelBackfill',
  method: 'delete',
  path: '/v1/matches/{match_id}/backfill',
  summary: 'Withdraws the request for players of a match.',
  success: NO_CONTENT,
})

const issueJoinToken = endpoint({
  operation: 'matches.joinToken',
  method: 'post',
  path: '/v1/matches/{match_id}/join-token',
  summary: "Returns a token with which the calling player joins the match's game server; the server checks it offline.",
  success: ok(joinToken),
})

const keepSeat = endpoint({
  operation: 'matches.keepSeat',
  method: 'post',
  path: '/v1/matches/{match_id}/seats',
  summary: 'Keeps an open seat of a running match for a player; by a player of the match, or a backend.',
  body: newSeat,
  success: created(seatOfPlayer),
})

const freeSeat = endpoint({
  operation: 'matches.freeSeat',
  method: 'delete',
  path: '/v1/matches/{match_id}/seats/{player_id}',
  summary: 'Gives back the seat that is kept for a player.',
  success: NO_CONTENT,
})

const join = endpoint({
  operation: 'matches.join',
  method: 'post',
  path: '/v1/matches/{match_id}/join',
  summary: 'Lets the only player of a lobby take the seat of a running match that is kept for this player.',
  body: joiningLobby,
  success: ok(lobby),
})

const result = endpoint({
  operation: 'matches.result',
  method: 'post',
  path: '/v1/matches/{match_id}/result',
  summary: 'Records the result of a match, once; `amend: true` corrects it, and `end: true` ends the match too.',
  body: newResult,
  success: ok(match),
})

export const MATCH_ENDPOINTS: readonly Endpoint[] = [
  list,
  get,
  assign,
  requestBackfill,
  getBackfill,
  cancelBackfill,
  issueJoinToken,
  keepSeat,
  freeSeat,
  join,
  result,
]
