import type { Actor } from '../access/actor'
import { BAN_NOTE_LENGTH, BAN_QUEUES, BAN_REASON_LENGTH, QUEUE_ID_PATTERN } from '../catalog/limits'
import { lengthFault, nameFault, UNSEEN_RULE } from '../catalog/names'
import { playerIdFault } from '../catalog/player-id'
import type { ValidationIssue } from '../errors/decision'
import { shownLines } from '../shared/plain-text'
import type { Instant } from '../shared/time'
import { type Ban, isInForce } from './ban'

/** Content of a ban, as a backend or a developer sends it. An absent field is null. */
export interface BanWish {
  /** Reason that the player may read: at most 256 characters. */
  readonly reason?: string | null | undefined
  /** Note for the project's developers and backend: at most 1,024 characters. */
  readonly note?: string | null | undefined
  /** Instant at which the ban ends: epoch milliseconds. Default: never. */
  readonly until?: Instant | null | undefined
  /** Ids of the queues to which the ban applies: 1 to 100. Default: all queues, and the whole project. */
  readonly queues?: readonly string[] | null | undefined
}

interface Given {
  readonly id: string
  readonly projectId: string
  readonly playerId: string
  readonly by: Actor
  readonly at: Instant
}

/** Returns the ban that replaces `before`. A ban that has ended counts as none, so the new ban begins now. */
export function newBan(before: Ban | undefined, wish: BanWish, { by, at, ...given }: Given): Ban {
  const { reason = null, note = null, until = null, queues = null } = wish
  const kept = before !== undefined && isInForce(before, at) ? before : undefined
  return {
    ...given,
    version: (before?.version ?? 0) + 1,
    reason,
    note,
    until,
    queues,
    createdAt: kept?.createdAt ?? at,
    updatedAt: at,
    createdBy: kept?.createdBy ?? by,
  }
}

/** Returns the faults of a ban. The types of the values are checked too, because every entry of a banned player reads them. */
export function banFaults(
  { playerId, reason, note, until, queues }: { readonly [Name in keyof BanWish]: unknown } & { playerId: string },
  at: Instant,
): ValidationIssue[] {
  const faults: readonly (readonly [path: string, message: string | undefined])[] = [
    ['playerId', playerIdFault(playerId)],
    ['reason', reason == null ? undefined : textFault(reason, (text) => nameFault(text, BAN_REASON_LENGTH))],
    ['note', note == null ? undefined : textFault(note, noteFault)],
    ['until', until == null ? undefined : untilFault(until, at)],
  ]
  const issues = faults.flatMap(([path, message]) => (message === undefined ? [] : [{ path, message }]))
  return queues == null ? issues : [...issues, ...queueFaults(queues)]
}

const textFault = (value: unknown, fault: (text: string) => string | undefined) =>
  typeof value === 'string' ? fault(value) : 'must be a text or null'

/** Notes may have several lines. */
const noteFault = (text: string) =>
  lengthFault(text, BAN_NOTE_LENGTH) ?? (shownLines(text) === text ? undefined : UNSEEN_RULE)

function untilFault(until: unknown, at: Instant): string | undefined {
  if (!Number.isSafeInteger(until) || (until as number) > LAST_INSTANT) return 'must be an instant or null'
  return (until as number) > at ? undefined : 'must be in the future; to lift a ban, delete it'
}

/** The last millisecond of the year 9999, the largest instant with a date of four digits. */
const LAST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function queueFaults(queues: unknown): ValidationIssue[] {
  const { min, max } = BAN_QUEUES
  if (!Array.isArray(queues) || queues.length < min || queues.length > max) {
    return [{ path: 'queues', message: `must be a list of ${min} to ${max} queue ids, or null for all queues` }]
  }
  const named = new Set<unknown>()
  return queues.flatMap((queueId: unknown, index) => {
    const path = `queues.${index}`
    if (typeof queueId !== 'string' || !QUEUE_ID_PATTERN.test(queueId)) return [{ path, message: 'must be a queue id' }]
    if (named.has(queueId)) return [{ path, message: 'appears twice' }]
    named.add(queueId)
    return []
  })
}
