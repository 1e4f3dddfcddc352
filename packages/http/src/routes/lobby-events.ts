import { keyOf } from '../callers'
import { type Endpoint, endpoint, Otherwise } from '../endpoint'
import { tellingAddress } from '../middleware/client-address'
import { streamResponse } from '../sse/stream-response'
import { lobby } from '../wire/lobby'
import { lobbyEventsQuery } from '../wire/lobby-bodies'
import { onLobbyByPlayer } from './on-lobby'

const events = endpoint({
  operation: 'lobbies.events',
  method: 'get',
  path: '/v1/lobbies/{lobby_id}/events',
  summary: 'Streams the events of a lobby: connected, lobby_updated, lobby_deleted, each with the whole lobby.',
  query: lobbyEventsQuery,
  success: { status: 200, description: 'Server-Sent Events.', answer: lobby, mediaType: 'text/event-stream' },
  otherwise: {
    status: 204,
    description: 'The stream was resumed after `lobby_deleted`: no events follow, and clients stop.',
  },
  async handle(call) {
    const { services, until, exchange, query } = call
    const { backend, keyId, accountId } = keyOf(call)
    const on = onLobbyByPlayer(call)
    const stream = await call.matchyard.lobbies.watch({
      ...on,
      backend,
      keyId,
      accountId,
      until,
      lastEventId: exchange.header('last-event-id'),
      fromOldest: query.from === 'oldest',
      address: tellingAddress(exchange, services.trustedProxies),
      // The turn lets other calls run when many readers connect at once.
      turn: () => services.streams.turns.begin({ projectId: on.projectId, readerId: on.playerId }),
    })
    if (!stream.isOver) return streamResponse(call, stream)
    // A client would open a stream without events again and again. Status 204 makes an EventSource stop.
    stream.close()
    return new Otherwise(undefined)
  },
})

export const LOBBY_EVENT_ENDPOINTS: readonly Endpoint[] = [events]
