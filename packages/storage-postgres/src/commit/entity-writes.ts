import type { EntityKind } from '@matchyard/core/ports'
import { jsonList, toColumn } from '../column-text'
import { writeStatements } from '../statements/entities'
import type { Call } from '../statements/statement'
import { type ColumnValue, ENTITY_TABLES } from '../tables'
import type { BatchState, RowState } from './batch-state'
import { nameOf } from './footprint'
import type { PreparedForm } from './prepared'

type Changed = RowState & { readonly now: PreparedForm }
type Removed = RowState & { readonly before: NonNullable<RowState['before']> }

/**
 * Returns the inserts, updates and deletions of one kind of entity. Each entity is written once, with the net effect of
 * the batch.
 */
export function entityWrites(state: BatchState, kind: EntityKind): Call[] {
  const rows = [...state.rows.values()].filter((row) => row.kind === kind)
  const inserted = rows.filter((row): row is Changed => row.before === undefined && row.now !== undefined)
  const updated = rows.filter((row): row is Changed & Removed => row.before !== undefined && row.now !== undefined)
  const removed = rows.filter((row): row is Removed => row.before !== undefined && row.now === undefined)
  const placeholders = absentOf(state, kind, inserted)

  const { insert, update, remove } = writeStatements[kind]
  const calls: Call[] = []
  if (inserted.length + placeholders.length > 0) calls.push([insert, inserts(kind, inserted, placeholders)])
  if (updated.length > 0) {
    const expected = updated.map(({ before }) => before.version)
    calls.push([
      update,
      [
        idsOf(updated),
        expected,
        ...formLists(
          kind,
          updated.map(({ now }) => now),
        ),
        updated.length,
      ],
    ])
  }
  if (placeholders.length > 0) {
    calls.push([remove, [placeholders.map(toColumn), placeholders.map(() => 0), placeholders.length]])
  }
  if (removed.length > 0) {
    calls.push([remove, [idsOf(removed), removed.map(({ before }) => before.version), removed.length]])
  }
  return calls
}

const idsOf = (rows: readonly RowState[]) => rows.map(({ id }) => toColumn(id))

/**
 * Returns the ids of entities that must not exist, by the checks of the commits. A row that does not exist cannot be
 * locked, so the batch inserts a row of version 0 and deletes it in the same transaction. Until the transaction ends,
 * no other transaction can insert these ids.
 */
function absentOf(state: BatchState, kind: EntityKind, inserted: readonly RowState[]): string[] {
  const present = new Set(inserted.map(({ id }) => id))
  const absent = new Set<string>()
  for (const { checks } of state.accepted) {
    for (const check of checks) {
      if (check.kind !== kind || check.expected !== 'absent' || present.has(check.id)) continue
      if (state.rows.get(nameOf(kind, check.id))?.before === undefined) absent.add(check.id)
    }
  }
  return [...absent]
}

// All rows, including the placeholders, are sorted. Two batches that insert the same ids therefore wait for each other
// in one order and cannot deadlock.
function inserts(kind: EntityKind, inserted: readonly Changed[], placeholders: readonly string[]): unknown[] {
  const empty = ENTITY_TABLES[kind].columns.map(({ type }): ColumnValue => (type === 'bigint' ? 0 : ''))
  const rows = [
    ...inserted.map(({ id, now }) => ({ id, now })),
    ...placeholders.map((id) => ({ id, now: { version: 0, columns: empty, body: '{}', keys: [] } })),
  ].sort((a, b) => (a.id < b.id ? -1 : 1))
  return [
    rows.map(({ id }) => toColumn(id)),
    ...formLists(
      kind,
      rows.map(({ now }) => now),
    ),
  ]
}

/** Returns one list per column: versions, the columns of the kind, bodies. */
function formLists(kind: EntityKind, forms: readonly PreparedForm[]): unknown[] {
  const columns = ENTITY_TABLES[kind].columns.map((_, index) => forms.map((form) => form.columns[index] ?? null))
  return [forms.map(({ version }) => version), ...columns, jsonList(forms.map(({ body }) => body))]
}
