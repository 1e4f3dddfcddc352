import { effect } from '@preact/signals'
import { useEffect, useReducer, useRef } from 'preact/hooks'
import type { Collection, Row } from './collection'

const AT_MOST_EVERY_MS = 250

/** The entities of a collection that pass a filter, and the number of all entities in each group of `sortOf`. */
export interface Filtered<T> {
  readonly rows: readonly Row<T>[]
  readonly counts: ReadonlyMap<string, number>
}

interface FilterOptions<T> {
  /** Whether an entity passes the filter. */
  readonly holds: (thing: T) => boolean
  /**
   * Returns the group, for example the status, under which an entity is counted. Entities that are not shown are
   * counted too.
   */
  readonly sortOf?: (thing: T) => string
  /** Values on which `holds` depends. When one of them changes, the filter runs again. */
  readonly of: readonly unknown[]
}

/**
 * Filters a collection at most four times a second, however often it changes. One pass over 10,000 entities takes about
 * 1 millisecond; 200 passes a second would take a fifth of all time.
 */
export function useFiltered<T>(things: Collection<T>, { holds, sortOf, of }: FilterOptions<T>): Filtered<T> {
  const [turn, again] = useReducer((count: number) => count + 1, 0)
  const last = useRef<{ readonly key: readonly unknown[]; readonly found: Filtered<T> } | undefined>(undefined)
  useEffect(() => {
    let timer = 0
    const stop = effect(() => {
      void things.revision.value
      if (timer !== 0) return
      timer = window.setTimeout(() => {
        timer = 0
        again(undefined)
      }, AT_MOST_EVERY_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [things])
  const key = [turn, ...of]
  if (last.current?.key.every((part, index) => part === key[index])) return last.current.found
  const counts = new Map<string, number>()
  const rows = things.rows.peek().filter((row) => {
    const thing = row.peek()
    if (sortOf !== undefined) counts.set(sortOf(thing), (counts.get(sortOf(thing)) ?? 0) + 1)
    return holds(thing)
  })
  last.current = { key, found: { rows, counts } }
  return last.current.found
}
