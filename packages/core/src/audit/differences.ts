import { changesBetween } from '../shared/changed'
import { type JsonValue, sameText, utf8Length } from '../shared/json'
import { AUDITED_KINDS, type AuditChange, type AuditEntry, type AuditedKind, type AuditField } from './entry'
import { parted } from './shown'

/** Bounds of one entry of the audit log. Past them, fields lose their values, and then entries lose fields. */
export const AUDIT_ENTRY = {
  /** Maximum bytes of JSON of an entry (UTF-8). */
  bytes: 8 * 1_024,
  /** Maximum number of changed things. */
  things: 20,
  /** Maximum number of fields of all things together. */
  fields: 50,
  /** Maximum bytes of JSON of one value. A longer value is hidden. */
  valueBytes: 1_024,
  /** Maximum characters of the path of a field. */
  nameLength: 128,
} as const

/** Row that a commit writes or removes, before and after it. */
export interface ChangedRow {
  /** Kind of the row. */
  readonly kind: string
  /** Id of the row. */
  readonly id: string
  /** Row before the commit; undefined for a new row. */
  readonly before: object | undefined
  /** Row after the commit; undefined for a removed row. */
  readonly after: object | undefined
}

const isAudited = (kind: string): kind is AuditedKind => (AUDITED_KINDS as readonly string[]).includes(kind)

/** Returns the changes of rows as the audit log shows them: without secrets, and within the bounds. */
export function auditChanges(rows: readonly ChangedRow[]): AuditChange[] {
  let left: number = AUDIT_ENTRY.fields
  return rows
    .flatMap((row) => (isAudited(row.kind) ? changeOf(row.kind, row) : []))
    .slice(0, AUDIT_ENTRY.things)
    .map((change) => {
      const fields = change.fields.slice(0, left)
      left -= fields.length
      return { ...change, fields }
    })
}

function changeOf(kind: AuditedKind, { id, before, after }: ChangedRow): AuditChange[] {
  const [was, is] = [parted(kind, before), parted(kind, after)]
  const fields = [...changesBetween(was.shown, is.shown).map(fieldOf), ...hiddenFields(was.hidden, is.hidden)]
  if (before === undefined) return [{ kind, id, change: 'created', fields: fields.filter(isValued) }]
  if (after === undefined) return [{ kind, id, change: 'removed', fields: fields.filter(isValued) }]
  return fields.length === 0 ? [] : [{ kind, id, change: 'changed', fields }]
}

const isValued = ({ isHidden }: AuditField): boolean => isHidden !== true

function fieldOf({ path, before, after }: ReturnType<typeof changesBetween>[number]): AuditField {
  const name = path.slice(0, AUDIT_ENTRY.nameLength)
  if (isLong(before) || isLong(after)) return { name, isHidden: true }
  return { name, ...(before === null ? {} : { before }), ...(after === null ? {} : { after }) }
}

const isLong = (value: JsonValue): boolean => utf8Length(JSON.stringify(value)) > AUDIT_ENTRY.valueBytes

function hiddenFields(was: ReadonlyMap<string, JsonValue>, is: ReadonlyMap<string, JsonValue>): AuditField[] {
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => !sameText(was.get(path), is.get(path)))
    .map((path) => ({ name: path.slice(0, AUDIT_ENTRY.nameLength), isHidden: true }))
}

/** Returns the entry with at most the permitted bytes: first its values are hidden, and then fields are left out. */
export function withinAuditBytes(entry: AuditEntry): AuditEntry {
  if (bytesOf(entry) <= AUDIT_ENTRY.bytes) return entry
  const hide = ({ name }: AuditField): AuditField => ({ name, isHidden: true })
  let cut: AuditEntry = {
    ...entry,
    changes: entry.changes.map((change) => ({ ...change, fields: change.fields.map(hide) })),
  }
  for (let most: number = AUDIT_ENTRY.fields; most > 0 && bytesOf(cut) > AUDIT_ENTRY.bytes; ) {
    most = Math.floor(most / 2)
    cut = { ...cut, changes: cut.changes.map((change) => ({ ...change, fields: change.fields.slice(0, most) })) }
  }
  return cut
}

const bytesOf = (entry: AuditEntry): number => utf8Length(JSON.stringify(entry))
