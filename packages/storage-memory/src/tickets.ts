import type { TicketChanges } from '@matchyard/core'
import { copyOut, type MemoryData, stored, storedValues } from './memory-data'

/** The tickets of a queue as a log of changes; the cursor is the number of the last change that was read. */
export function changedSince(
  data: MemoryData,
  queueKey: string,
  cursor: string | undefined,
  limit: number,
): TicketChanges {
  const after = cursor === undefined ? 0 : Number(cursor)
  const changes: TicketChanges['changes'][number][] = []
  let last = after
  for (const [ticketId, mark] of data.ticketMarks.get(queueKey) ?? []) {
    // Without a cursor the caller has nothing yet that a tombstone could take away.
    if (mark.sequence <= after || (cursor === undefined && mark.removedAt !== undefined)) continue
    if (changes.length === limit) return { changes, cursor: String(last), more: true }
    const ticket = mark.removedAt === undefined ? stored(data, 'ticket', ticketId) : undefined
    changes.push({ ticketId, ticket: ticket && copyOut(ticket) })
    last = mark.sequence
  }
  return { changes, cursor: String(last), more: false }
}

/** The queues in which anybody waits, in order of their keys. */
export function waiting(data: MemoryData): { queueKey: string; parties: number; players: number }[] {
  const queues = new Map<string, { queueKey: string; parties: number; players: number }>()
  for (const ticket of storedValues(data, 'ticket')) {
    const queue = queues.get(ticket.queueKey) ?? { queueKey: ticket.queueKey, parties: 0, players: 0 }
    queue.parties += 1
    queue.players += ticket.players.length
    queues.set(ticket.queueKey, queue)
  }
  return [...queues.values()].sort((a, b) => (a.queueKey < b.queueKey ? -1 : 1))
}
