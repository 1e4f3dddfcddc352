import { copyMemoryData, type MemoryData } from '@matchyard/storage-memory'

/** What a store was, so that it can be so again. */
export interface Past {
  remember(): void
  /** Back by so many rememberings, as far as there are any; false where there is none. */
  goBack(steps: number): boolean
}

/** Rememberings that are kept: a failover loses the last moments, not the day. */
const KEPT = 6

/** The past of a memory store; `goBack` puts a copy in the place of the data. */
export function pastOf(data: MemoryData, goBack: (data: MemoryData, copy: MemoryData) => void): Past {
  const copies: MemoryData[] = []
  return {
    remember() {
      copies.push(copyMemoryData(data))
      if (copies.length > KEPT) copies.shift()
    },
    goBack(steps) {
      const copy = copies.at(-1 - (steps % Math.max(1, copies.length)))
      if (copy === undefined) return false
      copies.splice(copies.indexOf(copy) + 1)
      goBack(data, copy)
      return true
    },
  }
}
