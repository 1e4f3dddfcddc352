import type { Connection, KubeAnswer, KubeCall } from '../../src/agones/kube/connection'
import { refusalOf, Unreachable } from '../../src/agones/kube/errors'
import type { ApiRequest, OpenStream, Reply, Requests } from '../../src/agones/testing/kubernetes/requests'
import { Feed } from './simulation/feed'

/** Returns a connection to a cluster in this process. Calls arrive at once, and streams arrive as they are written. */
export function directConnection(requests: Pick<Requests, 'handle'>, seen: (call: KubeCall) => void = () => {}) {
  const ask = (call: KubeCall, reply: Reply) => {
    seen(call)
    requests.handle(requestOf(call), reply)
  }
  return {
    server: 'direct',
    send: (call) =>
      new Promise<KubeAnswer>((resolve, reject) => {
        ask(call, {
          answer: (code, body, headers = {}) =>
            resolve({ code, text: textOf(body), retryAfter: headers['retry-after'] }),
          drop: () => reject(new Unreachable('the connection ended')),
          stream: () => {
            throw new Error('a call is no stream')
          },
        })
      }),
    stream: (call) =>
      new Promise<Feed>((resolve, reject) => {
        ask(call, {
          answer: (code, body, headers = {}) => reject(refusalOf(code, textOf(body), headers['retry-after'])),
          drop: () => reject(new Unreachable('the connection ended')),
          stream(closed): OpenStream {
            const feed = new Feed((work) => work(), closed)
            call.signal?.addEventListener('abort', () => feed.fail('not read any more'), { once: true })
            resolve(feed)
            return feed
          },
        })
      }),
  } satisfies Connection
}

const textOf = (body: object | string): string => (typeof body === 'string' ? body : JSON.stringify(body))

const requestOf = ({ method, path, body, type, accept }: KubeCall): ApiRequest => ({
  method,
  url: new URL(path, 'http://api'),
  body: body === undefined ? {} : JSON.parse(JSON.stringify(body)),
  type: type ?? 'application/json',
  ...(accept === undefined ? {} : { accept }),
})
