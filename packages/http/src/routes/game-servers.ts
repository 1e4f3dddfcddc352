import { gameServerOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { NO_CONTENT } from './answers'

const ready = endpoint({
  operation: 'servers.selfReady',
  method: 'post',
  path: '/v1/servers/self/ready',
  summary: 'The game server says that it takes players.',
  success: NO_CONTENT,
  errors: ['INVALID_SERVER_STATE'],
  handle: (call) => call.matchyard.servers.selfReady(gameServerOf(call), call.options),
})

const heartbeat = endpoint({
  operation: 'servers.selfHeartbeat',
  method: 'post',
  path: '/v1/servers/self/heartbeat',
  summary: 'The game server says that it is alive.',
  success: NO_CONTENT,
  errors: ['INVALID_SERVER_STATE'],
  handle: (call) => call.matchyard.servers.selfHeartbeat(gameServerOf(call), call.options),
})

const shutdown = endpoint({
  operation: 'servers.selfShutdown',
  method: 'post',
  path: '/v1/servers/self/shutdown',
  summary: 'The game server asks to be stopped; its match ends.',
  success: NO_CONTENT,
  errors: ['INVALID_SERVER_STATE'],
  handle: (call) => call.matchyard.servers.selfShutdown(gameServerOf(call), call.options),
})

/** What a game server may call, with the token of its own configuration file. */
export const GAME_SERVER_ENDPOINTS: readonly Endpoint[] = [ready, heartbeat, shutdown]
