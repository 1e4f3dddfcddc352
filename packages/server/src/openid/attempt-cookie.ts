import type { HttpEnv } from '@matchyard/http'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Attempt } from './provider'

/** Name of the cookie, which is sent to the callback alone. */
const NAME = 'matchyard_openid'
/** Seconds within which a person signs in at the provider. */
const LASTS_SECONDS = 600
/** Longest value; a longer one was not written here. */
const LONGEST = 512

/** Keeps the values of a sign-in in the browser that began it, so that any node can finish the sign-in. */
export function keepAttempt(c: Context<HttpEnv>, { state, nonce, verifier }: Attempt, isSecure: boolean): void {
  setCookie(c, NAME, [state, nonce, verifier].join('.'), {
    path: '/',
    httpOnly: true,
    secure: isSecure,
    // The provider sends the browser back from another site, by a link.
    sameSite: 'Lax',
    maxAge: LASTS_SECONDS,
  })
}

/** Returns the values of the sign-in that this browser began last, and removes them; undefined without any. */
export function takeAttempt(c: Context<HttpEnv>): Attempt | undefined {
  const value = getCookie(c, NAME)
  deleteCookie(c, NAME, { path: '/' })
  if (value === undefined || value.length > LONGEST) return undefined
  const [state = '', nonce = '', verifier = '', ...more] = value.split('.')
  return state === '' || nonce === '' || verifier === '' || more.length > 0 ? undefined : { state, nonce, verifier }
}
