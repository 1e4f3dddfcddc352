import { createPool, type Pool, type SeatRequest } from '@matchyard/matchmaking'
import { DEFAULT_REGION } from '../catalog/regions'
import { playerIdsOf } from '../lobby/members'
import { isParty, type QueueTicket, toEngine } from '../lobby/queue-ticket'
import type { Service } from '../node/service'
import { Slices } from '../node/slices'
import { type EngineRegions, engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import { engineRegions } from '../reads/machines'
import { type JsonObject, jsonEqual } from '../shared/json'
import { ABSENT_ASIDE_MS, AsideTickets, HELD_ASIDE_MS } from './set-aside'

/** Maximum ticket changes in one read. This number can be handled within one slice (SLICE_MS) of the event loop. */
const CHANGES_AT_ONCE = 250

/** State of one queue on this node between two ticks: the pool of waiting tickets, and the cursor of the last read of ticket changes. */
export class Director {
  private pool: Pool | undefined
  private queueForm = ''
  private cursor: string | undefined
  readonly tickets = new Map<string, QueueTicket>()
  /** Ids of the tickets that are backfill requests of running matches. */
  private readonly requests = new Set<string>()
  /** Tickets outside the pool: of parties with a player held by another match, and of absent parties. */
  private readonly aside = {
    held: new AsideTickets(HELD_ASIDE_MS),
    absent: new AsideTickets(ABSENT_ASIDE_MS),
  }
  /** Functions that end the wait for a call of an absent party's players, by ticket. */
  private readonly waits = new Map<string, () => void>()
  private seatsFirst = false
  /** Regions that the pool knows as served. */
  private regions: EngineRegions = {}
  /** Whether the last tick held matches back because the account has its maximum number of servers. */
  isHeld = false
  /** Instant until which this node holds the lease of the queue, according to its last renewal; 0 without the lease. */
  leasedUntil = 0

  constructor(
    private readonly ctx: Service,
    readonly queueKey: string,
    /** Called when a tick is due at once, because a player of an absent party was heard on this node. */
    private readonly onHeard: () => void,
  ) {}

  /** Whether running matches of the queue request new players. */
  get hasRequests(): boolean {
    return this.requests.size > 0
  }

  /**
   * Returns the pool after all ticket changes are applied; undefined for a queue without matchmaking. After a change of the queue, the pool
   * is made anew.
   */
  async refresh(queue: Queue): Promise<Pool | undefined> {
    if (queue.matchmaking === null) {
      this.forget()
      return undefined
    }
    const regions = await engineRegions(this.ctx, queue)
    let areOther = !jsonEqual(regions as JsonObject, this.regions as JsonObject)
    this.regions = regions
    // A queue that was deleted and created again may have the same id and version, but it has another creation time.
    const form = `${queue.createdAt}/${queue.version}`
    if (this.pool === undefined || this.queueForm !== form) {
      this.forget()
      this.pool = this.newPool(queue)
      this.queueForm = form
      // The new pool knows these regions.
      areOther = false
    }
    // An in-memory storage answers without yielding the event loop. Without pauses, reading thousands of changes would block all other work
    // of the process.
    const slices = new Slices(this.ctx)
    for (let more = true; more; await slices.pause()) more = await this.readChanges(queue)
    // At the account's maximum number of servers, seats of running matches are filled first, because filling them needs no new server.
    const seatsFirst = this.isHeld && this.hasRequests
    if (this.seatsFirst !== seatsFirst || areOther) {
      this.seatsFirst = seatsFirst
      this.pool = this.newPool(queue)
      for (const ticket of this.tickets.values()) {
        if (!this.isAside(ticket.id)) this.putBack(ticket)
        if (slices.isOver) await slices.pause()
      }
    }
    return this.pool
  }

  /** Drops the pool, so that the next refresh reads all tickets again. Called after the lease was lost, or when the state may be wrong. */
  forget(): void {
    this.pool = undefined
    this.cursor = undefined
    this.tickets.clear()
    this.requests.clear()
    for (const tickets of Object.values(this.aside)) tickets.clear()
    for (const end of this.waits.values()) end()
    this.waits.clear()
  }

  /** Returns the instant at which waiting alone could change the result of a tick; undefined when only a change of the tickets can. */
  nextDueAt(now: number): number | undefined {
    const dueAt = this.pool?.nextDueAt(now)
    const instants = [dueAt, this.aside.held.nextAt(), this.aside.absent.nextAt()].filter((at) => at !== undefined)
    return instants.length === 0 ? undefined : Math.min(...instants)
  }

  /**
   * Keeps a party out of the pool for now, with its age, because another match holds a player, or because its players are absent. The tick
   * that formed the party's match has taken the ticket out of the pool. An absent party is checked again as soon as this node hears one of its
   * players.
   */
  setAside(ticket: QueueTicket, why: 'held' | 'absent'): void {
    this.tickets.set(ticket.id, ticket)
    this.takeBack(ticket.id)
    this.aside[why].add(ticket.id, this.ctx.clock.now())
    if (why === 'absent') this.waits.set(ticket.id, this.awaitPlayers(ticket))
  }

  /** Returns the tickets that were set aside and are to be checked again now. */
  dueAside(): QueueTicket[] {
    const now = this.ctx.clock.now()
    const due = [...this.aside.held.due(now), ...this.aside.absent.due(now)]
    return due.flatMap((id) => this.tickets.get(id) ?? [])
  }

  /** Returns the ticket of a party or a request to the pool, with its age, because its match was not committed. */
  putBack(ticket: QueueTicket): void {
    this.tickets.set(ticket.id, ticket)
    this.takeBack(ticket.id)
    if (isParty(ticket)) this.pool?.add(toEngine(ticket))
    else {
      this.requests.add(ticket.id)
      this.pool?.addRequest(toRequest(ticket))
    }
  }

  drop(ticketId: string): void {
    this.tickets.delete(ticketId)
    this.takeBack(ticketId)
    if (this.requests.delete(ticketId)) this.pool?.removeRequest(ticketId)
    else this.pool?.remove(ticketId)
  }

  private awaitPlayers(ticket: QueueTicket): () => void {
    return this.ctx.node.presence.whenHeard(ticket.projectId, playerIdsOf(ticket), () => {
      this.aside.absent.hasten(ticket.id)
      this.onHeard()
    })
  }

  private isAside(ticketId: string): boolean {
    return this.aside.held.has(ticketId) || this.aside.absent.has(ticketId)
  }

  /** Forgets that a ticket was set aside. */
  private takeBack(ticketId: string): void {
    for (const tickets of Object.values(this.aside)) tickets.delete(ticketId)
    this.waits.get(ticketId)?.()
    this.waits.delete(ticketId)
  }

  private newPool(queue: Queue): Pool {
    return createPool({
      ...engineConfig(queue, this.regions),
      ...(this.seatsFirst ? { backfillPriority: 'before' } : {}),
    })
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
        if (this.isAside(ticketId)) continue
        if (isParty(ticket)) this.pool.update(toEngine(ticket))
        else this.pool.addRequest(toRequest(ticket))
      }
    }
    this.cursor = cursor
    return more
  }
}

/** Returns a backfill request in the form that the matchmaking engine reads. */
export const toRequest = ({ id, enteredAt, region, request }: QueueTicket): SeatRequest => ({
  id,
  requestedAt: enteredAt,
  players: request?.players ?? [],
  teams: request?.teams ?? [],
  region: region ?? DEFAULT_REGION,
  version: request?.gameVersion ?? null,
})
