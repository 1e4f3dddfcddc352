import { type Matchyard, ServiceError } from '@matchyard/core'
import type { Clock, Logger, Storage } from '@matchyard/core/ports'
import type { HttpEnv, MatchyardApp } from '@matchyard/http'
import { type Context, Hono } from 'hono'
import type { OpenIdConfig } from '../config/openid'
import { PAGE_HEADERS } from '../console/page-headers'
import { pathStart } from '../path-start'
import { keepAttempt, takeAttempt } from './attempt-cookie'
import { accountOfPerson } from './person-account'
import { OpenIdProvider, SignInRefused } from './provider'
import { REFUSAL_POLICY, REFUSALS, refusalPage } from './refusal-page'

const ROOT = '/auth/openid'

export interface ServedOpenId {
  readonly config: OpenIdConfig
  /** Public URL of the service, to which the provider sends browsers back. */
  readonly publicUrl: string
  /** Whether accounts may also sign in by password. */
  readonly hasPasswords: boolean
  readonly matchyard: Matchyard
  readonly storage: Storage
  readonly clock: Clock
  readonly logger: Logger
}

type Served = Pick<MatchyardApp, 'fetch' | 'answer'>

/**
 * Returns the application with the sign-in by an OpenID provider. `GET /auth/openid` describes the provider for the console,
 * `/auth/openid/start` leads to the provider, and the provider leads back to `/auth/openid/callback`. From there the console gets a sign-in
 * code, which works once.
 */
export function withOpenId(app: MatchyardApp, door: Served, served: ServedOpenId): Served {
  const { config, publicUrl, hasPasswords, clock } = served
  const provider = new OpenIdProvider(config, callbackOf(publicUrl), clock)
  const front = new Hono<HttpEnv>()
  const page = (run: (c: Context<HttpEnv>) => Promise<Response>) => async (c: Context<HttpEnv>) => {
    const refused = await app.refusePage(c)
    if (refused !== undefined) return refused
    for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value)
    c.header('cache-control', 'no-store')
    return run(c).catch((error: unknown) => failed(c, error, served.logger))
  }
  front.get(
    ROOT,
    page(async (c) => c.json({ name: new URL(config.issuer).hostname, passwords: hasPasswords })),
  )
  front.get(
    `${ROOT}/start`,
    page(async (c) => {
      const { url, attempt } = await provider.begin()
      keepAttempt(c, attempt, publicUrl.startsWith('https:'))
      return c.redirect(url, 302)
    }),
  )
  front.get(
    `${ROOT}/callback`,
    page(async (c) => {
      const attempt = takeAttempt(c)
      if (attempt === undefined) throw new SignInRefused('stale')
      const person = await provider.finish(new URL(c.req.url).search, attempt)
      const accountId = await accountOfPerson(served, person)
      const { code } = await served.matchyard.accounts.drawSignInCode({ accountId })
      // The part after `#` is in no log and in no referrer.
      return c.redirect(`../../console/#code=${code}`, 302)
    }),
  )
  front.notFound((c) => door.fetch(c.req.raw, c.env))
  return {
    answer: (incoming, outgoing) => door.answer(incoming, outgoing),
    fetch: (request, env) => (isForOpenId(request.url) ? front : door).fetch(request, env),
  }
}

/** Returns the address to which the provider sends browsers back. The public URL may end with a slash. */
const callbackOf = (publicUrl: string): string =>
  `${publicUrl.endsWith('/') ? publicUrl.slice(0, -1) : publicUrl}${ROOT}/callback`

/** Whether a URL is for the sign-in. */
const isForOpenId = (url: string): boolean => url.startsWith(ROOT, pathStart(url))

function failed(c: Context<HttpEnv>, error: unknown, logger: Logger): Response {
  const why =
    error instanceof SignInRefused
      ? error.why
      : error instanceof ServiceError && error.code === 'UNAVAILABLE'
        ? 'busy'
        : undefined
  if (why === undefined) throw error
  if (error instanceof SignInRefused && error.cause !== undefined)
    logger.warn('a sign-in by the OpenID provider failed', { why, error: String(error.cause) })
  c.header('content-security-policy', REFUSAL_POLICY)
  return c.html(refusalPage(why), REFUSALS[why].status)
}
