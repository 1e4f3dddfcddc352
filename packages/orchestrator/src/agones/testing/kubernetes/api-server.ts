import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Fields } from './objects'
import { type OpenStream, type Reply, type Requests, refuse } from './requests'
import { ApiStatus } from './status'

/** Bearer token that every call must contain. */
export const TOKEN = 'the token of a service account'

/** HTTP server with the part of the Kubernetes API that game servers need. */
export class ApiServer {
  private readonly server: Server

  constructor(
    private readonly requests: Requests,
    /** Private key and certificate. Default: HTTP without TLS. */
    private readonly tls?: { readonly key: string; readonly cert: string },
  ) {
    const listener = (request: IncomingMessage, response: ServerResponse) => void this.handle(request, response)
    this.server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  }

  get faults() {
    return this.requests.faults
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1')
    await once(this.server, 'listening')
    const scheme = this.tls === undefined ? 'http' : 'https'
    return `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.cutWatches()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** Number of open watches. */
  get watches(): number {
    return this.requests.watches
  }

  cutWatches(): void {
    this.requests.cutWatches()
  }

  bookmark(): void {
    this.requests.bookmark()
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = replyBy(response)
    try {
      const url = new URL(request.url ?? '/', 'http://api')
      const body = await bodyOf(request)
      if (request.headers.authorization !== `Bearer ${TOKEN}`) throw new ApiStatus('Unauthorized', 'Unauthorized')
      const { 'content-type': type, accept } = request.headers
      this.requests.handle({ method: request.method ?? 'GET', url, body, type, accept }, reply)
    } catch (error) {
      if (!response.headersSent) refuse(reply, error)
      else response.destroy()
    }
  }
}

const replyBy = (response: ServerResponse): Reply => ({
  answer(code, body, headers = {}) {
    const isText = typeof body === 'string'
    response.writeHead(code, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  },
  drop: () => void response.destroy(),
  stream(closed): OpenStream {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.flushHeaders()
    response.once('close', closed)
    return {
      send: (line) => void response.write(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`),
      end: () => void response.end(),
      cut: () => void response.socket?.destroySoon(), // data that was already written is still sent
    }
  },
})

async function bodyOf(request: IncomingMessage): Promise<Fields> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  try {
    return text === '' ? {} : (JSON.parse(text) as Fields)
  } catch {
    throw new ApiStatus('BadRequest', 'the object provided is unrecognized')
  }
}
