import type { Pool, Proposal } from '@matchyard/matchmaking'
import type { QueueTicket } from '../lobby/queue-ticket'
import type { Service } from '../node/service'
import { Slices } from '../node/slices'
import type { Ports } from '../ports/ports'
import type { Queue } from '../queue/queue'
import { SECOND_MS } from '../shared/time'
import { commitFill } from './commit-fill'
import { commitMatch } from './commit-match'
import type { Director } from './director'
import { serversLeft } from './hold'

/** A director's lease on its queue; another node takes over when it runs out. */
export const DIRECTOR_LEASE_MS = 3 * SECOND_MS
export const directorLease = (queueKey: string): string => `director:${queueKey}`
/** Matches whose commits are under way at once; together they share transactions. */
const COMMITS_AT_ONCE = 64
/** When a match that something else than its tickets stood in the way of (a plan's limit, an account that changed) is tried again. */
const BLOCKED_RETRY_MS = 1 * SECOND_MS

export interface Tick {
  /** Matches that were committed. */
  readonly matches: number
  /** Requests of running matches that were filled, in whole or in part. */
  readonly fills: number
  /** When to run again though nothing changes; undefined when only a change can help. */
  readonly dueAt: number | undefined
}

const NOTHING: Tick = { matches: 0, fills: 0, dueAt: undefined }

/**
 * One tick of a queue's director: reads what changed, forms matches, commits each by itself. A match holds because its commit
 * expects the version of every lobby in it; the lease only spares work.
 */
export async function runQueue(ctx: Service, director: Director): Promise<Tick> {
  const now = ctx.clock.now()
  const name = directorLease(director.queueKey)
  const held = await ctx.storage.leases.acquire(name, ctx.settings.nodeId, now, DIRECTOR_LEASE_MS)
  director.leasedUntil = held ? now + DIRECTOR_LEASE_MS : 0
  if (!held) {
    director.forget()
    return { ...NOTHING, dueAt: now + DIRECTOR_LEASE_MS }
  }
  const queue = await ctx.storage.get('queue', director.queueKey)
  const pool = queue === undefined ? undefined : await director.refresh(queue)
  if (queue === undefined || pool === undefined) return NOTHING
  // Nothing is proposed that could not be committed: all keep their place, and the first server that ends goes on with it. Seats of
  // matches that run already need none.
  const left = director.isHeld ? await serversLeft(ctx, queue) : Number.POSITIVE_INFINITY
  if (left === 0 && !director.hasRequests) return { ...NOTHING, dueAt: now + BLOCKED_RETRY_MS }
  const proposals = await inSlices(ctx, pool)
  const matches = proposals.filter(({ requestId }) => requestId === undefined)
  director.isHeld = matches.length > left
  if (!director.isHeld) return commitAll(ctx, director, queue, proposals)
  const fills = proposals.filter(({ requestId }) => requestId !== undefined)
  return commitAll(ctx, director, queue, [...oldestOf(director, matches, left), ...fills])
}

/** As many as there may be servers; the others wait on. */
function oldestOf(director: Director, proposals: readonly Proposal[], count: number): Proposal[] {
  const since = (proposal: Proposal) => Math.min(...ticketsOf(director, proposal).map(({ enteredAt }) => enteredAt))
  const aged = proposals.map((proposal) => ({ proposal, at: since(proposal) })).sort((a, b) => a.at - b.at)
  for (const { proposal } of aged.slice(count)) putBack(director, ticketsOf(director, proposal), new Set(), [])
  return aged.slice(0, count).map(({ proposal }) => proposal)
}

async function commitAll(
  ctx: Service,
  director: Director,
  queue: Queue,
  proposals: readonly Proposal[],
): Promise<Tick> {
  let matches = 0
  let fills = 0
  let kept = false
  for (let i = 0; i < proposals.length; i += COMMITS_AT_ONCE) {
    const batch = proposals.slice(i, i + COMMITS_AT_ONCE)
    const made = await Promise.all(batch.map((proposal) => settle(ctx, director, queue, proposal)))
    matches += made.filter((one, index) => one === 'made' && batch[index]?.requestId === undefined).length
    fills += made.filter((one, index) => one === 'made' && batch[index]?.requestId !== undefined).length
    kept ||= made.includes('kept')
    director.isHeld ||= made.includes('held')
    const failure = made.find((one) => typeof one === 'object')
    if (failure === undefined && !made.includes('refill') && !made.includes('held')) continue
    // Proposing took them out of the pool; those that were never tried wait on.
    for (const proposal of proposals.slice(i + COMMITS_AT_ONCE)) {
      putBack(director, ticketsOf(director, proposal), new Set(), [])
    }
    if (failure !== undefined) throw failure.error
    if (director.isHeld) return { matches, fills, dueAt: ctx.clock.now() + BLOCKED_RETRY_MS }
    // Tickets of a lost race have changed: the remaining ones may match in another way at once.
    return { matches, fills, dueAt: ctx.clock.now() }
  }
  const now = ctx.clock.now()
  const dueAt = director.nextDueAt(now)
  return { matches, fills, dueAt: kept || director.isHeld ? afterBlock(dueAt, now) : dueAt }
}

/** A blocked proposal would be made again at once: it pauses, unless something else is due earlier. */
function afterBlock(dueAt: number | undefined, now: number): number {
  const retryAt = now + BLOCKED_RETRY_MS
  return dueAt === undefined || dueAt <= now ? retryAt : Math.min(dueAt, retryAt)
}

/** The parties of a proposal, and the request that they fill, if they fill one, as its last. */
const ticketsOf = (director: Director, { ticketIds, requestId }: Proposal): QueueTicket[] =>
  [...ticketIds, ...(requestId === undefined ? [] : [requestId])].flatMap((id) => director.tickets.get(id) ?? [])

/** The tick, giving the event loop back after every slice. Nothing touches the pool meanwhile: a director does one thing at a time. */
async function inSlices(ctx: Ports, pool: Pool): Promise<Proposal[]> {
  const steps = pool.tickSliced(ctx.clock.now())
  const slices = new Slices(ctx)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (slices.isOver) await slices.pause()
  }
}

async function settle(
  ctx: Service,
  director: Director,
  queue: Queue,
  proposal: Proposal,
): Promise<'made' | 'refill' | 'kept' | 'held' | { readonly error: unknown }> {
  const tickets = ticketsOf(director, proposal)
  try {
    const commit = proposal.requestId === undefined ? commitMatch : commitFill
    const outcome = await commit(ctx, queue, proposal, tickets)
    if (outcome.made) {
      for (const ticket of tickets) director.drop(ticket.id)
      return 'made'
    }
    putBack(director, tickets, outcome.gone, outcome.fresh)
    if (outcome.atLimit === true) return 'held'
    return outcome.gone.size > 0 || outcome.fresh.length > 0 ? 'refill' : 'kept'
  } catch (error) {
    // Nothing is known to be committed: all wait on, and what is committed after all comes back as changes.
    putBack(director, tickets, new Set(), [])
    return { error }
  }
}

function putBack(
  director: Director,
  tickets: readonly QueueTicket[],
  gone: ReadonlySet<string>,
  fresh: readonly QueueTicket[],
): void {
  const newer = new Map(fresh.map((ticket) => [ticket.id, ticket]))
  for (const ticket of tickets) {
    if (gone.has(ticket.id)) director.drop(ticket.id)
    else director.putBack(newer.get(ticket.id) ?? ticket)
  }
}
