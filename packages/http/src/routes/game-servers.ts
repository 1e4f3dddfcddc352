import { gameServerOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { streamResponse } from '../sse/stream-response'
import { backfill, newBackfill } from '../wire/backfill'
import { optional, queryOf } from '../wire/codec/index'
import { match } from '../wire/match'
import { flagInQuery } from '../wire/query'
import { newResult } from '../wire/result'
import { newSeat, seatOfPlayer } from '../wire/seats'
import { serverConfiguration, serverEvent } from '../wire/server-event'
import { created, NO_CONTENT, ok } from './answers'

const ready = endpoint({
  operation: 'servers.selfReady',
  method: 'post',
  path: '/v1/servers/self/ready',
  summary: 'Reports that the game server takes players.',
  success: NO_CONTENT,
})

const heartbeat = endpoint({
  operation: 'servers.selfHeartbeat',
  method: 'post',
  path: '/v1/servers/self/heartbeat',
  summary: 'Reports that the game server is alive.',
  success: NO_CONTENT,
})

const shutdown = endpoint({
  operation: 'servers.selfShutdown',
  method: 'post',
  path: '/v1/servers/self/shutdown',
  summary: 'Stops the game server; its match ends.',
  success: NO_CONTENT,
})

const get = endpoint({
  operation: 'servers.selfGet',
  method: 'get',
  path: '/v1/servers/self',
  summary: "Returns the current content of the game server's configuration file.",
  success: ok(serverConfiguration),
})

const events = endpoint({
  operation: 'servers.selfEvents',
  method: 'get',
  path: '/v1/servers/self/events',
  summary: 'Streams changes of the game server and its match: match_updated, stopping.',
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
  summary: "Requests newcomers for open seats of the game server's match.",
  body: newBackfill,
  bodyOptional: true,
  success: created(backfill),
})

const getBackfill = endpoint({
  operation: 'servers.selfGetBackfill',
  method: 'get',
  path: '/v1/servers/self/backfill',
  summary: "Returns the current request for players of the game server's match.",
  success: ok(backfill),
})

const cancelBackfill = endpoint({
  operation: 'servers.selfCancelBackfill',
  method: 'delete',
  path: '/v1/servers/self/backfill',
  summary: "Withdraws the request for players of the game server's match.",
  success: NO_CONTENT,
})

const keepSeat = endpoint({
  operation: 'servers.selfKeepSeat',
  method: 'post',
  path: '/v1/servers/self/seats',
  summary: "Keeps an open seat of the game server's match for a player.",
  body: newSeat,
  success: created(seatOfPlayer),
})

const freeSeat = endpoint({
  operation: 'servers.selfFreeSeat',
  method: 'delete',
  path: '/v1/servers/self/seats/{player_id}',
  summary: "Gives back the seat of the game server's match that is kept for a player.",
  success: NO_CONTENT,
})

const playerLeft = endpoint({
  operation: 'servers.selfPlayerLeft',
  method: 'delete',
  path: '/v1/servers/self/players/{player_id}',
  summary: 'Reports that a player has left: the roster marks the player, and the lobby removes the player.',
  query: queryOf({
    excused: optional(flagInQuery, 'Whether the player gets no penalty of the queue for leaving (`leaver_penalty`).'),
  }),
  success: NO_CONTENT,
})

const close = endpoint({
  operation: 'servers.selfClose',
  method: 'post',
  path: '/v1/servers/self/close',
  summary: "Closes the game server's match to newcomers until its end.",
  success: NO_CONTENT,
})

const result = endpoint({
  operation: 'servers.selfResult',
  method: 'post',
  path: '/v1/servers/self/result',
  summary: "Records the result of the game server's match, once; `end: true` ends the match too.",
  body: newResult,
  success: ok(match),
})

/** Routes for game servers, which send the token of their own configuration file. */
export const GAME_SERVER_ENDPOINTS: readonly Endpoint[] = [
  get,
  events,
  ready,
  heartbeat,
  shutdown,
  requestBackfill,
  getBackfill,
  cancelBackfill,
  keepSeat,
  freeSeat,
  playerLeft,
  close,
  result,
]
