import {
  type AuditEntry,
  type Ban,
  type Build,
  type GameServer,
  LIVE_SERVER_STATUSES,
  type Lobby,
  type Match,
  type Message,
  type Page,
  type Queue,
  type Standing,
} from '@matchyard/core'
import {
  addedUp,
  addressedAt,
  addWaits,
  arrivalsAsked,
  askedLabels,
  asksForWarm,
  auditLabels,
  auditScope,
  type BoardQuery,
  boardPlace,
  type Entities,
  type EntityKind,
  isLaunchable,
  isOnBoard,
  type ListWindow,
  type LobbySort,
  listedStatus,
  lobbyLabels,
  matchLabels,
  messageLabels,
  openLabels,
  openSeats,
  openSessionsKey,
  placeInLine,
  playerLabel,
  queueKey,
  type Storage,
  sessionsKey,
  type UsageSum,
  type WaitCell,
  type WaitTotal,
  waitingQueue,
} from '@matchyard/core/ports'
import type { Journal } from './journal'

type Order<T> = (a: T, b: T) => number
type Aged = { readonly id: string; readonly createdAt: number }
// Compares texts by code units, because the order must not depend on the machine's language.
export const byText: Order<string> = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
const oldest: Order<Aged> = (a, b) => a.createdAt - b.createdAt || byText(a.id, b.id)
const newest: Order<Aged> = (a, b) => oldest(b, a)
const LOBBY_ORDERS: Record<LobbySort, Order<Lobby>> = {
  created_at_asc: oldest,
  created_at_desc: newest,
  player_count_desc: (a, b) => b.players.length - a.players.length || newest(a, b),
}
/** Whether an entity comes after a place in the order from newest to oldest. */
const isOlder = (place: Aged | undefined) => (entity: Aged) => place === undefined || newest(place, entity) < 0
const fullest: Order<Lobby> = (a, b) => openSeats(a) - openSeats(b) || oldest(a, b)
/** Whether a lobby has all labels. A database has an index for them. */
const isLabelled = (lobby: Lobby, labels: readonly string[]) => {
  const own = lobbyLabels(lobby)
  return labels.every((label) => own.includes(label))
}
const byId: Order<{ readonly id: string }> = (a, b) => byText(a.id, b.id)
const byQueueKey: Order<Queue> = (a, b) => byText(a.id, b.id)
const byQueueId: Order<Queue> = (a, b) => byText(a.queueId, b.queueId)
const byPlace: Order<Standing> = (a, b) => byText(boardPlace(a), boardPlace(b))
const highestVersion: Order<Build> = (a, b) => b.buildVersion - a.buildVersion

/** Whether each field has its wanted value; undefined accepts every value. */
const has = <T extends object>(entity: T, wanted: { readonly [F in keyof T]?: T[F] | undefined }) =>
  Object.entries(wanted).every(([field, value]) => value === undefined || entity[field as keyof T] === value)

type Lists = Pick<
  Storage,
  | 'accounts'
  | 'sessions'
  | 'lobbies'
  | 'projects'
  | 'apiKeys'
  | 'members'
  | 'invitations'
  | 'problems'
  | 'queues'
  | 'builds'
  | 'servers'
  | 'machines'
  | 'bans'
  | 'ratings'
  | 'standings'
  | 'matches'
  | 'arrivals'
  | 'messages'
  | 'deliveries'
  | 'audit'
>

/** Returns copies of the first item and of further items within a number of bytes of JSON. */
export function within<T>(found: readonly T[], maxBytes = Number.POSITIVE_INFINITY): T[] {
  let bytes = 0
  const past = found.findIndex((value, at) => {
    bytes += Buffer.byteLength(JSON.stringify(value))
    return at > 0 && bytes > maxBytes
  })
  return structuredClone(past === -1 ? [...found] : found.slice(0, past))
}

/**
 * Returns the readers that list entities. Each filters all rows, sorts them and cuts the page; a database has an index
 * for each.
 */
export function lists(journal: Journal): Lists {
  const all = <K extends EntityKind>(kind: K, order: Order<Entities[K]>, where: (entity: Entities[K]) => boolean) =>
    [...journal.rows<Entities[K]>(kind).values()].filter(where).sort(order)
  const live = (where: (server: GameServer) => boolean) =>
    all('server', oldest, (server) => LIVE_SERVER_STATUSES.includes(server.status) && where(server))
  const page = async <T>({ limit, offset, maxBytes }: ListWindow, found: T[]): Promise<Page<T>> => ({
    total: found.length,
    data: within(found.slice(offset, offset + limit), maxBytes),
  })

  const onBoard = (board: BoardQuery, where: (place: string) => boolean) =>
    all('standing', byPlace, (one) => isOnBoard(board, one) && where(boardPlace(one)))

  return {
    lobbies: {
      browse: async (query) => {
        const { sort, includePrivate, limit, offset, maxBytes, before } = query
        const { projectId, queueId, status, region } = query
        const wanted = { projectId, queueId, status, region }
        const labels = askedLabels(query)
        const shown = (lobby: Lobby) =>
          has(lobby, wanted) && (includePrivate || !lobby.isPrivate) && isLabelled(lobby, labels)
        const found = all('lobby', LOBBY_ORDERS[sort], shown)
        const { data } = await page({ limit, offset, ...(maxBytes && { maxBytes }) }, found.filter(isOlder(before)))
        return { total: found.length, data }
      },
      count: async (projectId) => all('lobby', oldest, (lobby) => lobby.projectId === projectId).length,
      fullestOpen: async ({ projectId, queueId, settings, after, limit }) => {
        const labels = openLabels(projectId, queueId, settings)
        const isOpen = (lobby: Lobby) => has(lobby, { projectId, queueId }) && openSeats(lobby) > 0
        const fits = all('lobby', fullest, (lobby) => isOpen(lobby) && isLabelled(lobby, labels))
        const isAfter = (lobby: Lobby) =>
          after === undefined ||
          (openSeats(lobby) - after.seats || lobby.createdAt - after.createdAt || byText(lobby.id, after.id)) > 0
        return structuredClone(fits.filter(isAfter).slice(0, limit))
      },
      searching: async (projectId, playerIds) =>
        all('lobby', oldest, (lobby) => has(lobby, { projectId, status: 'in_queue' })).flatMap(({ id, players }) =>
          players
            .filter(({ playerId }) => playerIds.includes(playerId))
            .map(({ playerId }) => ({ playerId, lobbyId: id })),
        ),
    },
    accounts: {
      list: async (request) =>
        page(
          request,
          all('account', byId, () => true),
        ),
    },
    projects: {
      list: async (accountId, request) =>
        page(
          request,
          all('project', oldest, (project) => has(project, { accountId, deletedAt: null })),
        ),
      listAll: async (accountId) => structuredClone(all('project', oldest, (project) => has(project, { accountId }))),
    },
    apiKeys: {
      list: async (projectId, request) =>
        page(
          request,
          all('api-key', oldest, (key) => has(key, { projectId })),
        ),
    },
    sessions: {
      list: async ({ accountId, sessionEpoch, before, limit }) => {
        const key = sessionsKey(accountId, sessionEpoch)
        const open = all('session', newest, (session) => openSessionsKey(session) === key)
        return structuredClone(open.filter(isOlder(before)).slice(0, limit))
      },
    },
    members: {
      ofProject: async (projectId, limit) =>
        structuredClone(all('member', byId, (member) => has(member, { projectId })).slice(0, limit)),
      ofAccount: async (accountId, limit) =>
        structuredClone(all('member', byId, (member) => has(member, { accountId })).slice(0, limit)),
    },
    invitations: {
      ofProject: async (projectId, limit) =>
        structuredClone(all('invitation', byId, (invitation) => has(invitation, { projectId })).slice(0, limit)),
    },
    problems: {
      ofProject: async (projectId, limit) =>
        structuredClone(all('problem', byId, (problem) => has(problem, { projectId })).slice(0, limit)),
      projectsWithOpen: async (after, limit) => {
        const open = all('problem', byId, (problem) => problem.closedAt === null && problem.projectId > after)
        return [...new Set(open.map(({ projectId }) => projectId))].sort(byText).slice(0, limit)
      },
    },
    queues: {
      list: async (projectId, request) =>
        page(
          request,
          all('queue', byQueueId, (queue) => has(queue, { projectId })),
        ),
      listWarm: async () => structuredClone(all('queue', byQueueKey, asksForWarm)),
    },
    builds: {
      list: async ({ limit, offset, maxBytes, ...wanted }) => {
        const shown = (build: Build) => wanted.status !== undefined || build.status !== 'deleted'
        return page(
          { limit, offset, ...(maxBytes && { maxBytes }) },
          all('build', newest, (build) => has(build, wanted) && shown(build)),
        )
      },
      newestReady: async (projectId, name) => {
        const wanted = { projectId, name }
        return structuredClone(all('build', highestVersion, (build) => has(build, wanted) && isLaunchable(build))[0])
      },
    },
    servers: {
      listFailed: async (projectId, since, limit) => {
        const failed = (server: GameServer) =>
          has(server, { projectId, status: 'failed' }) && (server.stoppedAt ?? 0) >= since
        const last: Order<GameServer> = (a, b) => (b.stoppedAt ?? 0) - (a.stoppedAt ?? 0) || byText(b.id, a.id)
        return structuredClone(all('server', last, failed).slice(0, limit))
      },
      lastEnded: async (buildId, limit) => {
        const last: Order<GameServer> = (a, b) => (b.stoppedAt ?? 0) - (a.stoppedAt ?? 0) || byText(b.id, a.id)
        const counts = (server: GameServer) =>
          has(server, { buildId }) &&
          server.stoppedAt !== null &&
          (server.matchId !== null || server.status === 'failed')
        return structuredClone(all('server', last, counts).slice(0, limit))
      },
      tallyFailed: async (projectId, since) => {
        const failed = all('server', newest, (server) => has(server, { projectId, status: 'failed' }))
        const at = failed.flatMap(({ stoppedAt }) => (stoppedAt !== null && stoppedAt >= since ? [stoppedAt] : []))
        return { count: at.length, first: at.length === 0 ? null : at.reduce((a, b) => Math.min(a, b)) }
      },
      list: async ({ limit, offset, maxBytes, ...wanted }) =>
        page(
          { limit, offset, ...(maxBytes && { maxBytes }) },
          all('server', newest, (server) => has(server, wanted)),
        ),
      listLive: async (node) => structuredClone(live(({ nodeId }) => node === undefined || nodeId === node)),
      nodes: async () => [...new Set(live(() => true).flatMap(({ nodeId }) => nodeId ?? []))],
      firstInLine: async (orchestrator) => {
        const inLine = (server: GameServer) => placeInLine(server)?.startsWith(`${orchestrator}/`) === true
        const first = new Map<string | null, GameServer>()
        for (const server of live(inLine)) {
          const place = placeInLine(server)
          if (!first.has(place)) first.set(place, server)
        }
        return structuredClone([...first.values()])
      },
      waitingSince: async (queue) => live((server) => waitingQueue(server) === queue)[0]?.createdAt,
      anyLiveOfBuild: async (buildId) => live((server) => has(server, { buildId })).length > 0,
      liveOfBuild: async (buildId, after, limit) => {
        const later = (server: GameServer) => has(server, { buildId }) && server.id > after
        return structuredClone(live(later).sort(byId).slice(0, limit))
      },
      countLive: async (projectId) => live((server) => has(server, { projectId })).length,
      metered: async (accountId, from, to) => {
        const sums = [...journal.rows<UsageSum>(`usage ${accountId}`).values()]
        const runs = ({ runningAt, stoppedAt }: GameServer) =>
          runningAt !== null && runningAt < to && stoppedAt === null
        return structuredClone({
          sums: addedUp(sums.filter(({ beginsAt }) => beginsAt >= from && beginsAt < to)),
          servers: all('server', oldest, (server) => has(server, { accountId }) && runs(server)),
        })
      },
    },
    arrivals: {
      list: async ({ limit, maxBytes, ...asked }) => {
        const { from, to } = arrivalsAsked(asked)
        const batches = all(
          'arrivals',
          (a, b) => (a.id < b.id ? -1 : 1),
          ({ id }) => id > from && id < to,
        ).slice(0, limit)
        return within(batches, maxBytes)
      },
    },
    messages: {
      ofPlayer: async (projectId, playerId, limit) => {
        const tells = (message: Message) => messageLabels(message).includes(playerLabel(projectId, playerId))
        return structuredClone(all('message', newest, tells).slice(0, limit))
      },
    },
    deliveries: {
      list: async ({ webhookId, status, ...window }) =>
        page(
          window,
          all('delivery', newest, (delivery) => has(delivery, { webhookId, status })),
        ),
    },
    audit: {
      list: async ({ scope, before, limit, maxBytes }) => {
        const older = all('audit', newest, (entry) => auditScope(entry) === scope).filter(isOlder(before))
        return within(older.slice(0, limit), maxBytes)
      },
      listAddressed: async ({ until, limit }) => {
        const isAsked = (entry: AuditEntry) => (addressedAt(entry) ?? Number.POSITIVE_INFINITY) <= until
        return structuredClone(all('audit', oldest, isAsked).slice(0, limit))
      },
      ofPlayer: async (projectId, playerId, limit) => {
        const names = (entry: AuditEntry) => auditLabels(entry).includes(playerLabel(projectId, playerId))
        return structuredClone(all('audit', newest, names).slice(0, limit))
      },
    },
    machines: { list: async (limit) => structuredClone(all('machine', byId, () => true).slice(0, limit)) },
    bans: {
      list: async ({ projectId, before, offset = 0, limit, maxBytes }) => {
        const older = all('ban', newest, (ban) => has(ban, { projectId })).filter(isOlder(before))
        return within(older.slice(offset, offset + limit), maxBytes)
      },
      listEnded: async ({ projectId, until, limit }) => {
        const ended = (ban: Ban) => has(ban, { projectId }) && ban.until !== null && ban.until <= until
        const byEnd: Order<Ban> = (a, b) => (a.until ?? 0) - (b.until ?? 0) || byText(a.id, b.id)
        return structuredClone(all('ban', byEnd, ended).slice(0, limit))
      },
    },
    ratings: {
      list: async (projectId, window) =>
        page(
          window,
          all(
            'rating',
            (a, b) => byText(a.ratingId, b.ratingId),
            (rating) => has(rating, { projectId }),
          ),
        ),
    },
    standings: {
      list: async ({ after = '', limit, maxBytes, ...board }) =>
        within(onBoard(board, (place) => place > after).slice(0, limit), maxBytes),
      listBefore: async ({ place: end, limit, ...board }) =>
        structuredClone(
          onBoard(board, (place) => place < end)
            .reverse()
            .slice(0, limit),
        ),
      countBefore: async ({ after = '', place: end, limit, ...board }) =>
        Math.min(limit, onBoard(board, (place) => place > after && place < end).length),
      ofPlayer: async (projectId, playerId, limit) =>
        structuredClone(all('standing', byPlace, (one) => has(one, { projectId, playerId })).slice(0, limit)),
      ofRating: async (ratingKey, limit) =>
        structuredClone(all('standing', byPlace, (one) => has(one, { ratingKey })).slice(0, limit)),
    },
    matches: {
      listEnded: async ({ until, limit }) => {
        const byEnd: Order<Match> = (a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0) || byText(a.id, b.id)
        const ended = all('match', byEnd, ({ endedAt }) => endedAt !== null && endedAt <= until)
        return ended.slice(0, limit).map(({ id, version, projectId }) => ({ id, version, projectId }))
      },
      list: async ({ before, limit, maxBytes, endReason, playerId, buildId, from = 0, ...wanted }) => {
        const plays = (match: Match) =>
          playerId === undefined || matchLabels(match).includes(playerLabel(match.projectId, playerId))
        const ended = (match: Match) => endReason === undefined || match.ending?.reason === endReason
        const ran = ({ build, createdAt }: Match) =>
          createdAt >= from && (buildId === undefined || build?.id === buildId)
        const shown = (match: Match) =>
          has(match, wanted) && plays(match) && ended(match) && ran(match) && listedStatus(match) !== null
        return within(all('match', newest, shown).filter(isOlder(before)).slice(0, limit), maxBytes)
      },
      listRecent: async (key, since, limit) => {
        const recent = (m: Match) => queueKey(m.projectId, m.queueId) === key && m.createdAt >= since
        return structuredClone(all('match', newest, recent).slice(0, limit))
      },
      ofPlayer: async (projectId, playerId, limit, maxBytes) => {
        const plays = (match: Match) => matchLabels(match).includes(playerLabel(projectId, playerId))
        return within(all('match', newest, plays).slice(0, limit), maxBytes)
      },
      waits: async (key, since) => {
        const totals = new Map<string, WaitTotal>()
        for (const { slot, ...cell } of journal.rows<WaitCell>(`waits ${key}`).values()) {
          const name = JSON.stringify([cell.players, cell.bucket])
          if (slot >= since) totals.set(name, addWaits(totals.get(name), cell))
        }
        return [...totals.values()].sort((a, b) => a.players - b.players || a.bucket - b.bucket)
      },
    },
  }
}
