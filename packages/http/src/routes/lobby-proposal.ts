import { type Endpoint, endpoint } from '../endpoint'
import { lobby } from '../wire/lobby'
import { answering } from '../wire/lobby-bodies'
import { ok } from './answers'

const accept = endpoint({
  operation: 'lobbies.accept',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/proposal/accept',
  summary: 'Accepts the proposed match for the calling player; the last acceptance makes the match.',
  body: answering,
  bodyOptional: true,
  success: ok(lobby),
})

const decline = endpoint({
  operation: 'lobbies.decline',
  method: 'post',
  path: '/v1/lobbies/{lobby_id}/proposal/decline',
  summary:
    'Declines the proposed match for the calling player. This lobby returns to `waiting`; the other lobbies search on and keep their waiting time.',
  body: answering,
  bodyOptional: true,
  success: ok(lobby),
})

export const LOBBY_PROPOSAL_ENDPOINTS: readonly Endpoint[] = [accept, decline]
