import type { EntityKind } from '@matchyard/core/ports'
import { type CurrentRow, FIRST_COLUMN } from '../statements/entities'
import type { LabelStatements } from '../statements/labels'
import { type ColumnValue, ENTITY_TABLES } from '../statements/tables'

/** Where the column `labels` of a kind stands among its columns; -1 where it has none. */
const placeOf = (kind: EntityKind) => ENTITY_TABLES[kind].columns.indexOf('labels')

/** Keeps the table of a kind's labels with its rows: what one has before and after. A join adds a label or two to many that stay. */
export function keepLabels(
  labels: LabelStatements,
  kind: EntityKind,
  id: string,
  before: CurrentRow | undefined,
  after: readonly ColumnValue[] | undefined,
): void {
  if (!(kind in labels)) return
  const place = placeOf(kind)
  const [was, is] = [before?.[FIRST_COLUMN + place], after?.[place]]
  if (was === is) return
  const { add, remove } = labels[kind as keyof LabelStatements]
  const [old, now] = [parsed(was), parsed(is)]
  for (const label of old) if (!now.has(label)) remove.run(label, id)
  for (const label of now) if (!old.has(label)) add.run(label, id)
}

const parsed = (labels: ColumnValue | undefined): ReadonlySet<string> =>
  new Set(typeof labels === 'string' ? (JSON.parse(labels) as string[]) : [])
