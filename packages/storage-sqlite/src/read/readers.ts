import type { GameServer, Instant, Lobby, Match, Page, QueueTicket } from '@matchyard/core'
import {
  type ArrivalQuery,
  type AuditQuery,
  arrivalsAsked,
  askedLabels,
  type BanQuery,
  type BoardPart,
  type BoardPosition,
  type BoardQuery,
  type BuildQuery,
  boardRanges,
  type DeliveryQuery,
  type EndedBanQuery,
  type EndedMatchQuery,
  type Entities,
  endPlace,
  type ListWindow,
  type LobbyQuery,
  type MatchQuery,
  type Metered,
  type OpenLobbyQuery,
  openLabels,
  outcomePlaces,
  type Place,
  type PlayerSearch,
  playerLabel,
  queueKey,
  type ServerQuery,
  type SessionQuery,
  type StandingQuery,
  sessionsKey,
  type TicketChanges,
  type UsageSum,
} from '@matchyard/core/ports'
import type { Statements } from '../statements/index'
import type { BoardWindow } from '../statements/lists'
import type { LobbyStatements } from '../statements/lobbies'
import type { MatchStatements, MatchWindow } from '../statements/matches'
import type { Prepared } from '../statements/prepare'
import type { ChangeRow } from '../statements/streams'

const parse = <T>(body: string): T => JSON.parse(body)
/** Returns a page of a list. Only the bodies of the page are read, one by one. */
const page = <T>(total: number | undefined, bodies: Iterable<string>, maxBytes: number | undefined): Page<T> => ({
  total: total ?? 0,
  data: within<T>(bodies, maxBytes),
})

export function browse({ lobbies }: Statements, query: LobbyQuery): Page<Lobby> {
  const { projectId, limit, offset, sort, before, maxBytes } = query
  const filter = {
    queue: query.queueId ?? null,
    status: query.status ?? null,
    region: query.region ?? null,
    private: query.includePrivate ? 1 : 0,
  }
  const labels = askedLabels(query)
  if (labels.length > 0) {
    const asked = { ...filter, ...rarestFirst(lobbies, labels) }
    const all = lobbies.labelled[sort].all(asked)
    const rows = before === undefined ? all : lobbies.walkLabelled.all({ ...asked, ...placed(before) })
    return { total: all.length, data: bodiesAt(lobbies, rows.slice(offset, offset + limit), maxBytes) }
  }
  const ofProject = { project: projectId, ...filter }
  const total = lobbies.total.get(ofProject) ?? 0
  if (before !== undefined) {
    const walk = query.status === undefined ? lobbies.walk : lobbies.walkStatus
    const found = walk.all({ ...ofProject, limit, offset, ...placed(before) })
    return { total, data: bodiesAt(lobbies, found, maxBytes) }
  }
  const statement = query.status === undefined ? lobbies.browse[sort] : lobbies.browseStatus[sort]
  // `limit` is at most the number of remaining rows, so that the search stops at the last row and does not read to the
  // end of the index.
  const rows = Math.min(limit, total - offset)
  const found = rows > 0 ? statement.all({ ...ofProject, limit: rows, offset }) : []
  return { total, data: bodiesAt(lobbies, found, maxBytes) }
}

/** Returns the number of lobbies of a project. */
export const countLobbies = ({ lobbies }: Statements, project: string): number =>
  lobbies.total.get({ project, queue: null, status: null, region: null, private: 1 }) ?? 0

const placed = ({ createdAt, id }: Place) => ({ createdAt, id })

/**
 * Returns the labels with the rarest label first. The statement reads the lobbies of the first label, so this order
 * bounds the number of rows.
 */
function rarestFirst(lobbies: LobbyStatements, labels: readonly string[]): { label: string; others: string } {
  const counted = labels.map((label) => ({ label, count: labels.length === 1 ? 0 : (lobbies.having.get(label) ?? 0) }))
  const [rarest, ...others] = counted.sort((a, b) => a.count - b.count).map(({ label }) => label)
  return { label: rarest ?? '', others: JSON.stringify(others) }
}

const bodiesAt = ({ body }: LobbyStatements, rows: readonly number[], maxBytes?: number): Lobby[] =>
  within<Lobby>(bodiesOf(body, rows), maxBytes)

/** Yields bodies. Each body is read when the caller asks for it. */
function* bodiesOf(body: Prepared<[number], string>, rows: readonly number[]): Generator<string> {
  for (const row of rows) {
    const found = body.get(row)
    if (found !== undefined) yield found
  }
}

/** A position before the newest row. */
const NEWEST: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

/** A position before the first row of every queue. */
const START = { seats: 0, createdAt: 0, id: '' }

export function fullestOpen({ lobbies }: Statements, query: OpenLobbyQuery): Lobby[] {
  const { projectId, queueId, settings, after = START, limit } = query
  const labels = openLabels(projectId, queueId, settings)
  const part = { seats: after.seats, createdAt: after.createdAt, id: after.id, limit }
  const window = { project: projectId, queue: queueId, ...part }
  if (labels.length === 0) return bodiesAt(lobbies, lobbies.open.all(window))
  const near = lobbies.openFitting.all({ ...window, labels: JSON.stringify(labels) })
  const rows = near.length > 0 ? near : lobbies.openLabelled.all({ ...part, ...rarestFirst(lobbies, labels) })
  return bodiesAt(lobbies, rows)
}

/** Returns the lobbies in `in_queue` of some players. */
export const searchesOf = ({ lobbies }: Statements, projectId: string, playerIds: readonly string[]): PlayerSearch[] =>
  [...new Set(playerIds)].flatMap((playerId) =>
    lobbies.searching.all(playerLabel(projectId, playerId)).map((lobbyId) => ({ playerId, lobbyId })),
  )

export function listMatches({ matches }: Statements, query: MatchQuery): Match[] {
  const { projectId: project, queueId, playerId, before = NEWEST, limit, maxBytes } = query
  const { status = null, endReason = null } = query
  if (endReason !== null && status !== null && status !== 'ended') return []
  const queue = queueId === undefined ? null : queueKey(project, queueId)
  const outcomes = query.buildId === undefined ? null : JSON.stringify(outcomePlaces(query.buildId, query))
  const window = { project, queue, status, endReason, limit, outcomes, from: query.from ?? 0, ...placed(before) }
  const rows =
    playerId === undefined
      ? statementFor(matches, window).all(window)
      : matches.listOfPlayer.all({ ...window, label: playerLabel(project, playerId) })
  return within<Match>(bodiesOf(matches.body, rows), maxBytes)
}

/** Returns the statement with the index that suits the window. */
function statementFor(matches: MatchStatements, { queue, status, endReason, outcomes }: MatchWindow) {
  if (outcomes !== null) return matches.listOfBuild
  if (endReason !== null) return matches.listOfEnd
  if (queue !== null && (status === null || status === 'ended')) return matches.listOfQueue
  return status === null ? matches.list : matches.listOfStatus
}

/** Returns the newest matches of a player, past and present. */
export function matchesOfPlayer({ matches }: Statements, label: string, limit: number, maxBytes?: number): Match[] {
  return within<Match>(bodiesOf(matches.body, matches.ofPlayer.all(label, limit)), maxBytes)
}

export const listAccounts = ({ lists }: Statements, { limit, offset, maxBytes }: ListWindow) =>
  page<Entities['account']>(lists.accountTotal.get(), lists.accounts.iterate(limit, offset), maxBytes)

export const listProjects = ({ lists }: Statements, accountId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Entities['project']>(
    lists.projectTotal.get(accountId),
    lists.projects.iterate(accountId, limit, offset),
    maxBytes,
  )

export const listApiKeys = ({ lists }: Statements, projectId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Entities['api-key']>(lists.apiKeyTotal.get(projectId), lists.apiKeys.iterate(projectId, limit, offset), maxBytes)

export const listQueues = ({ lists }: Statements, projectId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Entities['queue']>(lists.queueTotal.get(projectId), lists.queues.iterate(projectId, limit, offset), maxBytes)

export const listWarmQueues = ({ lists }: Statements): Entities['queue'][] =>
  lists.warmQueues.all().map((body) => parse<Entities['queue']>(body))

export function listBuilds({ lists }: Statements, query: BuildQuery): Page<Entities['build']> {
  const { limit, offset, maxBytes } = query
  const filter = {
    project: query.projectId,
    name: query.name ?? null,
    status: query.status ?? null,
    type: query.type ?? null,
  }
  return page(lists.buildTotal.get(filter), lists.builds.iterate({ ...filter, limit, offset }), maxBytes)
}

export function listDeliveries(
  { lists }: Statements,
  { webhookId, status, limit, offset, maxBytes }: DeliveryQuery,
): Page<Entities['delivery']> {
  if (status === undefined)
    return page(lists.deliveryTotal.get(webhookId), lists.deliveries.iterate(webhookId, limit, offset), maxBytes)
  const total = lists.deliveryTotalOfStatus.get(webhookId, status)
  return page(total, lists.deliveriesOfStatus.iterate(webhookId, status, limit, offset), maxBytes)
}

export function listServers({ servers }: Statements, query: ServerQuery): Page<GameServer> {
  const { limit, offset, matchId, versionTag, buildId, endReason, maxBytes } = query
  const filter = {
    project: query.projectId,
    status: query.status ?? null,
    region: query.region ?? null,
    match: matchId ?? null,
    tag: versionTag ?? null,
    build: buildId ?? null,
    end: endReason ?? null,
    endPlace: buildId === undefined || endReason === undefined ? null : endPlace(buildId, endReason),
  }
  const window = { ...filter, limit, offset }
  if (matchId !== undefined)
    return page(servers.totalOfMatch.get(filter), servers.listOfMatch.iterate(window), maxBytes)
  if (filter.endPlace !== null)
    return page(servers.totalOfEndPlace.get(filter), servers.listOfEndPlace.iterate(window), maxBytes)
  if (endReason !== undefined) return page(servers.totalOfEnd.get(filter), servers.listOfEnd.iterate(window), maxBytes)
  if (buildId !== undefined)
    return page(servers.totalOfBuild.get(filter), servers.listOfBuild.iterate(window), maxBytes)
  const total = versionTag === undefined ? servers.keptTotal : servers.total
  return page(total.get(filter), servers.list.iterate(window), maxBytes)
}

export const listLive = ({ servers }: Statements, nodeId: string | undefined): GameServer[] =>
  (nodeId === undefined ? servers.live.all() : servers.liveOfNode.all(nodeId)).map((body) => parse(body))

/** Returns the distinct values of an index, by searching from each value to the next. */
function walk(next: (after: string) => string | null | undefined, from: string): string[] {
  const found: string[] = []
  for (let at = next(from); at != null; at = next(at)) found.push(at)
  return found
}

export const nodesOf = ({ servers }: Statements): string[] => walk((after) => servers.nextNode.get(after), '')

/**
 * Returns the oldest game server that waits for capacity, for each region and tier of an orchestrator. The column
 * `line` holds `{orchestrator}/{region}/{tier}` for a waiting server, with `/tls` at the end for TLS ports. `0` is the character after the slash, so it ends
 * the range.
 */
export function firstInLine({ servers }: Statements, orchestrator: string): GameServer[] {
  const places = walk((after) => servers.nextPlace.get(after, `${orchestrator}0`), `${orchestrator}/`)
  return places
    .flatMap((place) => servers.firstInPlace.all(place).map((body) => parse<GameServer>(body)))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

export function metered({ servers }: Statements, account: string, from: Instant, to: Instant): Metered {
  const sums: UsageSum[] = []
  const open: GameServer[] = []
  for (const { body, begins_at: beginsAt, project_id: projectId, tier, seconds } of servers.metered.all({
    account,
    from,
    to,
  })) {
    if (body === null) sums.push({ accountId: account, projectId, tier, beginsAt, seconds })
    else open.push(parse(body))
  }
  return { sums, servers: open }
}

/**
 * Returns the changes of a queue's tickets after a cursor. The cursor contains the number of the last change that was
 * read. A single writer numbers the changes, so no change becomes visible after a change with a higher number.
 * `history` identifies this opening of the file, because the file may be replaced by another file or an older copy
 * before it is opened again.
 */
export function changedSince(
  { streams }: Statements,
  history: string,
  queueKey: string,
  cursor: string | undefined,
  limit: number,
  maxBytes?: number,
): TicketChanges {
  const [from, sequence] = (cursor ?? '').split(' ')
  const goesOn = from === history
  const after = goesOn ? Number(sequence) : 0
  // Without a bound on bytes all rows are read at once, which is faster.
  const how = maxBytes === undefined ? 'all' : 'iterate'
  const rows: Iterable<ChangeRow> = goesOn
    ? streams.changes[how](queueKey, after, limit + 1)
    : streams.waitingTickets[how](queueKey, limit + 1)
  const { taken, more } = firstOf(rows, limit, maxBytes)
  return {
    changes: taken.map((row) => ({ ticketId: row.ticket_id, ticket: row.body === null ? undefined : parse(row.body) })),
    cursor: `${history} ${taken.at(-1)?.sequence ?? after}`,
    more,
    startedOver: cursor !== undefined && !goesOn,
  }
}

export function listBans({ lists }: Statements, query: BanQuery): Entities['ban'][] {
  const { projectId, before = NEWEST, limit, offset = 0, maxBytes } = query
  return within(lists.bans.iterate(projectId, before.createdAt, before.id, limit, offset), maxBytes)
}

export function listAudit({ lists }: Statements, query: AuditQuery): Entities['audit'][] {
  const { scope, before = NEWEST, limit, maxBytes } = query
  return within(lists.audit.iterate(scope, before.createdAt, before.id, limit), maxBytes)
}

export function listSessions({ lists }: Statements, query: SessionQuery): Entities['session'][] {
  const { accountId, sessionEpoch, before = NEWEST, limit } = query
  const key = sessionsKey(accountId, sessionEpoch)
  return lists.sessions.all(key, before.createdAt, before.id, limit).map((body) => parse<Entities['session']>(body))
}

export function listEndedBans({ lists }: Statements, { projectId, until, limit }: EndedBanQuery): Entities['ban'][] {
  const bodies =
    projectId === undefined ? lists.endedBans.all(until, limit) : lists.endedBansOfProject.all(projectId, until, limit)
  return bodies.map((body) => parse<Entities['ban']>(body))
}

export const listEndedMatches = ({ matches }: Statements, { until, limit }: EndedMatchQuery) =>
  matches.ended.all(until, limit)

export const listRatings = ({ lists }: Statements, projectId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Entities['rating']>(lists.ratingTotal.get(projectId), lists.ratings.iterate(projectId, limit, offset), maxBytes)

type Standings = Entities['standing'][]

function boardWindow(board: BoardQuery, place: string, limit: number): BoardWindow {
  const { levels, tiers } = boardRanges(board)
  return { levels: JSON.stringify(levels), tiers: JSON.stringify(tiers), place, limit }
}

export const listStandings = (
  { lists }: Statements,
  { after = '', limit, maxBytes, ...board }: StandingQuery,
): Standings => within(lists.standings.iterate(boardWindow(board, after, limit)), maxBytes)

export const listStandingsBefore = ({ lists }: Statements, { place, limit, ...board }: BoardPosition): Standings =>
  lists.standingsBefore.all(boardWindow(board, place, limit)).map((body) => parse(body))

export const countStandingsBefore = (
  { lists }: Statements,
  { after = '', place, limit, ...board }: BoardPart,
): number => lists.countBefore.get({ ...boardWindow(board, place, limit), after }) ?? 0

export const standingsOfPlayer = (
  { lists }: Statements,
  projectId: string,
  playerId: string,
  limit: number,
): Standings => lists.standingsOfPlayer.all(projectId, playerId, limit).map((body) => parse(body))

export const standingsOfRating = ({ lists }: Statements, ratingKey: string, limit: number): Standings =>
  lists.standingsOfRating.all(ratingKey, limit).map((body) => parse(body))

export function listArrivals({ lists }: Statements, query: ArrivalQuery): Entities['arrivals'][] {
  const { from, to } = arrivalsAsked(query)
  return within(lists.arrivals.iterate(from, to, query.limit), query.maxBytes)
}

/** Returns a sample of a queue's tickets. Bodies are read one by one, and only those of the sample. */
export function sample({ streams }: Statements, queueKey: string, limit: number, maxBytes: number): QueueTicket[] {
  return within(streams.sample.iterate(queueKey, limit), maxBytes)
}

/**
 * Returns consecutive changes up to the limit: the first change, and those following changes that fit into `maxBytes`.
 */
function firstOf(rows: Iterable<ChangeRow>, limit: number, maxBytes = Number.POSITIVE_INFINITY) {
  const taken: ChangeRow[] = []
  let bytes = 0
  for (const row of rows) {
    bytes += maxBytes === Number.POSITIVE_INFINITY ? 0 : Buffer.byteLength(row.body ?? '')
    if (taken.length === limit || (taken.length > 0 && bytes > maxBytes)) return { taken, more: true }
    taken.push(row)
  }
  return { taken, more: false }
}

/** Returns the first body, and those following bodies that fit into `maxBytes`. */
function within<T>(bodies: Iterable<string>, maxBytes = Number.POSITIVE_INFINITY): T[] {
  const taken: T[] = []
  let bytes = 0
  for (const body of bodies) {
    if (maxBytes !== Number.POSITIVE_INFINITY) bytes += Buffer.byteLength(body)
    if (taken.length > 0 && bytes > maxBytes) break
    taken.push(parse<T>(body))
  }
  return taken
}
