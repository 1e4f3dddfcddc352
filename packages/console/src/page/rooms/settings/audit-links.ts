import type { ApiKey, AuditEntry, Member } from '@matchyard/client/admin'
import { labelOfRole } from '../../data/roles'
import { href } from '../../data/route'

/** Sections of the console that show an object of a kind by its id. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  queue: ['queues'],
  server: ['servers'],
  match: ['matches'],
  lobby: ['lobbies'],
  player: ['players'],
  rating: ['ratings'],
  webhook: ['settings', 'webhooks'],
  machine: ['machines'],
}

/** Sections that list the objects of a kind, without a page of each. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  'api-key': ['settings', 'keys'],
  member: ['settings', 'members'],
  invitation: ['settings', 'members'],
  project: ['settings'],
  build: ['builds'],
  ban: ['players'],
}

/** Returns the address of the object of an entry; undefined when no section shows the object. */
export function linkOf({ target, changes }: AuditEntry): string | undefined {
  if (target === null || target.id === '') return undefined
  const { kind, id } = target
  const [room, list] = [ROOMS[kind], LISTS[kind]]
  if (kind === 'build') {
    const name = changes[0]?.fields.find((field) => field.name === 'name')?.after
    if (typeof name === 'string') return href('builds', name, id)
  }
  if (room !== undefined) return href(...room, id)
  return list === undefined ? undefined : href(...list)
}

/** Members and keys of the project, for the names of authors. */
export interface People {
  readonly members: readonly Member[]
  readonly keys: readonly ApiKey[]
}

/** Author of a change: its name, its role or kind, and the id by which the log is filtered. */
export interface Author {
  readonly name: string
  readonly about: string
  readonly id: string
}

/** Returns the author of an entry. A person or key that no longer exists has its id as its name. */
export function authorOf({ actor }: AuditEntry, { members, keys }: People): Author {
  const { kind, account_id, key_id } = actor
  if (kind === 'operator') return { name: 'Operator', about: 'command of the server', id: 'operator' }
  const member = members.find((one) => one.account_id === account_id)
  const key = keys.find((one) => one.key_id === key_id)
  const keyName = key?.name ?? key_id ?? ''
  if (account_id === null) return { name: keyName, about: 'server key', id: key_id ?? '' }
  const role = member === undefined ? 'no longer a member' : labelOfRole(member.role)
  const about = kind === 'key' && key?.expires_at === null ? `${role}, key ${keyName}` : role
  return { name: member?.name ?? account_id, about, id: account_id }
}
