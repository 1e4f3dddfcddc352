import { playerIdsOf } from '../lobby/members'
import type { QueueTicket } from '../lobby/queue-ticket'
import type { Ports } from '../ports/ports'
import { heldOf } from '../reads/live-matches'
import { SECOND_MS } from '../shared/time'

/** Milliseconds after which a ticket is checked again that was set aside because another match holds a player. */
export const HELD_ASIDE_MS = SECOND_MS
/** Milliseconds after which a ticket is checked again that was set aside because its players were absent. */
export const ABSENT_ASIDE_MS = 5 * SECOND_MS
/** Maximum tickets that one tick checks again. The other tickets are checked by the following ticks. */
export const CHECKED_AT_ONCE = 250

/** Returns the ids of the tickets with a player whom a live match keeps out of other matches. */
export async function heldTickets(
  ctx: Ports,
  projectId: string,
  tickets: readonly QueueTicket[],
): Promise<ReadonlySet<string>> {
  const held = new Set((await heldOf(ctx, projectId, tickets.flatMap(playerIdsOf))).map(({ playerId }) => playerId))
  return new Set(tickets.filter((ticket) => playerIdsOf(ticket).some((id) => held.has(id))).map(({ id }) => id))
}

/** Tickets of a queue that wait outside the pool, each with the instant of its next check. They keep their age. */
export class AsideTickets {
  private readonly dueBy = new Map<string, number>()
  /** Tickets whose next check is due at once. */
  private readonly hastened = new Set<string>()

  /** `delayMs`: milliseconds until the next check of a ticket. */
  constructor(private readonly delayMs: number) {}

  has(ticketId: string): boolean {
    return this.dueBy.has(ticketId)
  }

  /** Sets a ticket aside. Its next check is `delayMs` after `now`. */
  add(ticketId: string, now: number): void {
    // A map keeps the order of insertion, so the tickets with the earliest checks come first.
    this.delete(ticketId)
    this.dueBy.set(ticketId, now + this.delayMs)
  }

  /** Makes the next check of a ticket due at once. */
  hasten(ticketId: string): void {
    if (this.dueBy.has(ticketId)) this.hastened.add(ticketId)
  }

  delete(ticketId: string): void {
    this.dueBy.delete(ticketId)
    this.hastened.delete(ticketId)
  }

  clear(): void {
    this.dueBy.clear()
    this.hastened.clear()
  }

  /** Returns the tickets whose check is due, at most CHECKED_AT_ONCE. */
  due(now: number): string[] {
    const due = new Set([...this.hastened].slice(0, CHECKED_AT_ONCE))
    for (const [ticketId, at] of this.dueBy) {
      if (at > now || due.size === CHECKED_AT_ONCE) break
      due.add(ticketId)
    }
    return [...due]
  }

  /** Returns the instant of the next check; undefined without tickets. */
  nextAt(): number | undefined {
    const [first] = this.dueBy.values()
    return this.hastened.size > 0 ? 0 : first
  }
}
