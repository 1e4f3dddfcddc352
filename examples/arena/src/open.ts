import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundlePage } from './bundle'
import { type ArenaOptions, type Credentials, prepare } from './prepare'

export type { ArenaOptions, Credentials } from './prepare'

export interface Arena {
  /** Address of the page. */
  readonly url: string
  readonly queueId: string
  close(): Promise<void>
}

const page = (name: string) => readFile(new URL(`../page/${name}`, import.meta.url))

/**
 * Prepares the service and serves the page on its own port (0: any free port). The page calls the service directly,
 * with the client key.
 */
export async function openArena(
  credentials: Credentials,
  { port = 0, ...options }: ArenaOptions & { readonly port?: number } = {},
): Promise<Arena> {
  const queueId = await prepare(credentials, options)
  const settings = { baseUrl: credentials.base_url, clientKey: credentials.client_key, queueId }
  const files = new Map<string, readonly [type: string, content: Uint8Array | string]>([
    ['/', ['text/html; charset=utf-8', await page('index.html')]],
    ['/style.css', ['text/css; charset=utf-8', await page('style.css')]],
    ['/main.js', ['text/javascript; charset=utf-8', await bundlePage()]],
    ['/settings.json', ['application/json', JSON.stringify(settings)]],
  ])
  const server = createServer((request, response) => {
    const [type, content] = files.get(new URL(request.url ?? '/', 'http://page').pathname) ?? []
    if (type === undefined) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(content)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    queueId,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
