import { type Endpoint, endpoint } from '../endpoint'
import { lobby } from '../wire/lobby'
import { answering } from '../wire/lobby-bodies'
import { ok } from './answers'

const accept = endpoint({
  operation: 'lobbies.accept',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/proposal/accept',
  summary: 'A player accepts the match that is proposed to the lobby; the last answer of all makes it.',
  body: answering,
  bodyOptional: true,
  success: ok(lobby),
})

const decline = endpoint({
  operation: 'lobbies.decline',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/proposal/decline',
  summary: 'A player turns the proposed match down; the lobby waits, all others search on with their age.',
  body: answering,
  bodyOptional: true,
  success: ok(lobby),
})

export const LOBBY_PROPOSAL_ENDPOINTS: readonly Endpoint[] = [accept, decline]
