import { emptyMemoryData, type MemoryData } from './memory-data'

/** Returns a copy of all data without the listeners, as a backup has it. */
export function copyMemoryData(data: MemoryData): MemoryData {
  const copy = emptyMemoryData()
  fill(copy, data)
  return copy
}

/**
 * Replaces the data by a copy, as a restored backup does, or a failover to a replica that lacked the newest commits.
 * All open handles continue with the copy and get the signal `reset`. The copy can be used again.
 */
export function goBackTo(data: MemoryData, copy: MemoryData): void {
  fill(data, copy)
  data.history = emptyMemoryData().history
  for (const listener of data.listeners) queueMicrotask(() => listener({ topic: 'reset', id: '' }))
}

// Clones everything except the rows, which never change. Listeners and the name of the history are not replaced.
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
