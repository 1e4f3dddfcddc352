import { type Endpoint, endpoint } from '../endpoint'
import { lobby } from '../wire/lobby'
import { answering } from '../wire/lobby-bodies'
import { ok } from './answers'
import { onLobbyByPlayer } from './on-lobby'

const errors = ['LOBBY_NOT_FOUND', 'PLAYER_NOT_IN_LOBBY', 'NO_PROPOSAL', 'PROPOSAL_CHANGED'] as const

const accept = endpoint({
  operation: 'lobbies.accept',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/proposal/accept',
  summary: 'A player accepts the match that is proposed to the lobby; the last answer of all makes it.',
  body: answering,
  bodyOptional: true,
  success: ok(lobby),
  errors,
  handle: (call) => call.matchyard.lobbies.accept({ ...onLobbyByPlayer(call), ...call.body }, call.options),
})

const decline = endpoint({
  operation: 'lobbies.decline',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/proposal/decline',
  summary: 'A player turns the proposed match down; the lobby waits, all others search on with their age.',
  body: answering,
  bodyOptional: true,
  success: ok(lobby),
  errors,
  handle: (call) => call.matchyard.lobbies.decline({ ...onLobbyByPlayer(call), ...call.body }, call.options),
})

export const LOBBY_PROPOSAL_ENDPOINTS: readonly Endpoint[] = [accept, decline]
