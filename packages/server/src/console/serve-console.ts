import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AnsweredRequest, addressOf, type HttpEnv, type MatchyardApp, takesGzip } from '@matchyard/http'
import { type Context, Hono } from 'hono'
import { type PageFile, PageFiles } from './page-files'
import { pageHeaders } from './page-headers'

const ROOT = '/console'
/** Files in this folder have names that depend on their content. */
const ASSETS = `${ROOT}/assets/`
const FOR_EVER = 'public, max-age=31536000, immutable'
/** In the log and in metrics. */
const OPERATION = 'console'

export interface ServedConsole {
  /** The folder with `index.html` and `assets/`. */
  readonly directory: string
  /** Where builds are sent, where that is another origin than the page's. */
  readonly uploadOrigin?: string | undefined
  /** As the service's own calls are told. */
  readonly trustedProxies: number
  /** Milliseconds. */
  readonly now: () => number
  /** Called after each answer. */
  readonly onAnswer: (request: AnsweredRequest) => void
}

type Served = Pick<MatchyardApp, 'fetch' | 'answer'>
type PageContext = Context<HttpEnv>

/** Whether a folder holds a console. */
export const holdsConsole = (directory: string): boolean => existsSync(join(directory, 'index.html'))

/** The application with the console in front of it: `/console/`, what is below it, and `/` for browsers, which are led there. */
export function withConsole(
  app: MatchyardApp,
  { directory, uploadOrigin, trustedProxies, now, onAnswer }: ServedConsole,
): Served {
  const front = new Hono<HttpEnv>()
  const page = pageOf(directory, uploadOrigin)
  front.use(async (c) => {
    const { method } = c.req.raw
    const startedAt = now()
    const isRead = method === 'GET' || method === 'HEAD'
    const refused = isRead ? await app.refusePage(c) : undefined
    if (refused !== undefined) return refused
    const response = isRead ? await (c.req.path === '/' ? lead(c) : page(c)) : undefined
    if (response === undefined) return app.fetch(c.req.raw, c.env)
    const sent = { incoming: c.env?.incoming, header: (name: string) => c.req.header(name) }
    onAnswer({
      source: { address: addressOf(sent, trustedProxies) },
      bytesIn: 0,
      bytesOut: Number(response.headers.get('content-length') ?? 0),
      operation: OPERATION,
      method,
      status: response.status,
      durationMs: now() - startedAt,
      requestId: '',
    })
    return response
  })
  return {
    // Every call of the interface comes by here: it is told apart without another router.
    // Of the interface alone: the console is none of it.
    answer: (incoming, outgoing) => app.answer(incoming, outgoing),
    fetch: (request, env) => (isForConsole(request.url) ? front : app).fetch(request, env),
  }
}

/** Whether a URL is for the console: in `http://host:port/path?query` the path begins at the third slash. */
function isForConsole(url: string): boolean {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  if (!url.startsWith(ROOT, at)) return at === url.length - 1 || url[at + 1] === '?'
  return ['/', '?', undefined].includes(url[at + ROOT.length])
}

/** Programs are told at `/` what they would be told without a console. */
function lead(c: PageContext): Response | undefined {
  if (!(c.req.header('accept') ?? '').includes('text/html')) return undefined
  return leadTo(c, `.${ROOT}/`, { vary: 'accept' })
}

/** A relative redirect, because the service may stand under a path of a site. The part after `#` is kept. */
const leadTo = (c: PageContext, location: string, more: Record<string, string> = {}): Response =>
  c.body(null, 302, { ...more, location: location + new URL(c.req.url).search, 'cache-control': 'no-store' })

/** From a path to the page: `./console/` from `/console`, `../` from `/console/lobbies/lob_1`. */
function wayToPage(path: string): string {
  const below = path.slice(ROOT.length + 1).split('/').length - 1
  return path === ROOT ? `.${ROOT}/` : below === 0 ? './' : '../'.repeat(below)
}

function pageOf(directory: string, uploadOrigin?: string): (c: PageContext) => Promise<Response | undefined> {
  const files = new PageFiles(directory)
  const headers = Object.entries(pageHeaders(uploadOrigin))
  return async (c) => {
    const { path } = c.req
    const name = nameIn(path)
    if (name === undefined) return undefined
    for (const [header, value] of headers) c.header(header, value)
    const isAsset = path.startsWith(ASSETS)
    const file = path === ROOT ? undefined : await files.find(path === `${ROOT}/` ? 'index.html' : name)
    if (file !== undefined) return fileOf(file, c, path === `${ROOT}/` ? 'no-store' : isAsset ? FOR_EVER : 'no-cache')
    if (isAsset) return undefined
    // The page names its files from where it stands, and its views behind `#`: every other path leads to the one place where it does.
    return leadTo(c, wayToPage(path))
  }
}

/** Serves a file from one shared copy: a slow reader only holds a place in it. */
function fileOf({ mediaType, plain, packed }: PageFile, c: PageContext, cacheControl: string): Response {
  const more = { 'content-type': mediaType, 'cache-control': cacheControl, vary: 'accept-encoding' }
  if (packed === undefined || !takesGzip(c.req.header('accept-encoding'))) return c.body(plain, 200, more)
  return c.body(packed, 200, { ...more, 'content-encoding': 'gzip' })
}

/** Returns the file name of a path below the page; undefined where it leads upwards, or could be read so. */
function nameIn(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path)
    return /(^|[/\\])\.\.([/\\]|$)|\0/.test(name) ? undefined : name.slice(ROOT.length + 1)
  } catch {
    return undefined
  }
}
