import { isMatchyardError } from '@matchyard/client'
import { signal } from '@preact/signals'
import { Wire } from './wire'

/** Key in `sessionStorage` under which the session token is stored. That storage survives reloads of this tab only. */
const KEPT = 'matchyard.session'

/**
 * Name of the channel between the console's tabs in one browser. A new tab asks the other tabs for the session token,
 * so the token is stored only while a tab is open.
 */
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
  /** Present on accounts of operators, who can see the machines of the installation. */
  readonly operator?: boolean
}

/** The session of a signed-in account. */
export interface Session {
  readonly token: string
  readonly account: Account
  /** Client with the session's token. */
  readonly wire: Wire
}

/** Token and account of a new session, as the service answers. */
export interface Granted {
  readonly token: string
  readonly account: Account
}

/** The current session. `unknown` until the tab's storage and the service have been asked. */
export const session = signal<Session | 'unknown' | 'nobody'>('unknown')

/**
 * Reason why the last session ended, shown on the sign-in page; empty after a sign-in, and after the user signed out.
 */
export const signedOutWhy = signal('')

/** Signs in by password. `code` is a code of the account's second factor; without one, the service asks for it. */
export const signIn = async (email: string, password: string, code?: string): Promise<void> =>
  beginSession(
    await new Wire().post<Granted>('/v1/auth/login', { email, password, ...(code === undefined ? {} : { code }) }),
  )

/** Whether a login was refused because the account has a second factor and the login had no code. */
export const needsCode = (error: unknown): boolean => isMatchyardError(error, 'SECOND_FACTOR_REQUIRED')

/** Signs in with the code of the link that the service prints at startup. The code works once. */
export const signInByCode = async (code: string): Promise<void> =>
  beginSession(await new Wire().post<Granted>('/v1/auth/code', { code }))

/**
 * Restores the session from this tab's storage or from another tab, and verifies it with the service. Rejects when the
 * verification fails for any reason other than an ended session.
 */
export async function restore(): Promise<void> {
  const token = memory()?.getItem(KEPT) ?? (await tokenOfAnotherTab())
  if (token === undefined) {
    session.value = 'nobody'
    return
  }
  try {
    const account = await bearer(token).get<Account>('/v1/account')
    beginSession({ token, account })
  } catch (error) {
    if (!isMatchyardError(error, 'INVALID_SESSION_TOKEN', 'SESSION_EXPIRED')) throw error
    forget('The session has ended. Sign in again.')
  }
}

/**
 * Signs out in this browser at once. The logout call to the service is sent after `closing` has settled, because
 * `closing` still needs the session.
 */
export function signOut(closing?: Promise<unknown>): void {
  const { value } = session
  if (typeof value === 'object') {
    tabs?.postMessage({ says: 'over', token: value.token } satisfies Message)
    void Promise.resolve(closing).then(() => value.wire.farewell('POST', '/v1/auth/logout'))
  }
  forget('')
}

/** Removes the session from this tab, and shows the reason on the sign-in page. */
export function forget(why: string): void {
  memory()?.removeItem(KEPT)
  signedOutWhy.value = why
  session.value = 'nobody'
}

const bearer = (token: string) => new Wire({ authorization: `Bearer ${token}` })

/** Makes a session the one of this tab. */
export function beginSession({ token, account }: Granted): void {
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

/** Returns the session token of another open tab; undefined when no tab answers within `ANSWERED_WITHIN_MS`. */
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

/**
 * Returns the storage of this tab; undefined when the browser forbids it. Without the storage, the user must sign in
 * again after a reload.
 */
function memory(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
