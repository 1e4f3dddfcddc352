import type { QueueTicket } from '@matchyard/core'
import { utf8Length } from '@matchyard/core/domain'
import { isParty, type QueueWaiting, type TicketChanges } from '@matchyard/core/ports'
import { marksAfter } from './marks'
import { type MemoryData, stored, type TicketMark } from './memory-data'

const NONE: ReadonlyMap<string, TicketMark> = new Map()

/**
 * Returns the changes of a queue's tickets after a cursor. The cursor has the name of the store's history and the
 * number of the last change that was read.
 */
export function changedSince(
  data: MemoryData,
  queueKey: string,
  cursor: string | undefined,
  limit: number,
  maxBytes = Number.POSITIVE_INFINITY,
): TicketChanges {
  const [history, sequence] = (cursor ?? '').split(':').map(Number)
  const goesOn = cursor !== undefined && history === data.history
  const startedOver = cursor !== undefined && !goesOn
  const at = (last: number) => `${data.history}:${last}`
  const after = goesOn ? (sequence ?? 0) : 0
  const changes: TicketChanges['changes'][number][] = []
  let last = after
  let bytes = 0
  for (const [ticketId, mark] of marksAfter(data.ticketMarks.get(queueKey) ?? NONE, after)) {
    // A reader without a cursor has no tickets yet, so it needs no tombstones.
    if (!goesOn && mark.removedAt !== undefined) continue
    const ticket = mark.removedAt === undefined ? stored(data, 'ticket', ticketId) : undefined
    bytes += maxBytes === Number.POSITIVE_INFINITY ? 0 : utf8Length(ticket?.text ?? '')
    const isPast = changes.length === limit || (changes.length > 0 && bytes > maxBytes)
    if (isPast) return { changes, cursor: at(last), more: true, startedOver }
    changes.push({ ticketId, ticket: ticket?.value })
    last = mark.sequence
  }
  return { changes, cursor: at(last), more: false, startedOver }
}

/** Returns the queues in which parties wait, in order of their keys. */
export function waiting(data: MemoryData, queueKey?: string): QueueWaiting[] {
  const queues = [...data.waiting.values()].filter((queue) => queueKey === undefined || queue.queueKey === queueKey)
  return queues.map((queue) => ({ ...queue })).sort((a, b) => (a.queueKey < b.queueKey ? -1 : 1))
}

/** Returns a sample of the waiting parties of a queue, taken at equal distances in the order of their last changes. */
export function sample(data: MemoryData, queueKey: string, limit: number, maxBytes: number): QueueTicket[] {
  const marks = data.ticketMarks.get(queueKey) ?? new Map<string, TicketMark>()
  const step = Math.max(1, (data.waiting.get(queueKey)?.parties ?? 0) / limit)
  const taken: QueueTicket[] = []
  let bytes = 0
  let passed = 0
  for (const [id, { removedAt }] of marks) {
    if (removedAt !== undefined) continue
    if (taken.length === limit) break
    const ticket = stored(data, 'ticket', id)
    if (ticket === undefined || !isParty(ticket.value)) continue
    if (passed++ < Math.floor(taken.length * step)) continue
    bytes += utf8Length(ticket.text)
    if (taken.length > 0 && bytes > maxBytes) break
    taken.push(ticket.value)
  }
  return taken
}
