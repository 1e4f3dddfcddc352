import type { Instant } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import { type AnyEntity, CHANGE_RETENTION_MS, type Change as ProjectChange, type Storage } from '@matchyard/core/ports'
import type { Change, Journal } from './journal'
import type { ProjectMark } from './judge'

/**
 * What changed in a project, as a log. Besides the opening of the file and the number that was read last, a cursor has the number that
 * the store was at when its reader began: no tombstone up to there can take anything away from it.
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
        // Without a cursor the caller has nothing yet that a tombstone could take away.
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
        // Who has read everything is as far as the store: what other projects forget is nothing to it.
        cursor: more ? cursorAt(read.at(-1)?.[0] ?? after, began) : cursorAt(newest(), newest()),
        more,
        startedOver: cursor !== undefined && !goesOn,
      }
    },
  }
}

/** Tombstones that nobody may ask for any more, and the number of the newest of them. */
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
