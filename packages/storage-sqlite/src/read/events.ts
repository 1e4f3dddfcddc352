import type { LoggedEvent } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

/**
 * Returns the events of a lobby after a version. The rows are read one by one, so that at most one row is read in vain.
 */
export function readEvents({ logs }: Statements, lobbyId: string, after: number, limit: number, maxBytes: number) {
  const events: LoggedEvent[] = []
  let room = maxBytes
  for (const { version, name, at, bytes, body } of logs.events.iterate(lobbyId, after, limit)) {
    room -= bytes
    if (room < 0 && events.length > 0) break
    events.push({ lobbyId, version, name, at, bytes, lobby: JSON.parse(body) })
  }
  return events
}

export function eventRange({ logs }: Statements, lobbyId: string): { oldest: number; newest: number } | undefined {
  const oldest = logs.oldestOf.get(lobbyId)
  const newest = logs.newestOf.get(lobbyId)
  return oldest && newest && { oldest: oldest.version, newest: newest.version }
}

export const eventHeads = ({ logs }: Statements, lobbyIds: readonly string[]) =>
  lobbyIds.flatMap((lobbyId) => {
    const version = logs.newestOf.get(lobbyId)?.version
    return version === undefined ? [] : [{ lobbyId, version }]
  })
