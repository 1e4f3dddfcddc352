import { connect } from 'node:net'
import { type ServerType, serve } from '@hono/node-server'
import type { MatchyardApp } from '../../src/index'

export interface Listening {
  readonly port: number
  readonly url: string
  readonly server: ServerType
  close(): Promise<void>
}

/** The application on a real socket of a free port. */
export async function listen(app: MatchyardApp): Promise<Listening> {
  const { server, port } = await new Promise<{ server: ServerType; port: number }>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) =>
      resolve({ server: started, port: info.port }),
    )
  })
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

/** Sends these very bytes and answers all that comes back until the other side closes. */
export function rawExchange(port: number, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    socket.on('error', reject)
  })
}

/** A request as text, closed after its answer. */
export const rawRequest = (line: string, headers: readonly string[], body = ''): string =>
  [`${line} HTTP/1.1`, 'host: localhost', 'connection: close', ...headers, '', body].join('\r\n')

export const bodyOf = (answer: string): ReturnType<typeof JSON.parse> =>
  JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
