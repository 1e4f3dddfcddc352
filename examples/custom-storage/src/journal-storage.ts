import type { Instant, Lobby } from '@matchyard/core'
import { HOUR_MS, utf8Length } from '@matchyard/core/domain'
import {
  ARRIVALS_KEPT,
  ARRIVALS_KEPT_MS,
  type ArrivalBatch,
  AUDIT_KEPT,
  AUDIT_KEPT_MS,
  assertWellFormed,
  auditScope,
  type ClaimedJob,
  type ClaimRequest,
  type Commit,
  type CommitResult,
  DELIVERIES_KEPT_MS,
  type DueJobs,
  type Entities,
  type EntityKind,
  forgottenOf,
  isParty,
  MAX_DUE_COUNTED,
  OutcomeUnknown,
  queueOfArrivals,
  type SignalListener,
  STREAM_RETENTION,
  type Storage,
  signalsOf,
  type TicketChanges,
  takeTurns,
  type WaitCell,
} from '@matchyard/core/ports'
import { changes, forgottenChanges } from './changes'
import { forgottenHistory, history } from './history'
import { type Change, Journal, sequence } from './journal'
import { type Entry, type Job, judge, logOf, type Mark } from './judge'
import { byText, lists, within } from './lists'
import { forgottenPresence, presence } from './presence'

/**
 * Returns the changes of a queue's tickets after a cursor. A cursor holds the number of the last change that was read
 * and the opening of the file, because a file that is opened later may be an older copy.
 */
function changedSince(
  journal: Journal,
  queue: string,
  cursor: string | undefined,
  limit: number,
  maxBytes?: number,
): TicketChanges {
  const [opening, number] = (cursor ?? '').split(' ')
  const goesOn = opening === journal.opening
  const after = goesOn ? Number(number) : 0
  const marks = [...journal.rows<Mark>(`mark ${queue}`)]
    // A caller without a cursor has no tickets that a tombstone could remove.
    .filter(([, [number, removedAt]]) => number > after && (goesOn || removedAt === null))
  const tickets = journal.rows<Entities['ticket']>('ticket')
  const changes = marks.slice(0, limit).map(([ticketId, [, removedAt]]) => ({
    ticketId,
    ticket: removedAt === null ? tickets.get(ticketId) : undefined,
  }))
  const told = within(changes, maxBytes)
  const read = marks.slice(0, told.length)
  return {
    changes: told,
    cursor: `${journal.opening} ${read.at(-1)?.[1][0] ?? after}`,
    more: marks.length > read.length,
    startedOver: cursor !== undefined && !goesOn,
  }
}

/**
 * Returns the queues that have waiting parties. This adapter counts them in each call, which fits small services only;
 * the other adapters store the counts.
 */
function waiting(journal: Journal, only?: string) {
  const queues = new Map<string, { queueKey: string; parties: number; players: number }>()
  for (const ticket of journal.rows<Entities['ticket']>('ticket').values()) {
    if (!isParty(ticket)) continue
    const { queueKey, players } = ticket
    if (only !== undefined && queueKey !== only) continue
    const { parties: p, players: n } = queues.get(queueKey) ?? { parties: 0, players: 0 }
    queues.set(queueKey, { queueKey, parties: p + 1, players: n + players.length })
  }
  return [...queues.values()].sort((a, b) => byText(a.queueKey, b.queueKey))
}

/**
 * Returns a sample of a queue's tickets. Tickets are ordered by the ends of their ids, which do not depend on time or
 * content.
 */
function sample(journal: Journal, queue: string, limit: number, maxBytes: number) {
  let bytes = 0
  return structuredClone(
    [...journal.rows<Entities['ticket']>('ticket').values()]
      .filter((ticket) => ticket.queueKey === queue && isParty(ticket))
      .sort((a, b) => byText(a.id.slice(-8), b.id.slice(-8)))
      .slice(0, limit)
      .filter((ticket, index) => {
        bytes += utf8Length(JSON.stringify(ticket))
        return index === 0 || bytes <= maxBytes
      }),
  )
}

/** Returns the jobs that are due and not claimed. */
const due = (journal: Journal, now: Instant) =>
  [...journal.rows<Job>('job').values()].filter(
    ({ runAt, until }) => runAt <= now && (until === undefined || until <= now),
  )

/**
 * Returns the reader of jobs. A claim is a token and a deadline in the job's row; a worker with another token has lost
 * the claim.
 */
function jobs(journal: Journal): Storage['jobs'] {
  const held = ({ id, token }: ClaimedJob) => {
    const job = journal.rows<Job>('job').get(id)
    return job?.token === token ? job : undefined
  }
  const free = ({ holder: _, token: __, until: ___, ...job }: Job): Job => job
  const hold = (chosen: readonly Job[], { holder, now, leaseMs }: Pick<ClaimRequest, 'holder' | 'now' | 'leaseMs'>) => {
    const changes: Change[] = []
    const next = sequence(journal, changes)
    const claimed = chosen.map((job) => {
      const claim = { holder, token: String(next()), until: now + leaseMs }
      changes.push(['job', job.id, { ...job, ...claim, attempts: job.attempts + 1 } satisfies Job])
      const { holder: _, until, ...rest } = { until: undefined, ...job }
      return { ...rest, attempts: job.attempts + 1, token: claim.token, lapsed: until !== undefined }
    })
    journal.write(changes)
    return structuredClone(claimed)
  }
  return {
    async claim(request) {
      const claimable = due(journal, request.now).filter(({ kind }) => request.kinds.includes(kind))
      return hold(takeTurns(claimable, request), request)
    },
    async take(id, claim) {
      const job = journal.rows<Job>('job').get(id)
      const isFree = job !== undefined && (job.until === undefined || job.until <= claim.now)
      return isFree ? hold([job], claim)[0] : undefined
    },
    async renew(claimed, until) {
      const kept = claimed.filter((job) => held(job) !== undefined)
      journal.write(kept.map(({ id }): Change => ['job', id, { ...journal.rows<Job>('job').get(id), until }]))
      return kept
    },
    async complete(claimed) {
      const job = held(claimed)
      if (job !== undefined) journal.write([['job', job.id]])
      return job !== undefined
    },
    async retry(claimed, runAt) {
      const job = held(claimed)
      if (job !== undefined) journal.write([['job', job.id, { ...free(job), runAt }]])
      return job !== undefined
    },
    async releaseHeld(holder) {
      const theirs = [...journal.rows<Job>('job').values()].filter((job) => job.holder === holder)
      journal.write(theirs.map((job): Change => ['job', job.id, free(job)]))
      return theirs.length
    },
    async agenda(kinds, now) {
      const isDue = new Set(due(journal, now).map(({ kind }) => kind))
      const nextAt = new Map<string, Instant>()
      for (const { token, kind, runAt } of journal.rows<Job>('job').values()) {
        if (token === undefined && runAt > now) nextAt.set(kind, Math.min(nextAt.get(kind) ?? runAt, runAt))
      }
      return kinds.map((kind) => ({ kind, isDue: isDue.has(kind), nextAt: nextAt.get(kind) }))
    },
  }
}

/** Returns the stores beside the entities: streams, leases, presence. */
function besides(journal: Journal): Pick<Storage, 'events' | 'leases' | 'presence'> {
  return {
    events: {
      async read(lobbyId, afterVersion, limit, maxBytes) {
        const after = logOf(journal, lobbyId).filter(({ version }) => version > afterVersion)
        const first = after[0]
        const fits = (event: Entry) =>
          event === first || event.total - (first?.total ?? 0) + (first?.bytes ?? 0) <= maxBytes
        const page = after.slice(0, limit).filter(fits)
        return structuredClone(page.map(({ total: _, ...event }) => event))
      },
      async range(lobbyId) {
        const log = logOf(journal, lobbyId)
        const [oldest, newest] = [log[0], log.at(-1)]
        return oldest && newest && { oldest: oldest.version, newest: newest.version }
      },
      heads: async (lobbyIds) =>
        lobbyIds.flatMap((lobbyId) => {
          const newest = logOf(journal, lobbyId).at(-1)
          return newest === undefined ? [] : [{ lobbyId, version: newest.version }]
        }),
      prune: async (now) => journal.write(forgottenEvents(journal, now)),
    },
    leases: {
      async acquire(name, holder, now, ttlMs) {
        const lease = journal.rows<{ holder: string; until: Instant }>('lease').get(name)
        if (lease !== undefined && lease.holder !== holder && lease.until > now) return false
        journal.write([['lease', name, { holder, until: now + ttlMs }]])
        return true
      },
      async release(name, holder) {
        const lease = journal.rows<{ holder: string }>('lease').get(name)
        if (lease?.holder === holder) journal.write([['lease', name]])
      },
    },
    presence: presence(journal),
  }
}

function metrics(journal: Journal, now: Instant) {
  const lobbiesByStatus = { waiting: 0, in_queue: 0, matched: 0, starting: 0, in_game: 0 }
  for (const { status } of journal.rows<Lobby>('lobby').values()) lobbiesByStatus[status]++
  const sum = (field: 'parties' | 'players') => waiting(journal).reduce((total, queue) => total + queue[field], 0)
  const jobsDue = new Map<string, DueJobs>()
  for (const { kind, runAt } of due(journal, now)) {
    const { count, oldestAt } = jobsDue.get(kind) ?? { count: 0, oldestAt: runAt }
    const more = { count: Math.min(count + 1, MAX_DUE_COUNTED), oldestAt: Math.min(oldestAt, runAt) }
    jobsDue.set(kind, { kind, ...more })
  }
  return {
    lobbiesByStatus,
    waitingParties: sum('parties'),
    waitingPlayers: sum('players'),
    jobsDue: [...jobsDue.values()].sort((a, b) => byText(a.kind, b.kind)),
  }
}

/** Returns the changes that remove stream events past their retention. */
function forgottenEvents(journal: Journal, now: Instant): Change[] {
  const changes: Change[] = []
  for (const name of journal.tables('event ')) {
    const log = [...journal.rows<Entry>(name).values()]
    const last = log.at(-1)
    if (last?.name === 'lobby_deleted' && last.at < now - STREAM_RETENTION.ms) changes.push([name])
    else for (const { version } of log.slice(0, forgottenOf(log, now))) changes.push([name, String(version)])
  }
  return changes
}

const newestFirst = (a: ArrivalBatch, b: ArrivalBatch) => b.leftAt - a.leftAt || (a.id < b.id ? 1 : -1)

/** Returns the changes that remove all data past its retention; the port names each kind and its age. */
function forgotten(journal: Journal, now: Instant): Change[] {
  const changes: Change[] = []
  for (const name of journal.tables('mark '))
    for (const [id, [, removedAt]] of journal.rows<Mark>(name))
      if (removedAt !== null && removedAt < now - HOUR_MS) changes.push([name, id])
  for (const name of journal.tables('waits '))
    for (const [key, { slot }] of journal.rows<WaitCell>(name)) if (slot < now - HOUR_MS) changes.push([name, key])
  for (const [id, at] of journal.rows<Instant>('commit')) if (at < now - HOUR_MS) changes.push(['commit', id])
  for (const [id, { expiresAt }] of journal.rows<Entities['idempotency']>('idempotency'))
    if (expiresAt <= now) changes.push(['idempotency', id])
  for (const [id, { until }] of journal.rows<Entities['cooldown']>('cooldown'))
    if (until <= now) changes.push(['cooldown', id])
  const newer = new Map<string, number>()
  for (const { id, leftAt, arrivals } of [...journal.rows<ArrivalBatch>('arrivals').values()].sort(newestFirst)) {
    const queueKey = queueOfArrivals(id)
    const kept = newer.get(queueKey) ?? 0
    if (leftAt < now - ARRIVALS_KEPT_MS || kept >= ARRIVALS_KEPT) changes.push(['arrivals', id])
    newer.set(queueKey, kept + arrivals.length)
  }
  const newerOf = new Map<string, number>()
  const entries = [...journal.rows<Entities['audit']>('audit').values()]
  for (const entry of entries.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))) {
    const kept = newerOf.get(auditScope(entry)) ?? 0
    if (entry.createdAt < now - AUDIT_KEPT_MS || kept >= AUDIT_KEPT) changes.push(['audit', entry.id])
    newerOf.set(auditScope(entry), kept + 1)
  }
  const onTheirWay = new Set<string>()
  for (const [id, { createdAt, messageId }] of journal.rows<Entities['delivery']>('delivery'))
    if (createdAt < now - DELIVERIES_KEPT_MS) changes.push(['delivery', id])
    else onTheirWay.add(messageId)
  for (const [id, { createdAt }] of journal.rows<Entities['message']>('message'))
    if (createdAt < now - DELIVERIES_KEPT_MS && !onTheirWay.has(id)) changes.push(['message', id])
  return changes
}

/**
 * Returns a storage for one process: one file of JSON lines, with all rows in memory beside it. Call `migrate` first.
 */
export function journalStorage({ path }: { readonly path: string }): Storage {
  const journal = new Journal(path)
  const listeners = new Set<SignalListener>()
  const tell = (commit: Commit) => {
    const signals = signalsOf(commit)
    // Each listener runs in its own microtask, so an error in one does not reach other listeners or the committer.
    for (const listener of listeners) for (const signal of signals) queueMicrotask(() => listener(signal))
  }
  const get = <K extends EntityKind>(kind: K, id: string) => structuredClone(journal.rows<Entities[K]>(kind).get(id))

  return {
    name: 'journal',
    migrate: async () => journal.open(),
    ping: async () => journal.write([['ping', 'ping', true], ['ping']]),
    newestInstant: async () => journal.rows<Instant>('store').get('newest') ?? 0,
    async close() {
      journal.close()
      listeners.clear()
    },
    async commit(commit): Promise<CommitResult> {
      assertWellFormed(commit)
      if (journal.rows('commit').has(commit.id)) return { ok: true }
      const changes = judge(journal, commit)
      if (!Array.isArray(changes)) return { ok: false, conflict: changes }
      try {
        journal.write(changes)
      } catch (cause) {
        throw new OutcomeUnknown(commit.id, { cause })
      }
      tell(commit)
      return { ok: true }
    },
    commits: { find: async (id) => journal.rows('commit').has(id) },
    get: async (kind, id) => get(kind, id),
    getMany: async (kind, ids) => ids.map((id) => get(kind, id)).filter((entity) => entity !== undefined),
    async find(kind, key) {
      const [holder, id] = journal.rows<[EntityKind, string]>('unique-key').get(key) ?? []
      return holder === kind && id !== undefined ? get(kind, id) : undefined
    },
    ...lists(journal),
    tickets: {
      changedSince: async (queue, cursor, limit, maxBytes) => changedSince(journal, queue, cursor, limit, maxBytes),
      waiting: async (queue) => waiting(journal, queue),
      sample: async (queue, limit, maxBytes) => sample(journal, queue, limit, maxBytes),
    },
    changes: changes(journal),
    ...besides(journal),
    jobs: jobs(journal),
    counters: {
      read: async (id) => journal.rows<number>('counter').get(id) ?? 0,
      sum: async (ranges) =>
        [...journal.rows<number>('counter')]
          .filter(([id]) => ranges.some(({ from, below }) => id >= from && id < below))
          .reduce((sum, [, value]) => sum + value, 0),
    },
    subscribe(listener) {
      const added: SignalListener = (signal) => listener(signal)
      listeners.add(added)
      return () => listeners.delete(added)
    },
    history: history(journal),
    metrics: async (now) => metrics(journal, now),
    async prune(now) {
      journal.write([
        ...forgottenHistory(journal, now),
        ...forgotten(journal, now),
        ...forgottenChanges(journal, now),
        ...forgottenPresence(journal, now),
      ])
    },
  }
}
