import type { IncomingMessage } from 'node:http'
import type { MatchyardApp } from '@matchyard/http'

const PATH = '/ping'

/** Pages of any origin may make the request, and read when its answer arrived. */
const HEADERS = {
  'access-control-allow-origin': '*',
  'timing-allow-origin': '*',
  'cache-control': 'no-store',
} as const

type Served = Pick<MatchyardApp, 'fetch' | 'answer'>

/**
 * Returns the service with `GET /ping`, by which clients measure their latency. Its answer is empty. It needs no
 * credential, does no work, and is not logged.
 */
export const withPing = (door: Served): Served => ({
  fetch: (request, env) => door.fetch(request, env),
  answer(incoming, outgoing) {
    if (!isPing(incoming)) return door.answer(incoming, outgoing)
    outgoing.writeHead(204, HEADERS).end()
    return true
  },
})

const isPing = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && (url === PATH || url.startsWith(`${PATH}?`))
