import { copyMemoryData, type MemoryData } from '@matchyard/storage-memory'

/** Earlier states of a store, to which it can return. */
export interface Past {
  remember(): void
  /** Returns to a remembered state: `steps` before the newest one, modulo their number. Returns false when there are none. */
  goBack(steps: number): boolean
}

/** Number of states that are kept: a failover loses only the last moments. */
const KEPT = 6

/** Returns the past of a memory storage. `goBack` replaces the data with a copy. */
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
