import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { HttpEnv, MatchyardApp } from '../../src/index'

export interface Listening {
  readonly port: number
  readonly url: string
  readonly server: Server
  close(): Promise<void>
}

/**
 * Serves the application on a real socket with a free port: by the short way first, as the server does, or only by
 * `fetch`, as other hosts do.
 */
export async function listen(app: MatchyardApp, way: 'short' | 'fetch' = 'short'): Promise<Listening> {
  const byFetch = getRequestListener((request, env) => app.fetch(request, env as HttpEnv['Bindings']))
  const server = createServer((incoming, outgoing) => {
    if (way === 'fetch' || !app.answer(incoming, outgoing)) void byFetch(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Sends these bytes and resolves to everything that the other side sends until it closes. */
export function rawExchange(port: number, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.on('error', reject)
  })
}

/** Returns a request as text, whose connection closes after the answer. */
export const rawRequest = (line: string, headers: readonly string[], body = ''): string =>
  [`${line} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', body].join('\r\n')

export const bodyOf = (answer: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
