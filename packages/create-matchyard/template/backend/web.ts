import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { playerOf } from './players'
import { bundlePage } from './prepare'
import type { Matchyard } from './service'

const LONGEST_BODY = 4_096

export interface Web {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the page, and tells it its player and Matchyard's address. The page then calls Matchyard directly, with the
 * client key.
 */
export async function serve({ baseUrl, clientKey }: Matchyard, queueId: string, port: number): Promise<Web> {
  const page = (name: string) => readFile(new URL(`../page/${name}`, import.meta.url))
  const files = new Map<string, readonly [type: string, content: Buffer | string]>([
    ['/', ['text/html; charset=utf-8', await page('index.html')]],
    ['/style.css', ['text/css; charset=utf-8', await page('style.css')]],
    ['/main.js', ['text/javascript; charset=utf-8', await bundlePage()]],
  ])
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = '/'] = (request.url ?? '/').split('?')
    if (request.method === 'POST' && path === '/session') {
      const player = playerOf(await bodyOf(request))
      response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      response.end(JSON.stringify({ baseUrl, clientKey, queueId, player }))
      return
    }
    const [type, content] = files.get(path) ?? []
    if (type === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(content)
  }
  // A broken request must not end the process.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((done, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', done)
  })
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((done) => server.close(() => done()))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > LONGEST_BODY) return ''
  }
  return text
}
