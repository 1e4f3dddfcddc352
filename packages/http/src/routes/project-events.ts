import { keyOf } from '../callers'
import { type Endpoint, endpoint } from '../endpoint'
import { streamResponse } from '../sse/stream-response'
import { feedChange, feedQuery } from '../wire/feed-change'

const events = endpoint({
  operation: 'projects.events',
  method: 'get',
  path: '/v1/events',
  summary:
    'Streams the changes of a project: hello, then each changed resource in its current state; gap when a reader is too far behind.',
  query: feedQuery,
  success: { status: 200, description: 'Server-Sent Events.', answer: feedChange, mediaType: 'text/event-stream' },
  async handle(call) {
    const { projectId, keyId, accountId } = keyOf(call)
    const { services, until } = call
    const feed = await call.matchyard.feed(projectId, {
      kinds: call.query.kinds,
      cursor: call.exchange.header('last-event-id'),
      keyId,
      accountId,
      until,
      // The turn lets other calls run when many readers connect at once.
      turn: () => services.streams.turns.begin({ projectId, readerId: undefined }),
    })
    return streamResponse(call, feed.pages)
  },
})

export const PROJECT_EVENT_ENDPOINTS: readonly Endpoint[] = [events]
