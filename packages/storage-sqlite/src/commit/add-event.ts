import { isCutDue, STREAM_RETENTION, type StreamEvent } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

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
