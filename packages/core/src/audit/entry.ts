import { playerLabels } from '../lobby/labels'
import type { JsonValue } from '../shared/json'
import type { Instant } from '../shared/time'

/** Author of a change that the audit log records. */
export type AuditActor =
  | {
      /** Person with a login session. */
      readonly kind: 'session'
      /** Account of the person. */
      readonly accountId: string
      /** Id of the session: `ses_` and a ULID. */
      readonly sessionId: string
      /** Network address of the call; absent when it is not known, and from 30 days after the change on. */
      readonly address?: string | undefined
    }
  | {
      /** Server key of a project. */
      readonly kind: 'key'
      /** Id of the key: `key_` and a ULID. */
      readonly keyId: string
      /** Project of the key. */
      readonly projectId: string
      /** Account of the person for whom the key was created; absent for the key of a program. */
      readonly person?: string | undefined
      /** Network address of the call; absent when it is not known, and from 30 days after the change on. */
      readonly address?: string | undefined
    }
  | {
      /** Operator of the installation, by a command. */
      readonly kind: 'operator'
      /** Name of the command, at most 64 characters; absent when it is not known. */
      readonly name?: string | undefined
    }

/** Kinds of things that entries of the audit log name. */
export const AUDITED_KINDS = [
  'account',
  'session',
  'project',
  'api-key',
  'secret',
  'build',
  'queue',
  'ban',
  'rating',
  'machine',
  'webhook',
  'lobby',
  'match',
  'server',
  'member',
  'invitation',
  'problem',
] as const
/** Kind of a thing that an entry of the audit log names, one of `AUDITED_KINDS`. */
export type AuditedKind = (typeof AUDITED_KINDS)[number]

/** Field that a change of the audit log names. */
export interface AuditField {
  /** Path of the field, such as `matchmaking.rules[0].maxDifference`; at most 128 characters. */
  readonly name: string
  /** Value before the change; absent when the field did not exist, and when its value is hidden. */
  readonly before?: JsonValue
  /** Value after the change; absent when the field no longer exists, and when its value is hidden. */
  readonly after?: JsonValue
  /** Whether the field changed and its values are not in the log: a secret, personal data, or a long value. */
  readonly isHidden?: true
}

/** Thing that one commit created, changed or removed. */
export interface AuditChange {
  /** Kind of the thing. */
  readonly kind: AuditedKind
  /** Id of the thing. */
  readonly id: string
  /** Kind of the change. */
  readonly change: 'created' | 'changed' | 'removed'
  /** Fields that differ. */
  readonly fields: readonly AuditField[]
}

/** Thing to which a call applied. */
export interface AuditTarget {
  /** Kind of the thing; `player` for calls about a player. */
  readonly kind: AuditedKind | 'player'
  /** Id of the thing; empty for a player who was erased. */
  readonly id: string
}

/** Entry of the audit log, written in the commit of the change that it records. */
export interface AuditEntry {
  /** Id of the entry: `aud_` and a ULID. */
  readonly id: string
  /** Version of the row. */
  readonly version: number
  /** Project of the change; null for a change of an account or of the installation. */
  readonly projectId: string | null
  /** Account that owns the changed things; null for a change of the installation, and for things that name only their project. */
  readonly accountId: string | null
  /** Time of the change. */
  readonly createdAt: Instant
  /** Author of the change. */
  readonly actor: AuditActor
  /** Name of the call, such as `queues.update`. */
  readonly operation: string
  /** Thing to which the call applied; null when there is no such thing. */
  readonly target: AuditTarget | null
  /** Changed things with their fields, at most 20 things and 50 fields. */
  readonly changes: readonly AuditChange[]
  /** Ids of the players whom the call named. */
  readonly players: readonly string[]
}

/** Returns the name of the list in which an entry is: its project, its account, or empty for the installation. */
export const auditScope = ({ projectId, accountId }: Pick<AuditEntry, 'projectId' | 'accountId'>): string =>
  projectId ?? accountId ?? ''

/** Returns the labels by which an entry is found: its players. */
export const auditLabels = ({ projectId, players }: AuditEntry): readonly string[] =>
  projectId === null ? [] : playerLabels(projectId, players)

/** Returns the creation time of an entry that has a network address; null for other entries. */
export const addressedAt = ({ actor, createdAt }: AuditEntry): Instant | null =>
  actor.kind !== 'operator' && actor.address !== undefined ? createdAt : null

/** Returns the entry without the network address of its author. */
export function withoutAddress(entry: AuditEntry): AuditEntry {
  const { actor } = entry
  if (actor.kind === 'operator') return entry
  const { address: _, ...rest } = actor
  return { ...entry, actor: rest as AuditActor, version: entry.version + 1 }
}

/** Returns the entry without the id of an erased player. */
export function withoutAuditedPlayer(entry: AuditEntry, playerId: string): AuditEntry {
  const { target, players } = entry
  const isOf = target?.kind === 'player' && target.id === playerId
  return {
    ...entry,
    version: entry.version + 1,
    target: isOf ? { kind: 'player', id: '' } : target,
    players: players.filter((id) => id !== playerId),
  }
}

/** Whether a person caused the change: with a session, with a key that was created for a person, or by an operator's command. */
export const isPerson = (actor: AuditActor): boolean => actor.kind !== 'key' || actor.person !== undefined
