import { gameServerOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { streamResponse } from '../sse/stream-response'
import { backfill, newBackfill } from '../wire/backfill'
import { serverConfiguration, serverEvent } from '../wire/server-event'
import { created, NO_CONTENT, ok } from './answers'

const ready = endpoint({
  operation: 'servers.selfReady',
  method: 'post',
  path: '/v1/servers/self/ready',
  summary: 'The game server says that it takes players.',
  success: NO_CONTENT,
})

const heartbeat = endpoint({
  operation: 'servers.selfHeartbeat',
  method: 'post',
  path: '/v1/servers/self/heartbeat',
  summary: 'The game server says that it is alive.',
  success: NO_CONTENT,
})

const shutdown = endpoint({
  operation: 'servers.selfShutdown',
  method: 'post',
  path: '/v1/servers/self/shutdown',
  summary: 'The game server asks to be stopped; its match ends.',
  success: NO_CONTENT,
})

const get = endpoint({
  operation: 'servers.selfGet',
  method: 'get',
  path: '/v1/servers/self',
  summary: 'What the game server finds in its configuration file, as it is now.',
  success: ok(serverConfiguration),
})

const events = endpoint({
  operation: 'servers.selfEvents',
  method: 'get',
  path: '/v1/servers/self/events',
  summary: 'How the game server and its match are, whenever that changes: match_updated, stopping.',
  success: { status: 200, description: 'Server-Sent Events.', answer: serverEvent, mediaType: 'text/event-stream' },
  async handle(call) {
    const lastEventId = call.exchange.header('last-event-id')
    const self = gameServerOf(call)
    const of = { projectId: self.projectId, readerId: self.instanceId }
    const turn = () => call.services.streams.turns.begin(of)
    return streamResponse(call, await call.matchyard.servers.selfWatch({ ...self, lastEventId, turn }))
  },
})

const requestBackfill = endpoint({
  operation: 'servers.selfBackfill',
  method: 'post',
  path: '/v1/servers/self/backfill',
  summary: 'The game server asks for newcomers for open seats of its match.',
  body: newBackfill,
  bodyOptional: true,
  success: created(backfill),
})

const getBackfill = endpoint({
  operation: 'servers.selfGetBackfill',
  method: 'get',
  path: '/v1/servers/self/backfill',
  summary: "What the game server's match asks for now.",
  success: ok(backfill),
})

const cancelBackfill = endpoint({
  operation: 'servers.selfCancelBackfill',
  method: 'delete',
  path: '/v1/servers/self/backfill',
  summary: "The game server's match asks for nobody any more.",
  success: NO_CONTENT,
})

const playerLeft = endpoint({
  operation: 'servers.selfPlayerLeft',
  method: 'delete',
  path: '/v1/servers/self/players/{player_id}',
  summary: 'The game server says that a player has left: the roster marks them, and their lobby loses them.',
  success: NO_CONTENT,
})

const close = endpoint({
  operation: 'servers.selfClose',
  method: 'post',
  path: '/v1/servers/self/close',
  summary: 'The game server takes nobody any more, until its match ends.',
  success: NO_CONTENT,
})

/** Routes for game servers, with the token of their own configuration file. */
export const GAME_SERVER_ENDPOINTS: readonly Endpoint[] = [
  get,
  events,
  ready,
  heartbeat,
  shutdown,
  requestBackfill,
  getBackfill,
  cancelBackfill,
  playerLeft,
  close,
]
