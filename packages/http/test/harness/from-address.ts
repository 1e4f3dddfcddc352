import type { IncomingMessage } from 'node:http'
import { client } from './client'
import type { Service } from './service'

/** Returns a client whose calls seem to come from an address. */
export function from(service: Service, remoteAddress: string) {
  const incoming = { socket: { remoteAddress }, rawHeaders: [] } as unknown as IncomingMessage
  const request: typeof service.app.request = (input, init) => {
    // A body with an announced length would be read through node-server. Here the request itself holds the body.
    const headers = { ...(init?.headers as Record<string, string>), 'transfer-encoding': 'chunked' }
    return service.app.request(input, { ...init, headers }, { incoming: withBody(incoming, init?.body) })
  }
  return client({ request } as typeof service.app)
}

const withBody = (incoming: IncomingMessage, body: unknown) =>
  Object.assign(Object.create(incoming), {
    iterator: async function* () {
      if (body !== undefined && body !== null) yield Buffer.from(String(body))
    },
  })
