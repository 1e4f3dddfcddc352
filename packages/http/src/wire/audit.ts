import { z } from '@hono/zod-openapi'
import {
  AUDITED_KINDS,
  type AuditActor,
  type AuditChange,
  type AuditEntry,
  type AuditField,
  type AuditTarget,
} from '@matchyard/core'
import { AUDIT_PAGE, DEFAULT_PAGE_LIMIT, isJsonObject } from '@matchyard/core/domain'
import {
  answerOf,
  given,
  instant,
  listOf,
  NAMES_OF,
  nullable,
  optional,
  plain,
  queryOf,
  required,
  told,
} from './codec/index'
import { isoOf } from './codec/iso'
import { wireName } from './codec/wire-names'
import { cursor, projectId, wholeInQuery, word } from './query'
import { flag, oneOf, string } from './shared'

export const auditQuery = queryOf({
  projectId,
  operation: optional(word, 'Only changes by this call, for example `queues.update`.'),
  actor: optional(word, 'Only changes by this account, session or key, or by `operator` for commands of operators.'),
  target: optional(word, 'Only changes of the thing or the player with this id.'),
  limit: optional(wholeInQuery(AUDIT_PAGE, DEFAULT_PAGE_LIMIT), 'Maximum number of entries.'),
  cursor,
})

/** Author of a change, as JSON shows it: one shape for every kind of author. */
interface AuthorShown {
  readonly kind: AuditActor['kind']
  readonly accountId: string | null
  readonly sessionId: string | null
  readonly keyId: string | null
  readonly address: string | null
}

function authorShown(actor: AuditActor): AuthorShown {
  const { kind } = actor
  const none = { accountId: null, sessionId: null, keyId: null, address: null }
  if (kind === 'operator') return { ...none, kind }
  const address = actor.address ?? null
  if (kind === 'session') return { ...none, kind, accountId: actor.accountId, sessionId: actor.sessionId, address }
  return { ...none, kind, accountId: actor.person ?? null, keyId: actor.keyId, address }
}

const author = answerOf<AuthorShown>()({
  kind: required(oneOf(['session', 'key', 'operator']), 'Kind of the author: a person, a server key, or an operator.'),
  accountId: required(nullable(string), 'Account of the person; null for the key of a program and for an operator.'),
  sessionId: required(nullable(string), 'Session of the person; null without one.'),
  keyId: required(nullable(string), 'The server key; null without one.'),
  address: required(nullable(string), 'Network address of the call; null when it is unknown or older than 30 days.'),
})

const target = answerOf<AuditTarget>()({
  kind: required(oneOf([...AUDITED_KINDS, 'player']), 'Kind of the thing.'),
  id: required(string, 'Id of the thing; empty for a player whose data were erased.'),
})

const anything = plain(z.unknown())

/** Returns the path of a field with the names of JSON. */
const pathOf = (name: string): string => name.replace(/[A-Za-z][A-Za-z0-9]*/g, (part) => wireName(part))

/** Names of fields that hold instants. */
const INSTANT = /(At|^until|^drainBy|^drainingSince)$/

/** Returns a value with the names of JSON, and an instant as a date-time. */
function wireValue(name: string, value: unknown): unknown {
  if (typeof value === 'number' && INSTANT.test(name)) return isoOf(value)
  if (Array.isArray(value)) return value.map((item) => wireValue('', item))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [wireName(key), wireValue(key, part)]))
}

const field = answerOf<AuditField>()({
  name: told(string, ({ name }: AuditField) => pathOf(name), 'Path of the field.'),
  before: told(
    anything,
    ({ name, before }: AuditField) => wireValue(name, before ?? null),
    'Value before the change; null without one.',
  ),
  after: told(
    anything,
    ({ name, after }: AuditField) => wireValue(name, after ?? null),
    'Value after the change; null without one.',
  ),
  isHidden: given(flag, 'Whether the values are hidden; absent when they are shown.'),
})

const change = answerOf<AuditChange>()({
  kind: required(oneOf(AUDITED_KINDS), 'Kind of the thing.'),
  id: required(string, 'Id of the thing.'),
  change: required(oneOf(['created', 'changed', 'removed']), 'Kind of the change.'),
  fields: required(listOf(field), 'Fields that differ.'),
})

export const auditEntry = answerOf<AuditEntry>(NAMES_OF.auditEntry)(
  {
    id: required(string, 'Id of the entry.'),
    projectId: required(nullable(string), 'Project of the change; null for a change outside of projects.'),
    accountId: required(
      nullable(string),
      'Account that owns the changed things; null where only the project is known.',
    ),
    createdAt: required(instant, 'Time of the change.'),
    actor: told(author, ({ actor }: AuditEntry) => authorShown(actor), 'Author of the change.'),
    operation: required(string, 'Name of the call.'),
    target: required(nullable(target), 'Thing to which the call applied; null without one.'),
    changes: required(listOf(change), 'Changed things with their fields, at most 20 things and 50 fields.'),
    players: required(listOf(string), 'Ids of the players whom the call named.'),
  },
  'AuditEntry',
  'A change that a person or a server key made.',
)
