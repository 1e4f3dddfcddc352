import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers by itself, and with `true` where there is a store behind that would answer else. */
export type Between = (request: IncomingMessage, response: ServerResponse) => unknown

/** Something that listens, and is no store, or passes on to the one behind; signatures stay good, because the host does. */
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
