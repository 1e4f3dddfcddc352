import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
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

interface PageOptions extends ArenaOptions {
  /** Port of the page; 0 (the default) is any free port. */
  readonly port?: number
  /** Address at which the page is served; by default 127.0.0.1, which only this machine reaches. */
  readonly host?: string
}

/**
 * Prepares the service and serves the page. The page calls the service directly, with the client key. The server key
 * stays in this process.
 */
export async function openArena(
  credentials: Credentials,
  { port = 0, host = '127.0.0.1', ...options }: PageOptions = {},
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
    server.listen(port, host, resolve)
  })
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}/`,
    queueId,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
