import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type AnsweredRequest, addressOf, type HttpEnv, type MatchyardApp, takesGzip } from '@matchyard/http'
import { type Context, Hono } from 'hono'
import { pathStart } from '../path-start'
import { type PageFile, PageFiles } from './page-files'
import { pageHeaders } from './page-headers'

const ROOT = '/console'
/** Address of the documents. Their pages are in a folder of this name, beside the console's page. */
const DOCS = '/docs'
/** Folder of files whose names change with their content. */
const ASSETS = `${ROOT}/assets/`
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Operation name of the console's answers in the log and in metrics. */
const OPERATION = 'console'

export interface ServedConsole {
  /** Folder with `index.html` and `assets/`. */
  readonly directory: string
  /** Origin to which the page uploads builds, if it is not the page's own origin. */
  readonly uploadOrigin?: string | undefined
  /** Number of trusted proxies in front of the service. */
  readonly trustedProxies: number
  /** Returns the time in milliseconds. */
  readonly now: () => number
  /** Called after each answer. */
  readonly onAnswer: (request: AnsweredRequest) => void
}

type Served = Pick<MatchyardApp, 'fetch' | 'answer'>
type PageContext = Context<HttpEnv>

/** Whether a folder contains a console. */
export const holdsConsole = (directory: string): boolean => existsSync(join(directory, 'index.html'))

/**
 * Returns the application with the console, which handles `/console/`, `/docs/` and all paths below them. `/` redirects
 * browsers to the console.
 */
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
    // `answer` handles only calls of the API, never requests for the console. All other requests go to `fetch`, which
    // recognizes the console's URLs without another router.
    answer: (incoming, outgoing) => app.answer(incoming, outgoing),
    fetch: (request, env) => (isForConsole(request.url) ? front : app).fetch(request, env),
  }
}

/** Whether a URL belongs to the console or to the documents. */
function isForConsole(url: string): boolean {
  const at = pathStart(url)
  if (at === url.length - 1 || url[at + 1] === '?') return true
  return [ROOT, DOCS].some((root) => url.startsWith(root, at) && ['/', '?', undefined].includes(url[at + root.length]))
}

/** Redirects browsers from `/` to the console. Returns undefined for other clients, which get the answer of the API. */
function lead(c: PageContext): Response | undefined {
  if (!(c.req.header('accept') ?? '').includes('text/html')) return undefined
  return leadTo(c, `.${ROOT}/`, { vary: 'accept' })
}

/**
 * Redirects to a relative location, because the service may be mounted under a path of another site. Browsers keep the
 * part after `#`.
 */
const leadTo = (c: PageContext, location: string, more: Record<string, string> = {}): Response =>
  c.body(null, 302, { ...more, location: location + new URL(c.req.url).search, 'cache-control': 'no-store' })

/**
 * Returns the relative URL that leads from a path to the console's page: `./console/` from `/console`, `../` from
 * `/console/lobbies/lob_1`.
 */
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
    if (isBelow(DOCS, path)) return docOf(files, c)
    const isAsset = path.startsWith(ASSETS)
    const isPage = path !== ROOT && !name.startsWith('docs/')
    const file = isPage ? await files.find(path === `${ROOT}/` ? 'index.html' : name) : undefined
    if (file !== undefined) return fileOf(file, c, path === `${ROOT}/` ? 'no-store' : isAsset ? FOR_EVER : 'no-cache')
    if (isAsset) return undefined
    // The page uses relative paths for its files, and the part after `#` for its views. Every other path below
    // `/console/` is therefore redirected to the page.
    return leadTo(c, wayToPage(path))
  }
}

/** Whether a path is a root or below it. */
const isBelow = (root: string, path: string): boolean => path === root || path.startsWith(`${root}/`)

/** Returns a page of the documents; undefined when there is none, so that the API answers that the path is unknown. */
async function docOf(files: PageFiles, c: PageContext): Promise<Response | undefined> {
  const { path } = c.req
  if (path === DOCS) return leadTo(c, `.${DOCS}/`)
  const file = await files.find(path === `${DOCS}/` ? 'docs/index.html' : path.slice(1))
  return file === undefined ? undefined : fileOf(file, c, 'no-cache')
}

/** Sends a file from the one copy in memory that all answers share, so that slow readers cost no extra memory. */
function fileOf({ mediaType, plain, packed }: PageFile, c: PageContext, cacheControl: string): Response {
  const more = { 'content-type': mediaType, 'cache-control': cacheControl, vary: 'accept-encoding' }
  if (packed === undefined || !takesGzip(c.req.header('accept-encoding'))) return c.body(plain, 200, more)
  return c.body(packed, 200, { ...more, 'content-encoding': 'gzip' })
}

/**
 * Returns the file name of a path below the page. Returns undefined for a path that leads to a parent folder, or that a
 * system could read as such a path.
 */
function nameIn(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path)
    return /(^|[/\\])\.\.([/\\]|$)|\0/.test(name) ? undefined : name.slice(ROOT.length + 1)
  } catch {
    return undefined
  }
}
