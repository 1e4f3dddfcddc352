import type {
  Account,
  ApiKey,
  AuditEntry,
  Ban,
  Build,
  Delivery,
  GameServer,
  Lobby,
  Match,
  Page,
  Project,
  Queue,
  Session,
} from '@matchyard/core'
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
  OPEN_LOOKED_AT,
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
} from '@matchyard/core/ports'
import { placeColumn, rangeColumn } from '../board-columns'
import { fromColumn, jsonList, toColumn } from '../column-text'
import type { Database } from '../database'
import { commitStatements } from '../statements/commits'
import { listStatements, type PageRow } from '../statements/lists'
import { lobbyStatements } from '../statements/lobbies'
import { matchStatements } from '../statements/matches'
import { serverStatements } from '../statements/servers'
import type { Statement } from '../statements/statement'
import { bodiesOf } from './entities'

async function page<T>(
  database: Database,
  statement: Statement<PageRow>,
  values: readonly unknown[],
): Promise<Page<T>> {
  const { rows } = await database.read(statement, values)
  const data = rows.flatMap(({ body }) => (body === null ? [] : [JSON.parse(body) as T]))
  return { total: rows[0]?.total ?? 0, data }
}

const orNull = (text: string | undefined) => (text === undefined ? null : toColumn(text))

export function browse(database: Database, query: LobbyQuery): Promise<Page<Lobby>> {
  const { sort, status, limit, offset, before, maxBytes = null } = query
  const place = before === undefined ? [] : placed(before)
  const walks = before !== undefined
  const labels = askedLabels(query)
  const by = labels.length === 0 ? toColumn(query.projectId) : jsonList(labels)
  const filter = [by, orNull(query.queueId), orNull(query.region), query.includePrivate ? 1 : 0]
  if (labels.length > 0) {
    const project = toColumn(query.projectId)
    const labelled = walks ? lobbyStatements.walkLabelled : lobbyStatements.browseLabelled[sort]
    return page(database, labelled, [...filter, limit, offset, status ?? null, project, maxBytes, ...place])
  }
  return status === undefined
    ? page(database, walks ? lobbyStatements.walk : lobbyStatements.browse[sort], [
        ...filter,
        limit,
        offset,
        maxBytes,
        ...place,
      ])
    : page(database, walks ? lobbyStatements.walkStatus : lobbyStatements.browseStatus[sort], [
        ...filter,
        limit,
        offset,
        status,
        maxBytes,
        ...place,
      ])
}

/** Returns the number of lobbies of a project. */
export async function countLobbies(database: Database, projectId: string): Promise<number> {
  const { rows } = await database.read(lobbyStatements.count, [toColumn(projectId), null, null, 1])
  return rows[0]?.total ?? 0
}

const placed = ({ createdAt, id }: Place) => [createdAt, toColumn(id)]

/** A position before the newest match. */
const NEWEST: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }

export function listMatches(database: Database, query: MatchQuery): Promise<Match[]> {
  const { projectId, queueId, playerId, status, endReason, before = NEWEST, limit, maxBytes = null, from = 0 } = query
  const queue = queueId === undefined ? null : toColumn(queueKey(projectId, queueId))
  const asked = [limit, ...placed(before), queue, maxBytes, from]
  const outcomes = query.buildId === undefined ? null : jsonList(outcomePlaces(query.buildId, query).map(toColumn))
  if (playerId !== undefined) {
    const label = jsonList([playerLabel(projectId, playerId)])
    const more = [status ?? null, endReason ?? null, outcomes]
    return bodiesOf(database, matchStatements.listOfPlayer, [label, ...asked, ...more])
  }
  if (endReason !== undefined && status !== undefined && status !== 'ended') return Promise.resolve([])
  if (outcomes !== null) return bodiesOf(database, matchStatements.listOfBuild, [outcomes, ...asked, status ?? null])
  const project = toColumn(projectId)
  if (endReason !== undefined) return bodiesOf(database, matchStatements.listOfEnd, [project, ...asked, endReason])
  if (queue !== null && (status === undefined || status === 'ended')) {
    const ofQueue = [queue, limit, ...placed(before), status ?? null, maxBytes, from]
    return bodiesOf(database, matchStatements.listOfQueue, ofQueue)
  }
  return status === undefined
    ? bodiesOf(database, matchStatements.list, [project, ...asked])
    : bodiesOf(database, matchStatements.listOfStatus, [project, ...asked, status])
}

/** A position before the first open lobby of any queue. */
const START = { seats: 0, createdAt: 0, id: '' }

export async function fullestOpen(database: Database, query: OpenLobbyQuery): Promise<Lobby[]> {
  const { projectId, queueId, settings, after = START, limit } = query
  const labels = openLabels(projectId, queueId, settings)
  const queue = [toColumn(projectId), toColumn(queueId)]
  const place = [after.seats, after.createdAt, toColumn(after.id)]
  if (labels.length === 0) return bodiesOf(database, lobbyStatements.open, [...queue, limit, ...place])
  const asked = jsonList(labels)
  const window = [...queue, OPEN_LOOKED_AT, ...place, asked, limit]
  const near = await bodiesOf<Lobby>(database, lobbyStatements.openFitting, window)
  return near.length > 0 ? near : bodiesOf(database, lobbyStatements.openLabelled, [asked, limit, ...place])
}

/** Returns the lobbies in `in_queue` of some players. */
export async function searchesOf(
  database: Database,
  projectId: string,
  playerIds: readonly string[],
): Promise<PlayerSearch[]> {
  if (playerIds.length === 0) return []
  const byLabel = new Map(playerIds.map((playerId) => [playerLabel(projectId, playerId), playerId]))
  const { rows } = await database.read(lobbyStatements.searching, [jsonList([...byLabel.keys()])])
  return rows.flatMap(({ label, id }) => {
    const playerId = byLabel.get(label)
    return playerId === undefined ? [] : [{ playerId, lobbyId: fromColumn(id) }]
  })
}

export const listAccounts = (database: Database, { limit, offset, maxBytes }: ListWindow) =>
  page<Account>(database, listStatements.accounts, [limit, offset, maxBytes ?? null])

export const listProjects = (database: Database, accountId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Project>(database, listStatements.projects, [toColumn(accountId), limit, offset, maxBytes ?? null])

export const listApiKeys = (database: Database, projectId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<ApiKey>(database, listStatements.apiKeys, [toColumn(projectId), limit, offset, maxBytes ?? null])

export const listQueues = (database: Database, projectId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Queue>(database, listStatements.queues, [toColumn(projectId), limit, offset, maxBytes ?? null])

export const listWarmQueues = (database: Database): Promise<Queue[]> =>
  bodiesOf(database, listStatements.warmQueues, [])

export const listBuilds = (
  database: Database,
  { projectId, name, status, type, limit, offset, maxBytes }: BuildQuery,
) =>
  page<Build>(database, listStatements.builds, [
    toColumn(projectId),
    orNull(name),
    orNull(status),
    orNull(type),
    limit,
    offset,
    maxBytes ?? null,
  ])

export function listBans(database: Database, query: BanQuery): Promise<Ban[]> {
  const { projectId, before = NEWEST, limit, offset = 0, maxBytes = null } = query
  return bodiesOf(database, listStatements.bans, [toColumn(projectId), ...placed(before), limit, offset, maxBytes])
}

export function listAudit(database: Database, query: AuditQuery): Promise<AuditEntry[]> {
  const { scope, before = NEWEST, limit, maxBytes = null } = query
  return bodiesOf(database, listStatements.audit, [toColumn(scope), ...placed(before), limit, maxBytes])
}

export function listSessions(database: Database, query: SessionQuery): Promise<Session[]> {
  const { accountId, sessionEpoch, before = NEWEST, limit } = query
  const key = toColumn(sessionsKey(accountId, sessionEpoch))
  return bodiesOf(database, listStatements.sessions, [key, ...placed(before), limit])
}

export const listEndedBans = (database: Database, { projectId, until, limit }: EndedBanQuery): Promise<Ban[]> =>
  projectId === undefined
    ? bodiesOf(database, listStatements.endedBans, [until, limit])
    : bodiesOf(database, listStatements.endedBansOfProject, [toColumn(projectId), until, limit])

export async function listEndedMatches(database: Database, { until, limit }: EndedMatchQuery) {
  const { rows } = await database.read(matchStatements.ended, [until, limit])
  return rows.map(({ id, version, project_id }) => ({
    id: fromColumn(id),
    version: Number(version),
    projectId: fromColumn(project_id),
  }))
}

export const listRatings = (database: Database, projectId: string, { limit, offset, maxBytes }: ListWindow) =>
  page<Entities['rating']>(database, listStatements.ratings, [toColumn(projectId), limit, offset, maxBytes ?? null])

type Standings = Promise<Entities['standing'][]>

function boardWindow(board: BoardQuery, place: string, limit: number): unknown[] {
  const { levels, tiers } = boardRanges(board)
  return [tiers.map(rangeColumn), levels.map(rangeColumn), placeColumn(place), limit]
}

export function listStandings(database: Database, { after = '', limit, maxBytes, ...board }: StandingQuery): Standings {
  return bodiesOf(database, listStatements.standings, [...boardWindow(board, after, limit), maxBytes ?? null])
}

export const listStandingsBefore = (database: Database, { place, limit, ...board }: BoardPosition): Standings =>
  bodiesOf(database, listStatements.standingsBefore, boardWindow(board, place, limit))

export async function countStandingsBefore(database: Database, { after = '', place, limit, ...board }: BoardPart) {
  const values = [...boardWindow(board, place, limit), placeColumn(after)]
  const { rows } = await database.read(listStatements.countBefore, values)
  return rows[0]?.n ?? 0
}

export async function sumCounters(
  database: Database,
  ranges: readonly { readonly from: string; readonly below: string }[],
): Promise<number> {
  const ends = [ranges.map(({ from }) => toColumn(from)), ranges.map(({ below }) => toColumn(below))]
  const { rows } = await database.read(commitStatements.sumCounters, ends)
  return rows[0]?.value ?? 0
}

export function listArrivals(database: Database, query: ArrivalQuery): Promise<Entities['arrivals'][]> {
  const { from, to } = arrivalsAsked(query)
  return bodiesOf(database, listStatements.arrivals, [toColumn(from), toColumn(to), query.limit, query.maxBytes])
}

export function listDeliveries(database: Database, query: DeliveryQuery): Promise<Page<Delivery>> {
  const { webhookId, status, limit, offset, maxBytes = null } = query
  const window = [toColumn(webhookId), limit, offset]
  return status === undefined
    ? page(database, listStatements.deliveries, [...window, maxBytes])
    : page(database, listStatements.deliveriesOfStatus, [...window, status, maxBytes])
}

export function listServers(database: Database, query: ServerQuery): Promise<Page<GameServer>> {
  const { status, region, matchId, versionTag, buildId, endReason, limit, offset, maxBytes = null } = query
  const filter = [toColumn(query.projectId), orNull(status), orNull(region), orNull(versionTag), limit, offset]
  if (matchId !== undefined)
    return page(database, serverStatements.listOfMatch, [
      ...filter,
      toColumn(matchId),
      maxBytes,
      orNull(buildId),
      endReason ?? null,
    ])
  if (buildId !== undefined && endReason !== undefined)
    return page(database, serverStatements.listOfEndPlace, [
      ...filter,
      toColumn(endPlace(buildId, endReason)),
      maxBytes,
    ])
  if (endReason !== undefined) return page(database, serverStatements.listOfEnd, [...filter, endReason, maxBytes])
  if (buildId !== undefined)
    return page(database, serverStatements.listOfBuild, [...filter, toColumn(buildId), maxBytes])
  return page(database, versionTag === undefined ? serverStatements.list : serverStatements.listOfTag, [
    ...filter,
    maxBytes,
  ])
}
