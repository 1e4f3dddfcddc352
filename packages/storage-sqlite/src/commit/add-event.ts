import { isCutDue, STREAM_RETENTION, type StreamEvent } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

/**
 * Adds an event to the log of a lobby's stream events. Cuts the log at once if `isCutDue` returns true: the next
 * pruning is minutes away, and a log may grow by megabytes per second. Version 1 is the first event, so there is no
 * earlier total to read.
 */
export function addEvent({ logs }: Statements, { lobbyId, version, name, at }: StreamEvent, body: string): void {
  const bytes = Buffer.byteLength(body)
  const total = bytes + (version === 1 ? 0 : (logs.totalBefore.get(lobbyId, version) ?? 0))
  logs.addEvent.run(lobbyId, version, name, at, bytes, total, body)
  if (!isCutDue({ version, bytes, total })) return
  logs.cut.run({ lobby: lobbyId, version, total, events: STREAM_RETENTION.events, bytes: STREAM_RETENTION.bytes })
}
