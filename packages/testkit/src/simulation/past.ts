import { copyMemoryData, type MemoryData } from '@matchyard/storage-memory'

/** Remembered earlier states of a store, to which the store can return. */
export interface Past {
  remember(): void
  /**
   * Returns the store to a remembered state: `steps` states before the newest state, modulo the number of states.
   * Returns false when no state is remembered.
   */
  goBack(steps: number): boolean
}

/** Number of states that are kept. A few are enough, because a failover loses only the last moments. */
const KEPT = 6

/** Returns an object that remembers the states of a memory storage. `goBack` replaces the data with a copy. */
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
