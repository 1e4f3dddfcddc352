import type { Instant } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import { type AnyEntity, CHANGE_RETENTION_MS, type Change as ProjectChange, type Storage } from '@matchyard/core/ports'
import type { Change, Journal } from './journal'
import type { ProjectMark } from './judge'

/**
 * Returns the log of a project's changes. A cursor has three parts: the opening of the file, the number that was read
 * last, and the newest number when the reader began. Tombstones up to that third number cannot remove anything from the
 * reader.
 */
export function changes(journal: Journal): Storage['changes'] {
  const newest = () => journal.rows<number>('store').get('sequence') ?? 0
  const cursorAt = (last: number, began: number) => `${journal.opening} ${last} ${began}`
  const size = (value: unknown) => (value === undefined ? 0 : utf8Length(JSON.stringify(value)))
  return {
    now: async () => cursorAt(newest(), newest()),
    async since(projectId, cursor, { limit, maxBytes }) {
      const [opening, last = 0, from = 0] = (cursor ?? '')
        .split(' ')
        .map((part, index) => (index > 0 ? Number(part) : part))
      const forgotten = journal.rows<number>('store').get('forgotten') ?? 0
      const goesOn = opening === journal.opening && Math.max(Number(last), Number(from)) >= forgotten
      const [after, began] = goesOn ? [Number(last), Number(from)] : [0, newest()]
      const marks = [...journal.rows<ProjectMark>(`change ${projectId}`).values()]
        // A caller without a cursor has no rows that a tombstone could remove.
        .filter(([number, , , , removedAt]) => number > after && (goesOn || removedAt === null))
      let bytes = 0
      const fits = marks.slice(0, limit).findIndex(([, kind, id]) => {
        const own = size(journal.rows<AnyEntity['value']>(kind).get(id))
        bytes += own
        return bytes > own && bytes > maxBytes
      })
      const read = marks.slice(0, fits === -1 ? limit : fits)
      const more = read.length < marks.length
      return {
        changes: read.map(([, kind, id, version]) => {
          const value = structuredClone(journal.rows<AnyEntity['value']>(kind).get(id))
          return { kind, id, version, value } as ProjectChange
        }),
        // A reader that has read everything continues at the newest number of the store, so forgotten changes of other
        // projects do not affect it.
        cursor: more ? cursorAt(read.at(-1)?.[0] ?? after, began) : cursorAt(newest(), newest()),
        more,
        startedOver: cursor !== undefined && !goesOn,
      }
    },
  }
}

/** Returns the changes that remove tombstones past their retention, and the newest number among them. */
export function forgottenChanges(journal: Journal, now: Instant): Change[] {
  const gone: Change[] = []
  let newest = journal.rows<number>('store').get('forgotten') ?? 0
  for (const table of journal.tables('change ')) {
    for (const [key, [number, , , , removedAt]] of journal.rows<ProjectMark>(table)) {
      if (removedAt === null || removedAt >= now - CHANGE_RETENTION_MS) continue
      gone.push([table, key])
      newest = Math.max(newest, number)
    }
  }
  return gone.length === 0 ? [] : [...gone, ['store', 'forgotten', newest]]
}
