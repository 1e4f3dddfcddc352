import { randomUUID } from 'node:crypto'
import {
  assertWellFormed,
  type Commit,
  type CommitResult,
  OutcomeUnknown,
  playerLabel,
  type SignalListener,
  type Storage,
  signalsOf,
} from '@matchyard/core/ports'
import { applyCommit } from './commit/apply-commit'
import { CommitTexts } from './commit/commit-texts'
import { completeJob, JobClaims, renewJobs, retryJob, takeJob } from './commit/jobs'
import { changesNow, changesSince } from './read/changes'
import { agenda } from './read/due-jobs'
import { eventHeads, eventRange, readEvents } from './read/events'
import { readHistory } from './read/history'
import { metrics } from './read/metrics'
import {
  browse,
  changedSince,
  countLobbies,
  countStandingsBefore,
  firstInLine,
  fullestOpen,
  listAccounts,
  listApiKeys,
  listArrivals,
  listAudit,
  listBans,
  listBuilds,
  listDeliveries,
  listEndedBans,
  listEndedMatches,
  listLive,
  listMatches,
  listProjects,
  listQueues,
  listRatings,
  listServers,
  listSessions,
  listStandings,
  listStandingsBefore,
  listWarmQueues,
  matchesOfPlayer,
  metered,
  nodesOf,
  sample,
  searchesOf,
  standingsOfPlayer,
  standingsOfRating,
} from './read/readers'
import type { Store } from './store'
import { KeptArrivals } from './upkeep/kept-arrivals'
import { type LastPrune, prune } from './upkeep/prune'
import { pruneEvents } from './upkeep/prune-events'

/**
 * Milliseconds between two checks whether an operator's command has written to the file. Such a command sends no
 * signal.
 */
const LOOK_EVERY_MS = 500

/**
 * Options of urgent operations, which the service needs to keep running. They have extra places in the queue, so that a
 * flood of other calls does not stop them.
 */
const urgent = { urgent: true }

/**
 * Returns the storage port over a store. Tests use this function instead of `sqliteStorage`, because they need the
 * store's connection.
 */
export function storageOver(store: Store): Storage {
  const listeners = new Set<SignalListener>()
  const history = randomUUID()
  const claims = new JobClaims()
  const arrivals = new KeptArrivals()
  const pruned: LastPrune = {}

  const commit = async (change: Commit): Promise<CommitResult> => {
    assertWellFormed(change)
    const texts = new CommitTexts(change)
    const result = await store.write((statements, group) => applyCommit(statements, change, texts, group), {
      text: texts.length,
      unknown: (cause) => new OutcomeUnknown(change.id, { cause }),
    })
    if (result.ok) {
      arrivals.committed(change)
      emit(change)
    }
    return result
  }

  // Each listener is called in its own microtask, so that an error in a listener reaches neither the other listeners
  // nor the commit.
  const emit = (change: Commit) => {
    const signals = signalsOf(change)
    for (const listener of listeners) for (const signal of signals) queueMicrotask(() => listener(signal))
  }

  let looking: NodeJS.Timeout | undefined
  const look = () => {
    if (!store.othersWrote()) return
    for (const listener of listeners) queueMicrotask(() => listener({ topic: 'resync', id: '' }))
  }

  return {
    name: 'sqlite',
    migrate: () => store.migrate(),
    async close() {
      clearInterval(looking)
      await store.close()
      listeners.clear()
    },
    // Only a write shows that the storage accepts writes. The write is urgent, so that a flood of other calls does not
    // make the service unready.
    ping: () => store.write((s) => void s.commits.ping.run(), urgent),
    newestInstant: () => store.read((s) => s.commits.newestInstant.get() ?? 0),

    commit,
    commits: { find: (id) => store.read((s) => s.commits.findCommit.get(id) !== undefined) },
    get: (kind, id) => store.read((s, known) => known.get(s, kind, id)),
    getMany: (kind, ids) =>
      store.read((s, known) => ids.map((id) => known.get(s, kind, id)).filter((entity) => entity !== undefined)),
    find: (kind, key) => store.read((s, known) => known.find(s, kind, key)),

    lobbies: {
      browse: (query) => store.read((s) => browse(s, query)),
      count: (projectId) => store.read((s) => countLobbies(s, projectId)),
      fullestOpen: (query) => store.read((s) => fullestOpen(s, query)),
      searching: (projectId, playerIds) => store.read((s) => searchesOf(s, projectId, playerIds)),
    },
    accounts: { list: (page) => store.read((s) => listAccounts(s, page)) },
    sessions: { list: (query) => store.read((s) => listSessions(s, query)) },
    projects: {
      list: (accountId, page) => store.read((s) => listProjects(s, accountId, page)),
      listAll: (accountId) => store.read((s) => s.lists.allProjects.all(accountId).map((body) => JSON.parse(body))),
    },
    members: {
      ofProject: (projectId, limit) =>
        store.read((s) => s.lists.membersOfProject.all(projectId, limit).map((body) => JSON.parse(body))),
      ofAccount: (accountId, limit) =>
        store.read((s) => s.lists.membersOfAccount.all(accountId, limit).map((body) => JSON.parse(body))),
    },
    invitations: {
      ofProject: (projectId, limit) =>
        store.read((s) => s.lists.invitations.all(projectId, limit).map((body) => JSON.parse(body))),
    },
    problems: {
      ofProject: (projectId, limit) =>
        store.read((s) => s.lists.problems.all(projectId, limit).map((body) => JSON.parse(body))),
      projectsWithOpen: (after, limit) => store.read((s) => s.lists.projectsWithOpen.all(after, limit)),
    },
    apiKeys: { list: (projectId, page) => store.read((s) => listApiKeys(s, projectId, page)) },
    queues: {
      list: (projectId, page) => store.read((s) => listQueues(s, projectId, page)),
      listWarm: () => store.read((s) => listWarmQueues(s)),
    },
    builds: {
      list: (query) => store.read((s) => listBuilds(s, query)),
      newestReady: (projectId, name) =>
        store.read((s) => {
          const body = s.lists.newestReadyBuild.get(projectId, name)
          return body === undefined ? undefined : JSON.parse(body)
        }),
    },
    servers: {
      list: (query) => store.read((s) => listServers(s, query)),
      listLive: (nodeId) => store.read((s) => listLive(s, nodeId)),
      listFailed: (projectId, since, limit) =>
        store.read((s) => s.servers.failed.all(projectId, since, limit).map((body) => JSON.parse(body))),
      lastEnded: (buildId, limit) =>
        store.read((s) => s.servers.lastEnded.all(buildId, limit).map((body) => JSON.parse(body))),
      tallyFailed: (projectId, since) =>
        store.read((s) => s.servers.failedTally.get(projectId, since) ?? { count: 0, first: null }),
      nodes: () => store.read((s) => nodesOf(s)),
      firstInLine: (orchestrator) => store.read((s) => firstInLine(s, orchestrator)),
      waitingSince: (queueKey) => store.read((s) => s.servers.waitingSince.get(queueKey) ?? undefined),
      anyLiveOfBuild: (buildId) => store.read((s) => s.servers.liveOfBuild.get(buildId) !== undefined),
      liveOfBuild: (buildId, after, limit) =>
        store.read((s) => s.servers.liveOfBuildAfter.all(buildId, after, limit).map((body) => JSON.parse(body))),
      countLive: (projectId) => store.read((s) => s.servers.countLive.get(projectId) ?? 0),
      metered: (accountId, from, to) => store.read((s) => metered(s, accountId, from, to)),
    },
    machines: {
      list: (limit) => store.read((s) => s.lists.machines.all(limit).map((body) => JSON.parse(body))),
    },
    bans: {
      list: (query) => store.read((s) => listBans(s, query)),
      listEnded: (query) => store.read((s) => listEndedBans(s, query)),
    },
    ratings: { list: (projectId, page) => store.read((s) => listRatings(s, projectId, page)) },
    standings: {
      list: (query) => store.read((s) => listStandings(s, query)),
      listBefore: (position) => store.read((s) => listStandingsBefore(s, position)),
      countBefore: (position) => store.read((s) => countStandingsBefore(s, position)),
      ofPlayer: (projectId, playerId, limit) => store.read((s) => standingsOfPlayer(s, projectId, playerId, limit)),
      ofRating: (ratingKey, limit) => store.read((s) => standingsOfRating(s, ratingKey, limit)),
    },
    matches: {
      listEnded: (query) => store.read((s) => listEndedMatches(s, query)),
      list: (query) => store.read((s) => listMatches(s, query)),
      listRecent: (queueKey, since, limit) =>
        store.read((s) => s.lists.recentMatches.all(queueKey, since, limit).map((body) => JSON.parse(body))),
      ofPlayer: (projectId, playerId, limit, maxBytes) =>
        store.read((s) => matchesOfPlayer(s, playerLabel(projectId, playerId), limit, maxBytes)),
      waits: (queueKey, since) => store.read((s) => s.lists.waits.all(queueKey, since)),
    },
    history: {
      read: (query) => store.read((s) => readHistory(s, query)),
      rows: (step, after, before, limit) =>
        store.read((s) => s.lists.historyRows.all({ ...after, step, before, limit })),
    },
    arrivals: { list: (query) => store.read((s) => listArrivals(s, query)) },
    messages: {
      ofPlayer: (projectId, playerId, limit) =>
        store.read((s) =>
          s.lists.messagesOfPlayer.all(playerLabel(projectId, playerId), limit).map((body) => JSON.parse(body)),
        ),
    },
    deliveries: { list: (query) => store.read((s) => listDeliveries(s, query)) },
    audit: {
      list: (query) => store.read((s) => listAudit(s, query)),
      listAddressed: ({ until, limit }) =>
        store.read((s) => s.lists.addressedAudit.all(until, limit).map((body) => JSON.parse(body))),
      ofPlayer: (projectId, playerId, limit) =>
        store.read((s) =>
          s.lists.auditOfPlayer.all(playerLabel(projectId, playerId), limit).map((body) => JSON.parse(body)),
        ),
    },
    tickets: {
      changedSince: (queueKey, cursor, limit, maxBytes) =>
        store.read((s) => changedSince(s, history, queueKey, cursor, limit, maxBytes)),
      waiting: (queueKey) =>
        store.read((s) => (queueKey === undefined ? s.streams.waiting.all() : s.streams.waitingIn.all(queueKey))),
      sample: (queueKey, limit, maxBytes) => store.read((s) => sample(s, queueKey, limit, maxBytes)),
    },

    changes: {
      since: (projectId, cursor, bounds) => store.read((s) => changesSince(s, history, projectId, cursor, bounds)),
      now: () => store.read((s) => changesNow(s, history)),
    },
    events: {
      read: (lobbyId, after, limit, maxBytes) => store.read((s) => readEvents(s, lobbyId, after, limit, maxBytes)),
      range: (lobbyId) => store.read((s) => eventRange(s, lobbyId)),
      heads: (lobbyIds) => store.read((s) => eventHeads(s, lobbyIds)),
      prune: async (now) => pruneEvents(await store.write((s) => s), (run) => store.write(run), now),
    },
    jobs: {
      claim: (request) => store.write((s) => claims.claim(s, request), urgent),
      take: (id, claim) => store.write((s) => takeJob(s, id, claim), urgent),
      renew: (jobs, leaseUntil) => store.write((s) => renewJobs(s, jobs, leaseUntil), urgent),
      complete: (job) => store.write((s) => completeJob(s, job), urgent),
      retry: (job, runAt) => store.write((s) => retryJob(s, job, runAt), urgent),
      releaseHeld: (holder) => store.write((s) => s.jobs.releaseHeld.run(holder).changes, urgent),
      agenda: (kinds, now) => store.read((s) => agenda(s, kinds, now)),
    },
    leases: {
      acquire: (name, holder, now, ttlMs) =>
        store.write(
          (s) => s.coordination.acquireLease.run({ name, holder, now, until: now + ttlMs }).changes === 1,
          urgent,
        ),
      release: (name, holder) => store.write((s) => void s.coordination.releaseLease.run(name, holder), urgent),
    },
    presence: {
      touch: (entries) =>
        store.write((s) => {
          for (const { scope, member, at } of entries) s.coordination.touch.run(scope, member, at)
        }),
      read: (scope) => store.read((s) => s.coordination.presence.all(scope)),
      readMany: (scopes) =>
        store.read((s) =>
          [...new Set(scopes)].flatMap((scope) =>
            s.coordination.presence.all(scope).map(({ member, at }) => ({ scope, member, at })),
          ),
        ),
      forget: (scope) => store.write((s) => void s.commits.forgetPresence.run(scope)),
      forgetMembers: (scope, members) =>
        store.write((s) => {
          for (const { member, at } of members) s.coordination.forgetMember.run(scope, member, at)
        }),
    },
    counters: {
      read: (id) => store.read((s) => s.commits.readCounter.get(id) ?? 0),
      sum: (ranges) =>
        store.read((s) =>
          ranges.reduce((sum, { from, below }) => sum + (s.commits.sumCounters.get(from, below) ?? 0), 0),
        ),
    },

    subscribe(listener) {
      looking ??= setInterval(look, LOOK_EVERY_MS).unref()
      const added: SignalListener = (signal) => listener(signal)
      listeners.add(added)
      return () => listeners.delete(added)
    },
    metrics: (now) => store.read((s) => metrics(s, now)),
    async prune(now) {
      const statements = await store.write((s) => s)
      await prune(statements, arrivals, pruned, (run) => store.write(run), now)
    },
  }
}
