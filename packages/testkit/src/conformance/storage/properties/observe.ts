import { HOUR_MS } from '@matchyard/core/domain'
import { LOBBY_SORTS, type Storage } from '@matchyard/core/ports'
import { readEvents } from '../changes'
import { ACCOUNT_ID, PROJECT_ID, QUEUE_KEY } from '../samples'
import type { Planner } from './plan'
import { KINDS, SLOTS } from './steps'

/** Returns all data of the random histories that the storage port can return, as plain JSON. */
export async function observe(storage: Storage, planner: Planner): Promise<unknown> {
  const ids = KINDS.map((kind) => Array.from({ length: SLOTS }, (_, slot) => planner.id(kind, slot)))
  const lobbyIds = ids[0] ?? []
  const page = { projectId: PROJECT_ID, limit: 5, offset: 0 }
  const queries = LOBBY_SORTS.flatMap((sort) => [
    { ...page, sort, includePrivate: true },
    { ...page, sort, includePrivate: false, limit: 1, offset: 1 },
    { ...page, sort, includePrivate: false, status: 'waiting' as const },
    { ...page, sort, includePrivate: true, queueId: 'casual', region: 'fra' as const },
    { ...page, sort, includePrivate: true, queueId: 'ranked', status: 'in_queue' as const },
  ])
  const { now } = planner
  return {
    entities: await all(KINDS, (kind, index) => storage.getMany(kind, ids[index] ?? [])),
    byCode: await all([1, 2, 3, 4], (key) => storage.find('lobby', `invite:${PROJECT_ID}:CODE${key}`)),
    browse: await all(queries, (query) => storage.lobbies.browse(query)),
    lobbies: await storage.lobbies.count(PROJECT_ID),
    searching: (await storage.lobbies.searching(PROJECT_ID, ['player 0', 'player 1', 'player 3']))
      .map(({ playerId, lobbyId }) => `${playerId} ${lobbyId}`)
      .sort(),
    playing: await all([0, 1, 2], (seat) => storage.find('match', `playing:${PROJECT_ID}:player ${seat}`)),
    servers: await all(
      [
        ...[{}, { region: 'fra' as const }, { status: 'running' as const }, { matchId: 'CODE1' }],
        ...[{ endReason: 'server_failed' as const }, { endReason: 'match_ended' as const, buildId: 'ranked' }],
      ],
      (filter) => storage.servers.list({ ...page, ...filter }),
    ),
    live: [await storage.servers.listLive(), await storage.servers.listLive('ranked')],
    liveOfBuild: await storage.servers.liveOfBuild('ranked', '', 3),
    nodes: (await storage.servers.nodes()).sort(),
    countLive: await storage.servers.countLive(PROJECT_ID),
    metered: await storage.servers.metered(ACCOUNT_ID, now - 20, now - 10),
    waiting: await storage.tickets.waiting(),
    waitingHere: await storage.tickets.waiting(QUEUE_KEY),
    sample: (await storage.tickets.sample(QUEUE_KEY, 10, 1_000_000))
      .map(({ id, version }) => `${id} ${version}`)
      .sort(),
    matches: await all(
      [{}, { status: 'ended' as const }, { queueId: 'ranked', status: 'running' as const }, { playerId: 'ann' }],
      (filter) => storage.matches.list({ projectId: PROJECT_ID, limit: 5, ...filter }),
    ),
    waits: await storage.matches.waits(QUEUE_KEY, now - HOUR_MS),
    events: await all(lobbyIds, async (id) => [await storage.events.range(id), await readEvents(storage, id, 0, 100)]),
    counters: await all(['servers', 'builds'], (id) => storage.counters.read(id)),
    presence: await all(lobbyIds, async (id) =>
      (await storage.presence.read(id)).sort((a, b) => (a.member < b.member ? -1 : 1)),
    ),
    metrics: await storage.metrics(now),
    agenda: (await storage.jobs.agenda(['work', 'care'], now - 15)).filter(
      ({ isDue, nextAt }) => isDue || nextAt !== undefined,
    ),
    newestInstant: await storage.newestInstant(),
  }
}

const all = <T, R>(items: readonly T[], ask: (item: T, index: number) => Promise<R>): Promise<R[]> =>
  Promise.all(items.map(ask))
