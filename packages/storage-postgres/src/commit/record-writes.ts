import { recordStatements } from '../statements/records'
import type { Call } from '../statements/statement'
import { ENTITY_TABLES } from '../tables'
import type { RowState } from './batch-state'

const placeOf = (name: string) => ENTITY_TABLES.idempotency.columns.findIndex((column) => column.name === name)
const [BYTES, OWNER, GROUP] = [placeOf('bytes'), placeOf('owner_part'), placeOf('group_part')]

interface Coming {
  count: number
  bytes: number
}

/**
 * Returns the statement that deletes old idempotency records, so that the new records of a batch fit into the bounds.
 * It must run before the new records are inserted.
 */
export function recordWrites(rows: readonly RowState[]): Call[] {
  const owners = new Map<string, Coming>()
  const groups = new Map<string, Coming>()
  let at = 0
  for (const { kind, now, at: since } of rows) {
    if (kind !== 'idempotency' || now === undefined) continue
    at = Math.max(at, since)
    const bytes = Number(now.columns[BYTES])
    add(owners, now.columns[OWNER], bytes)
    add(groups, now.columns[GROUP], bytes)
  }
  if (owners.size + groups.size === 0) return []
  return [[recordStatements.makeRoom, [...listsOf(owners), ...listsOf(groups), at]]]
}

function add(parts: Map<string, Coming>, part: unknown, bytes: number): void {
  if (typeof part !== 'string') return
  const coming = parts.get(part) ?? { count: 0, bytes: 0 }
  parts.set(part, { count: coming.count + 1, bytes: coming.bytes + bytes })
}

const listsOf = (parts: ReadonlyMap<string, Coming>) => [
  [...parts.keys()],
  [...parts.values()].map(({ count }) => count),
  [...parts.values()].map(({ bytes }) => bytes),
]
