import { isMatchyardError } from '@matchyard/client'
import { signal } from '@preact/signals'
import { Wire } from './wire'

/** Survives a reload of this tab, and nothing else. */
const KEPT = 'matchyard.session'

/** Tabs of this console in one browser: a new one asks the others for their session, so that nothing of it outlives the last of them. */
const TABS = 'matchyard.session'
/** Milliseconds for which a new tab waits for another tab's answer. */
const ANSWERED_WITHIN_MS = 250

type Message = { readonly says: 'who' } | { readonly says: 'session' | 'over'; readonly token: string }

export interface Account {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly plan: 'free' | 'payg' | 'pro'
  readonly tariff?: 'self_hosted'
}

/** Somebody who is signed in. */
export interface Session {
  readonly token: string
  readonly account: Account
  /** Calls with the session's token. */
  readonly wire: Wire
}

interface Granted {
  readonly token: string
  readonly account: Account
}

/** Signed-in session; `unknown` until the tab's own memory was read. */
export const session = signal<Session | 'unknown' | 'nobody'>('unknown')

/** Why somebody who was signed in is not any more; shown where they sign in again. */
export const signedOutWhy = signal('')

export const signIn = async (email: string, password: string): Promise<void> =>
  begin(await new Wire().post<Granted>('/v1/auth/login', { email, password }))

/** By the code of a link that the service printed as it started; it is good once. */
export const signInByCode = async (code: string): Promise<void> =>
  begin(await new Wire().post<Granted>('/v1/auth/code', { code }))

/** Asks the tab's memory who is signed in, and the service whether that is still so. */
export async function restore(): Promise<void> {
  const token = memory()?.getItem(KEPT) ?? (await tokenOfAnotherTab())
  if (token === undefined) {
    session.value = 'nobody'
    return
  }
  try {
    const account = await bearer(token).get<Account>('/v1/account')
    begin({ token, account })
  } catch (error) {
    if (!isMatchyardError(error, 'INVALID_SESSION_TOKEN', 'SESSION_EXPIRED')) throw error
    forget('The session has ended. Sign in again.')
  }
}

/** Ends the session, here at once and at the service when `closing`, which still needs it, is done. */
export function signOut(closing?: Promise<unknown>): void {
  const { value } = session
  if (typeof value === 'object') {
    tabs?.postMessage({ says: 'over', token: value.token } satisfies Message)
    void Promise.resolve(closing).then(() => value.wire.farewell('POST', '/v1/auth/logout'))
  }
  forget('')
}

/** The session is over without anybody's doing. */
export function forget(why: string): void {
  memory()?.removeItem(KEPT)
  signedOutWhy.value = why
  session.value = 'nobody'
}

const bearer = (token: string) => new Wire({ authorization: `Bearer ${token}` })

function begin({ token, account }: Granted): void {
  memory()?.setItem(KEPT, token)
  signedOutWhy.value = ''
  session.value = { token, account, wire: bearer(token) }
}

const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel(TABS) : undefined

tabs?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
  const { value } = session
  if (typeof value !== 'object') return
  if (data.says === 'who') tabs.postMessage({ says: 'session', token: value.token } satisfies Message)
  if (data.says === 'over' && data.token === value.token) forget('You signed out in another tab.')
})

/** Returns the session's token of a tab that is open beside this one; undefined where none answers. */
function tokenOfAnotherTab(): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (tabs === undefined) return resolve(undefined)
    const over = new AbortController()
    const answer = (token: string | undefined) => {
      over.abort()
      clearTimeout(timer)
      resolve(token)
    }
    const timer = setTimeout(answer, ANSWERED_WITHIN_MS)
    const hear = ({ data }: MessageEvent<Message>) => data.says === 'session' && answer(data.token)
    tabs.addEventListener('message', hear, { signal: over.signal })
    tabs.postMessage({ says: 'who' } satisfies Message)
  })
}

/** undefined where the browser forbids it: then a reload is a new signing in. */
function memory(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
