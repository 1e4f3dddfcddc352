import { signal } from '@preact/signals'
import { replaceWith } from './route'
import { beginSession, type Granted, type Session } from './session'
import { Wire } from './wire'

/** Begin of the part after `#` in the address of an invitation. */
const JOIN = '#join='

/** Token of the invitation in the address with which the page was opened; undefined without one, and after its use. */
export const invitation = signal<string | undefined>(undefined)

/** Takes an invitation out of the address, so that it is in no history and in no link. */
export function takeInvitation(): void {
  if (!location.hash.startsWith(JOIN)) return
  invitation.value = location.hash.slice(JOIN.length)
  replaceWith('')
}

/** Returns the link by which a person uses an invitation. */
export const linkOfInvitation = (token: string): string =>
  `${location.origin}${location.pathname}${JOIN}${encodeURIComponent(token)}`

interface Joined {
  readonly project_id: string
  readonly session?: Granted
}

/** Uses an invitation for the account of a session. */
export async function joinAs({ wire }: Session, token: string): Promise<void> {
  const { project_id } = await wire.post<Joined>('/v1/auth/join', { token })
  open(project_id)
}

/** Name, e-mail address and password of a new account. */
export interface NewAccount {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** Uses an invitation for a new account, and signs it in. */
export async function joinAnew(token: string, account: NewAccount): Promise<void> {
  const { project_id, session } = await new Wire().post<Joined>('/v1/auth/join', { token, ...account })
  open(project_id)
  if (session !== undefined) beginSession(session)
}

/** Closes the invitation, and shows a project next. */
function open(projectId: string): void {
  invitation.value = undefined
  replaceWith(`#/~${encodeURIComponent(projectId)}`)
}
