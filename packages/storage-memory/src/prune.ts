import { HOUR_MS, type Instant, STREAM_RETENTION, utf8Length } from '@matchyard/core'
import type { MemoryData, StoredEvent } from './memory-data'

/** Forgets what nobody may ask for any more; the port names each thing and its age. */
export function prune(data: MemoryData, now: Instant): void {
  for (const [lobbyId, stream] of data.events) {
    const last = stream.at(-1)
    if (last?.name === 'lobby_deleted' && last.at < now - STREAM_RETENTION.ms) data.events.delete(lobbyId)
    else data.events.set(lobbyId, kept(stream, now))
  }
  for (const [queueKey, marks] of data.ticketMarks) {
    for (const [id, { removedAt }] of marks) {
      if (removedAt !== undefined && removedAt < now - HOUR_MS) marks.delete(id)
    }
    if (marks.size === 0) data.ticketMarks.delete(queueKey)
  }
  for (const cells of data.matchWaits.values()) {
    for (const [key, { slot }] of cells) if (slot < now - HOUR_MS) cells.delete(key)
  }
  for (const [id, at] of data.commits) if (at < now - HOUR_MS) data.commits.delete(id)
  const records = data.entities.get('idempotency')
  for (const [id, { value }] of records ?? []) {
    if ('expiresAt' in value && Number(value.expiresAt) <= now) records?.delete(id)
  }
}

// An event goes only when none of the three figures keeps it; as ages and sizes only grow backwards, what goes is a prefix.
function kept(stream: StoredEvent[], now: Instant): StoredEvent[] {
  let bytes = 0
  let from = stream.length
  while (from > 0) {
    const event = stream[from - 1]
    if (event === undefined) break
    bytes += utf8Length(event.text)
    const byCount = stream.length - from < STREAM_RETENTION.events
    if (!byCount && event.at < now - STREAM_RETENTION.ms && bytes > STREAM_RETENTION.bytes) break
    from--
  }
  return from === 0 ? stream : stream.slice(from)
}
