import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_BODY_BYTES } from '@matchyard/core/domain'
import type { Endpoint } from './endpoint'
import { type Answer, send, sendResponse } from './exchange/answer'
import type { Exchange } from './exchange/exchange'
import { isPlain, NodeExchange } from './exchange/node-exchange'
import { lateness } from './middleware/admission'
import { loadOf } from './middleware/load'
import { isStream, type RouteFinder, routeFinder } from './route-table'
import type { Services } from './services'
import type { IsTooLate } from './turns'

/** Runs the route of a request; never rejects. */
export type Run = (exchange: Exchange) => Promise<Answer | Response>

interface Way {
  readonly run: Run
  readonly isTooLate: IsTooLate
}

/**
 * Returns a handler for requests of Node's own HTTP server. It returns false for a request that it does not handle. A
 * web `Request` and `Response` for each call, and Hono between them, would cost as much as most calls do
 * (docs/adr/0139). The handler accepts only common requests: a path without encoding and a body of announced size.
 * Streams, uploads, downloads and unusual requests are handled by `fetch`, which handles everything.
 */
export function shortWay(
  routes: readonly { readonly endpoint: Endpoint; readonly run: Run }[],
  { logger, turns, admission, callers }: Pick<Services, 'logger' | 'turns' | 'admission' | 'callers'>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const find: RouteFinder<Way> = routeFinder(
    routes
      .filter(
        ({ endpoint }) =>
          !isStream(endpoint.operation) && endpoint.rawBody === undefined && endpoint.isLongAnswer !== true,
      )
      .filter(({ endpoint }) => endpoint.path.startsWith('/v1/'))
      .map(({ endpoint, run }) => {
        const isTooLate = lateness(admission, loadOf(endpoint.operation, endpoint.method))
        return { method: endpoint.method.toUpperCase(), path: endpoint.path, value: { run, isTooLate } }
      }),
  )
  return (incoming, outgoing) => {
    if (!isPlain(incoming, MAX_BODY_BYTES)) return false
    const { method = '', url = '' } = incoming
    const end = url.indexOf('?')
    const path = end === -1 ? url : url.slice(0, end)
    const found = find(method, path)
    if (found === undefined) return false
    const { params, value } = found
    const exchange = new NodeExchange(incoming, outgoing, path, params)
    const begin = () => {
      // A call is not begun if its caller disconnected while the call waited.
      if (!outgoing.destroyed) answer(value.run, exchange)
    }
    turns.take(begin, value.isTooLate, () => callers.partyOf(exchange))
    return true
  }

  function answer(run: Run, exchange: NodeExchange): void {
    const { outgoing } = exchange
    run(exchange)
      .then((answer) => (answer instanceof Response ? sendResponse(outgoing, answer) : send(outgoing, answer)))
      .catch((error: unknown) => {
        logger.error('an answer could not be written', { error: String(error) })
        outgoing.destroy()
      })
  }
}
