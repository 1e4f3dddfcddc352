import { watch } from './acts/watch'
import type { Inspector, Violation } from './inspector'
import type { SimulatedNode } from './node'
import { newWatcher, type Watcher } from './watcher'
import type { World } from './world'

/**
 * Heartbeat timeout or ttl of lobbies in strict queues, in seconds. It is much shorter than the other timeouts of the
 * queues, and longer than the second after which readers notice changes without a signal.
 */
const STRICT_SECONDS = 3
const STRICT = [
  { heartbeat: true, heartbeatTimeoutSeconds: STRICT_SECONDS },
  { heartbeat: false, lobbyTtlSeconds: STRICT_SECONDS },
  { heartbeat: true, heartbeatTimeoutSeconds: STRICT_SECONDS, lobbyTtlSeconds: 2 * STRICT_SECONDS },
]

/** Lets a number of milliseconds pass, from timer to timer. */
type Live = (ms: number) => Promise<Violation | undefined>

const onTurn = (nodes: readonly SimulatedNode[], turn: number) => nodes[turn % nodes.length] as SimulatedNode

/**
 * Tests heartbeats in a world without faults. Every host opens an event stream on a node. Then other nodes set a short
 * heartbeat timeout or ttl in the queues, and lobbies move between queues. Every host must stay in its lobby to the
 * end, and every lobby must remain.
 */
export async function strictQueues(world: World, inspector: Inspector, live: Live): Promise<Violation | undefined> {
  const nodes = world.nodes.filter(({ life }) => life.alive)
  const readers = openStreams(world, inspector, nodes)
  const opened = await live(0)
  if (opened !== undefined) return opened
  for (const round of [0, 1]) {
    makeStrict(world, nodes, round)
    moveLobbies(world, readers, nodes, round)
    const violation = (await live(4_000 * STRICT_SECONDS)) ?? dropped(readers)
    if (violation !== undefined) return violation
  }
  for (const _ of readers) world.count('a reader stayed')
  return undefined
}

function openStreams(world: World, { now }: Inspector, nodes: readonly SimulatedNode[]): Watcher[] {
  return [...(now?.lobbies.values() ?? [])].map((lobby, index) => {
    const watcher = newWatcher(lobby.id, lobby.hostPlayerId)
    world.watchers.push(watcher)
    watch(world, onTurn(nodes, index), watcher)
    return watcher
  })
}

function makeStrict(world: World, nodes: readonly SimulatedNode[], round: number): void {
  const { projectId, queueKeys } = world.place
  for (const [index, key] of queueKeys.entries()) {
    // In each round only every second queue changes, so that lobbies also move from a queue with longer timeouts to a
    // strict queue.
    if (index % 2 !== round) continue
    const queueId = key.slice(projectId.length + 1)
    const changes = STRICT[index % STRICT.length] ?? {}
    world.call(onTurn(nodes, index + 1), 'make strict', (matchyard) =>
      matchyard.queues.update({ projectId, queueId, changes: { ...changes, enabled: true, maxPlayers: 10 } }),
    )
  }
}

function moveLobbies(world: World, readers: readonly Watcher[], nodes: readonly SimulatedNode[], round: number): void {
  const { projectId, queueKeys } = world.place
  for (const [index, { lobbyId, playerId }] of readers.entries()) {
    if (index % 3 === 2) continue
    const queueId = (queueKeys[(index + round) % queueKeys.length] ?? '').slice(projectId.length + 1)
    world.call(onTurn(nodes, index + round), 'move', (matchyard) =>
      matchyard.lobbies.updateSettings({ projectId, lobbyId, playerId, changes: { queueId } }),
    )
  }
}

function dropped(readers: readonly Watcher[]): Violation | undefined {
  const lost = readers.find(({ over, nodeId }) => over || nodeId === undefined)
  if (lost === undefined) return undefined
  return { invariant: 'whoReadsIsThere', message: `${lost.playerId} had a stream of ${lost.lobbyId} open, and is gone` }
}
