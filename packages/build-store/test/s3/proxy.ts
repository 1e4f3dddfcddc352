import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Handles a request. Returns `true` when it answers by itself; other requests go to the store behind, if there is one.
 */
export type Between = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * Listens, and passes requests to the store behind unless `between` answers them. Signatures stay valid, because the
 * host header is kept.
 */
export async function listening(between: Between, use: (endpoint: string) => Promise<void>, behind?: string) {
  const server = createServer((incoming, response) => {
    if (between(incoming, response) === true || behind === undefined) return
    const { method, url = '/', headers } = incoming
    const passed = request(new URL(url, behind), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
