import type { EntityKind } from '@matchyard/core/ports'
import { type CurrentRow, FIRST_COLUMN } from '../statements/entities'
import type { LabelStatements } from '../statements/labels'
import { type ColumnValue, ENTITY_TABLES } from '../statements/tables'

/** Returns the index of the column `labels` among the columns of a kind; -1 for a kind without labels. */
const placeOf = (kind: EntityKind) => ENTITY_TABLES[kind].columns.indexOf('labels')

/**
 * Updates the table of labels after a row changed: removes the labels that the row lost, and adds its new labels.
 * Labels that stay are not written again: when a player joins a lobby, only one or two labels of many are new.
 */
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
