import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LobbySnapshot } from '@matchyard/client'
import { build } from 'esbuild'
import { type Browser, chromium, type Page } from 'playwright-core'

const CLIENT = fileURLToPath(new URL('../../../client/src/index.ts', import.meta.url))
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
]

/** Events that the client in a page has received, in order. */
export interface Seen {
  readonly changes: readonly LobbySnapshot[]
  readonly connections: readonly string[]
  readonly closed: readonly string[]
  readonly log: readonly string[]
}

/** Options of a page's client. */
export interface PageOptions {
  readonly baseUrl: string
  readonly clientKey: string
  /** A player id; or a list of player tokens, which the client gets one after another. */
  readonly player: string | readonly string[]
}

/** Returns the path of an installed Chromium; undefined when this machine has no Chromium. */
export function chromiumPath(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'chromium'))
    .find(existsSync)
}

/** A real browser, and a server for the page with the built client. */
export class ProofBrowser {
  private constructor(
    private readonly browser: Browser,
    private readonly url: string,
    private readonly close: () => Promise<void>,
  ) {}

  static async start(executablePath: string): Promise<ProofBrowser> {
    const bundle = await build({
      stdin: { contents: `export * from ${JSON.stringify(CLIENT)}\n${PAGE}`, resolveDir: '/', loader: 'ts' },
      bundle: true,
      minify: true,
      format: 'iife',
      write: false,
      target: 'es2022',
      conditions: ['@matchyard/source'],
    })
    const script = bundle.outputFiles[0]?.text ?? ''
    const server = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html; charset=utf-8')
      answer.end(`<!doctype html><title>proof</title><script>${script.replaceAll('</script', '<\\/script')}</script>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = address === null || typeof address === 'string' ? 0 : address.port
    const browser = await chromium.launch({ executablePath, args: FLAGS })
    return new ProofBrowser(browser, `http://127.0.0.1:${port}/`, async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  }

  /** Opens a page with the client in a separate browser context. */
  async page(options: PageOptions): Promise<ProofPage> {
    const context = await this.browser.newContext()
    const page = await context.newPage()
    await page.goto(this.url)
    const proof = new ProofPage(page, options)
    await proof.begin()
    return proof
  }

  async stop(): Promise<void> {
    await this.browser.close()
    await this.close()
  }
}

/** A page of the browser in which a player's client reads the events of one lobby. */
export class ProofPage {
  constructor(
    readonly page: Page,
    private readonly options: PageOptions,
  ) {}

  /** Creates the page's client; the test also calls it after a reload. */
  begin(): Promise<void> {
    return this.run('begin', this.options)
  }

  /** Calls a function of the page's script and returns its result. */
  run<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    return this.page.evaluate(
      ([called, given]) => {
        const page = globalThis as unknown as Record<string, (...args: readonly unknown[]) => unknown>
        return page[called as string]?.(...(given as readonly unknown[])) as T
      },
      [name, args] as const,
    ) as Promise<T>
  }

  seen(): Promise<Seen> {
    return this.run('seen')
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}

/**
 * The page's script: a client whose clock runs five times as fast as real time, and the events that the client has
 * received.
 */
const PAGE = `
import { createClient as make } from ${JSON.stringify(CLIENT)}
const SPEED = 5
let slept = Date.now()
let client, lobby, match
const seen = { changes: [], connections: [], closed: [], log: [] }
const platform = {
  now: () => slept + performance.now() * SPEED,
  after: (ms, run) => { const timer = setTimeout(run, ms / SPEED); return () => clearTimeout(timer) },
}
const follow = (found) => {
  lobby = found
  lobby.on('change', (now) => seen.changes.push(now))
  lobby.on('connection', (now) => seen.connections.push(now))
  lobby.on('closed', (reason) => seen.closed.push(reason))
  return lobby.current
}
Object.assign(globalThis, {
  begin: ({ player, ...options }) => {
    let turn = 0
    const source = typeof player === 'string' ? player : () => player[Math.min(turn++, player.length - 1)]
    client = make({ ...options, player: source, platform, storage: localStorage, retryForMs: 600000, log: (line) => seen.log.push(line) })
  },
  create: async (options) => follow(await client.lobbies.create(options)),
  join: async (options) => follow(await client.lobbies.join(options)),
  resume: async () => { const found = await client.lobbies.resume(); return found && follow(found) },
  setState: (state) => lobby.setState(state),
  findMatch: async () => { match = await lobby.findMatch(); return { me: match.me, id: match.id } },
  play: async (queueId, state) => { match = await client.play(queueId, { state }); return { me: match.me, endpoint: match.endpoint('game') } },
  measure: (options) => client.measureRegions(options),
  current: () => lobby.current,
  connection: () => lobby.connection,
  transport: () => lobby.transport,
  seen: () => seen,
  sleep: (ms) => { slept += ms },
})
`
