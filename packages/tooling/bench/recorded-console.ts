import { type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConsoleBrowser } from '../src/console/console-browser'
import type { DevCredentials } from '../src/service-process'

/** Milliseconds for which a page is recorded: a request that repeats every 10 s is seen at least twice. */
const LISTEN_MS = 22_000
/** Repetitions within this many milliseconds belong to the first load of the page, not to its polling. */
const FIRST_MS = 2_000

/** The requests of one view: those at its opening, and those repeated at an interval. */
export interface RecordedView {
  readonly view: string
  readonly stream: string | undefined
  readonly first: readonly Asked[]
  readonly again: readonly (Asked & { readonly everyMs: number })[]
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  /** Whether the request uses the session token; otherwise it uses a server key. */
  readonly bySession: boolean
}

/** Opens a view of the console in a real page and records its requests. */
export async function recordView(
  browser: ConsoleBrowser,
  credentials: DevCredentials,
  view: string,
): Promise<RecordedView> {
  const window = await browser.open(credentials)
  const heard: (Asked & { readonly at: number })[] = []
  let began = performance.now()
  await window.signIn()
  window.page.on('request', (sent) => {
    const { pathname, search } = new URL(sent.url())
    if (!pathname.startsWith('/v1/')) return
    const bySession = sent.headers().authorization !== undefined
    const body = sent.postData() ?? undefined
    heard.push({ at: performance.now() - began, method: sent.method(), path: pathname + search, body, bySession })
  })
  // After the reload the view is the first one shown, with all requests of its frame, as for an operator who opens the
  // console.
  await window.go(view)
  await window.page.reload()
  began = performance.now()
  heard.length = 0
  await wait(LISTEN_MS)
  await window.close()
  const calls = heard.filter(({ path }) => !path.startsWith('/v1/events?'))
  const byPath = new Map<string, typeof calls>()
  for (const call of calls) {
    const name = `${call.method} ${call.path}`
    byPath.set(name, [...(byPath.get(name) ?? []), call])
  }
  const again = [...byPath.values()].flatMap((times) => {
    const [one, last] = [times[0], times.at(-1)]
    if (one === undefined || last === undefined || last.at - one.at < FIRST_MS) return []
    return [{ ...one, everyMs: (last.at - one.at) / (times.length - 1) }]
  })
  const first = calls.filter(({ at }) => at < FIRST_MS)
  const stream = heard.findLast(({ path }) => path.startsWith('/v1/events?'))?.path
  return { view, stream, first, again }
}

/**
 * Sends the requests of an open page: those of its first load, those that it repeats, and the feed, which is read as
 * fast as it arrives.
 */
export class ReplayedConsole {
  private readonly timers: NodeJS.Timeout[] = []
  private readonly streams: ClientRequest[] = []
  bytes = 0
  calls = 0
  refused = 0

  constructor(
    private readonly baseUrl: string,
    private readonly serverKey: string,
    private readonly session: string,
    recorded: RecordedView,
  ) {
    if (recorded.stream !== undefined)
      this.ask({ method: 'GET', path: recorded.stream, body: undefined, bySession: false })
    for (const asked of recorded.first) this.ask(asked)
    for (const asked of recorded.again) this.timers.push(setInterval(() => this.ask(asked), asked.everyMs))
  }

  close(): void {
    for (const timer of this.timers) clearInterval(timer)
    for (const stream of this.streams) stream.destroy()
  }

  private ask({ method, path, body, bySession }: Asked): void {
    const credential = bySession ? { authorization: `Bearer ${this.session}` } : { 'api-key': this.serverKey }
    const headers = {
      ...credential,
      'accept-encoding': 'gzip, deflate, br, zstd',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const sent = request(new URL(path, this.baseUrl), { method, headers })
    sent.on('response', (answer) => {
      if ((answer.statusCode ?? 0) >= 400) this.refused++
      answer.on('error', () => {})
      answer.on('data', (chunk: Buffer) => {
        this.bytes += chunk.length
      })
    })
    sent.on('error', () => {})
    sent.end(body)
    this.calls++
    if (path.startsWith('/v1/events?')) this.streams.push(sent)
  }
}
