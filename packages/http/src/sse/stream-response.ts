import type { Clock, Logger } from '@matchyard/core/ports'
import { ALREADY_SENT } from '../exchange/answer'
import type { Exchange } from '../exchange/exchange'
import type { CallSource, EndedStream } from '../options'
import type { AnyStream, OpenStreams } from './open-streams'
import { nodeSink, webSink } from './sink'

interface StreamCall {
  readonly services: {
    readonly streams: OpenStreams
    readonly logger: Logger
    readonly clock: Clock
    readonly onStreamEnd: (stream: EndedStream) => void
  }
  readonly operation: string
  readonly source: CallSource
  readonly headers: Record<string, string>
  readonly requestId: string
  readonly exchange: Exchange
}

/**
 * Returns the answer with an event stream, which stays open until the stream ends. `ReplayTurns` limits the number of
 * simultaneous reads of the log of events. An event costs one write per reader.
 */
export function streamResponse(call: StreamCall, stream: AnyStream): Response {
  const { services, requestId, operation, source } = call
  const headers = { ...call.headers, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
  const outgoing = call.exchange.outgoing
  const close = () => stream.close()
  const { sink, body } =
    outgoing === undefined ? webSink(close) : { sink: nodeSink(outgoing, headers, close), body: undefined }
  const startedAt = services.clock.now()
  services.streams
    .pump(stream, sink, source)
    .catch((error: unknown) => {
      services.logger.error('an event stream failed', { request_id: requestId, error: String(error) })
      sink.destroy()
    })
    .then(() => {
      const durationMs = services.clock.now() - startedAt
      services.onStreamEnd({ source, operation, requestId, durationMs, bytes: sink.taken })
    })
  if (body !== undefined) return new Response(body, { headers })
  const response = new Response(null, { headers: { [ALREADY_SENT]: 'true' } })
  // `@hono/node-server` looks for this header only in a full `Response`. Reading `body` converts its lightweight
  // response into a full one.
  void response.body
  return response
}
