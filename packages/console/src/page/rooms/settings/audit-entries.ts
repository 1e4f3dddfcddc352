import type { AuditEntry } from '@matchyard/client/admin'
import type { Cell } from '../../ui/csv'

/** Filters of the audit log, as the address has them; an empty text filters nothing. */
export interface AuditFilter {
  /** Account, session or key of the author, or `operator`. */
  readonly by: string
  /** Id of the changed object. */
  readonly of: string
  /** Kind of the changed object. */
  readonly kind: string
  /** Time range, one of `AUDIT_RANGES`. */
  readonly range: string
}

const DAY_MS = 86_400_000

/** Time ranges of the filter; entries are kept for 400 days. */
export const AUDIT_RANGES: readonly (readonly [id: string, label: string, ms: number])[] = [
  ['', 'All times', Number.POSITIVE_INFINITY],
  ['24h', 'Last 24 h', DAY_MS],
  ['7d', 'Last 7 d', 7 * DAY_MS],
  ['30d', 'Last 30 d', 30 * DAY_MS],
  ['90d', 'Last 90 d', 90 * DAY_MS],
]

/** Kinds of objects in the filter, with their labels. */
export const AUDIT_KINDS: readonly (readonly [kind: string, label: string])[] = [
  ['queue', 'Queue'],
  ['build', 'Build'],
  ['server', 'Game server'],
  ['match', 'Match'],
  ['lobby', 'Lobby'],
  ['player', 'Player'],
  ['ban', 'Ban'],
  ['rating', 'Rating'],
  ['webhook', 'Webhook'],
  ['api-key', 'Key'],
  ['secret', 'Secret'],
  ['member', 'Member'],
  ['invitation', 'Invitation'],
  ['project', 'Project'],
  ['account', 'Account'],
  ['machine', 'Machine'],
]

/** Returns the label of a kind of object. */
export const labelOfKind = (kind: string): string => AUDIT_KINDS.find(([one]) => one === kind)?.[1] ?? kind

/** Part of the log: the entries that pass the filter, and the cursor of the older ones; null at the end. */
export interface AuditPart {
  readonly entries: readonly AuditEntry[]
  readonly cursor: string | null
}

/** Answer of the service: one page. */
export interface AuditPage {
  readonly data: readonly AuditEntry[]
  readonly next_cursor?: string | null
}

/** Number of entries after which a read ends, and maximum number of pages of one read. */
export const READ = { entries: 100, pages: 5 } as const
/** Maximum number of entries in the view. */
export const MOST_SHOWN = 2_000

/** Returns the entries of the view after older ones were read: at most `MOST_SHOWN`, and then no cursor. */
export function withOlder(known: readonly AuditEntry[], { entries, cursor }: AuditPart): AuditPart {
  const all = [...known, ...entries]
  return all.length < MOST_SHOWN ? { entries: all, cursor } : { entries: all.slice(0, MOST_SHOWN), cursor: null }
}

/**
 * Reads entries that pass the filter from a cursor on, newest first. The service filters by author and object; this
 * function filters by kind and time, and ends at the first entry before the time range.
 */
export async function readAudit(
  page: (cursor: string | undefined) => Promise<AuditPage>,
  { kind, range }: Pick<AuditFilter, 'kind' | 'range'>,
  { now, cursor }: { readonly now: number; readonly cursor?: string | undefined },
): Promise<AuditPart> {
  const from = now - (AUDIT_RANGES.find(([id]) => id === range)?.[2] ?? Number.POSITIVE_INFINITY)
  const entries: AuditEntry[] = []
  let at = cursor
  for (let pages = 0; pages < READ.pages && entries.length < READ.entries; pages++) {
    const { data, next_cursor } = await page(at)
    for (const entry of data) {
      if (Date.parse(entry.created_at) < from) return { entries, cursor: null }
      if (isOfKind(entry, kind)) entries.push(entry)
    }
    if (next_cursor === undefined || next_cursor === null) return { entries, cursor: null }
    at = next_cursor
  }
  return { entries, cursor: at ?? null }
}

const isOfKind = ({ target, changes, player_ids }: AuditEntry, kind: string): boolean =>
  kind === '' ||
  target?.kind === kind ||
  changes.some((change) => change.kind === kind) ||
  (kind === 'player' && player_ids.length > 0)

/** Verbs of calls, by their name or by the last part of it. */
const VERBS: Readonly<Record<string, string>> = {
  'bans.set': 'Banned',
  'bans.delete': 'Lifted the ban of',
  create: 'Created',
  createUpload: 'Uploaded',
  registerImage: 'Registered',
  mint: 'Created',
  set: 'Set',
  update: 'Changed',
  rotateSecret: 'Rotated the secret of',
  startSeason: 'Started a season of',
  setPlayerAuth: 'Set the player identity of',
  setBudget: 'Set the budget of',
  drain: 'Drained',
  cordon: 'Cordoned',
  uncordon: 'Uncordoned',
  leaveMatch: 'Removed from a match:',
  updateSettings: 'Changed the settings of',
  updatePlayer: 'Changed a player of',
  removePlayer: 'Removed a player from',
  delete: 'Deleted',
  remove: 'Removed',
  revoke: 'Revoked',
  restore: 'Restored a version of',
  setRole: 'Set the role of',
  invite: 'Invited',
  join: 'Joined as',
  erase: 'Erased',
  stop: 'Stopped',
  restart: 'Restarted',
  end: 'Ended',
  start: 'Started',
}

/** Returns the action of an entry in words: `Changed queue`. */
export function actionOf({ operation, target, changes }: AuditEntry): string {
  const [, call = operation] = operation.split('.')
  const kind = target?.kind ?? changes[0]?.kind
  const noun = kind === undefined ? '' : labelOfKind(kind).toLowerCase()
  const verb = VERBS[operation] ?? VERBS[call] ?? wordsOf(call)
  return `${verb} ${noun}`.trim()
}

/** Returns the words of a name in camel case: `Rotate secret`. */
function wordsOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** Maximum number of characters of a value in the table and in the file. */
const WIDEST = 200

/** Text in place of a value that does not exist. */
const NONE = '–'

/** Returns a value of a field as text: `–` for none. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return NONE
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > WIDEST ? `${text.slice(0, WIDEST)}…` : text
}

/** Changed field of an entry: the object that has it, and its values as text; undefined when the values are hidden. */
export interface ShownField {
  readonly key: string
  readonly name: string
  readonly values: readonly [before: string, after: string] | undefined
}

/** Returns the changed fields of an entry. */
export const fieldsOf = ({ changes, target }: AuditEntry): readonly ShownField[] =>
  changes.flatMap(({ kind, id, fields }) =>
    fields.map(({ name, before, after, is_hidden: isHidden }) => ({
      key: `${kind} ${id} ${name}`,
      name: kind === target?.kind ? name : `${labelOfKind(kind)} ${name}`,
      values: isHidden === true ? undefined : ([textOfValue(before), textOfValue(after)] as const),
    })),
  )

/** Returns the rows of the CSV file; `authorOf` names the author of an entry. */
export const auditRows = (
  entries: readonly AuditEntry[],
  authorOf: (entry: AuditEntry) => string,
): readonly (readonly Cell[])[] => [
  ['time', 'author', 'action', 'call', 'kind', 'object', 'field', 'before', 'after'],
  ...entries.flatMap((entry) => {
    const { created_at, operation, target } = entry
    const begin = [created_at, authorOf(entry), actionOf(entry), operation, target?.kind ?? '', target?.id ?? '']
    const fields = fieldsOf(entry)
    if (fields.length === 0) return [[...begin, '', '', '']]
    return fields.map(({ name, values }) => [
      ...begin,
      name,
      ...(values?.map((value) => (value === NONE ? '' : value)) ?? ['(hidden)', '(hidden)']),
    ])
  }),
]
