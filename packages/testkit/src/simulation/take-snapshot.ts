import type { Match, QueueTicket } from '@matchyard/core'
import { queueVersionId } from '@matchyard/core/domain'
import { type ArrivalBatch, type Storage, type StreamEvent, uniqueKey } from '@matchyard/core/ports'
import { GUESTS } from './guests'
import type { Place, QueueVersion, Snapshot } from './invariants/snapshot'
import type { Machine } from './machine'
import { PLAYERS } from './place'
import { takeRated } from './take-rated'

const PAGE = 100

async function pages<T>(read: (offset: number) => Promise<{ total: number; data: readonly T[] }>): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const page = await read(all.length)
    all.push(...page.data)
    if (all.length >= page.total || page.data.length === 0) return all
  }
}

const byId = <T extends { readonly id: string }>(things: readonly T[]): Map<string, T> =>
  new Map(things.map((thing) => [thing.id, thing]))

/** The fields of a snapshot that are read from the store. */
export type StoreSnapshot = Pick<
  Snapshot,
  | 'lobbies'
  | 'servers'
  | 'queues'
  | 'bans'
  | 'banCount'
  | 'tickets'
  | 'matches'
  | 'playing'
  | 'counters'
  | 'rated'
  | 'arrivals'
  | 'machineRecords'
  | 'queueVersions'
  | 'meteredSeconds'
>

/** Reads the whole store, with a handle that has no faults and does not wait for turns. */
export async function takeSnapshot(
  storage: Storage,
  { projectId, accountId, queueKeys, buildIds }: Place,
): Promise<StoreSnapshot> {
  const window = (offset: number) => ({ projectId, limit: PAGE, offset })
  const lobbies = await pages((offset) =>
    storage.lobbies.browse({ ...window(offset), includePrivate: true, sort: 'created_at_asc' }),
  )
  const servers = await pages((offset) => storage.servers.list(window(offset)))
  const queues = await storage.getMany('queue', queueKeys)
  const bans = await storage.bans.list({ projectId, limit: 10_000 })
  const project = await storage.get('project', projectId)
  const tickets: QueueTicket[] = []
  const matches: Match[] = []
  const arrivals: ArrivalBatch[] = []
  const queueVersions = new Map<string, readonly QueueVersion[]>()
  for (const key of queueKeys) {
    const { changes } = await storage.tickets.changedSince(key, undefined, 10_000)
    tickets.push(...changes.flatMap(({ ticket }) => ticket ?? []))
    matches.push(...(await storage.matches.listRecent(key, 0, 10_000)))
    const all = { queueKey: key, since: 0, limit: 10_000, maxBytes: Number.MAX_SAFE_INTEGER }
    arrivals.push(...(await storage.arrivals.list(all)))
  }
  for (const queue of queues) {
    const ids = Array.from({ length: queue.version }, (_, back) => queueVersionId(queue, queue.version - back))
    const versions = await storage.getMany('queue-version', ids)
    queueVersions.set(
      queue.id,
      versions.sort((a, b) => b.number - a.number),
    )
  }
  const counted = [
    `servers:${accountId}`,
    `project-servers:${projectId}`,
    `builds:${accountId}`,
    ...buildIds.map((id) => `build-servers:${id}`),
    ...queueKeys.flatMap((key) => [`queue-lobbies:${key}`, `warm-servers:${key}`]),
  ]
  const counters = new Map<string, number>()
  for (const id of counted) counters.set(id, await storage.counters.read(id))
  const { sums } = await storage.servers.metered(accountId, 0, Number.MAX_SAFE_INTEGER)
  return {
    meteredSeconds: sums.reduce((all, { seconds }) => all + seconds, 0),
    lobbies: byId(lobbies),
    servers: byId(servers),
    machineRecords: byId(await storage.machines.list(100)),
    queues: byId(queues),
    bans: byId(bans),
    banCount: project?.bans ?? 0,
    tickets: byId(tickets),
    matches: byId(matches),
    playing: await playersOfKeys(storage, projectId),
    counters,
    rated: await takeRated(storage, projectId),
    arrivals: byId(arrivals),
    queueVersions,
  }
}

/** Returns the match that holds the unique key of each player. Players without such a match are left out. */
async function playersOfKeys(storage: Storage, projectId: string): Promise<Map<string, string>> {
  const playing = new Map<string, string>()
  for (const playerId of [...PLAYERS, ...GUESTS]) {
    const match = await storage.find('match', uniqueKey.livePlayer(projectId, playerId))
    if (match !== undefined) playing.set(playerId, match.id)
  }
  return playing
}

/** Returns the state and the limits of the machines. */
export function takeMachines(
  machines: ReadonlyMap<string, Machine>,
): Pick<Snapshot, 'alive' | 'waiting' | 'idle' | 'maxServers' | 'misuse'> {
  return {
    alive: [...machines].flatMap(([nodeId, machine]) =>
      machine.alive.map((process) => ({ nodeId, process: { ...process } })),
    ),
    waiting: [...machines].flatMap(([nodeId, machine]) => machine.waiting.map((server) => ({ nodeId, server }))),
    idle: [...machines.values()].flatMap((machine) => machine.idle),
    maxServers: new Map(
      [...machines].flatMap(([nodeId, { limits }]) =>
        limits.maxServers === undefined ? [] : [[nodeId, limits.maxServers] as const],
      ),
    ),
    misuse: [...machines.values()].flatMap((machine) => machine.misuse),
  }
}

/** Reads the new events of every lobby's stream, including those of deleted lobbies. */
export async function readOn(
  storage: Storage,
  history: Map<string, StreamEvent[]>,
  lobbyIds: Iterable<string>,
): Promise<void> {
  for (const lobbyId of new Set([...history.keys(), ...lobbyIds])) {
    const known = history.get(lobbyId) ?? []
    if (known.at(-1)?.name === 'lobby_deleted') continue
    known.push(...(await storage.events.read(lobbyId, known.at(-1)?.version ?? 0, 1_000, Number.MAX_SAFE_INTEGER)))
    history.set(lobbyId, known)
  }
}

/** Removes the events that the store lost, after the store returned to an earlier state. */
export async function forgetLost(storage: Storage, history: Map<string, StreamEvent[]>): Promise<void> {
  for (const [lobbyId, events] of history) {
    const kept = await storage.events.range(lobbyId)
    const left = events.filter(({ version }) => kept !== undefined && version <= kept.newest)
    if (left.length > 0) history.set(lobbyId, left)
    else history.delete(lobbyId)
  }
}
