import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Heard {
  readonly call: string
  readonly key: string | undefined
  readonly body: unknown
}

type Answer = (response: ServerResponse) => void

export const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    response.end(JSON.stringify({ code, number: 1, status, detail: `it is ${code}`, request_id: 'req_1', details: {} }))
  }
export const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
/** An answer that breaks the connection. */
export const cut: Answer = (response) => response.destroy()

/**
 * A service whose answers the test sets, call by call; all other calls get 204. It also writes the configuration file
 * of a server.
 */
export class ScriptedService {
  readonly heard: Heard[] = []
  /** Open streams, with their last event ids and their responses. */
  readonly streams: { readonly lastEventId: string | undefined; readonly response: ServerResponse }[] = []
  readonly folder = mkdtempSync(join(tmpdir(), 'game-server-'))
  private readonly answers = new Map<string, Answer[]>()
  private server: Server | undefined
  private port = 0

  async start(): Promise<void> {
    const server = createServer((request, response) => void this.serve(request, response))
    server.listen(this.port, '127.0.0.1')
    await once(server, 'listening')
    this.port = (server.address() as AddressInfo).port
    this.server = server
  }

  /** Stops the service and all connections; it may be started again on the same port. */
  async stop(): Promise<void> {
    const { server } = this
    if (server === undefined) return
    this.server = undefined
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async end(): Promise<void> {
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  /** Sets the answers to the next calls of this kind. */
  will(call: string, ...answers: readonly Answer[]): void {
    this.answers.set(call, [...answers])
  }

  of(call: string): readonly Heard[] {
    return this.heard.filter((one) => one.call === call)
  }

  tell(event: string, data: unknown, id = ''): void {
    this.streams.at(-1)?.response.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Writes the configuration file and lets this process find it. */
  configure(more: object = {}): void {
    const file = join(this.folder, 'its_svc.json')
    const configuration = {
      instance_id: 'srv_1',
      project_id: 'prj_1',
      queue_id: 'arena',
      match_id: 'mat_1',
      match_version: 1,
      region: 'iad',
      settings: { map: 'moon' },
      custom_data: { rounds: 3 },
      teams: [{ name: 'red', players: [{ player_id: 'ann', lobby_id: 'lob_1', role: null, state: { mmr: 1500 } }] }],
      api_url: `http://127.0.0.1:${this.port}`,
      token: 'secret',
      join_token_key: null,
      expires_at: '2026-01-01T00:00:00.000Z',
      ...more,
    }
    writeFileSync(file, JSON.stringify(configuration))
    process.env.SVC_CONFIG_FILE = file
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    const path = url.replace('/v1/servers/self/', '')
    if (path === 'events' && this.answers.get('GET events')?.length !== undefined) {
      const next = this.answers.get('GET events')?.shift()
      if (next !== undefined) return next(response)
    }
    if (path === 'events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n: ping\n\n')
      this.streams.push({ lastEventId: headers['last-event-id'] as string | undefined, response })
      return
    }
    let text = ''
    for await (const chunk of request) text += chunk
    const call = `${method} ${path}`
    const key = headers['idempotency-key'] as string | undefined
    this.heard.push({ call, key, body: text === '' ? undefined : JSON.parse(text) })
    const answer = this.answers.get(call)?.shift()
    if (answer !== undefined) return answer(response)
    response.writeHead(headers.authorization === 'Bearer secret' ? 204 : 401).end()
  }
}
