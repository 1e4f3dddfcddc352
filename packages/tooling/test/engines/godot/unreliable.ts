import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * The fault for one request: `lost` sends it on but drops the answer; `busy` answers 503; `garbage` answers 200 with
 * HTML. No fault: passed through.
 */
export type Fault = 'lost' | 'busy' | 'garbage'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly key: string | undefined
}

/** A proxy in front of the service; the test chooses a fault for each request. */
export class Unreliable {
  readonly seen: Seen[] = []
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async before(
    target: string,
    fault: (request: Seen, attempt: number) => Fault | undefined,
  ): Promise<Unreliable> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const { host, connection, 'content-length': length, ...headers } = request.headers as Record<string, string>
      const seen = { method: request.method ?? '', path: request.url ?? '', key: headers['idempotency-key'] }
      const attempt = made.seen.filter(({ method, path }) => method === seen.method && path === seen.path).length + 1
      made.seen.push(seen)
      const wrong = fault(seen, attempt)
      if (wrong === 'busy') {
        response.writeHead(503, { 'retry-after': '1' }).end('<html>a proxy speaks</html>')
        return
      }
      if (wrong === 'garbage') {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>please log in to the network</html>')
        return
      }
      const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }
      const answer = await fetch(new URL(seen.path, target), { method: seen.method, headers, ...body }).catch(
        () => undefined,
      )
      if (wrong === 'lost' || answer === undefined) {
        request.socket.destroy()
        return
      }
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const made = new Unreliable(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, server)
    return made
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}
