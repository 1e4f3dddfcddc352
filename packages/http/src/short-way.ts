import type { IncomingMessage, ServerResponse } from 'node:http'
import { MAX_BODY_BYTES } from '@matchyard/core/domain'
import type { Logger } from '@matchyard/core/ports'
import type { Endpoint } from './endpoint'
import { type Answer, send, sendResponse } from './exchange/answer'
import type { Exchange } from './exchange/exchange'
import { isPlain, NodeExchange } from './exchange/node-exchange'
import { isStream, type RouteFinder, routeFinder } from './route-table'

/** Runs the route of a request; never rejects. */
export type Run = (exchange: Exchange) => Promise<Answer | Response>

/**
 * Answers a request of Node's own HTTP server, or says that it will not: a web `Request` and `Response` for each call, and Hono between them, would
 * cost as much as most calls do (docs/adr/0139). Only what is common is answered here, a path that needs no decoding and a body of an announced
 * size; streams, uploads and whatever is unusual go the way of `fetch`, which knows all of it.
 */
export function shortWay(
  routes: readonly { readonly endpoint: Endpoint; readonly run: Run }[],
  logger: Logger,
): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const find: RouteFinder<Run> = routeFinder(
    routes
      .filter(({ endpoint }) => !isStream(endpoint.operation) && endpoint.rawBody === undefined)
      .filter(({ endpoint }) => endpoint.path.startsWith('/v1/'))
      .map(({ endpoint, run }) => ({ method: endpoint.method.toUpperCase(), path: endpoint.path, value: run })),
  )
  return (incoming, outgoing) => {
    if (!isPlain(incoming, MAX_BODY_BYTES)) return false
    const { method = '', url = '' } = incoming
    const end = url.indexOf('?')
    const path = end === -1 ? url : url.slice(0, end)
    const found = find(method, path)
    if (found === undefined) return false
    found
      .value(new NodeExchange(incoming, outgoing, path, found.params))
      .then((answer) => (answer instanceof Response ? sendResponse(outgoing, answer) : send(outgoing, answer)))
      .catch((error: unknown) => {
        logger.error('an answer could not be written', { error: String(error) })
        outgoing.destroy()
      })
    return true
  }
}
