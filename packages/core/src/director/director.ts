import { createPool, type Pool, type SeatRequest } from '@matchyard/matchmaking'
import { DEFAULT_REGION } from '../catalog/regions'
import { isParty, type QueueTicket, toEngine } from '../lobby/queue-ticket'
import { Slices } from '../node/slices'
import type { Ports } from '../ports/ports'
import { engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'

/** Ticket changes read at once: few enough for a slice. */
const CHANGES_AT_ONCE = 250

/** State of one queue on this node between ticks: the pool of waiting tickets, and the cursor of the changes. */
export class Director {
  private pool: Pool | undefined
  private queueForm = ''
  private cursor: string | undefined
  readonly tickets = new Map<string, QueueTicket>()
  /** Tickets that are requests of running matches. */
  private readonly requests = new Set<string>()
  private seatsFirst = false
  /** Whether the account was at its plan's limit of servers when a match was last tried. */
  isHeld = false
  /** Until when the queue is this node's, as far as it knows. */
  leasedUntil = 0

  constructor(
    private readonly ctx: Ports,
    readonly queueKey: string,
  ) {}

  /** Whether running matches of the queue ask for newcomers. */
  get hasRequests(): boolean {
    return this.requests.size > 0
  }

  /** The pool as it is now under this form of the queue: built anew where the queue changed, else brought up to date. */
  async refresh(queue: Queue): Promise<Pool | undefined> {
    if (queue.matchmaking === null) {
      this.forget()
      return undefined
    }
    // A queue that was deleted and made again begins with version 1 again.
    const form = `${queue.createdAt}/${queue.version}`
    if (this.pool === undefined || this.queueForm !== form) {
      this.forget()
      this.pool = this.newPool(queue)
      this.queueForm = form
    }
    // A storage of this process answers at once: without a pause nobody else would have a turn while thousands are read.
    const slices = new Slices(this.ctx)
    for (let more = true; more; await slices.pause()) more = await this.readChanges(queue)
    // A party that cannot get a new match without a server can still take an open seat.
    if (this.seatsFirst !== (this.isHeld && this.hasRequests)) {
      this.seatsFirst = !this.seatsFirst
      this.pool = this.newPool(queue)
      for (const ticket of this.tickets.values()) {
        this.putBack(ticket)
        if (slices.isOver) await slices.pause()
      }
    }
    return this.pool
  }

  /** Start over at the next refresh: after a lost lease, a lost signal, a doubt. */
  forget(): void {
    this.pool = undefined
    this.cursor = undefined
    this.tickets.clear()
    this.requests.clear()
  }

  /** When the next tick may find what this one did not, without any change. */
  nextDueAt(now: number): number | undefined {
    return this.pool?.nextDueAt(now)
  }

  /** A ticket, or a request, whose match was not committed waits on, with its age. */
  putBack(ticket: QueueTicket): void {
    this.tickets.set(ticket.id, ticket)
    if (isParty(ticket)) this.pool?.add(toEngine(ticket))
    else {
      this.requests.add(ticket.id)
      this.pool?.addRequest(toRequest(ticket))
    }
  }

  drop(ticketId: string): void {
    this.tickets.delete(ticketId)
    if (this.requests.delete(ticketId)) this.pool?.removeRequest(ticketId)
    else this.pool?.remove(ticketId)
  }

  private newPool(queue: Queue): Pool {
    return createPool({ ...engineConfig(queue), ...(this.seatsFirst ? { backfillPriority: 'before' } : {}) })
  }

  private async readChanges(queue: Queue): Promise<boolean> {
    const { changes, cursor, more, startedOver } = await this.ctx.storage.tickets.changedSince(
      this.queueKey,
      this.cursor,
      CHANGES_AT_ONCE,
    )
    if (startedOver) {
      this.ctx.logger.warn('the store is another or has gone back; the queue is read anew', { queue: this.queueKey })
      this.forget()
    }
    this.pool ??= this.newPool(queue)
    for (const { ticketId, ticket } of changes) {
      const known = this.tickets.get(ticketId)
      if (ticket === undefined) this.drop(ticketId)
      else if (known === undefined) this.putBack(ticket)
      else if (ticket.version > known.version) {
        this.tickets.set(ticketId, ticket)
        if (isParty(ticket)) this.pool.update(toEngine(ticket))
        else this.pool.addRequest(toRequest(ticket))
      }
    }
    this.cursor = cursor
    return more
  }
}

/** The row of a request as the engine reads it. */
export const toRequest = ({ id, enteredAt, region, request }: QueueTicket): SeatRequest => ({
  id,
  requestedAt: enteredAt,
  players: request?.players ?? [],
  teams: request?.teams ?? [],
  region: region ?? DEFAULT_REGION,
  version: request?.gameVersion ?? null,
})
