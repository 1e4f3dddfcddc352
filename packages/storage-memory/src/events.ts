import type { LoggedEvent, Storage } from '@matchyard/core/ports'
import type { MemoryData, StoredEvent } from './memory-data'
import { pruneEvents } from './prune'

/** Readers of the lobbies' logs of stream events. Each log is in the order of versions, the oldest first. */
export function events(data: MemoryData) {
  const logOf = (lobbyId: string): readonly StoredEvent[] => data.events.get(lobbyId) ?? []
  const rangeOf = (lobbyId: string) => {
    const log = logOf(lobbyId)
    const [oldest, newest] = [log[0], log.at(-1)]
    return oldest && newest && { oldest: oldest.version, newest: newest.version }
  }
  return {
    read: (lobbyId: string, afterVersion: number, limit: number, maxBytes: number): LoggedEvent[] => {
      const log = logOf(lobbyId)
      const from = firstAfter(log, afterVersion)
      const start = log[from]
      const before = start === undefined ? 0 : start.total - start.bytes
      return log
        .slice(from, from + limit)
        .filter((event) => event === start || event.total - before <= maxBytes)
        .map(({ version, name, at, bytes, text }) => ({ lobbyId, version, name, at, bytes, lobby: JSON.parse(text) }))
    },
    range: rangeOf,
    heads: (lobbyIds: readonly string[]) =>
      lobbyIds.flatMap((lobbyId) => {
        const newest = logOf(lobbyId).at(-1)
        return newest === undefined ? [] : [{ lobbyId, version: newest.version }]
      }),
    prune: (now: number) => pruneEvents(data, now),
  } satisfies { [K in keyof Storage['events']]: (...args: Parameters<Storage['events'][K]>) => unknown }
}

function firstAfter(log: readonly StoredEvent[], version: number): number {
  let low = 0
  for (let high = log.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((log[middle]?.version ?? 0) > version) high = middle
    else low = middle + 1
  }
  return low
}
