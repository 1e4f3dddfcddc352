import { isCutDue, type LoggedEvent, STREAM_RETENTION, type StreamEvent } from '@matchyard/core/ports'
import type { Statements } from './statements/index'

/**
 * Adds to a lobby's log, and cuts it with the event that takes it an eighth further, not minutes later: it may grow by megabytes a
 * second. The first event of a log has nothing before it to be looked at.
 */
export function addEvent({ logs }: Statements, { lobbyId, version, name, at }: StreamEvent, body: string): void {
  const bytes = Buffer.byteLength(body)
  const total = bytes + (version === 1 ? 0 : (logs.totalBefore.get(lobbyId, version) ?? 0))
  logs.addEvent.run(lobbyId, version, name, at, bytes, total, body)
  if (!isCutDue({ version, bytes, total })) return
  logs.cut.run({ lobby: lobbyId, version, total, events: STREAM_RETENTION.events, bytes: STREAM_RETENTION.bytes })
}

/** Rows are taken one by one, so that what is past the bounds is hardly read. */
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
