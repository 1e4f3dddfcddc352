import { assertWellFormed, type Commit, type CommitResult, playerLabel, type Storage } from '@matchyard/core/ports'
import { fromColumn, jsonList, toColumn } from './column-text'
import { GroupCommit } from './commit/group-commit'
import { prepareCommit } from './commit/prepared'
import { Connections } from './connections/connections'
import { poolOf } from './connections/pool-of'
import {
  acquireLease,
  forgetMembers,
  forgetPresence,
  readPresence,
  readPresenceOf,
  releaseLease,
  touchPresence,
} from './coordination'
import { Database } from './database'
import { agenda, completeJob, JobClaims, releaseHeld, renewJobs, retryJob, takeJob } from './jobs'
import { type PostgresPoolOptions, type PostgresStorageOptions, requireKnown, withDefaults } from './options'
import { type LastPrune, prune } from './prune'
import { pruneEvents } from './prune-events'
import { changesNow, changesSince } from './readers/changes'
import { bodiesOf } from './readers/entities'
import { eventHeads, eventRange, readEvents } from './readers/events'
import { historyRows, readHistory } from './readers/history'
import {
  browse,
  countLobbies,
  countStandingsBefore,
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
  listMatches,
  listProjects,
  listQueues,
  listRatings,
  listServers,
  listSessions,
  listStandings,
  listStandingsBefore,
  listWarmQueues,
  searchesOf,
  sumCounters,
} from './readers/lists'
import { metrics, waiting, waits } from './readers/metrics'
import { PointReads } from './readers/point-reads'
import { changedSince } from './readers/tickets'
import { metered } from './readers/usage'
import { Signals } from './signals/signals'
import { commitStatements } from './statements/commits'
import { listStatements } from './statements/lists'
import { serverStatements } from './statements/servers'
import { streamStatements } from './statements/streams'

/**
 * Maximum number of commit transactions that run at the same time. A higher number would only make the batches smaller.
 */
const MAX_WRITERS = 4

/**
 * Returns the storage in a PostgreSQL database (13 or newer), for any number of nodes. Call `migrate` before any other
 * method. Calls reject with StorageUnavailable when the server cannot be reached, ends the connection or refuses the
 * call; a message of one line says which of these happened. The next call tries again.
 */
export function postgresStorage(options: PostgresStorageOptions | PostgresPoolOptions): Storage {
  requireKnown(options)
  const settings = withDefaults(options)
  const connections = new Connections(settings)
  const pool = poolOf(settings, connections)
  const database = new Database(settings, connections, pool)
  const pruned: LastPrune = {}
  const signals = new Signals(settings, connections, pool)
  const claims = new JobClaims(database)
  const writers = Math.max(1, Math.min(MAX_WRITERS, Math.floor(settings.poolSize / 2)))
  const group = new GroupCommit(database, writers, settings.connectTimeoutMs)

  const points = new PointReads(database, Math.floor(settings.poolSize / 2), settings.connectTimeoutMs)

  const commit = async (change: Commit): Promise<CommitResult> => {
    assertWellFormed(change)
    database.refuseClosed()
    const prepared = prepareCommit(change)
    const result = await group.submit(prepared)
    if (result.ok) signals.emit(prepared.signals)
    return result
  }

  return {
    name: 'postgres',
    async migrate() {
      await database.migrate()
      await signals.open()
    },
    async close() {
      database.refuseNew()
      const cut = () => connections.cut()
      // When the server cannot be reached, no answers will come, so all connections are destroyed at once.
      if (connections.doorway.isOut) cut()
      const deadline = setTimeout(cut, settings.closeTimeoutMs)
      await group.drain()
      await signals.close()
      await database.close()
      clearTimeout(deadline)
      cut()
    },
    ping: () => database.ping(commitStatements.ping),
    newestInstant: async () => (await database.read(commitStatements.newestInstant)).rows[0]?.at ?? 0,

    commit,
    commits: {
      find: async (id) => (await database.read(commitStatements.findCommits, [[toColumn(id)]])).rows.length > 0,
    },
    get: (kind, id) => points.get(kind, id),
    getMany: (kind, ids) => points.getMany(kind, ids),
    find: (kind, key) => points.find(kind, key),

    lobbies: {
      browse: (query) => browse(database, query),
      count: (projectId) => countLobbies(database, projectId),
      fullestOpen: (query) => fullestOpen(database, query),
      searching: (projectId, playerIds) => searchesOf(database, projectId, playerIds),
    },
    accounts: { list: (page) => listAccounts(database, page) },
    sessions: { list: (query) => listSessions(database, query) },
    projects: {
      list: (accountId, page) => listProjects(database, accountId, page),
      listAll: (accountId) => bodiesOf(database, listStatements.allProjects, [toColumn(accountId)]),
    },
    members: {
      ofProject: (projectId, limit) =>
        bodiesOf(database, listStatements.membersOfProject, [toColumn(projectId), limit]),
      ofAccount: (accountId, limit) =>
        bodiesOf(database, listStatements.membersOfAccount, [toColumn(accountId), limit]),
    },
    invitations: {
      ofProject: (projectId, limit) => bodiesOf(database, listStatements.invitations, [toColumn(projectId), limit]),
    },
    problems: {
      ofProject: (projectId, limit) => bodiesOf(database, listStatements.problems, [toColumn(projectId), limit]),
      projectsWithOpen: async (after, limit) =>
        (await database.read(listStatements.projectsWithOpen, [toColumn(after), limit])).rows.map(({ project_id }) =>
          fromColumn(project_id),
        ),
    },
    apiKeys: { list: (projectId, page) => listApiKeys(database, projectId, page) },
    queues: {
      list: (projectId, page) => listQueues(database, projectId, page),
      listWarm: () => listWarmQueues(database),
    },
    builds: {
      list: (query) => listBuilds(database, query),
      async newestReady(projectId, name) {
        const values = [toColumn(projectId), toColumn(name)]
        return (await bodiesOf<never>(database, listStatements.newestReadyBuild, values))[0]
      },
    },
    servers: {
      list: (query) => listServers(database, query),
      listLive: (nodeId) =>
        nodeId === undefined
          ? bodiesOf(database, serverStatements.live)
          : bodiesOf(database, serverStatements.liveOfNode, [toColumn(nodeId)]),
      nodes: async () =>
        (await database.read(serverStatements.nodes, [])).rows.map(({ node_id: id }) => fromColumn(id)),
      firstInLine: (orchestrator) =>
        bodiesOf(database, serverStatements.firstInLine, [toColumn(`${orchestrator}/`), toColumn(`${orchestrator}0`)]),
      waitingSince: async (queueKey) =>
        (await database.read(serverStatements.waitingSince, [toColumn(queueKey)])).rows[0]?.at ?? undefined,
      anyLiveOfBuild: async (buildId) =>
        (await database.read(serverStatements.liveOfBuild, [toColumn(buildId)])).rows.length > 0,
      liveOfBuild: (buildId, after, limit) =>
        bodiesOf(database, serverStatements.liveOfBuildAfter, [toColumn(buildId), toColumn(after), limit]),
      listFailed: (projectId, since, limit) =>
        bodiesOf(database, serverStatements.failed, [toColumn(projectId), since, limit]),
      lastEnded: (buildId, limit) => bodiesOf(database, serverStatements.lastEnded, [toColumn(buildId), limit]),
      tallyFailed: async (projectId, since) =>
        (await database.read(serverStatements.failedTally, [toColumn(projectId), since])).rows[0] ?? {
          count: 0,
          first: null,
        },
      countLive: async (projectId) =>
        (await database.read(serverStatements.countLive, [toColumn(projectId)])).rows[0]?.n ?? 0,
      metered: (accountId, from, to) => metered(database, accountId, from, to),
    },
    machines: { list: (limit) => bodiesOf(database, listStatements.machines, [limit]) },
    bans: {
      list: (query) => listBans(database, query),
      listEnded: (query) => listEndedBans(database, query),
    },
    ratings: { list: (projectId, window) => listRatings(database, projectId, window) },
    standings: {
      list: (query) => listStandings(database, query),
      listBefore: (position) => listStandingsBefore(database, position),
      countBefore: (position) => countStandingsBefore(database, position),
      ofPlayer: (projectId, playerId, limit) =>
        bodiesOf(database, listStatements.standingsOfPlayer, [toColumn(projectId), toColumn(playerId), limit]),
      ofRating: (ratingKey, limit) =>
        bodiesOf(database, listStatements.standingsOfRating, [toColumn(ratingKey), limit]),
    },
    matches: {
      listEnded: (query) => listEndedMatches(database, query),
      list: (query) => listMatches(database, query),
      listRecent: (queueKey, since, limit) =>
        bodiesOf(database, listStatements.recentMatches, [toColumn(queueKey), since, limit]),
      ofPlayer: (projectId, playerId, limit, maxBytes) => {
        const label = jsonList([playerLabel(projectId, playerId)])
        return bodiesOf(database, listStatements.matchesOfPlayer, [label, limit, maxBytes ?? null])
      },
      waits: (queueKey, since) => waits(database, queueKey, since),
    },
    history: {
      read: (query) => readHistory(database, query),
      rows: (step, after, before, limit) => historyRows(database, step, after, before, limit),
    },
    arrivals: { list: (query) => listArrivals(database, query) },
    messages: {
      ofPlayer: (projectId, playerId, limit) =>
        bodiesOf(database, listStatements.messagesOfPlayer, [jsonList([playerLabel(projectId, playerId)]), limit]),
    },
    deliveries: { list: (query) => listDeliveries(database, query) },
    audit: {
      list: (query) => listAudit(database, query),
      listAddressed: ({ until, limit }) => bodiesOf(database, listStatements.addressedAudit, [until, limit]),
      ofPlayer: (projectId, playerId, limit) =>
        bodiesOf(database, listStatements.auditOfPlayer, [jsonList([playerLabel(projectId, playerId)]), limit]),
    },
    tickets: {
      changedSince: (queueKey, cursor, limit, maxBytes) =>
        changedSince(database, connections.history, queueKey, cursor, limit, maxBytes),
      waiting: (queueKey) => waiting(database, queueKey),
      sample: (queueKey, limit, maxBytes) =>
        bodiesOf(database, streamStatements.sample, [toColumn(queueKey), limit, maxBytes]),
    },

    changes: {
      since: (projectId, cursor, bounds) => changesSince(database, connections.history, projectId, cursor, bounds),
      now: () => changesNow(database, connections.history),
    },
    events: {
      read: (lobbyId, after, limit, maxBytes) => readEvents(database, lobbyId, after, limit, maxBytes),
      range: (lobbyId) => eventRange(database, lobbyId),
      heads: (lobbyIds) => eventHeads(database, lobbyIds),
      prune: (now) => pruneEvents(database, now),
    },
    jobs: {
      claim: (request) => claims.claim(request),
      take: (id, claim) => takeJob(database, id, claim),
      renew: (jobs, leaseUntil) => renewJobs(database, jobs, leaseUntil),
      complete: (job) => completeJob(database, job),
      retry: (job, runAt) => retryJob(database, job, runAt),
      releaseHeld: (holder) => releaseHeld(database, holder),
      agenda: (kinds, now) => agenda(database, kinds, now),
    },
    leases: {
      acquire: (name, holder, now, ttlMs) => acquireLease(database, name, holder, now, ttlMs),
      release: (name, holder) => releaseLease(database, name, holder),
    },
    presence: {
      touch: (entries) => touchPresence(database, entries),
      read: (scope) => readPresence(database, scope),
      readMany: (scopes) => readPresenceOf(database, scopes),
      forget: (scope) => forgetPresence(database, scope),
      forgetMembers: (scope, members) => forgetMembers(database, scope, members),
    },
    counters: {
      read: async (id) => (await database.read(commitStatements.readCounter, [toColumn(id)])).rows[0]?.value ?? 0,
      sum: (ranges) => sumCounters(database, ranges),
    },

    subscribe: (listener) => signals.subscribe(listener),
    metrics: (now) => metrics(database, now),
    prune: (now) => prune(database, pruned, now),
  }
}
