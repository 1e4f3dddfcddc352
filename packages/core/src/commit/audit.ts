import { auditChanges, withinAuditBytes } from '../audit/differences'
import { type AuditActor, type AuditEntry, type AuditTarget, isPerson } from '../audit/entry'
import type { Ports } from '../ports/ports'
import type { CallOptions } from './call-options'
import type { Draft } from './draft'

/**
 * Recording of a call in the audit log. `always`: for every author. `sessions`: only when a person makes the call, with a session, a key of
 * their own, or a command of the server.
 */
export type AuditRule = 'always' | 'sessions'

/** Call that the audit log may record. */
export interface AuditedCall {
  /** Name of the operation, such as `queues.update`. */
  readonly operation: string
  /** Name of its group. */
  readonly group: string
  readonly rule: AuditRule
  /** Input of the call. Only its ids reach the log. */
  readonly input: unknown
}

/** Options of a call with the facts that its operation adds. */
interface WithAudited extends CallOptions {
  readonly audited?: AuditedCall
}

/** Returns the options of a call that has an author, with the facts for the audit log. */
export function auditedOptions(options: CallOptions, audited: AuditedCall): CallOptions {
  const told: WithAudited = { ...options, audited }
  return told
}

/** Kind of the things of a group of operations, and the field of the input with the id of the thing. */
const OF_GROUP: Readonly<Record<string, readonly [kind: AuditTarget['kind'], field: string]>> = {
  accounts: ['account', 'accountId'],
  sessions: ['session', 'sessionId'],
  secondFactor: ['account', 'accountId'],
  billing: ['account', 'accountId'],
  projects: ['project', 'projectId'],
  keys: ['api-key', 'keyId'],
  secrets: ['secret', 'name'],
  builds: ['build', 'buildId'],
  queues: ['queue', 'queueId'],
  members: ['member', 'memberAccountId'],
  bans: ['player', 'playerId'],
  players: ['player', 'playerId'],
  ratings: ['rating', 'ratingId'],
  machines: ['machine', 'machineId'],
  webhooks: ['webhook', 'webhookId'],
  lobbies: ['lobby', 'lobbyId'],
  matches: ['match', 'matchId'],
  servers: ['server', 'instanceId'],
  problems: ['problem', 'problemId'],
}

/** Operations on another kind of things than their group. */
const OF_OPERATION: Readonly<Record<string, readonly [kind: AuditTarget['kind'], field: string]>> = {
  'members.invite': ['invitation', 'invitationId'],
  'members.cancelInvitation': ['invitation', 'invitationId'],
}

/** Groups whose things belong to no project. */
const OF_NO_PROJECT = ['accounts', 'sessions', 'secondFactor', 'billing', 'machines']
/** Operations that the account's own list contains, because the project does not exist before or after them. */
const OF_ACCOUNT = ['projects.create', 'projects.delete']

/** Maximum characters of an id or a name in an entry. Ids that the service makes and checks are shorter. */
const MAX_TEXT = 256
/** Maximum characters of the name of an operator's command. */
const MAX_NAME = 64

/**
 * Adds the entry of the audit log to the draft of a call, so that either both or none of them are stored. A call without an author, a call
 * that changes nothing, and the traffic of a game get no entry.
 */
export function recordAudit(ctx: Pick<Ports, 'ids'>, draft: Draft, call: CallOptions | undefined): void {
  const { actor, audited } = (call ?? {}) as WithAudited
  if (actor === undefined || audited === undefined || draft.isEmpty) return
  if (audited.rule === 'sessions' && !isPerson(actor)) return
  draft.create('audit', withinAuditBytes(entryOf(ctx.ids.next('aud'), draft, actor, audited)))
}

function entryOf(id: string, draft: Draft, actor: AuditActor, { operation, group, input }: AuditedCall): AuditEntry {
  const asked = fieldsOf(input)
  const rows = draft.changedRows()
  const [kind, field] = OF_OPERATION[operation] ?? OF_GROUP[group] ?? []
  const row = rows.find((one) => one.kind === kind)
  const owned = rows.map(({ before, after }) => fieldsOf(after ?? before))
  const own = row === undefined ? {} : fieldsOf(row.after ?? row.before)
  const targetId = textOf(asked, field) ?? row?.id
  const isOfNoProject = OF_NO_PROJECT.includes(group) || OF_ACCOUNT.includes(operation)
  const projectId = isOfNoProject
    ? null
    : (textOf(own, 'projectId') ??
      textOf(asked, 'projectId') ??
      firstText(owned, 'projectId') ??
      (actor.kind === 'key' ? actor.projectId : null))
  return {
    id,
    version: 1,
    projectId,
    accountId: group === 'machines' ? null : (accountOf(group, targetId) ?? firstText([own, ...owned], 'accountId')),
    createdAt: draft.at,
    actor: bounded(actor),
    operation,
    target: kind === undefined || targetId === undefined ? null : { kind, id: targetId },
    changes: auditChanges(rows),
    players: playersIn(group, asked),
  }
}

const accountOf = (group: string, id: string | undefined): string | undefined =>
  OF_GROUP[group]?.[0] === 'account' ? id : undefined

/** Returns the ids of the players whom a call names. */
function playersIn(group: string, asked: Fields): string[] {
  if (!['bans', 'players', 'lobbies', 'matches'].includes(group)) return []
  const named = ['targetPlayerId', 'playerId'].map((field) => textOf(asked, field))
  return [...new Set(named.filter((id) => id !== undefined))]
}

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

function textOf(fields: Fields, name: string | undefined): string | undefined {
  const value = name === undefined ? undefined : fields[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT) : undefined
}

const firstText = (all: readonly Fields[], name: string): string | null =>
  all.map((fields) => textOf(fields, name)).find((text) => text !== undefined) ?? null

const bounded = (actor: AuditActor): AuditActor =>
  actor.kind === 'operator' && actor.name !== undefined ? { ...actor, name: actor.name.slice(0, MAX_NAME) } : actor
