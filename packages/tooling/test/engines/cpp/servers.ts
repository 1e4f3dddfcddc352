import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns the bytes of a text. Halves of surrogate pairs, which UTF-8 does not have, are three bytes each. */
export const bytesOf = (text: string): Buffer =>
  Buffer.concat(
    [...text].map((character) => {
      const code = character.codePointAt(0) ?? 0
      return code >= 0xd800 && code <= 0xdfff
        ? Buffer.from([0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)])
        : Buffer.from(character)
    }),
  )

/** Starts a server that answers each request by the listener. */
export async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Headers of an event stream. */
export const STREAM = { 'content-type': 'text/event-stream' }

/** Returns a lobby as the service sends it, with the fields that the client reads. */
export const lobbyOf = (version: number) => ({
  lobby_id: 'lob_1',
  status: 'waiting',
  version,
  players: [],
  server: null,
})

/** Returns an event of a stream with a lobby. */
export const eventOf = (version: number, more: object = {}, name = 'lobby_updated') =>
  `event: ${name}\nid: ${version}\ndata: ${JSON.stringify({ ...lobbyOf(version), ...more })}\n\n`
