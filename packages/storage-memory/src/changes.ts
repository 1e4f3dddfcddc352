import { utf8Length } from '@matchyard/core/domain'
import type { Change, ChangeBounds, Changes } from '@matchyard/core/ports'
import { marksAfter } from './marks'
import { type ChangeMark, type MemoryData, stored } from './memory-data'

const NONE: ReadonlyMap<string, ChangeMark> = new Map()

/**
 * Returns a cursor of a reader of changes. It has the name of the store's history, the number of the last change that
 * was read, and the store's newest number when the reader began. Up to that newest number, the reader needs no
 * tombstones.
 */
const cursorAt = (data: MemoryData, last: number, began: number) => `${data.history}:${last}:${began}`

export const changesNow = (data: MemoryData): string => cursorAt(data, data.sequence, data.sequence)

export function changesSince(
  data: MemoryData,
  projectId: string,
  cursor: string | undefined,
  { limit, maxBytes }: ChangeBounds,
): Changes {
  const [history, sequence = 0, from = 0] = (cursor ?? '').split(':').map(Number)
  const goesOn = cursor !== undefined && history === data.history && Math.max(sequence, from) >= data.forgottenChanges
  const startedOver = cursor !== undefined && !goesOn
  const after = goesOn ? sequence : 0
  const began = goesOn ? from : data.sequence
  const changes: Change[] = []
  let [last, bytes] = [after, 0]
  for (const [, mark] of marksAfter(data.changeMarks.get(projectId) ?? NONE, after)) {
    if (!goesOn && mark.removedAt !== undefined) continue
    const { change, size } = told(data, mark)
    bytes += size
    if (changes.length === limit || (bytes > size && bytes > maxBytes)) {
      return { changes, cursor: cursorAt(data, last, began), more: true, startedOver }
    }
    changes.push(change)
    last = mark.sequence
  }
  // A reader that has read everything gets the newest number of the store. Changes of other projects that are pruned
  // later then do not make its cursor invalid.
  return { changes, cursor: changesNow(data), more: false, startedOver }
}

function told(data: MemoryData, { kind, id, version }: ChangeMark): { change: Change; size: number } {
  const entity = stored(data, kind, id)
  const value = entity?.value
  // The compiler cannot derive the type of the value from `kind`.
  return { change: { kind, id, version, value } as Change, size: entity === undefined ? 0 : utf8Length(entity.text) }
}
