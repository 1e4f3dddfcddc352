import { emptyMemoryData, type MemoryData } from './memory-data'

/** Returns a copy of all data without the listeners, as a backup would contain it. */
export function copyMemoryData(data: MemoryData): MemoryData {
  const copy = emptyMemoryData()
  fill(copy, data)
  return copy
}

/**
 * Replaces the data by a copy. This simulates a restored backup, or a failover to a replica without the newest commits.
 * All open handles continue with the copy and get the signal `reset`. The copy can be used again.
 */
export function goBackTo(data: MemoryData, copy: MemoryData): void {
  fill(data, copy)
  data.history = emptyMemoryData().history
  for (const listener of data.listeners) queueMicrotask(() => listener({ topic: 'reset', id: '' }))
}

// Copies all collections. Rows are not cloned, because they never change. Listeners and the name of the history stay as
// they are.
function fill(to: MemoryData, from: MemoryData): void {
  const { listeners: _, history: __, newestInstant, forgottenChanges, sequence, entities, ...maps } = from
  const rows = [...entities].map(([kind, known]) => [kind, new Map(known)] as const)
  to.entities.clear()
  for (const [kind, known] of rows) to.entities.set(kind, known)
  for (const [name, map] of Object.entries(structuredClone(maps))) {
    const filled = to[name as keyof typeof maps] as Map<unknown, unknown>
    filled.clear()
    for (const [key, value] of map) filled.set(key, value)
  }
  Object.assign(to, { newestInstant, forgottenChanges, sequence })
}
