import { isMatchyardError } from '@matchyard/client'
import { signal } from '@preact/signals'
import { Wire } from './wire'

/** Survives a reload of this tab, and nothing else. */
const KEPT = 'matchyard.session'

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

/** Who is signed in; `unknown` until the tab's own memory was asked. */
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
  const token = memory()?.getItem(KEPT)
  if (token == null) {
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
  if (typeof value === 'object')
    void Promise.resolve(closing).then(() => value.wire.farewell('POST', '/v1/auth/logout'))
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

/** undefined where the browser forbids it: then a reload is a new signing in. */
function memory(): Storage | undefined {
  try {
    return sessionStorage
  } catch {
    return undefined
  }
}
