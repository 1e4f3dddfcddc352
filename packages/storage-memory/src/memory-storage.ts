import {
  assertWellFormed,
  type Commit,
  type CommitResult,
  type Entities,
  type EntityKind,
  requireKnownOptions,
  type SignalListener,
  type Storage,
  StorageUnavailable,
  signalsOf,
} from '@matchyard/core/ports'
import { applyCommit } from './apply-commit'
import { auditReaders } from './audit'
import { browse, fullestOpen, searchesOf } from './browse-lobbies'
import { changesNow, changesSince } from './changes'
import { events } from './events'
import { findConflict } from './find-conflict'
import { agenda, claimJobs, completeJob, releaseHeld, renewJobs, retryJob, takeJob } from './jobs'
import { lists } from './lists'
import { emptyMemoryData, inner, type MemoryData, stored, sumCounters } from './memory-data'
import { metrics } from './metrics'
import { prune } from './prune'
import { changedSince, sample, waiting } from './tickets'

/** Options of `memoryStorage`. */
export interface MemoryStorageOptions {
  /**
   * The data to work on. Several handles with the same data behave like nodes on one database. Default: new, empty
   * data.
   */
  readonly data?: MemoryData
}

/** Readers by name that return their result directly, not a promise. */
type Synchronous = Readonly<Record<string, (...args: never[]) => unknown>>
type Asynchronous<Readers extends Synchronous> = {
  readonly [Name in keyof Readers]: (...args: Parameters<Readers[Name]>) => Promise<ReturnType<Readers[Name]>>
}

/**
 * Returns the reference adapter of the storage port. All data is in memory and lost when the process ends. The adapter
 * uses no timers, clock or random numbers, so a simulator can run it. Every call takes effect at once, and signals
 * follow in a microtask. Throws TypeError for an unknown option.
 */
export function memoryStorage(options: MemoryStorageOptions = {}): Storage {
  requireKnownOptions('memoryStorage', options, ['data'] satisfies (keyof MemoryStorageOptions)[])
  const data = options.data ?? emptyMemoryData()
  const own = new Set<SignalListener>()
  const read = lists(data)
  const logs = events(data)
  let closed = false

  /** Wraps a synchronous call of the port in a promise. The promise rejects after the handle is closed. */
  const call =
    <A extends unknown[], R>(run: (...args: A) => R) =>
    async (...args: A): Promise<R> => {
      if (closed) throw new StorageUnavailable('the memory storage is closed')
      return run(...args)
    }

  const calls = <Readers extends Synchronous>(readers: Readers) =>
    Object.fromEntries(
      Object.entries(readers).map(([name, run]) => [name, call(run)]),
    ) as unknown as Asynchronous<Readers>

  const commit = (change: Commit): CommitResult => {
    assertWellFormed(change)
    if (data.commits.has(change.id)) return { ok: true }
    const conflict = findConflict(data, change)
    if (conflict !== undefined) return { ok: false, conflict }
    applyCommit(data, change)
    const signals = signalsOf(change)
    // Each listener runs in a microtask of its own, so that an error in it reaches neither the other listeners nor the
    // committer.
    for (const listener of data.listeners) for (const signal of signals) queueMicrotask(() => listener(signal))
    return { ok: true }
  }

  const get = <K extends EntityKind>(kind: K, id: string): Entities[K] | undefined => {
    const entity = stored(data, kind, id)
    return entity?.value
  }

  return {
    name: 'memory',
    migrate: call(() => {}),
    ping: call(() => {}),
    newestInstant: call(() => data.newestInstant),
    async close() {
      closed = true
      for (const listener of own) data.listeners.delete(listener)
    },

    commit: call(commit),
    commits: { find: call((id) => data.commits.has(id)) },
    get: async (kind, id) => call(() => get(kind, id))(),
    getMany: async (kind, ids) => call(() => ids.map((id) => get(kind, id)).filter((found) => found !== undefined))(),
    find: async (kind, key) =>
      call(() => {
        const holder = data.uniqueKeys.get(key)
        return holder?.kind === kind ? get(kind, holder.id) : undefined
      })(),

    lobbies: {
      browse: call((query) => browse(data, query)),
      count: call((projectId) => data.lobbyCounts.get(projectId) ?? 0),
      fullestOpen: call((query) => fullestOpen(data, query)),
      searching: call((projectId, playerIds) => searchesOf(data, projectId, playerIds)),
    },
    accounts: calls(read.accounts),
    sessions: calls(read.sessions),
    projects: calls(read.projects),
    apiKeys: calls(read.apiKeys),
    queues: calls(read.queues),
    builds: calls(read.builds),
    servers: calls(read.servers),
    members: calls(read.members),
    invitations: calls(read.invitations),
    problems: calls(read.problems),
    machines: calls(read.machines),
    matches: calls(read.matches),
    history: calls(read.history),
    bans: calls(read.bans),
    ratings: calls(read.ratings),
    standings: calls(read.standings),
    arrivals: calls(read.arrivals),
    messages: calls(read.messages),
    deliveries: calls(read.deliveries),
    audit: calls(auditReaders(data)),
    tickets: {
      changedSince: call((queueKey, cursor, limit, maxBytes?: number) =>
        changedSince(data, queueKey, cursor, limit, maxBytes),
      ),
      waiting: call((queueKey?: string) => waiting(data, queueKey)),
      sample: call((queueKey, limit, maxBytes) => sample(data, queueKey, limit, maxBytes)),
    },

    changes: {
      since: call((projectId, cursor, bounds) => changesSince(data, projectId, cursor, bounds)),
      now: call(() => changesNow(data)),
    },
    events: calls(logs),
    jobs: {
      claim: call((request) => claimJobs(data, request)),
      take: call((id, claim) => takeJob(data, id, claim)),
      renew: call((jobs, leaseUntil) => renewJobs(data, jobs, leaseUntil)),
      complete: call((job) => completeJob(data, job)),
      retry: call((job, runAt) => retryJob(data, job, runAt)),
      releaseHeld: call((holder) => releaseHeld(data, holder)),
      agenda: call((kinds, now) => agenda(data, kinds, now)),
    },
    leases: {
      acquire: call((name, holder, now, ttlMs) => {
        const lease = data.leases.get(name)
        if (lease !== undefined && lease.holder !== holder && lease.until > now) return false
        data.leases.set(name, { holder, until: now + ttlMs })
        return true
      }),
      release: call((name, holder) => {
        if (data.leases.get(name)?.holder === holder) data.leases.delete(name)
      }),
    },
    presence: {
      touch: call((entries) => {
        for (const { scope, member, at } of entries) {
          const members = inner(data.presence, scope)
          members.set(member, Math.max(at, members.get(member) ?? at))
        }
      }),
      read: call((scope) => [...(data.presence.get(scope) ?? [])].map(([member, at]) => ({ member, at }))),
      readMany: call((scopes) =>
        [...new Set(scopes)].flatMap((scope) =>
          [...(data.presence.get(scope) ?? [])].map(([member, at]) => ({ scope, member, at })),
        ),
      ),
      forget: call((scope) => {
        data.presence.delete(scope)
      }),
      forgetMembers: call((scope, members) => {
        const seen = data.presence.get(scope)
        for (const { member, at } of members) if ((seen?.get(member) ?? 0) <= at) seen?.delete(member)
        if (seen?.size === 0) data.presence.delete(scope)
      }),
    },
    counters: {
      read: call((id) => data.counters.get(id) ?? 0),
      sum: call((ranges) => sumCounters(data, ranges)),
    },

    subscribe(listener) {
      const added: SignalListener = (signal) => listener(signal)
      own.add(added)
      data.listeners.add(added)
      return () => {
        own.delete(added)
        data.listeners.delete(added)
      }
    },
    metrics: call((now) => metrics(data, now)),
    prune: call((now) => prune(data, now)),
  }
}
