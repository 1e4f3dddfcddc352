import type { Pool, Proposal } from '@matchyard/matchmaking'
import { serversLeft } from '../commit/hold'
import type { QueueTicket } from '../lobby/queue-ticket'
import type { Service } from '../node/service'
import { Slices } from '../node/slices'
import type { Ports } from '../ports/ports'
import { claimsPlayers, type Queue } from '../queue/queue'
import { absentTickets } from '../reads/absence'
import { SECOND_MS } from '../shared/time'
import { commitFill } from './commit-fill'
import { commitMatch } from './commit-match'
import type { Director } from './director'
import { heldTickets } from './set-aside'

/** Milliseconds of a director's lease on its queue. After the lease expires, another node can take the queue over. */
export const DIRECTOR_LEASE_MS = 3 * SECOND_MS
export const directorLease = (queueKey: string): string => `director:${queueKey}`
/** Maximum concurrent commits of matches. A storage may combine them into one transaction. */
const COMMITS_AT_ONCE = 64
/**
 * Milliseconds before the next attempt, when a match failed for a reason outside its tickets, such as the plan's limit or a changed
 * account.
 */
const BLOCKED_RETRY_MS = 1 * SECOND_MS

/** Result of one examination of a queue's pool. */
export interface Tick {
  /** Number of committed matches. */
  readonly matches: number
  /** Number of backfill requests of running matches that were filled, completely or in part. */
  readonly fills: number
  /** Instant of the next run if nothing changes before; undefined when only a change can lead to a match. */
  readonly dueAt: number | undefined
}

const NOTHING: Tick = { matches: 0, fills: 0, dueAt: undefined }

/**
 * Runs one tick of a queue's director: reads the ticket changes, forms matches, and commits each match separately. Correctness comes from
 * the commit, which expects the version of every lobby; the lease only prevents duplicate work.
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
  // At the account's maximum number of servers no match is formed, because it could not be committed. The tickets keep their order, and
  // matching continues when a server ends. Seats of running matches can still be filled, because filling them needs no server.
  const left = director.isHeld ? await serversLeft(ctx, queue) : Number.POSITIVE_INFINITY
  if (left === 0 && !director.hasRequests) return { ...NOTHING, dueAt: now + BLOCKED_RETRY_MS }
  await checkAside(ctx, director, queue)
  const formed = await inSlices(ctx, pool)
  const proposals = await withoutAbsent(ctx, director, queue, formed).catch((error: unknown) => {
    // The formed matches are lost, so all tickets are read again.
    director.forget()
    throw error
  })
  const tick = await commitWithin(ctx, director, queue, proposals, left)
  // Tickets of parties that were formed with an absent party returned to the pool, and may form other matches at once.
  return proposals.length < formed.length ? { ...tick, dueAt: ctx.clock.now() } : tick
}

/** Commits the matches and fills, at most `left` matches; the other matches are held back. */
async function commitWithin(
  ctx: Service,
  director: Director,
  queue: Queue,
  proposals: readonly Proposal[],
  left: number,
): Promise<Tick> {
  const matches = proposals.filter(({ requestId }) => requestId === undefined)
  director.isHeld = matches.length > left
  if (!director.isHeld) return commitAll(ctx, director, queue, proposals)
  const fills = proposals.filter(({ requestId }) => requestId !== undefined)
  return commitAll(ctx, director, queue, [...oldestOf(director, matches, left), ...fills])
}

/** Checks tickets that were set aside: present parties without a held player return to the pool. */
async function checkAside(ctx: Service, director: Director, queue: Queue): Promise<void> {
  const tickets = director.dueAside()
  if (tickets.length === 0) return
  const held = claimsPlayers(queue) ? await heldTickets(ctx, queue.projectId, tickets) : new Set()
  const absent = await absentTickets(ctx, queue, tickets)
  for (const ticket of tickets) {
    if (held.has(ticket.id)) director.setAside(ticket, 'held')
    else if (absent.has(ticket.id)) director.setAside(ticket, 'absent')
    else director.putBack(ticket)
  }
}

/**
 * Returns the proposals whose parties are all present. Absent parties are set aside with their age, and the other tickets of their proposals
 * return to the pool.
 */
async function withoutAbsent(
  ctx: Service,
  director: Director,
  queue: Queue,
  proposals: readonly Proposal[],
): Promise<readonly Proposal[]> {
  const absent = await absentTickets(
    ctx,
    queue,
    proposals.flatMap((proposal) => ticketsOf(director, proposal)),
  )
  if (absent.size === 0) return proposals
  return proposals.filter((proposal) => {
    const tickets = ticketsOf(director, proposal)
    if (!tickets.some(({ id }) => absent.has(id))) return true
    for (const ticket of tickets) {
      if (absent.has(ticket.id)) director.setAside(ticket, 'absent')
      else director.putBack(ticket)
    }
    return false
  })
}

/** Returns the `count` matches whose tickets have waited longest. The tickets of the other matches return to the pool. */
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
    // Forming the matches took their tickets out of the pool. Matches that were not attempted return their tickets to the pool.
    for (const proposal of proposals.slice(i + COMMITS_AT_ONCE)) {
      putBack(director, ticketsOf(director, proposal), new Set(), [])
    }
    if (failure !== undefined) throw failure.error
    if (director.isHeld) return { matches, fills, dueAt: ctx.clock.now() + BLOCKED_RETRY_MS }
    // Tickets changed while a commit was attempted. The remaining tickets may form other matches at once.
    return { matches, fills, dueAt: ctx.clock.now() }
  }
  const now = ctx.clock.now()
  const dueAt = director.nextDueAt(now)
  return { matches, fills, dueAt: kept || director.isHeld ? afterBlock(dueAt, now) : dueAt }
}

/** Returns the time of the next tick after a match that could not be committed. The pause avoids forming the same match again at once. */
function afterBlock(dueAt: number | undefined, now: number): number {
  const retryAt = now + BLOCKED_RETRY_MS
  return dueAt === undefined || dueAt <= now ? retryAt : Math.min(dueAt, retryAt)
}

/** Returns the tickets of a proposal: those of the parties, then the ticket of the backfill request that they fill, if any. */
const ticketsOf = (director: Director, { ticketIds, requestId }: Proposal): QueueTicket[] =>
  [...ticketIds, ...(requestId === undefined ? [] : [requestId])].flatMap((id) => director.tickets.get(id) ?? [])

/**
 * Runs the tick, and yields the event loop after every slice. The pool cannot change meanwhile, because the tasks of a director run one by
 * one.
 */
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
    putBack(director, tickets, outcome.gone, outcome.fresh, outcome.held)
    if (outcome.atLimit === true) return 'held'
    return outcome.gone.size > 0 || outcome.fresh.length > 0 || outcome.held !== undefined ? 'refill' : 'kept'
  } catch (error) {
    // The result of the commit is unknown, so all tickets return to the pool. If the commit was applied after all, the next ticket changes
    // remove them.
    putBack(director, tickets, new Set(), [])
    return { error }
  }
}

function putBack(
  director: Director,
  tickets: readonly QueueTicket[],
  gone: ReadonlySet<string>,
  fresh: readonly QueueTicket[],
  held?: ReadonlySet<string>,
): void {
  const newer = new Map(fresh.map((ticket) => [ticket.id, ticket]))
  for (const ticket of tickets) {
    const current = newer.get(ticket.id) ?? ticket
    if (gone.has(ticket.id)) director.drop(ticket.id)
    else if (held?.has(ticket.id) === true) director.setAside(current, 'held')
    else director.putBack(current)
  }
}
