import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that serves a service under a path of a site, like `location /play/ { proxy_pass http://…/; }` in nginx. */
export class SubPath {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string, under: string): Promise<SubPath> {
    const { hostname, port } = new URL(target)
    const server = createServer((incoming, answer) => {
      const { method, headers, url = '/' } = incoming
      if (!url.startsWith(`${under}/`)) {
        answer.writeHead(404).end('nothing of the service is here')
        return
      }
      const onward = request({ hostname, port, method, headers, path: url.slice(under.length) }, (told) => {
        answer.writeHead(told.statusCode ?? 502, told.headers)
        told.pipe(answer)
        answer.on('close', () => told.destroy())
      })
      onward.on('error', () => answer.destroy())
      incoming.pipe(onward)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new SubPath(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}${under}`)
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
