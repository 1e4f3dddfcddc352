import { ARRIVAL_LIMIT, DEFAULT_PAGE_LIMIT, MAX_LIST_BYTES } from '../../catalog/limits'
import { fieldsOf } from '../../commit/arrivals'
import { unavailableInsteadOf } from '../../commit/transact'
import { validationFailed } from '../../errors/service-error'
import { type Arrival, type ArrivalBatch, type ArrivalOutcome, arrivalId, recordedPlayers } from '../../lobby/arrival'
import { isParty, type QueueTicket } from '../../lobby/queue-ticket'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import type { Queue } from '../../queue/queue'
import { requireQueue } from '../../reads/require'
import { utf8Length } from '../../shared/json'
import { shownState } from '../../shared/shown-state'
import { type Instant, SECOND_MS } from '../../shared/time'
import { openCursor, sealCursor } from '../../tokens/sealed-cursor'

export interface ListArrivalsInput extends InProject {
  /** Queue of the stays. */
  readonly queueId: string
  /** Time from which stays are listed, by the time at which they entered the queue. Default: all stays that are kept. */
  readonly since?: Instant | undefined
  /** Maximum number of stays in one page. Default: 50. */
  readonly limit?: number | undefined
  /** Cursor: `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
}

/** Stay of a party in a queue. A stay that continues has no outcome yet. */
export interface RecordedArrival extends Omit<Arrival, 'outcome'> {
  /** Time at which the stay ended; null while it continues. */
  readonly leftAt: Instant | null
  /** Outcome of the stay; null while it continues. */
  readonly outcome: ArrivalOutcome | null
  /** Duration of the stay in seconds; null while it continues. */
  readonly waitSeconds: number | null
}

/** Page of the recorded stays in a queue. */
export interface ArrivalsPage {
  /** Stays of the page. */
  readonly data: readonly RecordedArrival[]
  /** Cursor of the next page; null after the last page. */
  readonly nextCursor: string | null
}

/** Position of the reader, as the cursor stores it. */
interface Place {
  /** Id of the last batch that was listed, completely or in part; null before the first batch. */
  readonly batch: string | null
  /** Number of arrivals of that batch that were listed; null when all were listed. */
  readonly told: number | null
  /** Position in the list of waiting parties; null before the first party. */
  readonly waiting: string | null
}

/** Maximum bytes of batches, and maximum number of tickets, that one read returns. */
const BATCH_BYTES = 1024 * 1024
const TICKETS_AT_ONCE = 100

/**
 * Returns a page of the stays in a queue. The stays that ended within the last day, at most 100,000, come first, ordered by their end. The
 * stays that continue follow. A stay that ends between two pages may appear twice, the second time with its end. A party that is asked to
 * accept a match is listed after it has answered. Large stays make a page smaller than its limit. Throws QUEUE_NOT_FOUND,
 * VALIDATION_FAILED.
 */
export function listArrivals(ctx: Service, input: ListArrivalsInput): Promise<ArrivalsPage> {
  return unavailableInsteadOf(async () => {
    const limit = input.limit ?? DEFAULT_PAGE_LIMIT
    const { min, max } = ARRIVAL_LIMIT
    if (!Number.isInteger(limit) || limit < min || limit > max) {
      throw validationFailed([{ path: 'limit', message: `must be a whole number from ${min} to ${max}` }])
    }
    const queue = await requireQueue(ctx, input.projectId, input.queueId)
    const page = new ArrivalsReading(
      ctx,
      queue,
      Math.max(input.since ?? 0, queue.createdAt),
      limit,
      placeOf(ctx, queue, input.cursor),
    )
    await page.read()
    const cursor = (await page.isOver()) ? null : sealCursor(ctx.tokens, scopeOf(queue), JSON.stringify(page.place))
    return { data: page.data, nextCursor: cursor }
  })
}

class ArrivalsReading {
  readonly data: RecordedArrival[] = []
  private bytes = 0
  /** Whether all waiting parties have been listed. */
  private isAtEnd = false

  constructor(
    private readonly ctx: Service,
    private readonly queue: Queue,
    private readonly since: Instant,
    private readonly limit: number,
    public place: Place,
  ) {}

  /** Reads the page. Waiting parties are read last: a party that stops waiting meanwhile is then found in a later batch. */
  async read(): Promise<void> {
    await this.finishBatch()
    while (!this.isFull && (await this.readBatches()));
    while (!this.isFull && !this.isAtEnd) await this.readWaiting()
  }

  private get isFull(): boolean {
    return this.data.length >= this.limit || this.bytes >= MAX_LIST_BYTES
  }

  private add(arrival: RecordedArrival): void {
    this.data.push(arrival)
    this.bytes += utf8Length(JSON.stringify(arrival))
  }

  async isOver(): Promise<boolean> {
    return this.isAtEnd && this.place.told === null && (await this.batches(1)).length === 0
  }

  private async finishBatch(): Promise<void> {
    const { batch, told } = this.place
    if (batch === null || told === null) return
    const kept = await this.ctx.storage.get('arrivals', batch)
    this.place = { ...this.place, told: null }
    if (kept !== undefined) this.tell(kept, told)
  }

  private async readBatches(): Promise<boolean> {
    const batches = await this.batches(this.limit - this.data.length)
    for (const batch of batches) {
      if (this.isFull) break
      this.tell(batch, 0)
    }
    return batches.length > 0
  }

  private batches(limit: number) {
    const { batch } = this.place
    const after = batch === null ? {} : { after: batch }
    return this.ctx.storage.arrivals.list({
      ...{ queueKey: this.queue.id, since: this.since, limit, maxBytes: BATCH_BYTES },
      ...after,
    })
  }

  private tell({ id, leftAt, arrivals }: ArrivalBatch, from: number): void {
    let place = from
    for (; place < arrivals.length && !this.isFull; place++) {
      const arrival = arrivals[place]
      if (arrival !== undefined && arrival.enteredAt >= this.since) this.add(over(arrival, leftAt))
    }
    this.place = { ...this.place, batch: id, told: place < arrivals.length ? place : null }
  }

  private async readWaiting(): Promise<void> {
    const { queue, place, ctx } = this
    const room = Math.min(TICKETS_AT_ONCE, this.limit - this.data.length)
    const left = MAX_LIST_BYTES - this.bytes
    const page = await ctx.storage.tickets.changedSince(queue.id, place.waiting ?? undefined, room, left)
    const fields = await fieldsOf(ctx, queue.id)
    for (const { ticket } of page.changes) {
      if (ticket !== undefined && isParty(ticket) && ticket.enteredAt >= this.since) {
        this.add(waiting(ticket, fields))
      }
    }
    this.place = { ...place, waiting: page.cursor }
    this.isAtEnd = !page.more
  }
}

const over = (arrival: Arrival, leftAt: Instant): RecordedArrival => ({
  ...arrival,
  leftAt,
  waitSeconds: Math.max(0, leftAt - arrival.enteredAt) / SECOND_MS,
})

const waiting = ({ id, lobbyId, enteredAt, region, players }: QueueTicket, fields: readonly string[]) => ({
  ...{ id: arrivalId(id), lobbyId, enteredAt, region },
  players: recordedPlayers(
    players.map((player) => ({ playerId: player.playerId, state: shownState(player) })),
    fields,
  ),
  ...{ leftAt: null, outcome: null, matchId: null, waitSeconds: null },
})

/** Returns the scope of the queue's cursors, so that a cursor of another queue, or of an older form, is refused. */
const scopeOf = (queue: Queue): string => `arrivals of ${queue.id}`

function placeOf(ctx: Ports, queue: Queue, cursor: string | undefined): Place {
  if (cursor === undefined) return { batch: null, told: null, waiting: null }
  const text = openCursor(ctx.tokens, scopeOf(queue), cursor)
  if (text === undefined) {
    throw validationFailed([{ path: 'cursor', message: 'must be the cursor of an earlier response for this queue' }])
  }
  return JSON.parse(text) as Place
}
