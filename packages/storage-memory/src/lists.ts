import { type GameServer, LIVE_SERVER_STATUSES, type Match, type Page } from '@matchyard/core'
import {
  type ArrivalQuery,
  addedUp,
  addWaits,
  arrivalsAsked,
  asksForWarm,
  type BanQuery,
  type BoardPart,
  type BoardPosition,
  type BuildQuery,
  type DeliveryQuery,
  type EndedBanQuery,
  type EndedMatchQuery,
  type Entities,
  type EntityKind,
  type HistoryPlace,
  type HistoryQuery,
  isLaunchable,
  type ListWindow,
  listedStatus,
  type MatchQuery,
  matchLabels,
  messageLabels,
  openSessionsKey,
  placeInLine,
  playerLabel,
  queueKey,
  type ServerQuery,
  type SessionQuery,
  type StandingQuery,
  sessionsKey,
  type WaitTotal,
  waitingQueue,
} from '@matchyard/core/ports'
import { boardIndexOf } from './board-index'
import { historyRows, readHistory } from './history'
import { type Aged, byText, newestFirst, oldestFirst } from './lobby-index'
import { countWithin, type MemoryData, stored, storedValues } from './memory-data'
import type { Order } from './sorted-list'

/** Whether the value comes after `before` in the order from the newest to the oldest. */
const isOlder = (value: Aged, before: Aged | undefined) => before === undefined || newestFirst(before, value) < 0

const lastFirst = (a: GameServer, b: GameServer) => (b.stoppedAt ?? 0) - (a.stoppedAt ?? 0) || byText(b.id, a.id)
const counts = ({ stoppedAt, matchId, status }: GameServer) =>
  stoppedAt !== null && (matchId !== null || status === 'failed')
const isLive = (server: GameServer) => LIVE_SERVER_STATUSES.includes(server.status)
const isOf = (match: Match, playerId: string) => matchLabels(match).includes(playerLabel(match.projectId, playerId))
const same = <T>(wanted: T | undefined, actual: T | null) => wanted === undefined || wanted === actual

/** The named readers that list entities. Each reader filters all entities, sorts them and returns one page. */
export function lists(data: MemoryData) {
  const copies = <K extends EntityKind>(kind: K, values: readonly Entities[K][]): Entities[K][] =>
    values.flatMap((value) => {
      const entity = stored(data, kind, value.id)
      return entity === undefined ? [] : [entity.value]
    })
  const all = <K extends EntityKind>(kind: K, filter: (value: Entities[K]) => boolean, order: Order<Entities[K]>) =>
    storedValues(data, kind).filter(filter).sort(order)
  const page = <K extends EntityKind>(
    kind: K,
    { limit, offset, maxBytes }: ListWindow,
    filter: (value: Entities[K]) => boolean,
    order: Order<Entities[K]>,
  ): Page<Entities[K]> => {
    const found = all(kind, filter, order)
    return { total: found.length, data: within(kind, found.slice(offset, offset + limit), maxBytes) }
  }
  /** Returns the first values whose JSON together has at most a given number of bytes, but at least one value. */
  const within = <K extends EntityKind>(kind: K, values: readonly Entities[K][], maxBytes: number | undefined) =>
    copies(kind, values.slice(0, countWithin(data, kind, values, maxBytes)))

  const standingsOf = (ids: readonly string[]) => ids.flatMap((id) => stored(data, 'standing', id)?.value ?? [])
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => byText(a.id, b.id)

  return {
    accounts: {
      list: (request: ListWindow) =>
        page(
          'account',
          request,
          () => true,
          (a, b) => byText(a.id, b.id),
        ),
    },
    projects: {
      list: (accountId: string, request: ListWindow) =>
        page('project', request, (p) => p.accountId === accountId && p.deletedAt === null, oldestFirst),
      listAll: (accountId: string) =>
        copies(
          'project',
          all('project', (project) => project.accountId === accountId, oldestFirst),
        ),
    },
    apiKeys: {
      list: (projectId: string, request: ListWindow) =>
        page('api-key', request, (key) => key.projectId === projectId, oldestFirst),
    },
    sessions: {
      list: ({ accountId, sessionEpoch, before, limit }: SessionQuery) => {
        const key = sessionsKey(accountId, sessionEpoch)
        const isAsked = (session: Entities['session']) => openSessionsKey(session) === key && isOlder(session, before)
        return copies('session', all('session', isAsked, newestFirst).slice(0, limit))
      },
    },
    members: {
      ofProject: (projectId: string, limit: number) =>
        copies('member', all('member', (member) => member.projectId === projectId, byId).slice(0, limit)),
      ofAccount: (accountId: string, limit: number) =>
        copies('member', all('member', (member) => member.accountId === accountId, byId).slice(0, limit)),
    },
    invitations: {
      ofProject: (projectId: string, limit: number) =>
        copies('invitation', all('invitation', (one) => one.projectId === projectId, byId).slice(0, limit)),
    },
    problems: {
      ofProject: (projectId: string, limit: number) =>
        copies('problem', all('problem', (one) => one.projectId === projectId, byId).slice(0, limit)),
      projectsWithOpen: (after: string, limit: number) =>
        [...new Set(storedValues(data, 'problem').flatMap((one) => (one.closedAt === null ? one.projectId : [])))]
          .filter((id) => id > after)
          .sort(byText)
          .slice(0, limit),
    },
    queues: {
      list: (projectId: string, request: ListWindow) =>
        page(
          'queue',
          request,
          (queue) => queue.projectId === projectId,
          (a, b) => byText(a.queueId, b.queueId),
        ),
      listWarm: () =>
        copies(
          'queue',
          all('queue', asksForWarm, (a, b) => byText(a.id, b.id)),
        ),
    },
    builds: {
      list: (q: BuildQuery) =>
        page(
          'build',
          q,
          (build) =>
            build.projectId === q.projectId &&
            same(q.name, build.name) &&
            same(q.type, build.type) &&
            (q.status === undefined ? build.status !== 'deleted' : q.status === build.status),
          newestFirst,
        ),
      newestReady: (projectId: string, name: string) =>
        copies(
          'build',
          all(
            'build',
            (build) => build.projectId === projectId && build.name === name && isLaunchable(build),
            (a, b) => b.buildVersion - a.buildVersion,
          ).slice(0, 1),
        )[0],
    },
    servers: {
      list: (q: ServerQuery) =>
        page(
          'server',
          q,
          (server) =>
            server.projectId === q.projectId &&
            same(q.status, server.status) &&
            same(q.region, server.region) &&
            same(q.matchId, server.matchId) &&
            same(q.versionTag, server.versionTag) &&
            same(q.buildId, server.buildId) &&
            same(q.endReason, server.endReason ?? null),
          newestFirst,
        ),
      listLive: (nodeId?: string) =>
        copies(
          'server',
          all('server', (server) => isLive(server) && (nodeId === undefined || server.nodeId === nodeId), oldestFirst),
        ),
      listFailed: (projectId: string, since: number, limit: number) =>
        copies(
          'server',
          all(
            'server',
            (server) =>
              server.projectId === projectId && server.status === 'failed' && (server.stoppedAt ?? 0) >= since,
            lastFirst,
          ).slice(0, limit),
        ),
      tallyFailed: (projectId: string, since: number) => {
        const at = storedValues(data, 'server').flatMap((server) =>
          server.projectId === projectId && server.status === 'failed' && (server.stoppedAt ?? 0) >= since
            ? (server.stoppedAt ?? [])
            : [],
        )
        return { count: at.length, first: at.length === 0 ? null : at.reduce((a, b) => Math.min(a, b)) }
      },
      lastEnded: (buildId: string, limit: number) =>
        copies(
          'server',
          all('server', (server) => server.buildId === buildId && counts(server), lastFirst).slice(0, limit),
        ),
      nodes: () => [
        ...new Set(storedValues(data, 'server').flatMap((server) => (isLive(server) ? (server.nodeId ?? []) : []))),
      ],
      firstInLine: (orchestrator: string) => {
        const first = new Map<string, GameServer>()
        const inLine = (server: GameServer) => placeInLine(server)?.startsWith(`${orchestrator}/`) === true
        for (const server of all('server', inLine, oldestFirst)) {
          const place = placeInLine(server) ?? ''
          if (!first.has(place)) first.set(place, server)
        }
        return copies('server', [...first.values()])
      },
      waitingSince: (key: string) => all('server', (server) => waitingQueue(server) === key, oldestFirst)[0]?.createdAt,
      anyLiveOfBuild: (buildId: string) =>
        storedValues(data, 'server').some((server) => server.buildId === buildId && isLive(server)),
      liveOfBuild: (buildId: string, after: string, limit: number) =>
        copies(
          'server',
          all('server', (server) => server.buildId === buildId && isLive(server) && server.id > after, byId).slice(
            0,
            limit,
          ),
        ),
      countLive: (projectId: string) =>
        storedValues(data, 'server').filter((server) => server.projectId === projectId && isLive(server)).length,
      metered: (accountId: string, from: number, to: number) => ({
        sums: addedUp(
          [...(data.usage.get(accountId)?.values() ?? [])].filter(({ beginsAt }) => beginsAt >= from && beginsAt < to),
        ),
        servers: copies(
          'server',
          all(
            'server',
            ({ accountId: owner, runningAt, stoppedAt }) =>
              owner === accountId && runningAt !== null && runningAt < to && stoppedAt === null,
            oldestFirst,
          ),
        ),
      }),
    },
    bans: {
      list: (q: BanQuery) =>
        within(
          'ban',
          all('ban', (ban) => ban.projectId === q.projectId && isOlder(ban, q.before), newestFirst).slice(
            q.offset ?? 0,
            (q.offset ?? 0) + q.limit,
          ),
          q.maxBytes,
        ),
      listEnded: (q: EndedBanQuery) =>
        copies(
          'ban',
          all(
            'ban',
            (ban) => same(q.projectId, ban.projectId) && ban.until !== null && ban.until <= q.until,
            (a, b) => (a.until ?? 0) - (b.until ?? 0) || byText(a.id, b.id),
          ).slice(0, q.limit),
        ),
    },
    ratings: {
      list: (projectId: string, request: ListWindow) =>
        page(
          'rating',
          request,
          (rating) => rating.projectId === projectId,
          (a, b) => byText(a.ratingId, b.ratingId),
        ),
    },
    standings: {
      list: (q: StandingQuery) =>
        within('standing', standingsOf(boardIndexOf(data).after(q, q.after ?? '', q.limit)), q.maxBytes),
      listBefore: (q: BoardPosition) => standingsOf(boardIndexOf(data).before(q, q.place, q.limit)),
      countBefore: (q: BoardPart) => Math.min(q.limit, boardIndexOf(data).countBetween(q, q.after ?? '', q.place)),
      ofPlayer: (projectId: string, playerId: string, limit: number) =>
        copies(
          'standing',
          all('standing', (one) => one.projectId === projectId && one.playerId === playerId, byId).slice(0, limit),
        ),
      ofRating: (ratingKey: string, limit: number) =>
        copies('standing', all('standing', (one) => one.ratingKey === ratingKey, byId).slice(0, limit)),
    },
    arrivals: {
      list: ({ limit, maxBytes, ...asked }: ArrivalQuery) => {
        const { from, to } = arrivalsAsked(asked)
        const batches = all(
          'arrivals',
          ({ id }) => id > from && id < to,
          (a, b) => byText(a.id, b.id),
        ).slice(0, limit)
        return within('arrivals', batches, maxBytes)
      },
    },
    messages: {
      ofPlayer: (projectId: string, playerId: string, limit: number) =>
        copies(
          'message',
          all(
            'message',
            (message) => messageLabels(message).includes(playerLabel(projectId, playerId)),
            newestFirst,
          ).slice(0, limit),
        ),
    },
    deliveries: {
      list: (q: DeliveryQuery) =>
        page('delivery', q, (d) => d.webhookId === q.webhookId && same(q.status, d.status), newestFirst),
    },
    machines: { list: (limit: number) => copies('machine', all('machine', () => true, byId).slice(0, limit)) },
    matches: {
      listEnded: ({ until, limit }: EndedMatchQuery) =>
        all(
          'match',
          ({ endedAt }) => endedAt !== null && endedAt <= until,
          (a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0) || byText(a.id, b.id),
        )
          .slice(0, limit)
          .map(({ id, version, projectId }) => ({ id, version, projectId })),
      listRecent: (key: string, since: number, limit: number) =>
        copies(
          'match',
          all(
            'match',
            (match) => queueKey(match.projectId, match.queueId) === key && match.createdAt >= since,
            newestFirst,
          ).slice(0, limit),
        ),
      list: (q: MatchQuery) =>
        within(
          'match',
          all(
            'match',
            (match) =>
              match.projectId === q.projectId &&
              listedStatus(match) !== null &&
              same(q.queueId, match.queueId) &&
              (q.playerId === undefined || isOf(match, q.playerId)) &&
              same(q.status, match.status) &&
              same(q.endReason, match.ending?.reason ?? null) &&
              (q.buildId === undefined || match.build?.id === q.buildId) &&
              match.createdAt >= (q.from ?? 0) &&
              isOlder(match, q.before),
            newestFirst,
          ).slice(0, q.limit),
          q.maxBytes,
        ),
      ofPlayer: (projectId: string, playerId: string, limit: number, maxBytes?: number) =>
        within(
          'match',
          all('match', (match) => match.projectId === projectId && isOf(match, playerId), newestFirst).slice(0, limit),
          maxBytes,
        ),
      waits: (key: string, since: number) => {
        const totals = new Map<string, WaitTotal>()
        for (const { slot, ...cell } of data.matchWaits.get(key)?.values() ?? []) {
          const name = `${cell.players}/${cell.bucket}`
          if (slot >= since) totals.set(name, addWaits(totals.get(name), cell))
        }
        return [...totals.values()].sort((a, b) => a.players - b.players || a.bucket - b.bucket)
      },
    },
    history: {
      read: (query: HistoryQuery) => readHistory(data, query),
      rows: (step: number, after: HistoryPlace, before: number, limit: number) =>
        historyRows(data, step, after, before, limit),
    },
  }
}
